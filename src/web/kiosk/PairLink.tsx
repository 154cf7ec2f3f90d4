import { Anchor } from '@mantine/core';
import { toServiceUrl } from '../api/urls.ts';
import { getText } from '../language/page-texts.ts';

/** Small, because it is for staff. It reloads, since displays and kiosks have separate offline caches. */
export const PairLink = ({ location }: { location: string }) => (
  <Anchor href={toServiceUrl(`display?kiosk=${encodeURIComponent(location)}`)} size="sm" c="dimmed">
    {getText('kiosk.pair')}
  </Anchor>
);
