import { type Context, runInTransaction } from '../../context.ts';
import { type CheckInOutcome, findRecordedOutcome, toCheckIn } from './attempt-log.ts';
import { handleArrival } from './commands/check-in.ts';
import { handleDeparture } from './commands/check-out.ts';
import { getLockedLocation, lockLocationVisits, serializeByLocation } from './location-lock.ts';
import { findVisitHolder, lockAdmissions, resolveCredential } from './queries/resolve-code.ts';
import { assertCanPresent, resolveOccurredAt } from './request.ts';
import type { CheckIn, CheckInRequest } from './types.ts';

/**
 * Takes whatever is presented and says what came of it; every attempt is written down. Throws NOT_FOUND for the
 * location; VALIDATION with a reason: PRESENT_ONE, VISITOR_WITHOUT_HOST, IN_THE_FUTURE, TOO_LONG_AGO, SCAN_ID_REUSED;
 * FORBIDDEN for what only staff and programs may present.
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
  const whose = visitor ? undefined : await findVisitHolder(ctx, credential);
  const locked = await lockLocationVisits(ctx, locationId, whose);
  // Whatever is read from here on is there already, and stays.
  const before = await findRecordedOutcome(ctx, locationId, request);
  if (before) return before;
  const place = await getLockedLocation(ctx, locationId, at);
  await lockAdmissions(ctx, credential);
  const sought = await resolveCredential(ctx, credential);
  const attempted = { request, at, place, locked, ...sought };
  return leaving ? handleDeparture(ctx, attempted) : handleArrival(ctx, attempted);
}

export { purgeRefusedAttempts } from './attempt-log.ts';
export { checkOut, endOverdueVisits, extendVisits } from './commands/check-out.ts';
export { purgeLookups } from './lookup/lookup-budget.ts';
export { lookUpMembers } from './lookup/service.ts';
export { getKiosk, listKiosks } from './queries/kiosks.ts';
export { listAttempts } from './queries/list-attempts.ts';
export { listOccupancy, watchOccupancy } from './queries/occupancy.ts';
export { findClosingTime } from './rules/closing-time.ts';
