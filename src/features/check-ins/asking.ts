import type { RateLimits } from '../../auth/rate-limits.ts';
import type { Viewer } from '../../auth/viewer.ts';

/** Who checks in or looks members up at a location, as rate limits and budgets count them. */
export interface Asking {
  locationId: string;
  /** Where the caller is; of the paired kiosks of the location, one name for all of them, wherever they are. */
  address: string;
  /** The paired kiosks of the location have a share of their own, and take nothing from those who ask from anywhere. */
  isKiosk: boolean;
}

/** How the name of a location's kiosks begins where addresses stand: no address has a blank in it. */
export const KIOSK = 'kiosk ';

export function askingAt(viewer: Viewer, address: string, locationId: string): Asking {
  const isKiosk = kioskAt(viewer, locationId) !== null;
  // Whoever adds kiosks adds nothing to what they share.
  return { locationId, address: isKiosk ? KIOSK + locationId.toLowerCase() : address, isKiosk };
}

/** Counts one lookup. Throws RATE_LIMITED once there were too many. */
export const limitLookups = (limits: RateLimits, asking: Asking): Promise<void> =>
  (asking.isKiosk ? limits.kioskLookups : limits.lookups).consume(asking);

/** As attempts are recorded: the kind of who made it, and the id where there is one. */
export function actorOf(viewer: Viewer, locationId: string): string {
  if (viewer.kind === 'device') {
    const kiosk = kioskAt(viewer, locationId);
    return kiosk === null ? 'anonymous' : `kiosk:${kiosk}`;
  }
  return 'id' in viewer ? `${viewer.kind}:${viewer.id}` : viewer.kind;
}

/** The paired kiosk of this very location that asks, if one does. All other devices are strangers here. */
function kioskAt(viewer: Viewer, locationId: string): string | null {
  const isOne = viewer.kind === 'device' && viewer.display === 'kiosk';
  return isOne && viewer.locationId === locationId.toLowerCase() ? viewer.id : null;
}
