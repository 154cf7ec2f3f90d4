import { v7 } from 'uuid';
import { type Ctx, inTransaction } from '../../../context.ts';
import * as outbox from '../../../mail/outbox.ts';
import type { Money } from '../../../values.ts';
import { paidInVain, tooLate } from '../letters/changes.ts';
import { type LockedOrder, lockOrder } from '../lock.ts';
import { read } from '../service.ts';
import { retakeStock } from '../stock/retake.ts';
import { confirmPending, type Received } from './confirm.ts';
import { giveBackOf } from './refund.ts';

/**
 * Money has arrived for an order. `confirmed`: its tickets are good now; a hold that had run out was taken again.
 * `returned`: there was nothing to be had for it any more, so it goes back and the buyer is told. `known`: it has been
 * received before. Throws NOT_FOUND when there is no such order.
 */
export async function receivePayment(
  ctx: Ctx,
  received: Received,
): Promise<'confirmed' | 'known' | 'returned'> {
  const { orderId, ...payment } = received;
  if (await confirmPending(ctx, { orderId, payment })) return 'confirmed';
  return inTransaction(ctx, (tx) => receiveOtherwise(tx, received));
}

/** Late, once more, or not what the order costs. */
async function receiveOtherwise(ctx: Ctx, received: Received) {
  const order = await lockOrder(ctx, received.orderId);
  if (await isKnown(ctx, received)) return 'known';
  if (await isTakenFor(ctx, order, received.amount)) {
    await ctx.db.order.update({ where: { id: order.id }, data: { status: 'pending' } });
    const { orderId, amount, ...payment } = received;
    const price = { amount: order.totalAmount, currency: order.currency };
    if (!(await confirmPending(ctx, { orderId, payment: { ...payment, amount: price } }))) {
      // Nothing of this stays: the stock that was taken again is given back with it.
      throw new Error(`order ${orderId} holds its stock and yet was not confirmed`);
    }
    const surplus = amount.amount - order.totalAmount;
    if (surplus > 0) await takeSurplus(ctx, received, surplus);
    return 'confirmed';
  }
  const payment = await record(ctx, received);
  await giveBackOf(ctx, payment, payment.amount, reasonOf(order));
  const letter = order.status === 'expired' ? tooLate : paidInVain;
  await outbox.send(ctx, letter(await read(ctx, order.id), received.amount));
  return 'returned';
}

const isKnown = async ({ db }: Ctx, { provider, ref }: Received) =>
  (await db.payment.count({ where: { provider, ref } })) > 0;

async function record({ db, now }: Ctx, { orderId, provider, ref, amount }: Received) {
  const data = { id: v7(), orderId, provider, ref, ...amount, createdAt: now() };
  await db.payment.create({ data });
  return data;
}

/** What was paid beyond the price goes back. */
async function takeSurplus(ctx: Ctx, { provider, ref }: Received, surplus: number): Promise<void> {
  const payment = await ctx.db.payment.update({
    where: { provider_ref: { provider, ref } },
    data: { amount: { increment: surplus } },
  });
  await giveBackOf(ctx, payment, surplus, 'More was paid than the order costs.');
}

/** Whether the order is to be had for it: it still holds its stock, or could take it again. */
async function isTakenFor(
  ctx: Ctx,
  order: LockedOrder,
  { amount, currency }: Money,
): Promise<boolean> {
  if (currency !== order.currency || amount < order.totalAmount) return false;
  if (order.status === 'pending') return true; // whatever the clock says, its stock is held until given back
  return order.status === 'expired' && (await retakeStock(ctx, order));
}

const reasonOf = ({ status }: LockedOrder) =>
  ({
    paid: 'The order was paid already.',
    cancelled: 'The order is cancelled.',
    expired: 'The payment came too late.',
    pending: 'The payment does not fit the order.',
  })[status];
