import { type Context, runInTransaction } from '../../../context.ts';
import { RETRY_SCHEDULES } from '../../../core/retry-schedule.ts';
import {
  type AttemptOutcome,
  type Leased,
  runWorkQueue,
  type Settlement,
  toFailureData,
  type WorkItem,
  type WorkQueue,
} from '../../../core/work-queue.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import { renewLeases } from '../../../db/lease-renewal.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError } from '../../../errors.ts';
import type { RefundResult } from '../../../integrations/payments/provider.ts';
import type { ChangeType } from '../../../journal/catalog.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import { lockOrder } from '../../orders/service/find-orders.ts';
import { countLostDisputes } from '../lost-disputes.ts';
import { toNextRefundCheck } from '../outside-refunds.ts';

/**
 * Job: sends the refunds that are due to the payment provider, oldest first, and returns how many succeeded. A refund that is
 * attempted twice, for example after a crash, is made once, since both attempts use the same key. Staff make refunds on site.
 */
export async function processRefunds(ctx: Context, signal?: AbortSignal): Promise<number> {
  if (ctx.payments.name === 'on_site') return 0;
  const { succeeded } = await runWorkQueue(createRefundQueue(ctx), ctx, signal);
  return succeeded;
}

const createRefundQueue = (ctx: Context): WorkQueue<PendingRefund, RefundResult> => ({
  name: 'refunds',
  schedule: RETRY_SCHEDULES.refunds,
  concurrency: 1,
  lease: (until) => leaseRefund(ctx, until),
  renew: (refunds, until) => renewLeases(ctx, 'refunds', refunds, until),
  attempt: (refund) => attemptRefund(ctx, refund),
  settle: (refund, settlement, result) => saveRefundAttempt(ctx, refund, settlement, result),
});

interface PendingRefund extends WorkItem {
  orderId: string;
  paymentId: string;
  /** The provider's ID of an earlier attempt. */
  ref: string | null;
  amount: number;
  paymentRef: string;
  currency: string;
}

const LEASE_REFUND = prepareStatement(`
  WITH due AS (
    SELECT r.id, p.ref AS payment_ref, p.currency FROM refunds r JOIN payments p ON p.id = r.payment_id
    WHERE r.status = 'pending' AND r.next_attempt_at <= $1::timestamptz AND p.provider = $3::payment_provider
    ORDER BY r.next_attempt_at LIMIT 1 FOR UPDATE OF r SKIP LOCKED)
  UPDATE refunds SET attempts = attempts + 1, next_attempt_at = $2::timestamptz
  FROM due WHERE refunds.id = due.id
  RETURNING refunds.id, order_id AS "orderId", payment_id AS "paymentId", ref, amount, attempts, payment_ref AS "paymentRef", currency`);

async function leaseRefund(
  { pipelinedSql, now, payments }: Context,
  until: Date,
): Promise<PendingRefund | undefined> {
  const parameters = [now(), until, payments.name];
  const [refund] = await pipelinedSql<PendingRefund>(LEASE_REFUND, parameters);
  return refund;
}

async function attemptRefund(
  ctx: Context,
  { id, orderId, ref, paymentRef, amount, currency }: PendingRefund,
): Promise<AttemptOutcome<RefundResult>> {
  const request = { id, orderId, ref, paymentRef, amount: { amount, currency } };
  try {
    const details = await ctx.payments.createRefund(request);
    if (details.status === 'succeeded') return { kind: 'succeeded', details };
    await deferRefund(ctx, id, details.ref);
    return { kind: 'settled' };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message : String(thrown);
    // The provider rejects this refund permanently.
    if (thrown instanceof DomainError) return { kind: 'rejected', error, thrown };
    // The provider is unavailable, so other refunds would fail too.
    return { kind: 'retry', error, thrown, endsRun: true };
  }
}

/**
 * Defers a refund that the provider is still processing. An event reports the result; if it is lost, a daily check
 * finds it.
 */
const deferRefund = ({ db, now }: Context, id: string, ref: string | null) =>
  db.refund.updateMany({
    where: { id, status: 'pending' },
    data: { ref, lastError: null, attempts: 0, nextAttemptAt: toNextRefundCheck(now()) },
  });

/** Settles an attempt unless an event of the provider has already reported the result. */
function saveRefundAttempt(
  ctx: Context,
  refund: Leased<PendingRefund>,
  settlement: Settlement,
  result: RefundResult | undefined,
): Promise<unknown> {
  const { id, leasedUntil } = refund;
  if (settlement.state === 'succeeded') {
    return updateRefund(
      ctx,
      refund,
      'refund.succeeded',
      { id, status: 'pending' },
      {
        status: 'succeeded',
        ref: result?.ref ?? null,
        lastError: null,
        completedAt: ctx.now(),
        method: 'card_online',
      },
    );
  }
  // An attempt that is repeated later changes nothing that is recorded.
  return updateRefund(
    ctx,
    refund,
    'refund.failed',
    { id, status: 'pending', nextAttemptAt: leasedUntil },
    toFailureData(settlement, { status: 'failed' }),
  );
}

const updateRefund = (
  ctx: Context,
  { id, orderId, paymentId }: PendingRefund,
  type: ChangeType,
  where: Prisma.RefundWhereInput,
  data: Prisma.RefundUpdateManyMutationInput,
) =>
  runInTransaction(ctx, async (ctx) => {
    await lockOrder(ctx, orderId);
    const change = () => ctx.db.refund.updateMany({ where, data });
    const { count } = await recordUpdated(ctx, type, [id], change);
    if (count === 0 || data.status === undefined) return;
    for (const problem of await countLostDisputes(ctx, { id: paymentId, orderId }))
      ctx.log.warn({ id, problem }, 'a refund needs attention');
  });
