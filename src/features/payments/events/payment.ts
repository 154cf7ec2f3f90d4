import type { Ctx } from '../../../context.ts';
import type { PaymentNews, Provider } from '../../../payments/port.ts';
import { isUuid } from '../../../values.ts';
import { receivePayment } from '../../orders/payments/receive.ts';

/** Money that arrived counts as it is. Gives what is odd about it, for people to look into. */
export async function notePayment(
  ctx: Ctx,
  provider: Provider,
  { orderId, ref, amount }: PaymentNews,
): Promise<string[]> {
  const order = isUuid(orderId) ? await ctx.db.order.findUnique({ where: { id: orderId } }) : null;
  if (order === null) return [`There is no order ${orderId.slice(0, 100)}.`];
  await receivePayment(ctx, { orderId: order.id, provider, ref, amount });
  if (order.totalAmount === amount.amount && order.currency === amount.currency) return [];
  return [
    `${amount.amount} ${amount.currency} came for order ${order.code}, which costs ${order.totalAmount} ${order.currency}.`,
  ];
}
