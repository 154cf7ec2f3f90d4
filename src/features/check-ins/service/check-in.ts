import { type Context, runInTransaction } from '../../../context.ts';
import { findClosingTime } from '../../../core/time/opening-hours.ts';
import { toZonedDateTime } from '../../../core/time/time-zone.ts';
import type { CheckInResult } from '../../../db/generated/client.ts';
import { checkInArrivedBookings } from '../../bookings/service/check-in-booking.ts';
import { isUnpairedClient } from '../caller.ts';
import { createCheckOutToken } from '../check-out-token.ts';
import { getLockedLocation, lockLocationVisits, serializeByLocation } from '../location-lock.ts';
import { consumeHandle, creditArrival, MIN_STAY_MS } from '../lookup/handles.ts';
import { assertCanPresent, resolveOccurredAt } from '../request.ts';
import {
  type AdmissionCandidate,
  findVisitHolder,
  lockAdmissions,
  resolveCredential,
} from '../resolve-code.ts';
import {
  evaluateAdmission,
  restoreCancelled,
  restoreUndisputed,
} from '../rules/evaluate-admission.ts';
import type { CheckIn, CheckInRequest } from '../types.ts';
import {
  assertCanCheckInUnconfirmed,
  beginUnconfirmedVisit,
  isUnconfirmedCheckIn,
} from '../unconfirmed-check-in.ts';
import { findVisits, type VisitSummary } from '../visits.ts';
import {
  type AttemptContext,
  type CheckInOutcome,
  concurrentCheckIn,
  findRecordedOutcome,
  recordAttempt,
  recordRejection,
  showsPresence,
  toCandidates,
  toCheckIn,
  toOutcomeSubject,
} from './attempt-log.ts';
import { endVisit, handleDeparture } from './check-out.ts';

/**
 * Checks a guest in or out by a credential. Records every attempt. A rejection is a result, not an error.
 * @throws NOT_FOUND for the location; VALIDATION, reason VISITOR_WITHOUT_HOST, IN_THE_FUTURE, TOO_LONG_AGO, SCAN_ID_REUSED,
 *   KIOSK_NEEDED or CHECK_OUT_TOKEN_NEEDED; FORBIDDEN for credentials that need check-ins:write.
 *
 * @example
 * const { result } = await checkIn(ctx, { locationId, credential: { code: ticket.code } });
 */
export async function checkIn(ctx: Context, request: CheckInRequest): Promise<CheckIn> {
  await assertCanPresent(ctx, request);
  const isUnconfirmed = isUnconfirmedCheckIn(ctx.viewer, request);
  if (isUnconfirmed) await assertCanCheckInUnconfirmed(ctx, request);
  const at = resolveOccurredAt(ctx, request);
  const outcome = await serializeByLocation(ctx, request.locationId.toLowerCase(), () =>
    runInTransaction(ctx, (ctx) => processAttempt(ctx, request, at, isUnconfirmed)),
  );
  return toCheckIn(ctx.viewer, outcome);
}

async function processAttempt(
  ctx: Context,
  request: CheckInRequest,
  at: Date,
  isUnconfirmed: boolean,
): Promise<CheckInOutcome> {
  const { credential, visitor, leaving } = request;
  const locationId = request.locationId.toLowerCase();
  const holder = visitor || isUnconfirmed ? undefined : await findVisitHolder(ctx, credential);
  const lockedLocationIds = await lockLocationVisits(ctx, locationId, holder);
  // From here on, no other transaction can change visits at these locations.
  const recorded = await findRecordedOutcome(ctx, locationId, request);
  if (recorded) return recorded;
  const location = await getLockedLocation(ctx, locationId, at);
  await lockAdmissions(ctx, credential);
  const resolved = await resolveCredential(ctx, credential);
  const attempt = { request, at, location, lockedLocationIds, ...resolved };
  if (isUnconfirmed) return beginUnconfirmedVisit(ctx, attempt);
  return leaving ? handleDeparture(ctx, attempt) : handleArrival(ctx, attempt);
}

