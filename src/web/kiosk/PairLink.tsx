import { Anchor } from '@mantine/core';
import { toServiceUrl } from '../api/urls.ts';

/** Small, because it is for staff. It reloads, since displays and kiosks have separate offline caches. */
export const PairLink = ({ location }: { location: string }) => (
  <Anchor href={toServiceUrl(`display?kiosk=${encodeURIComponent(location)}`)} size="sm" c="dimmed">
    Pair this kiosk
  </Anchor>
);
