import { type Guess, toCodeGuess } from '../../auth/guesses.ts';
import type { RateLimits } from '../../auth/rate-limits.ts';
import { can, type Viewer } from '../../auth/viewer.ts';
import type { CheckIn } from './types.ts';

/** The caller of a check-in or lookup at a location, for rate limits and lookup budgets. */
export interface LocationCaller {
  locationId: string;
  /** The client address. All paired kiosks of a location share one key instead, so that more kiosks get no higher limit. */
  address: string;
  /** Whether it is a paired kiosk of this location. Kiosks have separate limits. */
  isKiosk: boolean;
}

/** The prefix of the key that replaces the address of kiosks. No address contains a space, so they cannot collide. */
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

/** Counts one lookup. @throws RATE_LIMITED after too many lookups. */
export const consumeLookupLimit = (limits: RateLimits, caller: LocationCaller): Promise<void> =>
  (caller.isKiosk ? limits.kioskLookups : limits.lookups).consume(caller);

/** Formats the caller of an attempt for its record: the kind, and the id if there is one. */
export function toActor(viewer: Viewer, locationId: string): string {
  if (viewer.kind === 'device') {
    const kiosk = findKioskId(viewer, locationId);
    return kiosk === null ? 'anonymous' : `kiosk:${kiosk}`;
  }
  return 'id' in viewer ? `${viewer.kind}:${viewer.id}` : viewer.kind;
}

/**
 * Whether the viewer is an unpaired client: neither a paired kiosk of this location nor a caller with check-ins:write. Nobody
 * can say then that the person is there.
 */
export const isUnpairedClient = (viewer: Viewer, locationId: string): boolean =>
  !can(viewer, 'check-ins:write') && findKioskId(viewer, locationId) === null;

/** Returns the id of the viewer if it is a paired kiosk of this location. All other devices count as anonymous. */
function findKioskId(viewer: Viewer, locationId: string): string | null {
  const isKiosk = viewer.kind === 'device' && viewer.display === 'kiosk';
  return isKiosk && viewer.locationId === locationId.toLowerCase() ? viewer.id : null;
}

/**
 * Counts a check-in as a guess at a code: it is a miss if nothing was found. Callers with check-ins:write have no limit, and
 * paired kiosks have a separate one. `getCheckIn` reads the check-in from the response of the API.
 */
export function toCheckInGuess<Result>(
  limits: RateLimits,
  request: { viewer: Viewer; address: string; locationId: string },
  getCheckIn: (result: Result) => Pick<CheckIn, 'result' | 'subject'>,
): Guess<Result> | null {
  const { viewer, address, locationId } = request;
  if (can(viewer, 'check-ins:write')) return null;
  const caller = toLocationCaller(viewer, address, locationId);
  const limit = caller.isKiosk ? limits.kioskCheckIns : limits.checkIns;
  return {
    ...toCodeGuess(limit, caller, () => false),
    isMissResult: (result) => isMissedScan(getCheckIn(result)),
  };
}

/** Whether a scan found nothing, like a wrong guess. Checking out a guest who is not checked in is not a miss. */
const isMissedScan = ({ result, subject }: Pick<CheckIn, 'result' | 'subject'>) =>
  result === 'not_found' && subject === null;
