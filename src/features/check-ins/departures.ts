import { hashSecret, isWellFormed } from '../../auth/secrets.ts';
import { can } from '../../auth/viewer.ts';
import { type Ctx, inTransaction } from '../../context.ts';
import type { CheckIn as CheckInRow } from '../../db/generated/client.ts';
import { notFound } from '../../errors.ts';
import { isUuid } from '../../values.ts';
import { answerFor } from './answer.ts';
import type { CheckIn } from './check-in.ts';
import { HARDLY_IN_MS, takeArrivalBack } from './handles.ts';
import { tellOf } from './news.ts';
import { lockPlace, oneByOne } from './place.ts';
import { TITLED, titleOf } from './record.ts';

/**
 * Ends a visit: for whoever holds its check-out token, and by its id for staff and programs. Twice changes nothing. Throws
 * NOT_FOUND, in the same words for an unknown token, an unknown id and an id that does not suffice.
 */
export async function checkOut(ctx: Ctx, tokenOrId: string): Promise<CheckIn> {
  const { id, locationId } = await findVisit(ctx, tokenOrId);
  const row = await oneByOne(ctx, locationId, () =>
    inTransaction(ctx, async (ctx) => {
      await lockPlace(ctx, locationId);
      await endOverdue(ctx, locationId);
      const row = await ctx.db.checkIn.findUniqueOrThrow({ where: { id } });
      await end(ctx, row, ctx.now());
      return ctx.db.checkIn.findUniqueOrThrow({ where: { id }, include: TITLED });
    }),
  );
  const { subject, label } = row;
  const outcome = { result: 'checked_out', subject, label, title: titleOf(row) } as const;
  return answerFor(ctx.viewer, { ...outcome, visit: row, isTheirs: true });
}

async function findVisit(
  { db, viewer }: Ctx,
  tokenOrId: string,
): Promise<{ id: string; locationId: string }> {
  const where = isWellFormed('checkOut', tokenOrId)
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
export async function end(
  ctx: Ctx,
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
  if (count > 0 && ctx.now().getTime() - createdAt.getTime() < HARDLY_IN_MS)
    await takeArrivalBack(ctx, visit);
  if (count > 0 && !autoCheckedOut) await tellOf(ctx, 'check_in.checked_out', id);
  return checkedOutAt;
}

/** They had left before their visit ended by itself, and it is told only now. */
export async function endEarlier(ctx: Ctx, { id }: { id: string }, at: Date): Promise<Date> {
  const { count } = await ctx.db.checkIn.updateMany({
    where: { id, autoCheckedOut: true, occurredAt: { lte: at }, checkedOutAt: { gt: at } },
    data: { checkedOutAt: at, autoCheckedOut: false },
  });
  if (count > 0) await tellOf(ctx, 'check_in.checked_out', id);
  return at;
}

/** Ends what has lasted its time at a place that is locked. Answers with how many there were. */
function endOverdue({ db, now }: Ctx, locationId: string): Promise<number> {
  const at = now().toISOString();
  return db.$executeRaw`
    UPDATE check_ins SET checked_out_at = auto_check_out_at, auto_checked_out = true
    WHERE location_id = ${locationId}::uuid AND result = 'admitted' AND checked_out_at IS NULL
      AND auto_check_out_at <= ${at}::timestamptz`;
}

/** Timed work: ends what has lasted its time everywhere. Answers with how many there were. */
export async function endVisits(ctx: Ctx): Promise<number> {
  const due = await ctx.db.checkIn.findMany({
    where: { result: 'admitted', checkedOutAt: null, autoCheckOutAt: { lte: ctx.now() } },
    distinct: ['locationId'],
    select: { locationId: true },
  });
  let ended = 0;
  for (const { locationId } of due) {
    ended += await oneByOne(ctx, locationId, () =>
      inTransaction(ctx, async (ctx) => {
        await lockPlace(ctx, locationId); // before the visits, as everybody does
        return endOverdue(ctx, locationId);
      }),
    );
  }
  return ended;
}
