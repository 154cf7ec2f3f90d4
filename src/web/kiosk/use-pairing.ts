import { useEffect } from 'react';
import { serviceUrl } from '../api/urls.ts';
import { type Kept, readKept, readToken } from '../screen/storage.ts';
import { useDevice } from '../screen/use-device.ts';
import type { Kiosk } from './queries.ts';

export interface Pairing {
  /** By which the service knows this kiosk; null where it is like any browser. */
  token: string | null;
  /** It was paired, and is no longer. */
  wasRefused: boolean;
}

/** Whether this device is a paired kiosk of the place, for as long as the service says so. */
export function usePairing({ locationId }: Kiosk): Pairing {
  const { token, kept, wasRefused } = useDevice(() =>
    isKioskAt(locationId, readKept()) ? readToken() : null,
  );
  const isElse = token !== null && kept !== null && !isKioskAt(locationId, kept);
  useEffect(() => {
    if (isElse) window.location.replace(serviceUrl('display')); // which shows what it has become
  }, [isElse]);
  return { token, wasRefused };
}

const isKioskAt = (locationId: string, kept: Kept | null) =>
  kept?.state.device.kind === 'kiosk' && kept.state.device.location.id === locationId;
