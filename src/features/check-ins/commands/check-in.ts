import type { Context } from '../../../context.ts';
import { toZonedDateTime } from '../../../core/time/time-zone.ts';
import { checkInArrivedBookings } from '../../bookings/service.ts';
import {
  type AttemptContext,
  type CheckInOutcome,
  presentedElsewhere,
  publishCheckInEvent,
  recordAttempt,
  recordRefusal,
  toCandidates,
  toOutcomeSubject,
} from '../attempt-log.ts';
import { createCheckOutToken } from '../check-out-token.ts';
import { consumeHandle, creditArrival, MIN_STAY_MS } from '../lookup/handles.ts';
import { notifyHost } from '../notifications.ts';
import type { AdmissionCandidate } from '../queries/resolve-code.ts';
import { findVisits, type VisitSummary } from '../queries/visits.ts';
import { findClosingTime } from '../rules/closing-time.ts';
import { evaluateAdmission } from '../rules/evaluate-admission.ts';
import type { CheckInResult } from '../types.ts';
import { endVisit } from './check-out.ts';

interface EvaluatedCandidate {
  candidate: AdmissionCandidate;
  visits: VisitSummary;
  result: CheckInResult;
  autoCheckOutAt: Date;
  /** When the visit ended, for uploads so late that it is over. */
  pastCheckOut: { checkedOutAt: Date; autoCheckedOut: boolean } | null;
}

/** Admits the presented candidate if the rules allow it, else records a refusal. */
export async function handleArrival(
  ctx: Context,
  attempt: AttemptContext,
): Promise<CheckInOutcome> {
  const { handle, location, byOrder, at } = attempt;
  const candidates = toCandidates(attempt);
  const [first] = candidates;
  if (first === undefined) return recordRefusal(ctx, attempt, 'not_found');
  const handleRefusal = handle && (await consumeHandle(ctx, handle, location.id));
  if (handleRefusal) return recordRefusal(ctx, attempt, handleRefusal, first);
  if (!byOrder && candidates.length > 1) return recordRefusal(ctx, attempt, 'ambiguous');

  const chosen = chooseCandidate(await evaluateCandidates(ctx, attempt, candidates));
  if (chosen === null) return recordRefusal(ctx, attempt, 'ambiguous');
  const { result, visits } = chosen;
  if (result === 'admitted') return admitCandidate(ctx, attempt, chosen);
  if (result === 'already_in') await markBookingsArrived(ctx, chosen.candidate, location.id, at);
  return recordRefusal(ctx, attempt, result, chosen.candidate, toDisclosedVisit(result, visits));
}

function toDisclosedVisit(
  result: CheckInResult,
  { here, last }: VisitSummary,
): CheckInOutcome['visit'] {
  if (result === 'already_in' && here) return { ...here, checkedOutAt: null };
  return result === 'checked_out' ? last : null;
}

async function evaluateCandidates(
  ctx: Context,
  attempt: AttemptContext,
  candidates: AdmissionCandidate[],
): Promise<EvaluatedCandidate[]> {
  const { at, location, request } = attempt;
  const getVisits = await findVisits(ctx, candidates, location.id, at);
  const closing = new Date(findClosingTime(location, at.getTime()));
  const isFull = location.capacity !== null && location.present >= location.capacity;
  const today = toZonedDateTime(at.getTime(), location.timeZone).toPlainDate().toString();
  return candidates.map((candidate) => {
    const visits = getVisits(candidate);
    const autoCheckOutAt = toAutoCheckOutAt(candidate, closing, at);
    const pastCheckOut = findPastCheckOut(ctx.now(), at, autoCheckOutAt, visits);
    const result = evaluateAdmission(
      candidate,
      { isIn: visits.here !== null, isUsed: visits.isUsed },
      { locationId: location.id, at: at.getTime(), today, isFull: isFull && pastCheckOut === null },
      request,
    );
    return { candidate, visits, result, autoCheckOutAt, pastCheckOut };
  });
}

/** Visits end at the end of the event, at the end of the booking if that is after closing time, else at closing time. */
function toAutoCheckOutAt(candidate: AdmissionCandidate, closing: Date, at: Date): Date {
  if (candidate.type !== 'ticket' && candidate.type !== 'booking') return closing;
  const end = new Date(candidate.endsAt);
  if (candidate.type === 'booking') return end > closing ? end : closing;
  return end > at ? end : at;
}

/** A visit that is uploaded late can be over: its time has passed, or its holder has checked in elsewhere since. */
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

/** Which refusal to report if several candidates of an order are refused. */
const RESULT_PRIORITY: CheckInResult[] = [
  'capacity_full',
  'already_in',
  'not_yet_valid',
  'unpaid',
  'checked_out',
  'wrong_location',
  'expired',
];

/** Chooses the candidate that can be admitted, else the one with the most helpful refusal. Null if several can be admitted. */
function chooseCandidate(evaluated: EvaluatedCandidate[]): EvaluatedCandidate | null {
  const [admissible, ...others] = evaluated.filter(({ result }) => result === 'admitted');
  if (admissible) return others.length === 0 ? admissible : null;
  const rank = ({ result }: EvaluatedCandidate) =>
    (RESULT_PRIORITY.indexOf(result) + RESULT_PRIORITY.length) % RESULT_PRIORITY.length;
  return evaluated.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

async function admitCandidate(
  ctx: Context,
  attempt: AttemptContext,
  evaluated: EvaluatedCandidate,
): Promise<CheckInOutcome> {
  const { request, at, location, handle, lockedLocationIds } = attempt;
  const { candidate, visits, autoCheckOutAt, pastCheckOut } = evaluated;
  const { elsewhere, entries } = visits;
  if (elsewhere && elsewhere.occurredAt <= at) {
    // Locations are locked in the order of their ids. It is too late to lock another one here, so the check-in starts again.
    if (elsewhere.memberId !== null && !lockedLocationIds.includes(elsewhere.locationId)) {
      throw presentedElsewhere();
    }
    await endVisit(ctx, elsewhere, at);
  }
  const token = createCheckOutToken(request.scanId);
  const id = await recordAttempt(
    ctx,
    request,
    { locationId: location.id, occurredAt: at, result: 'admitted', candidate },
    { entry: entries, autoCheckOutAt, ...token.columns, ...pastCheckOut },
  );
  await markBookingsArrived(ctx, candidate, location.id, at);
  if (handle && isGenuineArrival(ctx, attempt, autoCheckOutAt)) await creditArrival(ctx, handle);
  await publishCheckInEvent(ctx, 'check_in.admitted', id);
  if (pastCheckOut === null) await notifyHost(ctx, { id, candidate, location, at });
  return {
    result: 'admitted',
    ...toOutcomeSubject(candidate),
    visit: { id, occurredAt: at, checkedOutAt: pastCheckOut?.checkedOutAt ?? null },
    canEndVisit: true,
    checkOutToken: token.plainText,
  };
}

/** Whether the member of a lookup arrives in person, now, with time to stay. Visitors and late uploads do not count. */
const isGenuineArrival = (
  { now }: Context,
  { request }: AttemptContext,
  autoCheckOutAt: Date,
): boolean =>
  request.visitor === undefined &&
  request.occurredAt === undefined &&
  autoCheckOutAt.getTime() - now().getTime() >= MIN_STAY_MS;

/**
 * Checks in the bookings of somebody who arrived, so that none is released as a no-show: all bookings of a member at this location
 * that run or begin within the hour, or the presented booking of a guest.
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
