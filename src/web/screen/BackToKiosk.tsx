import { Anchor } from '@mantine/core';
import { useEffect } from 'react';
import { serviceUrl } from '../api/urls.ts';

/** As long as a code holds: whoever only touched the link has left, and the next guest wants to check in. */
const PATIENCE_MS = 10 * 60_000;

/** A kiosk that shows its code comes back to its work, paired or not. */
export function BackToKiosk() {
  const place = new URLSearchParams(window.location.search).get('kiosk');
  const back =
    place === null ? null : serviceUrl(place ? `kiosk/${encodeURIComponent(place)}` : 'kiosk');
  useEffect(() => {
    if (back === null) return;
    const timer = setTimeout(() => window.location.replace(back), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [back]);
  return (
    back && (
      <Anchor href={back} c="dimmed">
        Back to the kiosk
      </Anchor>
    )
  );
}
