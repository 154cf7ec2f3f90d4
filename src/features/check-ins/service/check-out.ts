import { hashSecret, isWellFormedSecret } from '../../../auth/tokens.ts';
import { can, system, type Viewer } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { CheckIn as CheckInRow } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { notFound } from '../../../errors.ts';
import { toOrigin } from '../../../journal/record-changes.ts';
import { lockLocationVisits, serializeByLocation } from '../location-lock.ts';
import { consumeHandle, MIN_STAY_MS, revokeArrivalCredit } from '../lookup/handles.ts';
import type { AdmissionCandidate } from '../resolve-code.ts';
import type { CheckIn } from '../types.ts';
import { CORRECT_AUTO_CHECK_OUT, END_VISIT, toEndOverdueVisitsSql } from '../visit-statements.ts';
import {
  findUnconfirmedVisits,
  findVisitorVisits,
  findVisits,
  type Visit,
  type VisitSummary,
} from '../visits.ts';
import {
  type AttemptContext,
  type CheckInOutcome,
  recordAttempt,
  recordRejection,
  TITLE_INCLUDE,
  toCandidates,
  toCheckIn,
  toOutcomeSubject,
  toSubjectTitle,
} from './attempt-log.ts';

/** Ends the visit of the presented candidate. The admission rules do not apply. */
export async function handleDeparture(
  ctx: Context,
  attempt: AttemptContext,
): Promise<CheckInOutcome> {
  const { handle, location, at } = attempt;
  const candidates = toCandidates(attempt);
  const [first] = candidates;
  if (first === undefined) return recordRejection(ctx, attempt, 'not_found');
  const handleRejection = handle && (await consumeHandle(ctx, handle, location.id));
  if (handleRejection) return recordRejection(ctx, attempt, handleRejection, first);

  const [ending, ...others] = await findVisitsToEnd(ctx, attempt, candidates);
  if (ending === undefined) {
    const [unconfirmed, ...older] = await findUnconfirmedVisits(ctx, location.id, candidates, at);
    if (unconfirmed) {
      for (const visit of older) await endVisit(ctx, visit, at);
      return endVisitOfCandidate(ctx, attempt, { candidate: first, visit: unconfirmed });
    }
    return recordRejection(ctx, attempt, 'not_found', candidates.length === 1 ? first : null);
  }
  if (others.some(({ visit }) => visit.id !== ending.visit.id)) {
    return recordRejection(ctx, attempt, 'ambiguous');
  }
  return endVisitOfCandidate(ctx, attempt, ending);
}

async function endVisitOfCandidate(
  ctx: Context,
  { request, location, at }: AttemptContext,
  ending: { candidate: AdmissionCandidate; visit: Visit },
): Promise<CheckInOutcome> {
  const checkedOutAt = ending.visit.autoCheckedOut
    ? await correctAutoCheckOut(ctx, ending.visit, at)
    : await endVisit(ctx, ending.visit, at);
  await recordAttempt(ctx, request, {
    locationId: location.id,
    occurredAt: at,
    result: 'checked_out',
    candidate: ending.candidate,
    endedVisit: true,
    change: null, // the end of the visit is recorded
  });
  return {
    result: 'checked_out',
    ...toOutcomeSubject(ending.candidate),
    visit: { ...ending.visit, checkedOutAt },
    canEndVisit: true,
  };
}

async function findVisitsToEnd(
  ctx: Context,
  attempt: AttemptContext,
  candidates: AdmissionCandidate[],
): Promise<{ candidate: AdmissionCandidate; visit: Visit }[]> {
  const { location, at } = attempt;
  const getVisits = await findVisits(ctx, candidates, location.id, at);
  const ending: { candidate: AdmissionCandidate; visit: Visit }[] = [];
  for (const candidate of candidates) {
    const visits =
      candidate.type === 'visitor'
        ? await findVisitorVisits(
            ctx,
            location.id,
            { hostId: candidate.host.id, name: candidate.label },
            at,
          )
        : getVisits(candidate);
    const visit = chooseVisitToEnd(visits, attempt);
    if (visit) ending.push({ candidate: withArrivalLabel(candidate, visit), visit });
  }
  return ending;
}

/** Uses the name that a visitor entered on arrival, even if they type it differently now. */
const withArrivalLabel = (candidate: AdmissionCandidate, { label }: Visit): AdmissionCandidate =>
  candidate.type === 'visitor' ? { ...candidate, label: label ?? candidate.label } : candidate;

/**
 * Prefers the open visit if it began by `at`, then one that ended automatically after `at`. A scan that is sent later ends no visit
 * that began after it: the person has come back since. A scan of now can have waited while the visit began.
 */
