import { v7 } from 'uuid';
import { type Context, runInTransaction } from '../../../context.ts';
import type { Money } from '../../../core/money.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { recordCreated } from '../../../journal/record-changes.ts';
import { createPaymentRefund } from '../create-refund.ts';
import { endPendingOrders } from '../end-pending-orders.ts';
import { toOverSql } from '../types.ts';
import { confirmPendingOrder, type ReceivedPayment } from './confirm-order.ts';
import { type LockedOrder, lockOrder } from './find-orders.ts';

export type PaymentOutcome = 'confirmed' | 'known' | 'returned';

/**
 * Applies a payment to an order. `confirmed` means that its tickets are now valid, even if the hold had expired but the stock
 * was still available. `returned` means that the order cannot be confirmed, so the payment is refunded and the buyer gets an
 * email. `known` means that this payment was applied before.
 *
 * @throws NOT_FOUND for an unknown order
 */
export async function applyPayment(
  ctx: Context,
  received: ReceivedPayment,
): Promise<PaymentOutcome> {
  const { orderId, ...payment } = received;
  if (await confirmPendingOrder(ctx, { orderId, payment })) return 'confirmed';
  return runInTransaction(ctx, (tx) => applyUnexpectedPayment(tx, received));
}

/** Handles a payment that is late or repeated, or whose amount differs from the price. */
async function applyUnexpectedPayment(
  ctx: Context,
  received: ReceivedPayment,
): Promise<PaymentOutcome> {
  const order = await lockOrder(ctx, received.orderId);
  if (await isPaymentRecorded(ctx, received)) return 'known';
  if (order.status === 'pending' && (await isOver(ctx, order.id))) {
    await endPendingOrders(ctx, [order.id], 'expired');
    order.status = 'expired';
  }
  if (await canStillConfirm(ctx, order, received.amount)) {
    await ctx.db.order.update({ where: { id: order.id }, data: { status: 'pending' } });
    const { orderId, amount, ...payment } = received;
    const price = { amount: order.totalAmount, currency: order.currency };
    const surplus = amount.amount - order.totalAmount;
    const isConfirmed = await confirmPendingOrder(ctx, {
      orderId,
      payment: { ...payment, amount: price },
      surplus,
      previousStatus: order.status,
    });
    // The error rolls back the transaction and thereby releases the stock.
    if (!isConfirmed)
      throw new Error(`order ${orderId} holds its stock but could not be confirmed`);
    if (surplus > 0) await refundSurplus(ctx, received, surplus);
    return 'confirmed';
  }
  const payment = await insertPayment(ctx, received);
  await createPaymentRefund(ctx, payment, payment.amount, toRefundReason(order));
  return 'returned';
}

const isPaymentRecorded = async ({ db }: Context, { provider, ref }: ReceivedPayment) =>
  (await db.payment.count({ where: { provider, ref } })) > 0;

const IS_OVER = prepareStatement(
  `SELECT ${toOverSql('o', '$2::timestamptz')} AS over FROM orders o WHERE o.id = $1::uuid`,
);

/** Whether nobody can be admitted with the order any more. */
async function isOver({ lockingSql, now }: Context, id: string): Promise<boolean> {
  const [row] = await lockingSql<{ over: boolean }>(IS_OVER, [id, now()]);
  return row?.over ?? false;
}

async function insertPayment(ctx: Context, { amount, ...received }: ReceivedPayment) {
  const data = { id: v7(), ...received, ...amount, createdAt: ctx.now() };
  await ctx.db.payment.create({ data });
  await recordCreated(ctx, 'payment.created', [data.id]);
  return data;
}

/** Refunds the part of a payment that exceeds the price. */
async function refundSurplus(
  ctx: Context,
  { provider, ref }: ReceivedPayment,
  surplus: number,
): Promise<void> {
  const where = { provider_ref: { provider, ref } };
  const payment = await ctx.db.payment.findUniqueOrThrow({ where });
  await createPaymentRefund(
    ctx,
    payment,
    surplus,
    'The payment was higher than the price of the order.',
  );
}

/** Whether the payment can confirm the order. An expired order reacquires its stock if it is still available. */
async function canStillConfirm(
  ctx: Context,
  order: LockedOrder,
  { amount, currency }: Money,
): Promise<boolean> {
  if (currency !== order.currency || amount < order.totalAmount) return false;
  // A pending order holds its stock until a job expires it, even after expiresAt.
  if (order.status === 'pending') return true;
  if (order.status !== 'expired' || (await hasOtherOffer(ctx, order))) return false;
  return reacquireStock(ctx, order);
}

/**
 * Whether the buyer has an open offer from the waiting list of the same tickets, which the late payment would come on top of. Locks the
 * event, so that none can be made afterwards.
 */
