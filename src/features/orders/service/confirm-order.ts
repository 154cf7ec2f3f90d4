import { v7 } from 'uuid';
import { type Context, runInTransaction } from '../../../context.ts';
import type { Money } from '../../../core/money.ts';
import type { OrderStatus, PaymentMethod } from '../../../db/generated/enums.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../errors.ts';
import type { ProviderName } from '../../../integrations/payments/provider.ts';
import {
  recordUpdated,
  toOrigin,
  toOriginSql,
  toRecordSql,
  toStatusSql,
} from '../../../journal/record-changes.ts';
import { ACCEPT_OFFER, toAcceptedOfferSql } from '../end-entries.ts';
import { extendHold } from '../extend-hold.ts';
import { toReturnSeatsSql } from '../limits/seat-usage.ts';
import { type Order, orderNotLive, toOverSql } from '../types.ts';
import { type LockedOrder, loadOrder, lockOrder } from './find-orders.ts';
import { findOrderLink } from './links.ts';

export interface ReceivedPayment {
  orderId: string;
  provider: ProviderName;
  /** The provider's ID of the payment. A payment that is reported several times counts once. */
  ref: string;
  amount: Money;
  method: PaymentMethod;
  /** The staff user who received it. */
  takenById: string | null;
}

/** How payments through a provider are made. */
export const PAID_ONLINE = { method: 'card_online', takenById: null } as const;

const FIND_PENDING_CURRENCY = prepareStatement(
  `SELECT currency FROM orders WHERE id = $1::uuid AND status = 'pending'`,
);

const ORIGIN = toOriginSql('$5');

// Each part depends on the one before, so nothing is written unless the order is still pending and the payment is new. Paid
// seats no longer count against the order limits. `$6` is the last recorded status of the order.
const CONFIRM_PENDING_ORDER = prepareStatement(`
  WITH pending AS MATERIALIZED (
    SELECT o.id FROM orders o
    WHERE o.id = $1::uuid AND o.status = 'pending' AND o.total_amount = coalesce($2::int, 0)
      AND NOT ${toOverSql('o', '$4::timestamptz')} FOR UPDATE),
  payment AS (
    INSERT INTO payments (id, order_id, provider, ref, amount, currency, method, taken_by_id, created_at)
    SELECT p.id, o.id, p.provider, p.ref, p.amount, p.currency, p.method, p.taken_by_id, $4::timestamptz
    FROM pending o, jsonb_to_record($3::jsonb)
      AS p(id uuid, provider payment_provider, ref text, amount int, currency text, method payment_method, taken_by_id uuid)
    WHERE p.id IS NOT NULL
    ON CONFLICT (provider, ref) DO NOTHING RETURNING *),
  confirmed AS (
    UPDATE orders SET status = 'paid', paid_at = $4::timestamptz, updated_at = $4::timestamptz
    WHERE id = (SELECT id FROM pending) AND ($2::int IS NULL OR EXISTS (SELECT FROM payment)) RETURNING *),
  valid_tickets AS (
    UPDATE tickets SET status = 'valid', updated_at = $4::timestamptz
    WHERE order_id = (SELECT id FROM confirmed) AND status = 'held' RETURNING *),
  valid_passes AS (
    UPDATE day_passes SET status = 'valid', updated_at = $4::timestamptz
    WHERE order_id = (SELECT id FROM confirmed) AND status = 'held' RETURNING *),
  seats_returned AS (${toReturnSeatsSql(`
    SELECT counted.key, (SELECT count(*)::int FROM valid_tickets) + (SELECT count(*)::int FROM valid_passes) AS seats
    FROM confirmed, unnest(confirmed.seat_keys) AS counted(key) WHERE $2::int IS NOT NULL`)}),
  offer AS MATERIALIZED (
    SELECT id, status, quantity, accepts_fewer FROM waitlist_entries WHERE order_id = (SELECT id FROM confirmed) FOR NO KEY UPDATE),
  offer_accepted AS (${ACCEPT_OFFER}),
  recorded AS (${toRecordSql(
    { subject: 'payment', type: `'payment.created'`, source: `payment row, ${ORIGIN}` },
    {
      subject: 'order',
      type: `'order.confirmed'`,
      source: `confirmed row, ${ORIGIN}`,
      before: toStatusSql('$6::order_status'),
      after: toStatusSql('row.status'),
    },
    { subject: 'ticket', type: `'ticket.issued'`, source: `valid_tickets row, ${ORIGIN}` },
    { subject: 'day_pass', type: `'day_pass.issued'`, source: `valid_passes row, ${ORIGIN}` },
    {
      subject: 'waitlist_entry',
      type: `'waitlist_entry.accepted'`,
      source: `offer_accepted row, ${ORIGIN}`,
      before: toAcceptedOfferSql(
        'row.previous_status',
        'row.previous_quantity',
        'row.previously_accepts_fewer',
      ),
      after: toAcceptedOfferSql('row.status', 'row.quantity', 'row.accepts_fewer'),
    },
  )})
  SELECT EXISTS (SELECT FROM confirmed) AS confirmed,
    EXISTS (SELECT FROM offer_accepted WHERE status = 'waiting') AS "waitsForMore"`);

