import { hashSecret, isWellFormedSecret } from '../../../auth/tokens.ts';
import { can } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { CheckIn as CheckInRow } from '../../../db/generated/client.ts';
import { notFound } from '../../../errors.ts';
import {
  type AttemptContext,
  type CheckInOutcome,
  publishCheckInEvent,
  recordAttempt,
  recordRefusal,
  TITLE_INCLUDE,
  toCandidates,
  toCheckIn,
  toOutcomeSubject,
  toSubjectTitle,
} from '../attempt-log.ts';
import { lockLocationVisits, serializeByLocation } from '../location-lock.ts';
import { consumeHandle, MIN_STAY_MS, revokeArrivalCredit } from '../lookup/handles.ts';
import type { AdmissionCandidate } from '../queries/resolve-code.ts';
import { findVisitorVisits, findVisits, type Visit, type VisitSummary } from '../queries/visits.ts';
import type { CheckIn } from '../types.ts';

/** Ends the visit of whoever goes. Whether they might come in does not matter. */
export async function handleDeparture(
  ctx: Context,
  attempt: AttemptContext,
): Promise<CheckInOutcome> {
  const { handle, place, at, request } = attempt;
  const found = toCandidates(attempt);
  const [first] = found;
  if (first === undefined) return recordRefusal(ctx, attempt, 'not_found');
  const spent = handle && (await consumeHandle(ctx, handle, place.id));
  if (spent) return recordRefusal(ctx, attempt, spent, first);

  const [present, ...others] = await findVisitsToEnd(ctx, attempt, found);
  if (present === undefined)
    return recordRefusal(ctx, attempt, 'not_found', found.length === 1 ? first : null);
  if (others.some(({ visit }) => visit.id !== present.visit.id))
    return recordRefusal(ctx, attempt, 'ambiguous');

  const checkedOutAt = present.visit.autoCheckedOut
    ? await correctAutoCheckOut(ctx, present.visit, at)
    : await endVisit(ctx, present.visit, at);
  await recordAttempt(ctx, request, {
    ...{ locationId: place.id, occurredAt: at, result: 'checked_out', found: present.found },
  });
  return {
    result: 'checked_out',
    ...toOutcomeSubject(present.found),
    visit: { ...present.visit, checkedOutAt },
    canEndVisit: true,
  };
}

async function findVisitsToEnd(
  ctx: Context,
  { place, at }: AttemptContext,
  found: AdmissionCandidate[],
): Promise<{ found: AdmissionCandidate; visit: Visit }[]> {
  const visitsFor = await findVisits(ctx, found, place.id, at);
  const present: { found: AdmissionCandidate; visit: Visit }[] = [];
  for (const one of found) {
    const visits =
      one.type === 'visitor'
        ? await findVisitorVisits(ctx, place.id, { hostId: one.host.id, name: one.label }, at)
        : visitsFor(one);
    const visit = chooseVisitToEnd(visits, at);
    if (visit) present.push({ found: withArrivalLabel(one, visit), visit });
  }
  return present;
}

/** Visitors are who they said they were on arrival, however they write it now. */
const withArrivalLabel = (found: AdmissionCandidate, { label }: Visit): AdmissionCandidate =>
  found.type === 'visitor' ? { ...found, label: label ?? found.label } : found;

/** The one that they left at that instant: which began by then and lasts, or ended by itself; else the one that lasts. */
function chooseVisitToEnd(
  { here, unattended }: Pick<VisitSummary, 'here' | 'unattended'>,
  at: Date,
) {
  const open = here?.checkedOutAt === null ? here : null;
  return open && open.occurredAt <= at ? open : (unattended ?? open);
}

/**
 * Ends a visit: for whoever holds its check-out token, and by its id for staff and programs. Twice changes nothing. Throws
 * NOT_FOUND, in the same words for an unknown token, an unknown id and an id that does not suffice.
 */
export async function checkOut(ctx: Context, tokenOrId: string): Promise<CheckIn> {
  const { id, locationId } = await getVisitToEnd(ctx, tokenOrId);
  const row = await serializeByLocation(ctx, locationId, () =>
    runInTransaction(ctx, async (ctx) => {
      await lockLocationVisits(ctx, locationId);
      await endOverdueVisitsOfLocation(ctx, locationId);
      const row = await ctx.db.checkIn.findUniqueOrThrow({ where: { id } });
      await endVisit(ctx, row, ctx.now());
      return ctx.db.checkIn.findUniqueOrThrow({ where: { id }, include: TITLE_INCLUDE });
    }),
  );
  const { subject, label } = row;
  const outcome = { result: 'checked_out', subject, label, title: toSubjectTitle(row) } as const;
  return toCheckIn(ctx.viewer, { ...outcome, visit: row, canEndVisit: true });
}

