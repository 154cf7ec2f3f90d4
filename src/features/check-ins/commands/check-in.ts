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
  found: AdmissionCandidate;
  visits: VisitSummary;
  result: CheckInResult;
  autoCheckOutAt: Date;
  /** Of one that is told so late that it is over. */
  ended: { checkedOutAt: Date; autoCheckedOut: boolean } | null;
}

/** Lets in whoever may come in. */
export async function handleArrival(
  ctx: Context,
  attempt: AttemptContext,
): Promise<CheckInOutcome> {
  const { handle, place, byOrder, at } = attempt;
  const found = toCandidates(attempt);
  const [first] = found;
  if (first === undefined) return recordRefusal(ctx, attempt, 'not_found');
  const spent = handle && (await consumeHandle(ctx, handle, place.id));
  if (spent) return recordRefusal(ctx, attempt, spent, first);
  if (!byOrder && found.length > 1) return recordRefusal(ctx, attempt, 'ambiguous');

  const chosen = chooseCandidate(await evaluateCandidates(ctx, attempt, found));
  if (chosen === null) return recordRefusal(ctx, attempt, 'ambiguous');
  const { result, visits } = chosen;
  if (result === 'admitted') return admitCandidate(ctx, attempt, chosen);
  if (result === 'already_in') await markBookingsArrived(ctx, chosen.found, place.id, at);
  return recordRefusal(ctx, attempt, result, chosen.found, toDisclosedVisit(result, visits));
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
  found: AdmissionCandidate[],
): Promise<EvaluatedCandidate[]> {
  const { at, place, request } = attempt;
  const visitsFor = await findVisits(ctx, found, place.id, at);
  const closing = new Date(findClosingTime(place, at.getTime()));
  const isFull = place.capacity !== null && place.present >= place.capacity;
  const today = toZonedDateTime(at.getTime(), place.timeZone).toPlainDate().toString();
  return found.map((one) => {
    const visits = visitsFor(one);
    const autoCheckOutAt = toAutoCheckOutAt(one, closing, at);
    const ended = findPastCheckOut(ctx.now(), at, autoCheckOutAt, visits);
    const result = evaluateAdmission(
      one,
      { isIn: visits.here !== null, isUsed: visits.isUsed },
      { locationId: place.id, at: at.getTime(), today, isFull: isFull && ended === null },
      request,
    );
    return { found: one, visits, result, autoCheckOutAt, ended };
  });
}

/** A ticket is good for its event, a booking at least for its own time, everything else until the doors are shut. */
function toAutoCheckOutAt(found: AdmissionCandidate, closing: Date, at: Date): Date {
  if (found.type !== 'ticket' && found.type !== 'booking') return closing;
  const end = new Date(found.endsAt);
  if (found.type === 'booking') return end > closing ? end : closing;
  return end > at ? end : at;
}

/** What was uploaded late may be over: its time has passed, or they have come in somewhere else since. */
function findPastCheckOut(
  now: Date,
  at: Date,
  autoCheckOutAt: Date,
  { elsewhere }: VisitSummary,
): EvaluatedCandidate['ended'] {
  const next = elsewhere && elsewhere.occurredAt > at ? elsewhere.occurredAt : null;
  if (next !== null && next < autoCheckOutAt) return { checkedOutAt: next, autoCheckedOut: false };
  return autoCheckOutAt <= now ? { checkedOutAt: autoCheckOutAt, autoCheckedOut: true } : null;
}

/** What says most, where nothing of an order lets anybody in. */
const RESULT_PRIORITY: CheckInResult[] = [
  'capacity_full',
  'already_in',
  'not_yet_valid',
  'unpaid',
  'checked_out',
  'wrong_location',
  'expired',
];

/** The one that lets somebody in; null where several would. */
function chooseCandidate(judged: EvaluatedCandidate[]): EvaluatedCandidate | null {
  const [good, ...others] = judged.filter(({ result }) => result === 'admitted');
  if (good) return others.length === 0 ? good : null;
  const rank = ({ result }: EvaluatedCandidate) =>
    (RESULT_PRIORITY.indexOf(result) + RESULT_PRIORITY.length) % RESULT_PRIORITY.length;
  return judged.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

async function admitCandidate(
  ctx: Context,
  attempt: AttemptContext,
  judged: EvaluatedCandidate,
): Promise<CheckInOutcome> {
  const { request, at, place, handle, locked } = attempt;
  const { found, visits, autoCheckOutAt, ended } = judged;
  const { elsewhere, entries } = visits;
  if (elsewhere && elsewhere.occurredAt <= at) {
    // Two locations are locked in one order only, so this one had to be known before.
    if (elsewhere.memberId !== null && !locked.includes(elsewhere.locationId))
      throw presentedElsewhere();
    await endVisit(ctx, elsewhere, at);
  }
  const token = createCheckOutToken(request.scanId);
  const id = await recordAttempt(
    ctx,
    request,
    { locationId: place.id, occurredAt: at, result: 'admitted', found },
    { entry: entries, autoCheckOutAt, ...token.columns, ...ended },
  );
  await markBookingsArrived(ctx, found, place.id, at);
  if (handle && isGenuineArrival(ctx, attempt, autoCheckOutAt)) await creditArrival(ctx, handle);
  await publishCheckInEvent(ctx, 'check_in.admitted', id);
  if (ended === null) await notifyHost(ctx, { id, found, place, at });
  return {
    result: 'admitted',
    ...toOutcomeSubject(found),
    visit: { id, occurredAt: at, checkedOutAt: ended?.checkedOutAt ?? null },
    canEndVisit: true,
    checkOutToken: token.plainText,
  };
}

/** Whether somebody of a lookup has come themselves, now, and to stay: not a guest of theirs, nor by hearsay. */
const isGenuineArrival = (
  { now }: Context,
  { request }: AttemptContext,
  autoCheckOutAt: Date,
): boolean =>
  request.visitor === undefined &&
  request.occurredAt === undefined &&
  autoCheckOutAt.getTime() - now().getTime() >= MIN_STAY_MS;

/**
 * Whoever is there has come to what they booked: a member to all that runs or begins soon at this location, a guest to
 * what was presented. So nothing of it is given up as a no-show.
 */
async function markBookingsArrived(
  ctx: Context,
  found: AdmissionCandidate,
  locationId: string,
  at: Date,
): Promise<void> {
  if (found.type !== 'booking' && found.type !== 'member') return;
  const memberId = found.type === 'member' ? found.id : found.memberId;
  const arrival = memberId === null ? { bookingId: found.id } : { memberId };
  await checkInArrivedBookings(ctx, arrival, { locationId, at });
}
