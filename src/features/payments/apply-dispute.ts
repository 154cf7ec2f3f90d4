import type { Context } from '../../context.ts';
import type { Dispute } from '../../db/generated/client.ts';
import type { DisputeUpdate, ProviderName } from '../../integrations/payments/provider.ts';
import type { ChangeType } from '../../journal/catalog.ts';
import { recordUpdated } from '../../journal/record-changes.ts';
import { lockOrder } from '../orders/service/find-orders.ts';
import { findProviderPayment } from './find-provider-payment.ts';
import { countLostDisputes } from './lost-disputes.ts';

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
  const isForeign = amount.currency !== payment.currency;
  const disputed = { amount: amount.amount, currency: isForeign ? amount.currency : null };
  if (known !== null && !hasChanged({ status, reason, ...disputed }, known)) return [];
  const endedAt = status === 'open' ? null : now();
  // Nobody knows what an amount in another currency is of the payment, so nothing of it counts as returned.
  const uncoveredAmount = status === 'lost' && !isForeign ? amount.amount : 0;
  await recordUpdated(
    ctx,
    DISPUTE_CHANGES[status],
    [orderId],
    async () => {
      await db.dispute.upsert({
        where: key,
        create: {
          ...{ provider, ref, orderId, paymentId, reason, status, endedAt },
          ...disputed,
          uncoveredAmount,
          createdAt: now(),
        },
        update: {
          status,
          endedAt,
          ...disputed,
          uncoveredAmount,
          reason: reason ?? known?.reason,
        },
      });
      await markOrder(ctx, orderId);
    },
    { isAction: true },
  );
  if (isForeign)
    return [
      `Dispute ${ref.slice(0, 100)} is about ${amount.amount} ${amount.currency}, but the payment is in ${payment.currency}. Check how much was returned.`,
    ];
  return status === 'lost' ? countLostDisputes(ctx, payment) : [];
}

const DISPUTE_STATUS_ORDER: DisputeUpdate['status'][] = ['open', 'won', 'lost'];

/**
 * Whether a dispute has moved forward, or its amount or reason has changed. A buyer can appeal after a dispute was won, so it can still be
 * lost. Foyer cannot take back what it does about a loss, which is the last.
 */
function hasChanged(
  { status, amount, currency, reason }: Pick<Dispute, 'status' | 'amount' | 'currency' | 'reason'>,
  known: Dispute,
): boolean {
  const step = DISPUTE_STATUS_ORDER.indexOf(status) - DISPUTE_STATUS_ORDER.indexOf(known.status);
  if (step !== 0 || status === 'lost') return step > 0;
  const isSameAmount = amount === known.amount && currency === known.currency;
  return !isSameAmount || (reason ?? known.reason) !== known.reason;
}

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