interface EvaluatedCandidate {
  candidate: AdmissionCandidate;
  visits: VisitSummary;
  result: CheckInResult;
  /** Whether it is evaluated as it was before it was cancelled, since the scan happened before. */
  beforeCancellation: boolean;
  autoCheckOutAt: Date;
  /** When the visit ended, if it was uploaded after its end. */
  pastCheckOut: { checkedOutAt: Date; autoCheckedOut: boolean } | null;
}

/** Admits the presented candidate if the rules allow it, and otherwise records a rejection. */
async function handleArrival(ctx: Context, attempt: AttemptContext): Promise<CheckInOutcome> {
  const { handle, location, byOrder, at } = attempt;
  const candidates = toCandidates(attempt);
  const [first] = candidates;
  if (first === undefined) return recordRejection(ctx, attempt, 'not_found');
  const handleRejection = handle && (await consumeHandle(ctx, handle, location.id));
  if (handleRejection) return recordRejection(ctx, attempt, handleRejection, first);
  if (!byOrder && candidates.length > 1) return recordRejection(ctx, attempt, 'ambiguous');

  const chosen = chooseCandidate(await evaluateCandidates(ctx, attempt, candidates));
  if (chosen === null) return recordRejection(ctx, attempt, 'ambiguous');
  const { result, visits } = chosen;
  if (result === 'admitted') return admitCandidate(ctx, attempt, chosen);
  if (result === 'already_in') await markBookingsArrived(ctx, chosen.candidate, location.id, at);
  return recordRejection(
    ctx,
    attempt,
    result,
    chosen.candidate,
    toDisclosedVisit(attempt.request, result, visits),
  );
}

function toDisclosedVisit(
  request: CheckInRequest,
  result: CheckInResult,
  { here, last }: VisitSummary,
): CheckInOutcome['visit'] {
  if (here && showsPresence(request, result)) return { ...here, checkedOutAt: null };
  return result === 'checked_out' ? last : null;
}

async function evaluateCandidates(
  ctx: Context,
  attempt: AttemptContext,
  candidates: AdmissionCandidate[],
): Promise<EvaluatedCandidate[]> {
  const { at, location, request } = attempt;
  const { id: locationId, memberAdmission, disputedAdmission } = location;
  const getVisits = await findVisits(ctx, candidates, location.id, at);
  // Anyone can claim that a scan happened earlier. Staff, programs and paired kiosks have let the person in.
  const isTrusted = request.occurredAt !== undefined && !isUnpairedClient(ctx.viewer, locationId);
  const closing = new Date(findClosingTime(location, at.getTime()));
  const isFull = location.capacity !== null && location.present >= location.capacity;
  const today = toZonedDateTime(at.getTime(), location.timeZone).toPlainDate().toString();
  return candidates.map((found) => {
    const candidate = isTrusted ? restoreUndisputed(found, at.getTime()) : found;
    const visits = getVisits(candidate);
    const autoCheckOutAt = toAutoCheckOutAt(candidate, closing, at);
    const pastCheckOut = findPastCheckOut(ctx.now(), at, autoCheckOutAt, visits);
    const evaluate = (one: AdmissionCandidate) =>
      evaluateAdmission(
        one,
        { isIn: visits.here !== null, isUsed: visits.isUsed },
        {
          ...{ locationId, memberAdmission, disputedAdmission, at: at.getTime(), today },
          isFull: isFull && pastCheckOut === null,
        },
        request,
      );
    const result = evaluate(candidate);
    const restored =
      result === 'cancelled' && isTrusted ? restoreCancelled(candidate, at.getTime()) : null;
    return {
      ...{ candidate, visits, autoCheckOutAt, pastCheckOut },
      result: restored ? evaluate(restored) : result,
      beforeCancellation: restored !== null,
    };
  });
}

/** Visits of an event end with the event, other visits at closing time or at the end of a booking that is later. */
function toAutoCheckOutAt(candidate: AdmissionCandidate, closing: Date, at: Date): Date {
  if (candidate.type !== 'ticket' && candidate.type !== 'booking') return closing;
  const end = new Date(candidate.endsAt);
  if (candidate.type === 'booking') return end > closing ? end : closing;
  return end > at ? end : at;
}

