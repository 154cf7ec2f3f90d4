import { v7 } from 'uuid';
import type { Context } from '../../context.ts';
import { recordCreated } from '../../journal/record-changes.ts';

/**
 * Records refunds of an amount in minor units, distributed over the payments of an order, newest first. A job sends
 * them to the provider. Returns the part of the amount that the payments do not cover. Call it in a transaction that
 * has locked the order.
 */
export async function createRefund(
  ctx: Context,
  orderId: string,
  amount: number,
  reason: string | null,
): Promise<number> {
  const payments = await ctx.db.payment.findMany({
    where: { orderId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  let remaining = amount;
  for (const payment of payments) {
    const part = Math.min(remaining, payment.amount - payment.refunded);
    if (part > 0) await createPaymentRefund(ctx, payment, part, reason);
    remaining -= Math.max(part, 0);
  }
  return remaining;
}

/** Records a refund of one payment, in minor units. A CHECK constraint rejects more than the payment. */
export async function createPaymentRefund(
  ctx: Context,
  { id, orderId }: { id: string; orderId: string | null },
  amount: number,
  reason: string | null,
): Promise<void> {
  const now = ctx.now();
  await ctx.db.payment.update({ where: { id }, data: { refunded: { increment: amount } } });
  const refund = { id: v7(), orderId, paymentId: id, amount, reason };
  await ctx.db.refund.create({ data: { ...refund, nextAttemptAt: now, createdAt: now } });
  await recordCreated(ctx, 'refund.created', [refund.id]);
  await ctx.triggerJob?.(ctx, 'payments.refund');
}
