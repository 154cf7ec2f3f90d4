import { type Ctx, inTransaction } from '../../../context.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { findLink } from '../links.ts';
import { lockOrder } from '../lock.ts';
import type { Order } from '../order.ts';
import { confirmPending } from '../payments/confirm.ts';
import { read } from '../service.ts';
import { notLive } from './cancel.ts';

/**
 * Confirms a free order, or takes an offer for which nothing is to be paid, by the secret that was mailed to the buyer.
 * Confirming twice answers as it is. Throws NOT_FOUND for the secret; CONFLICT, reason PAYMENT_NEEDED, where there is a
 * price, NOT_LIVE once its time is over, MAIL_LINK_REQUIRED for the secret that whoever placed the order was given.
 */
export async function confirmFree(ctx: Ctx, secret: string): Promise<Order> {
  const link = await findLink(ctx, secret);
  if (link === null) throw notFound('order');
  const { orderId: id, canConfirm } = link;
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
      if (!canConfirm) {
        throw new DomainError(
          'CONFLICT',
          'Open the link in the mail that we sent to the buyer, and confirm the order there.',
          { reason: 'MAIL_LINK_REQUIRED' },
        );
      }
      if (!(await confirmPending(ctx, { orderId: id, payment: null })))
        throw notLive(await read(ctx, id));
    }
    return read(ctx, id, secret);
  });
}
