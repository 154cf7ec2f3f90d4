import type { Context } from '../../context.ts';
import type { DisputeUpdate, ProviderName } from '../../integrations/payments/provider.ts';
import type { ChangeType } from '../../journal/catalog.ts';
import { recordUpdated } from '../../journal/record-changes.ts';
import { lockOrder } from '../orders/service/find-orders.ts';
import { findProviderPayment } from './find-provider-payment.ts';
import { recordOutsideRefund } from './outside-refunds.ts';

/**
 * Records that a payment is disputed, or how that ended, and marks its order meanwhile. The money of a lost dispute is returned, as by a
 * refund outside of Foyer. Events arrive in any order, so a dispute only moves forward. Call it in a transaction.
 *
 * @returns problems that staff should check
 * @throws OutOfOrderEvent
 */
export async function applyDispute(
  ctx: Context,
  provider: ProviderName,
  { ref, paymentRef, amount, reason, status }: DisputeUpdate,
): Promise<string[]> {
  const { db, now } = ctx;
  const payment = await findProviderPayment(ctx, provider, paymentRef);
  const { id: paymentId, orderId } = payment;
  await lockOrder(ctx, orderId);
  const key = { provider_ref: { provider, ref } };
  const known = await db.dispute.findUnique({ where: key });
  if (known !== null && !isLater(status, known.status)) return [];
  // Nobody knows what an amount in another currency is of the payment, so it counts as nothing.
  const isForeign = amount.currency !== payment.currency;
  const disputed = isForeign ? 0 : amount.amount;
  const endedAt = status === 'open' ? null : now();
  await recordUpdated(
    ctx,
    DISPUTE_CHANGES[status],
    [orderId],
    async () => {
      await db.dispute.upsert({
        where: key,
        create: {
          ...{ provider, ref, orderId, paymentId, reason, status, endedAt },
          ...{ amount: disputed, createdAt: now() },
        },
        update: { status, endedAt, amount: disputed },
      });
      await markOrder(ctx, orderId);
    },
    { isAction: true },
  );
  if (isForeign)
    return [
      `Dispute ${ref.slice(0, 100)} is about ${amount.amount} ${amount.currency}, but the payment is in ${payment.currency}. Check how much was returned.`,
    ];
  if (status === 'lost') await recordLoss(ctx, payment, { ref, amount: amount.amount });
  return [];
}

const DISPUTE_STATUS_ORDER: DisputeUpdate['status'][] = ['open', 'won', 'lost'];

/** A buyer can appeal after a dispute was won, so it can still be lost. Foyer cannot take back what it does about a loss, which is the last. */
const isLater = (status: DisputeUpdate['status'], known: DisputeUpdate['status']): boolean =>
  DISPUTE_STATUS_ORDER.indexOf(status) > DISPUTE_STATUS_ORDER.indexOf(known);

const DISPUTE_CHANGES = {
  open: 'order.disputed',
  won: 'order.dispute_won',
  lost: 'order.dispute_lost',
} as const satisfies Record<DisputeUpdate['status'], ChangeType>;

/** Marks an order since its first open dispute, or removes the mark after the last one. */
async function markOrder({ db, now }: Context, orderId: string): Promise<void> {
  const open = { orderId, status: 'open' as const };
  const first = await db.dispute.findFirst({ where: open, orderBy: { createdAt: 'asc' } });
  const data = { disputedAt: first?.createdAt ?? null, updatedAt: now() };
  await db.order.update({ where: { id: orderId }, data });
}

/**
 * Counts the money that the bank has taken back. The provider refuses refunds of such a payment, so those of Foyer that it has not begun
 * or that have failed are settled by the dispute as far as it covers them: nobody may return the money a second time.
 */
async function recordLoss(
  ctx: Context,
  payment: { id: string; orderId: string },
  { ref, amount }: { ref: string; amount: number },
): Promise<void> {
  const { db, now } = ctx;
  const loss = {
    ref,
    amount,
    status: 'succeeded',
    reason: 'The bank returned it in a dispute',
  } as const;
  let covered = amount - (await recordOutsideRefund(ctx, payment, loss));
  const unpaid = await db.refund.findMany({
    where: { paymentId: payment.id, OR: [{ status: 'failed' }, { status: 'pending', ref: null }] },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  for (const refund of unpaid) {
    if (refund.amount > covered) continue;
    covered -= refund.amount;
    await recordUpdated(ctx, 'refund.succeeded', [refund.id], () =>
      db.refund.update({
        where: { id: refund.id },
        // The last error stays: because of it, a late event about the failed attempt changes nothing.
        data: { status: 'succeeded', completedAt: now(), method: 'card_online' },
      }),
    );
  }
}
