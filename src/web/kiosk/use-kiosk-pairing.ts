import type { DisplaySnapshot } from '@foyer/client/device';
import { useEffect } from 'react';
import { toServiceUrl } from '../api/urls.ts';
import { readSnapshot, readToken } from '../display/device-storage.ts';
import { useDevice } from '../display/use-device.ts';
import type { Kiosk } from './queries.ts';

export interface KioskPairing {
  /** Identifies the kiosk to the service. Null if it is not paired. */
  token: string | null;
  /** Whether the kiosk was paired before. */
  wasRevoked: boolean;
}

/** Returns the token if this device is paired as a kiosk of the location, until it is revoked. */
export function useKioskPairing({ locationId }: Kiosk): KioskPairing {
  const { token, snapshot, wasRevoked } = useDevice(() =>
    isKioskOfLocation(locationId, readSnapshot()) ? readToken() : null,
  );
  const isOtherDevice =
    token !== null && snapshot !== null && !isKioskOfLocation(locationId, snapshot);
  useEffect(() => {
    if (isOtherDevice) window.location.replace(toServiceUrl('display')); // shows its new content
  }, [isOtherDevice]);
  return { token, wasRevoked };
}

const isKioskOfLocation = (locationId: string, snapshot: DisplaySnapshot | null) =>
  snapshot?.state.device.kind === 'kiosk' && snapshot.state.device.location.id === locationId;
