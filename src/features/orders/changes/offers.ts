import { type Ctx, inTransaction } from '../../../context.ts';
import { DomainError } from '../../../errors.ts';
import { lockOrder } from '../lock.ts';
import type { Order } from '../order.ts';
import { confirmPending } from '../payments/confirm.ts';
import { idOf, read } from '../service.ts';
import { notLive } from './cancel.ts';

/**
 * Takes an offer for which nothing is to be paid. Confirming twice answers as it is. Throws NOT_FOUND for the secret;
 * CONFLICT, reason PAYMENT_NEEDED, where there is a price, NOT_LIVE once the offer has ended.
 */
export async function confirmFree(ctx: Ctx, secret: string): Promise<Order> {
  const id = await idOf(ctx, secret);
  return inTransaction(ctx, async (ctx) => {
    const { status, totalAmount, expiresAt } = await lockOrder(ctx, id);
    if (status !== 'paid') {
      const over = status !== 'pending' || (expiresAt !== null && expiresAt <= ctx.now());
      if (over) throw notLive({ status: status === 'cancelled' ? status : 'expired' });
      if (totalAmount > 0) {
        throw new DomainError('CONFLICT', 'This order is confirmed by paying it.', {
          reason: 'PAYMENT_NEEDED',
        });
      }
      if (!(await confirmPending(ctx, { orderId: id, payment: null })))
        throw notLive(await read(ctx, id));
    }
    return read(ctx, id, secret);
  });
}
