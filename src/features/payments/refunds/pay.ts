import type { Ctx } from '../../../context.ts';
import { statement } from '../../../db/sql.ts';
import { DomainError } from '../../../errors.ts';
import { MOST_ATTEMPTS, nextLook, PAUSES_MINUTES } from './pauses.ts';

const MOST_AT_ONCE = 100;

/**
 * Gives back what is due through the provider, oldest first; gives how many are done. Any number of instances may do so
 * at once: each refund is taken by one, and a kill in between gives nothing back twice. On-site ones are for staff.
 */
export async function payRefunds(ctx: Ctx, signal?: AbortSignal): Promise<number> {
  let done = 0;
  if (ctx.payments.provider === 'on_site') return done;
  for (let taken = 0; taken < MOST_AT_ONCE && !signal?.aborted; taken += 1) {
    const refund = await take(ctx);
    if (refund === undefined) break;
    const outcome = await attempt(ctx, refund);
    await note(ctx, refund, outcome);
    if (outcome instanceof Error) {
      const { id, attempts } = refund;
      ctx.log.warn({ refund: id, attempts, err: outcome }, 'a refund was not made');
      // Others would fare no better now, unless it is this very one that was refused.
      if (!(outcome instanceof DomainError)) break;
    } else if (outcome.status === 'succeeded') done += 1;
  }
  return done;
}

interface DueRefund {
  id: string;
  orderId: string;
  ref: string | null;
  amount: number;
  attempts: number;
  paymentRef: string;
  currency: string;
}

// The next attempt is put off before this one begins, and in one statement: that keeps everybody else from the same
// refund, however the attempt ends.
const TAKE = statement(`
  WITH due AS (
    SELECT r.id, p.ref AS payment_ref, p.currency FROM refunds r JOIN payments p ON p.id = r.payment_id
    WHERE r.status = 'pending' AND r.next_attempt_at <= $1::timestamptz AND p.provider = $3::payment_provider
    ORDER BY r.next_attempt_at LIMIT 1 FOR UPDATE OF r SKIP LOCKED)
  UPDATE refunds SET attempts = attempts + 1,
    next_attempt_at = $1::timestamptz + ($2::int[])[least(attempts + 1, cardinality($2::int[]))] * interval '1 minute'
  FROM due WHERE refunds.id = due.id
  RETURNING refunds.id, order_id AS "orderId", ref, amount, attempts, payment_ref AS "paymentRef", currency`);

async function take({ sql, now, payments }: Ctx): Promise<DueRefund | undefined> {
  const [refund] = await sql<DueRefund>(TAKE, [now(), PAUSES_MINUTES, payments.provider]);
  return refund;
}

async function attempt(
  { payments }: Ctx,
  { id, orderId, ref, paymentRef, amount, currency }: DueRefund,
) {
  try {
    return await payments.refund({ id, orderId, ref, paymentRef, amount: { amount, currency } });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The provider may have told the outcome by an event already; that stands. */
async function note(
  { db, now }: Ctx,
  { id, attempts }: DueRefund,
  outcome: Awaited<ReturnType<typeof attempt>>,
): Promise<void> {
  if (outcome instanceof Error) {
    const isOver = outcome instanceof DomainError || attempts >= MOST_ATTEMPTS;
    await db.refund.updateMany({
      where: { id, status: 'pending' },
      data: { lastError: outcome.message.slice(0, 500), ...(isOver ? { status: 'failed' } : {}) },
    });
    return;
  }
  const { ref, status } = outcome;
  await db.refund.updateMany({
    where: { id, status: 'pending' },
    data:
      status === 'succeeded'
        ? { status, ref, lastError: null, completedAt: now() }
        : { ref, lastError: null, attempts: 0, nextAttemptAt: nextLook(now()) },
  });
}
