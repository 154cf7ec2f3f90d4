import type { RateLimit, RateLimits } from '../../auth/rate-limits.ts';
import { can, type Viewer } from '../../auth/viewer.ts';
import { RetryableConflict } from '../../errors.ts';
import type { CheckIn } from './types.ts';

/** Who checks in or looks members up at a location, for rate limits and lookup budgets. */
export interface LocationCaller {
  locationId: string;
  /** The client address. All paired kiosks of a location share one key instead, so that more kiosks do not get more. */
  address: string;
  /** Whether it is a paired kiosk of this location. Kiosks have separate limits. */
  isKiosk: boolean;
}

/** Starts the key that replaces the address of kiosks. The blank keeps it distinct from all addresses. */
export const KIOSK_ADDRESS_PREFIX = 'kiosk ';

export function toLocationCaller(
  viewer: Viewer,
  address: string,
  locationId: string,
): LocationCaller {
  const isKiosk = findKioskId(viewer, locationId) !== null;
  return {
    locationId,
    address: isKiosk ? KIOSK_ADDRESS_PREFIX + locationId.toLowerCase() : address,
    isKiosk,
  };
}

/** Counts one lookup. @throws RATE_LIMITED after too many. */
export const consumeLookupLimit = (limits: RateLimits, caller: LocationCaller): Promise<void> =>
  (caller.isKiosk ? limits.kioskLookups : limits.lookups).consume(caller);

/** How attempts record their caller: the kind, and the id if there is one. */
export function toActor(viewer: Viewer, locationId: string): string {
  if (viewer.kind === 'device') {
    const kiosk = findKioskId(viewer, locationId);
    return kiosk === null ? 'anonymous' : `kiosk:${kiosk}`;
  }
  return 'id' in viewer ? `${viewer.kind}:${viewer.id}` : viewer.kind;
}

/** The id of the viewer if it is a paired kiosk of this location. All other devices count as anonymous. */
function findKioskId(viewer: Viewer, locationId: string): string | null {
  const isKiosk = viewer.kind === 'device' && viewer.display === 'kiosk';
  return isKiosk && viewer.locationId === locationId.toLowerCase() ? viewer.id : null;
}

/** Whether check-in limits apply: to everyone without check-ins:write. */
export const isThrottledCaller = (viewer: Viewer) => !can(viewer, 'check-ins:write');

/** The limit that applies to this caller: paired kiosks have a separate one. */
export const selectCheckInLimit = (limits: RateLimits, { isKiosk }: LocationCaller): RateLimit =>
  isKiosk ? limits.kioskCheckIns : limits.checkIns;

/** Runs a check-in that the limit has let pass, then reports to the limit whether it was a miss. */
export async function withCheckInLimit(
  limits: RateLimits,
  caller: LocationCaller,
  work: () => Promise<CheckIn>,
): Promise<CheckIn> {
  const limit = selectCheckInLimit(limits, caller);
  try {
    const result = await work();
    limit.resolve(caller, { isMiss: isMissedScan(result) });
    return result;
  } catch (error) {
    // After a conflict the check-in is tried again, so it is not over yet.
    if (!(error instanceof RetryableConflict)) limit.resolve(caller, { isMiss: false });
    throw error;
  }
}

/** Only a scan that found nothing is a guess. A departure of somebody who is not checked in is none. */
const isMissedScan = ({ result, subject }: CheckIn) => result === 'not_found' && subject === null;
