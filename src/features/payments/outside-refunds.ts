import { v7 } from 'uuid';
import type { Context } from '../../context.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import { recordCreated } from '../../journal/record-changes.ts';
import { cancelReturnedOrder } from '../orders/service/cancel-order.ts';

/** Money of an order that was returned, but not by Foyer. */
export interface OutsideRefund {
  /** The provider's ID, unless another refund of the payment has it. */
  ref: string | null;
  /** Minor units, in the currency of the payment. */
  amount: number;
  status: 'pending' | 'succeeded';
  reason: string;
}

/**
 * Records a refund that was not made by Foyer. Never counts more as refunded than was paid. Once nothing is left, the order ends, as
 * after a refund in Foyer. Call it in a transaction that has locked the order.
 *
 * @returns the counted amount
 */
export async function recordOutsideRefund(
  ctx: Context,
  { id: paymentId, orderId }: { id: string; orderId: string },
  { ref, amount, status, reason }: OutsideRefund,
): Promise<number> {
  const { db, now } = ctx;
  await db.$queryRaw`SELECT 1 FROM payments WHERE id = ${paymentId}::uuid FOR UPDATE`;
  const payment = await db.payment.findUniqueOrThrow({ where: { id: paymentId } });
  const counted = Math.min(amount, payment.amount - payment.refunded);
  if (counted === 0) return 0; // a pending refund of ours has counted it
  await db.payment.update({ where: { id: paymentId }, data: { refunded: { increment: counted } } });
  const id = v7();
  await db.refund.create({
    data: {
      id,
      orderId,
      paymentId,
      amount: counted,
      reason,
      status,
      ref,
      createdAt: now(),
      nextAttemptAt: toNextRefundCheck(now()),
      completedAt: status === 'succeeded' ? now() : null,
      method: status === 'succeeded' ? 'card_online' : null,
    },
  });
  await recordCreated(ctx, status === 'succeeded' ? 'refund.succeeded' : 'refund.created', [id]);
  await cancelReturnedOrder(ctx, orderId);
  return counted;
}

/** Returns when a pending refund is checked next. */
export const toNextRefundCheck = (now: Date) => new Date(now.getTime() + DAY_MS);
