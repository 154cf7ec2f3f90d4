import type { RateLimit, RateLimits } from '../../auth/rate-limits.ts';
import { can, type Viewer } from '../../auth/viewer.ts';
import { RetryableConflict } from '../../errors.ts';
import type { CheckIn } from './types.ts';

/** Who checks in or looks members up at a location, as rate limits and budgets count them. */
export interface LocationCaller {
  locationId: string;
  /** Where the caller is; of the paired kiosks of the location, one name for all of them, wherever they are. */
  address: string;
  /** The paired kiosks of the location have a share of their own, and take nothing from those who ask from anywhere. */
  isKiosk: boolean;
}

/** How the name of a location's kiosks begins where addresses stand: no address has a blank in it. */
export const KIOSK_ADDRESS_PREFIX = 'kiosk ';

export function toLocationCaller(
  viewer: Viewer,
  address: string,
  locationId: string,
): LocationCaller {
  const isKiosk = findKioskId(viewer, locationId) !== null;
  // Whoever adds kiosks adds nothing to what they share.
  return {
    locationId,
    address: isKiosk ? KIOSK_ADDRESS_PREFIX + locationId.toLowerCase() : address,
    isKiosk,
  };
}

/** Counts one lookup. Throws RATE_LIMITED once there were too many. */
export const consumeLookupLimit = (limits: RateLimits, asking: LocationCaller): Promise<void> =>
  (asking.isKiosk ? limits.kioskLookups : limits.lookups).consume(asking);

/** As attempts are recorded: the kind of who made it, and the id where there is one. */
export function toActor(viewer: Viewer, locationId: string): string {
  if (viewer.kind === 'device') {
    const kiosk = findKioskId(viewer, locationId);
    return kiosk === null ? 'anonymous' : `kiosk:${kiosk}`;
  }
  return 'id' in viewer ? `${viewer.kind}:${viewer.id}` : viewer.kind;
}

/** The paired kiosk of this very location that asks, if one does. All other devices are strangers here. */
function findKioskId(viewer: Viewer, locationId: string): string | null {
  const isOne = viewer.kind === 'device' && viewer.display === 'kiosk';
  return isOne && viewer.locationId === locationId.toLowerCase() ? viewer.id : null;
}

/** All but staff and programs at the door, whatever token or session they have. */
export const isThrottledCaller = (viewer: Viewer) => !can(viewer, 'check-ins:write');

/** Which limit counts who checks in: paired kiosks have one of their own. */
export const selectCheckInLimit = (limits: RateLimits, { isKiosk }: LocationCaller): RateLimit =>
  isKiosk ? limits.kioskCheckIns : limits.checkIns;

/** Does the work that the limit has let pass, and reports whether it was a miss. */
export async function withCheckInLimit(
  limits: RateLimits,
  asking: LocationCaller,
  work: () => Promise<CheckIn>,
): Promise<CheckIn> {
  const limit = selectCheckInLimit(limits, asking);
  try {
    const done = await work();
    limit.resolve(asking, { isMiss: isMissedScan(done) });
    return done;
  } catch (error) {
    // Who was overtaken is tried again, and still under way.
    if (!(error instanceof RetryableConflict)) limit.resolve(asking, { isMiss: false });
    throw error;
  }
}

/** Who was found, and was not in, is no guess. */
const isMissedScan = ({ result, subject }: CheckIn) => result === 'not_found' && subject === null;