function chooseVisitToEnd(
  { here, unattended }: Pick<VisitSummary, 'here' | 'unattended'>,
  { at, request: { occurredAt } }: Pick<AttemptContext, 'at' | 'request'>,
): Visit | null {
  const open = here?.checkedOutAt === null ? here : null;
  if (open && open.occurredAt <= at) return open;
  return unattended ?? (occurredAt === undefined ? open : null);
}

/**
 * Ends a visit by its check-out token, or by its id for callers with check-ins:write. Does nothing if it has already ended.
 * @throws NOT_FOUND, the same for an unknown token, an unknown id, and an id without the scope.
 *
 * @example
 * await checkOut(ctx, visit.checkOutToken);
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
  const { subject, label, unconfirmed } = row;
  const title = toSubjectTitle(row);
  const outcome = { result: 'checked_out', unconfirmed, subject, label, title } as const;
  return toCheckIn(ctx.viewer, { ...outcome, visit: row, canEndVisit: true });
}

async function getVisitToEnd(
  { db, viewer }: Context,
  tokenOrId: string,
): Promise<{ id: string; locationId: string }> {
  const where = toVisitCondition(viewer, tokenOrId);
  if (where === null) throw notFound('check-in');
  const visit = await db.checkIn.findFirst({
    where: { ...where, result: 'admitted' },
    select: { id: true, locationId: true },
  });
  if (visit === null) throw notFound('check-in');
  return visit;
}

function toVisitCondition(viewer: Viewer, tokenOrId: string) {
  if (isWellFormedSecret('checkOut', tokenOrId)) return { checkOutHash: hashSecret(tokenOrId) };
  return isUuid(tokenOrId) && can(viewer, 'check-ins:write') ? { id: tokenOrId } : null;
}

/**
 * Ends a visit at `at` unless it has ended, and returns the end. It is limited to the time between the start of the visit and
 * its automatic check-out.
 */
export async function endVisit(
  ctx: Context,
  visit: Pick<CheckInRow, 'id' | 'unconfirmed' | 'occurredAt' | 'autoCheckOutAt' | 'createdAt'>,
  at: Date,
): Promise<Date> {
  const { id, unconfirmed, occurredAt, autoCheckOutAt, createdAt } = visit;
  const autoCheckedOut = autoCheckOutAt !== null && autoCheckOutAt <= at;
  const manualEnd = at < occurredAt ? occurredAt : at;
  const checkedOutAt = autoCheckedOut ? autoCheckOutAt : manualEnd;
  const origin = toOrigin(autoCheckedOut ? { ...ctx, viewer: system } : ctx);
  const parameters = [id, checkedOutAt, autoCheckedOut, JSON.stringify(origin)];
  const hasEnded = (await ctx.lockingSql(END_VISIT, parameters)).length > 0;
  // An unconfirmed visit gave no credit. Without this, it could revoke the credit of someone else's lookup.
  if (hasEnded && !unconfirmed && ctx.now().getTime() - createdAt.getTime() < MIN_STAY_MS)
    await revokeArrivalCredit(ctx, visit);
  return checkedOutAt;
}

/** Moves the end of a visit that ended automatically to an earlier check-out that is uploaded late. */
async function correctAutoCheckOut(ctx: Context, { id }: { id: string }, at: Date): Promise<Date> {
  const parameters = [id, at, JSON.stringify(toOrigin(ctx))];
  await ctx.lockingSql(CORRECT_AUTO_CHECK_OUT, parameters);
  return at;
}

/** Ends the visits at a locked location that are past their automatic check-out. Returns their number. */
async function endOverdueVisitsOfLocation(ctx: Context, locationId: string): Promise<number> {
  const origin = toOrigin({ ...ctx, viewer: system });
  const parameters = [locationId, ctx.now().toISOString(), JSON.stringify(origin)];
  return (await ctx.lockingSql(END_OVERDUE_VISITS, parameters)).length;
}

const END_OVERDUE_VISITS = prepareStatement(
  `WITH ${toEndOverdueVisitsSql('$3')} SELECT id FROM ended`,
);

/** Job: ends all visits that are past their automatic check-out. Returns their number. */
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
        await lockLocationVisits(ctx, locationId); // before the visits: every transaction locks in this order
        return endOverdueVisitsOfLocation(ctx, locationId);
      }),
    );
  }
  return ended;
}

/**
 * Moves the automatic check-out of ticket holders to the new end of their event. Call it in the transaction that moves the
 * event. It locks the location first, so that concurrent admissions use the new end too.
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
