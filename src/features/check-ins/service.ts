import { type Context, runInTransaction } from '../../context.ts';
import { type CheckInOutcome, findRecordedOutcome, toCheckIn } from './attempt-log.ts';
import { handleArrival } from './commands/check-in.ts';
import { handleDeparture } from './commands/check-out.ts';
import { getLockedLocation, lockLocationVisits, serializeByLocation } from './location-lock.ts';
import { findVisitHolder, lockAdmissions, resolveCredential } from './queries/resolve-code.ts';
import { assertCanPresent, resolveOccurredAt } from './request.ts';
import type { CheckIn, CheckInRequest } from './types.ts';

/**
 * Checks somebody in or out by what they present. Records every attempt; a refusal is a result, not an error.
 * @throws NOT_FOUND for the location; VALIDATION, reason VISITOR_WITHOUT_HOST, IN_THE_FUTURE, TOO_LONG_AGO or SCAN_ID_REUSED;
 *   FORBIDDEN for what only staff and tokens with check-ins:write can present.
 */
export async function checkIn(ctx: Context, request: CheckInRequest): Promise<CheckIn> {
  await assertCanPresent(ctx, request);
  const at = resolveOccurredAt(ctx, request);
  const outcome = await serializeByLocation(ctx, request.locationId.toLowerCase(), () =>
    runInTransaction(ctx, (ctx) => processAttempt(ctx, request, at)),
  );
  return toCheckIn(ctx.viewer, outcome);
}

async function processAttempt(
  ctx: Context,
  request: CheckInRequest,
  at: Date,
): Promise<CheckInOutcome> {
  const { credential, visitor, leaving } = request;
  const locationId = request.locationId.toLowerCase();
  const holder = visitor ? undefined : await findVisitHolder(ctx, credential);
  const lockedLocationIds = await lockLocationVisits(ctx, locationId, holder);
  // From here on nobody else changes visits at these locations.
  const recorded = await findRecordedOutcome(ctx, locationId, request);
  if (recorded) return recorded;
  const location = await getLockedLocation(ctx, locationId, at);
  await lockAdmissions(ctx, credential);
  const resolved = await resolveCredential(ctx, credential);
  const attempt = { request, at, location, lockedLocationIds, ...resolved };
  return leaving ? handleDeparture(ctx, attempt) : handleArrival(ctx, attempt);
}

export { purgeRefusedAttempts } from './attempt-log.ts';
export { checkOut, endOverdueVisits, extendVisits } from './commands/check-out.ts';
export { purgeLookups } from './lookup/lookup-budget.ts';
export { lookUpMembers } from './lookup/service.ts';
export { getKiosk, listKiosks } from './queries/kiosks.ts';
export { listAttempts } from './queries/list-attempts.ts';
export {
  createOccupancyFeed,
  listOccupancy,
  type Occupancy,
  watchOccupancy,
} from './queries/occupancy.ts';
export { findClosingTime } from './rules/closing-time.ts';
