import { v7 } from 'uuid';
import { createSecret } from '../../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { formatMoney, type Money } from '../../../core/money.ts';
import type { OrderStatus } from '../../../db/generated/enums.ts';
import { projectInstant } from '../../../db/json-projection.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { toEmailRow } from '../../../integrations/email/outbox.ts';
import type { ProviderName } from '../../../integrations/payments/provider.ts';
import {
  toOrigin,
  toOriginSql,
  toRecordSql,
  toStatusSql,
} from '../../../journal/record-changes.ts';
import { orderConfirmed } from '../emails/confirmation.ts';
import { toDayPassSubject, toEventSubject } from '../emails/format.ts';
import { toReturnSeatsSql } from '../limits/seat-usage.ts';
import { findOrderLink, portalUrl } from '../links.ts';
import { loadOrder, lockOrder } from '../queries.ts';
import { type Order, orderNotLive } from '../types.ts';

export interface ReceivedPayment {
  orderId: string;
  provider: ProviderName;
  /** The provider's ID of the payment. A payment that is reported several times counts once. */
  ref: string;
  amount: Money;
}

interface PendingOrder {
  code: string;
  currency: string;
  buyer: { name: string; email: string };
  event: Parameters<typeof toEventSubject>[0] | null;
  /** Used if the order has no event. */
  dayPass: Parameters<typeof toDayPassSubject>[0];
  admissions: { name: string; code: string }[];
}

// Reads the content of the email, which cannot change while the order is pending.
const FIND_PENDING_ORDER = prepareStatement(`
  SELECT json_build_object('code', o.code, 'currency', o.currency,
    'buyer', json_build_object('name', o.buyer_name, 'email', o.buyer_email),
    'event', CASE WHEN e.id IS NOT NULL THEN json_build_object('title', e.title, 'startsAt', ${projectInstant('e.starts_at')},
      'endsAt', ${projectInstant('e.ends_at')}, 'timeZone', l.time_zone, 'locationName', l.name, 'address', l.address) END,
    'dayPass', CASE WHEN e.id IS NULL THEN (
      SELECT json_build_object('name', type.name, 'validOn', to_char(p.valid_on, 'YYYY-MM-DD'), 'locationName', pass_location.name)
      FROM day_passes p JOIN day_pass_types type ON type.id = p.type_id JOIN locations pass_location ON pass_location.id = type.location_id
      WHERE p.order_id = o.id LIMIT 1) END,
    'admissions', (SELECT coalesce(json_agg(json_build_object('name', held.name, 'code', held.code) ORDER BY held.position), '[]'::json)
      FROM (SELECT attendee_name AS name, code, position FROM tickets WHERE order_id = o.id AND status = 'held'
        UNION ALL
        SELECT holder_name, code, position FROM day_passes WHERE order_id = o.id AND status = 'held') held)) AS pending
  FROM orders o LEFT JOIN events e ON e.id = o.event_id LEFT JOIN locations l ON l.id = e.location_id
  WHERE o.id = $1::uuid AND o.status = 'pending'`);

const ORIGIN = toOriginSql('$7');

