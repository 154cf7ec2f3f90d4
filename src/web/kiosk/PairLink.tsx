import { Anchor } from '@mantine/core';
import { toServiceUrl } from '../api/urls.ts';

/** For staff, hence small. Loaded anew: the browser keeps the pages of screens and of kiosks each for itself. */
export const PairLink = ({ place }: { place: string }) => (
  <Anchor href={toServiceUrl(`display?kiosk=${encodeURIComponent(place)}`)} size="sm" c="dimmed">
    Pair this kiosk
  </Anchor>
);