/**
 * Confirms a pending order with a payment of its price, or without one if it is free. One statement makes its tickets
 * valid, or does nothing, also if its event or the day of its passes is over. The journal then causes the email. Returns whether the order was confirmed.
 */
export async function confirmPendingOrder(
  ctx: Context,
  {
    orderId,
    payment,
    surplus = 0,
    previousStatus = 'pending',
  }: {
    orderId: string;
    /** Exactly the price. */
    payment: Omit<ReceivedPayment, 'orderId'> | null;
    /** What the buyer paid in addition, in minor units. */
    surplus?: number;
    /** The status before this transaction, if the order had expired. */
    previousStatus?: OrderStatus;
  },
): Promise<boolean> {
  const [pending] = await ctx.pipelinedSql<{ currency: string }>(FIND_PENDING_CURRENCY, [orderId]);
  if (pending === undefined) return false;
  if (payment && payment.amount.currency !== pending.currency) return false;
  const [outcome] = await ctx.lockingSql<{ confirmed: boolean; waitsForMore: boolean }>(
    CONFIRM_PENDING_ORDER,
    [
      orderId,
      payment?.amount.amount ?? null,
      JSON.stringify(payment ? toPaymentRow(payment, surplus) : {}),
      ctx.now(),
      JSON.stringify(toOrigin(ctx)),
      previousStatus,
    ],
  );
  // Some of the other tickets can have been released while the offer was open.
  if (outcome?.waitsForMore) await ctx.triggerJob?.(ctx, 'waitlist.offer');
  return outcome?.confirmed ?? false;
}

const toPaymentRow = (
  { amount: { amount, currency }, takenById, ...payment }: Omit<ReceivedPayment, 'orderId'>,
  surplus: number,
) => ({ id: v7(), ...payment, amount: amount + surplus, currency, taken_by_id: takenById });

/**
 * Confirms an order with the secret that was emailed to the buyer: a free order or a free offer from the waiting list, or the hold of
 * an order that is paid at the front desk. Does nothing if it is already confirmed.
 *
 * @throws NOT_FOUND for an unknown secret
 * @throws CONFLICT if the order must be paid and there is nothing to confirm (PAYMENT_NEEDED), has ended (NOT_LIVE), or the secret is
 *   the one returned when the order was placed (MAIL_LINK_REQUIRED)
 */
export async function confirmOrder(ctx: Context, secret: string): Promise<Order> {
  const link = await findOrderLink(ctx, secret);
  if (link === null) throw notFound('order');
  const { orderId: id, canConfirm } = link;
  return runInTransaction(ctx, async (ctx) => {
    const order = await lockOrder(ctx, id);
    if (order.status !== 'paid') {
      assertCanConfirm(ctx, order, canConfirm);
      if (order.totalAmount > 0) await confirmHold(ctx, order);
      else if (!(await confirmPendingOrder(ctx, { orderId: id, payment: null })))
        throw orderNotLive({ status: 'expired' });
    }
    return loadOrder(ctx, id, secret);
  });
}

function assertCanConfirm(
  { now }: Context,
  { status, totalAmount, expiresAt, confirmedHoldUntil }: LockedOrder,
  canConfirm: boolean,
): void {
  const isOver = status !== 'pending' || (expiresAt !== null && expiresAt <= now());
  if (isOver) throw orderNotLive({ status: status === 'cancelled' ? status : 'expired' });
  if (totalAmount > 0 && confirmedHoldUntil === null) {
    throw new DomainError('CONFLICT', 'This order has a price. Pay it to confirm it.', {
      reason: 'PAYMENT_NEEDED',
    });
  }
  if (!canConfirm) {
    throw new DomainError(
      'CONFLICT',
      'Open the link in the email to the buyer, and confirm the order there.',
      { reason: 'MAIL_LINK_REQUIRED' },
    );
  }
}

/** Holds an order that is paid at the front desk for as long as its buyer was promised. */
async function confirmHold(
  ctx: Context,
  { id, expiresAt, confirmedHoldUntil }: LockedOrder,
): Promise<void> {
  if (expiresAt === null || confirmedHoldUntil === null || confirmedHoldUntil <= expiresAt) return;
  await recordUpdated(ctx, 'order.hold_confirmed', [id], () =>
    extendHold(ctx, id, confirmedHoldUntil),
  );
}