// Each part depends on the one before, so nothing is written unless the order is still pending and the payment is new. Paid
// seats no longer count against the order limits. `$8` is the last recorded status of the order.
const CONFIRM_PENDING_ORDER = prepareStatement(`
  WITH pending AS MATERIALIZED (
    SELECT id FROM orders
    WHERE id = $1::uuid AND status = 'pending' AND total_amount = coalesce($2::int, 0) FOR UPDATE),
  payment AS (
    INSERT INTO payments (id, order_id, provider, ref, amount, currency, created_at)
    SELECT p.id, o.id, p.provider, p.ref, p.amount, p.currency, $4::timestamptz
    FROM pending o, jsonb_to_record($3::jsonb)
      AS p(id uuid, provider payment_provider, ref text, amount int, currency text) WHERE p.id IS NOT NULL
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
    SELECT id, status FROM waitlist_entries WHERE order_id = (SELECT id FROM confirmed) FOR NO KEY UPDATE),
  offer_accepted AS (
    UPDATE waitlist_entries w SET status = 'accepted', updated_at = $4::timestamptz
    FROM offer WHERE w.id = offer.id RETURNING w.*, offer.status AS previous_status),
  linked AS (
    INSERT INTO order_access_tokens (hash, order_id, can_confirm, created_at)
    SELECT decode($5::text, 'hex'), id, true, $4::timestamptz FROM confirmed),
  queued_email AS (
    INSERT INTO mails (id, recipient, priority, subject, text, html, attachments, created_at, next_attempt_at)
    SELECT m.id, m.recipient, m.priority, m.subject, m.text, m.html, m.attachments, $4::timestamptz, $4::timestamptz
    FROM confirmed, jsonb_to_record($6::jsonb) AS m(id uuid, recipient text, priority mail_priority, subject text, text text, html text,
      attachments jsonb)),
  recorded AS (${toRecordSql(
    { subject: 'payment', type: `'payment.created'`, source: `payment row, ${ORIGIN}` },
    {
      subject: 'order',
      type: `'order.confirmed'`,
      source: `confirmed row, ${ORIGIN}`,
      before: toStatusSql('$8::order_status'),
      after: toStatusSql('row.status'),
    },
    { subject: 'ticket', type: `'ticket.issued'`, source: `valid_tickets row, ${ORIGIN}` },
    { subject: 'day_pass', type: `'day_pass.issued'`, source: `valid_passes row, ${ORIGIN}` },
    {
      subject: 'waitlist_entry',
      type: `'waitlist_entry.accepted'`,
      source: `offer_accepted row, ${ORIGIN}`,
      before: toStatusSql('row.previous_status'),
      after: toStatusSql('row.status'),
    },
  )})
  SELECT EXISTS (SELECT FROM confirmed) AS confirmed`);

/**
 * Confirms a pending order with a payment of its price, or without one if it is free. One statement makes its tickets valid
 * and queues the confirmation email, or does nothing. Returns whether the order was confirmed.
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
  const [row] = await ctx.pipelinedSql<{ pending: PendingOrder }>(FIND_PENDING_ORDER, [orderId]);
  if (row === undefined) return false;
  const { code, currency, buyer, event, dayPass, admissions } = row.pending;
  if (payment && payment.amount.currency !== currency) return false;
  const { plainText: secret, hash } = createSecret('orderLink');
  const email = orderConfirmed({
    buyer,
    orderCode: code,
    orderSubject: event ? toEventSubject(event) : toDayPassSubject(dayPass),
    admissions,
    paid: payment && formatMoney(payment.amount),
    portalUrl: portalUrl(ctx, secret),
  });
  const [outcome] = await ctx.lockingSql<{ confirmed: boolean }>(CONFIRM_PENDING_ORDER, [
    orderId,
    payment?.amount.amount ?? null,
    JSON.stringify(payment ? toPaymentRow(payment, surplus) : {}),
    ctx.now(),
    Buffer.from(hash).toString('hex'),
    JSON.stringify(toEmailRow(email, ctx)),
    JSON.stringify(toOrigin(ctx)),
    previousStatus,
  ]);
  if (!outcome?.confirmed) return false;
  await ctx.triggerJob?.(ctx, 'mail.deliver');
  return true;
}

const toPaymentRow = (
  { provider, ref, amount }: Omit<ReceivedPayment, 'orderId'>,
  surplus: number,
) => ({ id: v7(), provider, ref, amount: amount.amount + surplus, currency: amount.currency });

/**
 * Confirms a free order or a free offer from the waiting list with the secret that was emailed to the buyer. Does
 * nothing if it is already confirmed.
 *
 * @throws NOT_FOUND for an unknown secret
 * @throws CONFLICT if the order has a price (PAYMENT_NEEDED), has ended (NOT_LIVE), or the secret is the one returned
 *   when the order was placed (MAIL_LINK_REQUIRED)
 */
export async function confirmFreeOrder(ctx: Context, secret: string): Promise<Order> {
  const link = await findOrderLink(ctx, secret);
  if (link === null) throw notFound('order');
  const { orderId: id, canConfirm } = link;
  return runInTransaction(ctx, async (ctx) => {
    const { status, totalAmount, expiresAt } = await lockOrder(ctx, id);
    if (status !== 'paid') {
      const isOver = status !== 'pending' || (expiresAt !== null && expiresAt <= ctx.now());
      if (isOver) throw orderNotLive({ status: status === 'cancelled' ? status : 'expired' });
      if (totalAmount > 0) {
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
      if (!(await confirmPendingOrder(ctx, { orderId: id, payment: null })))
        throw orderNotLive(await loadOrder(ctx, id));
    }
    return loadOrder(ctx, id, secret);
  });
}
