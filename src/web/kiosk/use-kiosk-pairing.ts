import { useEffect } from 'react';
import { toServiceUrl } from '../api/urls.ts';
import { type DisplaySnapshot, readSnapshot, readToken } from '../display/device-storage.ts';
import { useDevice } from '../display/use-device.ts';
import type { Kiosk } from './queries.ts';

export interface KioskPairing {
  /** By which the service knows this kiosk; null where it is like any browser. */
  token: string | null;
  /** It was paired, and is no longer. */
  wasRevoked: boolean;
}

/** Whether this device is a paired kiosk of the place, for as long as the service says so. */
export function useKioskPairing({ locationId }: Kiosk): KioskPairing {
  const { token, snapshot, wasRevoked } = useDevice(() =>
    isKioskOfLocation(locationId, readSnapshot()) ? readToken() : null,
  );
  const isElse = token !== null && snapshot !== null && !isKioskOfLocation(locationId, snapshot);
  useEffect(() => {
    if (isElse) window.location.replace(toServiceUrl('display')); // which shows what it has become
  }, [isElse]);
  return { token, wasRevoked };
}

const isKioskOfLocation = (locationId: string, kept: DisplaySnapshot | null) =>
  kept?.state.device.kind === 'kiosk' && kept.state.device.location.id === locationId;