async function getVisitToEnd(
  { db, viewer }: Context,
  tokenOrId: string,
): Promise<{ id: string; locationId: string }> {
  const where = isWellFormedSecret('checkOut', tokenOrId)
    ? { checkOutHash: hashSecret(tokenOrId) }
    : isUuid(tokenOrId) && can(viewer, 'check-ins:write')
      ? { id: tokenOrId }
      : null;
  const visit =
    where &&
    (await db.checkIn.findFirst({
      where: { ...where, result: 'admitted' },
      select: { id: true, locationId: true },
    }));
  if (visit === null) throw notFound('check-in');
  return visit;
}

/** Ends a visit, unless it has ended. Not before it began, and by itself where its time was over by then. */
export async function endVisit(
  ctx: Context,
  visit: Pick<CheckInRow, 'id' | 'occurredAt' | 'autoCheckOutAt' | 'createdAt'>,
  at: Date,
): Promise<Date> {
  const { db } = ctx;
  const { id, occurredAt, autoCheckOutAt, createdAt } = visit;
  const autoCheckedOut = autoCheckOutAt !== null && autoCheckOutAt <= at;
  const checkedOutAt = autoCheckedOut ? autoCheckOutAt : at < occurredAt ? occurredAt : at;
  const { count } = await db.checkIn.updateMany({
    where: { id, checkedOutAt: null },
    data: { checkedOutAt, autoCheckedOut },
  });
  if (count > 0 && ctx.now().getTime() - createdAt.getTime() < MIN_STAY_MS)
    await revokeArrivalCredit(ctx, visit);
  if (count > 0 && !autoCheckedOut) await publishCheckInEvent(ctx, 'check_in.checked_out', id);
  return checkedOutAt;
}

/** They had left before their visit ended by itself, and it is told only now. */
async function correctAutoCheckOut(ctx: Context, { id }: { id: string }, at: Date): Promise<Date> {
  const { count } = await ctx.db.checkIn.updateMany({
    where: { id, autoCheckedOut: true, occurredAt: { lte: at }, checkedOutAt: { gt: at } },
    data: { checkedOutAt: at, autoCheckedOut: false },
  });
  if (count > 0) await publishCheckInEvent(ctx, 'check_in.checked_out', id);
  return at;
}

/** Ends what has lasted its time at a place that is locked. Answers with how many there were. */
function endOverdueVisitsOfLocation({ db, now }: Context, locationId: string): Promise<number> {
  const at = now().toISOString();
  return db.$executeRaw`
    UPDATE check_ins SET checked_out_at = auto_check_out_at, auto_checked_out = true
    WHERE location_id = ${locationId}::uuid AND result = 'admitted' AND checked_out_at IS NULL
      AND auto_check_out_at <= ${at}::timestamptz`;
}

/** Timed work: ends what has lasted its time everywhere. Answers with how many there were. */
export async function endOverdueVisits(ctx: Context): Promise<number> {
  const due = await ctx.db.checkIn.findMany({
    where: { result: 'admitted', checkedOutAt: null, autoCheckOutAt: { lte: ctx.now() } },
    distinct: ['locationId'],
    select: { locationId: true },
  });
  let ended = 0;
  for (const { locationId } of due) {
    ended += await serializeByLocation(ctx, locationId, () =>
      runInTransaction(ctx, async (ctx) => {
        await lockLocationVisits(ctx, locationId); // before the visits, as everybody does
        return endOverdueVisitsOfLocation(ctx, locationId);
      }),
    );
  }
  return ended;
}

/**
 * Whoever is in by a ticket stays until their event ends, which is at another time now. Call it within the transaction that
 * moves the event. The place is locked first, as everybody does: who comes in meanwhile comes by the new time.
 */
export async function extendVisits(
  ctx: Context,
  event: { id: string; locationId: string; endsAt: Date },
): Promise<void> {
  await lockLocationVisits(ctx, event.locationId);
  const endsAt = event.endsAt.toISOString();
  await ctx.db.$executeRaw`
    UPDATE check_ins c SET auto_check_out_at = greatest(${endsAt}::timestamptz, c.occurred_at)
    FROM tickets t
    WHERE t.event_id = ${event.id}::uuid AND c.ticket_id = t.id AND c.subject = 'ticket' AND c.result = 'admitted'
      AND c.checked_out_at IS NULL`;
}