/**
 * Finds the end of a visit that is already over when it is uploaded: it has ended automatically, or by a check-in
 * elsewhere.
 */
function findPastCheckOut(
  now: Date,
  at: Date,
  autoCheckOutAt: Date,
  { elsewhere }: VisitSummary,
): EvaluatedCandidate['pastCheckOut'] {
  const next = elsewhere && elsewhere.occurredAt > at ? elsewhere.occurredAt : null;
  if (next !== null && next < autoCheckOutAt) return { checkedOutAt: next, autoCheckedOut: false };
  return autoCheckOutAt <= now ? { checkedOutAt: autoCheckOutAt, autoCheckedOut: true } : null;
}

/** The order in which rejections are reported if all candidates of an order are rejected. */
const RESULT_PRIORITY: CheckInResult[] = [
  'capacity_full',
  'already_in',
  'not_yet_valid',
  'unpaid',
  'checked_out',
  'wrong_location',
  'expired',
  'cancelled',
];

/**
 * Chooses the candidate that can be admitted, or the one with the most helpful rejection, of several with the same one that of a person
 * who is in. Null if several can be admitted.
 */
function chooseCandidate(evaluated: EvaluatedCandidate[]): EvaluatedCandidate | null {
  const [admissible, ...others] = evaluated.filter(({ result }) => result === 'admitted');
  if (admissible) return others.length === 0 ? admissible : null;
  const rank = ({ result, visits }: EvaluatedCandidate) =>
    RESULT_PRIORITY.indexOf(result) - (visits.here ? 0.5 : 0);
  return evaluated.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

async function admitCandidate(
  ctx: Context,
  attempt: AttemptContext,
  evaluated: EvaluatedCandidate,
): Promise<CheckInOutcome> {
  const { request, at, location, handle, lockedLocationIds } = attempt;
  const { candidate, visits, autoCheckOutAt, pastCheckOut, beforeCancellation } = evaluated;
  const { elsewhere, entries } = visits;
  if (elsewhere && elsewhere.occurredAt <= at) {
    // Locations must be locked in the order of their ids, so another one cannot be locked here. The retry locks it.
    if (elsewhere.memberId !== null && !lockedLocationIds.includes(elsewhere.locationId)) {
      throw concurrentCheckIn();
    }
    await endVisit(ctx, elsewhere, at);
  }
  const token = createCheckOutToken(request.scanId);
  const id = await recordAttempt(
    ctx,
    request,
    {
      locationId: location.id,
      occurredAt: at,
      result: 'admitted',
      candidate,
      change: 'check_in.admitted',
    },
    { entry: entries, autoCheckOutAt, beforeCancellation, ...token.columns, ...pastCheckOut },
  );
  await markBookingsArrived(ctx, candidate, location.id, at);
  if (handle && countsAsArrival(ctx, attempt, autoCheckOutAt)) await creditArrival(ctx, handle);
  return {
    result: 'admitted',
    ...toOutcomeSubject(candidate),
    visit: { id, occurredAt: at, checkedOutAt: pastCheckOut?.checkedOutAt ?? null },
    canEndVisit: true,
    checkOutToken: token.plainText,
  };
}

/** Whether the member of a lookup arrives in person now and can stay long enough. Visitors and late uploads do not count. */
const countsAsArrival = (
  { now }: Context,
  { request }: AttemptContext,
  autoCheckOutAt: Date,
): boolean =>
  request.visitor === undefined &&
  request.occurredAt === undefined &&
  autoCheckOutAt.getTime() - now().getTime() >= MIN_STAY_MS;

/**
 * Checks in the bookings of an arrived guest, so that none is released as a no-show: all bookings of a member at this
 * location that are running or start within an hour, or the presented booking of a guest.
 */
async function markBookingsArrived(
  ctx: Context,
  candidate: AdmissionCandidate,
  locationId: string,
  at: Date,
): Promise<void> {
  if (candidate.type !== 'booking' && candidate.type !== 'member') return;
  const memberId = candidate.type === 'member' ? candidate.id : candidate.memberId;
  const arrival = memberId === null ? { bookingId: candidate.id } : { memberId };
  await checkInArrivedBookings(ctx, arrival, { locationId, at });
}
