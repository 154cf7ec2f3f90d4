import type { Context } from '../../context.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { DomainError } from '../../errors.ts';

const REFUND_BATCH_SIZE = 100;

/**
 * Gives back what is due through the provider, oldest first; gives how many are done. Any number of instances may do so
 * at once: each refund is taken by one, and a kill in between gives nothing back twice. On-site ones are for staff.
 */
export async function processRefunds(ctx: Context, signal?: AbortSignal): Promise<number> {
  let done = 0;
  if (ctx.payments.name === 'on_site') return done;
  for (let taken = 0; taken < REFUND_BATCH_SIZE && !signal?.aborted; taken += 1) {
    const refund = await takeRefund(ctx);
    if (refund === undefined) break;
    const outcome = await attemptRefund(ctx, refund);
    await recordRefundOutcome(ctx, refund, outcome);
    if (outcome instanceof Error) {
      const { id, attempts } = refund;
      ctx.log.warn({ refund: id, attempts, err: outcome }, 'a refund was not made');
      // Others would fare no better now, unless it is this very one that was refused.
      if (!(outcome instanceof DomainError)) break;
    } else if (outcome.status === 'succeeded') done += 1;
  }
  return done;
}

interface PendingRefund {
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
const TAKE_REFUND = prepareStatement(`
  WITH due AS (
    SELECT r.id, p.ref AS payment_ref, p.currency FROM refunds r JOIN payments p ON p.id = r.payment_id
    WHERE r.status = 'pending' AND r.next_attempt_at <= $1::timestamptz AND p.provider = $3::payment_provider
    ORDER BY r.next_attempt_at LIMIT 1 FOR UPDATE OF r SKIP LOCKED)
  UPDATE refunds SET attempts = attempts + 1,
    next_attempt_at = $1::timestamptz + ($2::int[])[least(attempts + 1, cardinality($2::int[]))] * interval '1 minute'
  FROM due WHERE refunds.id = due.id
  RETURNING refunds.id, order_id AS "orderId", ref, amount, attempts, payment_ref AS "paymentRef", currency`);

async function takeRefund({
  pipelinedSql,
  now,
  payments,
}: Context): Promise<PendingRefund | undefined> {
  const [refund] = await pipelinedSql<PendingRefund>(TAKE_REFUND, [
    now(),
    REFUND_RETRY_DELAYS_MINUTES,
    payments.name,
  ]);
  return refund;
}

async function attemptRefund(
  { payments }: Context,
  { id, orderId, ref, paymentRef, amount, currency }: PendingRefund,
) {
  try {
    return await payments.createRefund({
      id,
      orderId,
      ref,
      paymentRef,
      amount: { amount, currency },
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The provider may have told the outcome by an event already; that stands. */
async function recordRefundOutcome(
  { db, now }: Context,
  { id, attempts }: PendingRefund,
  outcome: Awaited<ReturnType<typeof attemptRefund>>,
): Promise<void> {
  if (outcome instanceof Error) {
    const isOver = outcome instanceof DomainError || attempts >= MAX_REFUND_ATTEMPTS;
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
        : { ref, lastError: null, attempts: 0, nextAttemptAt: toNextRefundCheck(now()) },
  });
}

/** Minutes from one attempt to the next; the first outlasts any attempt that is still under way. */
export const REFUND_RETRY_DELAYS_MINUTES = [2, 5, 15, 60, 180, 360, 720, 1440];
export const MAX_REFUND_ATTEMPTS = REFUND_RETRY_DELAYS_MINUTES.length + 1;

const REFUND_CHECK_INTERVAL_MS = 24 * 3_600_000;

/** Providers tell what became of a refund that takes its time; in case that is lost, it is looked at every day. */
export const toNextRefundCheck = (now: Date) => new Date(now.getTime() + REFUND_CHECK_INTERVAL_MS);
