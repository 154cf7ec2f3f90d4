import type { Ctx } from '../../context.ts';
import type { OrderStatus } from '../../db/generated/enums.ts';
import { DomainError, notFound } from '../../errors.ts';
import { isUuid } from '../../values.ts';
import { receivePayment } from '../orders/payments/receive.ts';

/**
 * Staff has the money for an order that is paid on site, all of it; said twice it counts once. Where what was held is
 * gone in the meantime, the money is due back. Throws NOT_FOUND, and CONFLICT where the order is paid elsewhere or not
 * at all.
 */
export async function markPaid(
  ctx: Ctx,
  orderId: string,
): Promise<{ id: string; status: OrderStatus }> {
  const order = isUuid(orderId) ? await ctx.db.order.findUnique({ where: { id: orderId } }) : null;
  if (order === null) throw notFound('order');
  if (order.totalAmount === 0) {
    throw new DomainError('CONFLICT', 'There is nothing to pay for this order.', {
      reason: 'NOTHING_TO_PAY',
    });
  }
  if (order.provider !== 'on_site') {
    throw new DomainError('CONFLICT', 'This order is paid through a payment provider.', {
      reason: 'PAID_ELSEWHERE',
    });
  }
  await receivePayment(ctx, {
    orderId: order.id,
    provider: 'on_site',
    ref: `on-site:${order.id}`,
    amount: { amount: order.totalAmount, currency: order.currency },
  });
  return ctx.db.order.findUniqueOrThrow({
    where: { id: order.id },
    select: { id: true, status: true },
  });
}
