import { v7 } from 'uuid';
import type { Context } from '../../../context.ts';

/**
 * Gives back so much of what was paid for an order, the newest payment first, in minor units; what does not go back
 * because it is not there any more is the answer. Written down here, paid out by a job afterwards. Call it within a
 * transaction that has locked the order.
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
  let rest = amount;
  for (const payment of payments) {
    const part = Math.min(rest, payment.amount - payment.refunded);
    if (part > 0) await createPaymentRefund(ctx, payment, part, reason);
    rest -= Math.max(part, 0);
  }
  return rest;
}

/** So much of this payment. More than it was, its CHECK refuses. */
export async function createPaymentRefund(
  ctx: Context,
  { id, orderId }: { id: string; orderId: string },
  amount: number,
  reason: string | null,
): Promise<void> {
  const now = ctx.now();
  await ctx.db.payment.update({ where: { id }, data: { refunded: { increment: amount } } });
  await ctx.db.refund.create({
    data: { id: v7(), orderId, paymentId: id, amount, reason, nextAttemptAt: now, createdAt: now },
  });
  await ctx.triggerJob?.(ctx, 'payments.refund');
}