async function hasOtherOffer({ db }: Context, { id, eventId }: LockedOrder): Promise<boolean> {
  if (eventId === null) return false;
  await db.$queryRaw`SELECT 1 FROM events WHERE id = ${eventId}::uuid FOR NO KEY UPDATE`;
  const offers = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM orders o JOIN waitlist_entries w ON w.email = o.buyer_email AND w.status = 'offered' AND w.order_id <> o.id
    WHERE o.id = ${id}::uuid
      AND w.ticket_type_id IN (SELECT t.ticket_type_id FROM tickets t WHERE t.order_id = o.id) LIMIT 1`;
  return offers.length > 0;
}

const toRefundReason = ({ status }: LockedOrder) =>
  ({
    paid: 'The order was already paid.',
    cancelled: 'The order is cancelled.',
    expired: 'The payment arrived too late.',
    pending: 'The payment does not match the price of the order.',
  })[status];

const LOCK_DISCOUNT_CODE_CTE = `
  code AS MATERIALIZED (
    SELECT d.id, d.uses, d.max_uses FROM discount_codes d
    WHERE d.id = (SELECT discount_code_id FROM orders WHERE id = $1::uuid) AND (SELECT count(*) FROM stock) >= 0
    FOR NO KEY UPDATE)`;
// The price was promised when the order was placed, so the order is confirmed even if its code has been used up since.
const COUNT_DISCOUNT_USE_CTE = `
  code_used AS (
    UPDATE discount_codes SET uses = uses + 1, late_uses = late_uses + CASE WHEN uses >= max_uses THEN 1 ELSE 0 END
    WHERE id = (SELECT id FROM code) AND (SELECT fits FROM decision))`;

const REACQUIRE_TICKETS = prepareStatement(`
  WITH item AS MATERIALIZED (
    SELECT event_id, ticket_type_id, count(*)::int AS quantity FROM tickets
    WHERE order_id = $1::uuid AND status = 'expired' GROUP BY 1, 2),
  event AS MATERIALIZED (
    SELECT id, status, offers_pending, ends_at, reserved_count, capacity FROM events WHERE id = (SELECT event_id FROM item LIMIT 1)
    FOR NO KEY UPDATE),
  stock AS MATERIALIZED (
    SELECT t.id, t.quantity AS stock, t.reserved_count, item.quantity
    FROM event JOIN ticket_types t ON t.event_id = event.id JOIN item ON item.ticket_type_id = t.id
    ORDER BY t.id FOR NO KEY UPDATE OF t),
  ${LOCK_DISCOUNT_CODE_CTE},
  decision AS MATERIALIZED (
    SELECT EXISTS (SELECT FROM stock) AND EXISTS (SELECT FROM event WHERE status = 'published' AND NOT offers_pending AND ends_at > $2::timestamptz)
      AND NOT EXISTS (SELECT FROM stock WHERE reserved_count + quantity > stock)
      AND NOT EXISTS (SELECT FROM event WHERE reserved_count + (SELECT sum(quantity) FROM item) > capacity) AS fits),
  event_reserved AS (
    UPDATE events SET reserved_count = reserved_count + (SELECT sum(quantity)::int FROM item)
    WHERE id = (SELECT id FROM event) AND (SELECT fits FROM decision)),
  types_reserved AS (
    UPDATE ticket_types t SET reserved_count = t.reserved_count + stock.quantity FROM stock
    WHERE t.id = stock.id AND (SELECT fits FROM decision)),
  ${COUNT_DISCOUNT_USE_CTE},
  held AS (
    UPDATE tickets SET status = 'held', updated_at = $2::timestamptz
    WHERE order_id = $1::uuid AND status = 'expired' AND (SELECT fits FROM decision))
  SELECT fits FROM decision`);

const REACQUIRE_DAY_PASSES = prepareStatement(`
  WITH item AS MATERIALIZED (
    SELECT type_id, valid_on, count(*)::int AS quantity FROM day_passes
    WHERE order_id = $1::uuid AND status = 'expired' GROUP BY 1, 2),
  stock AS MATERIALIZED (
    SELECT d.type_id, d.date, d.reserved_count, d.capacity, item.quantity
    FROM item JOIN day_pass_days d ON d.type_id = item.type_id AND d.date = item.valid_on
    ORDER BY d.type_id, d.date FOR NO KEY UPDATE OF d),
  ${LOCK_DISCOUNT_CODE_CTE},
  decision AS MATERIALIZED (
    SELECT EXISTS (SELECT FROM stock) AND NOT EXISTS (SELECT FROM stock WHERE reserved_count + quantity > capacity)
      AND NOT EXISTS (SELECT FROM stock JOIN day_pass_types t ON t.id = stock.type_id JOIN locations l ON l.id = t.location_id
        WHERE stock.date < ($2::timestamptz AT TIME ZONE l.time_zone)::date) AS fits),
  days_reserved AS (
    UPDATE day_pass_days d SET reserved_count = d.reserved_count + stock.quantity FROM stock
    WHERE d.type_id = stock.type_id AND d.date = stock.date AND (SELECT fits FROM decision)),
  ${COUNT_DISCOUNT_USE_CTE},
  held AS (
    UPDATE day_passes SET status = 'held', updated_at = $2::timestamptz
    WHERE order_id = $1::uuid AND status = 'expired' AND (SELECT fits FROM decision))
  SELECT fits FROM decision`);

/**
 * Reacquires all the stock that an expired order has released, or nothing, and returns whether it was available. Call it in a
 * transaction that has locked the order.
 */
async function reacquireStock(
  ctx: Context,
  order: { id: string; eventId: string | null },
): Promise<boolean> {
  const [decision] = await ctx.lockingSql<{ fits: boolean }>(
    order.eventId === null ? REACQUIRE_DAY_PASSES : REACQUIRE_TICKETS,
    [order.id, ctx.now()],
  );
  return decision?.fits ?? false;
}
