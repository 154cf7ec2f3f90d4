import { v7 } from 'uuid';
import { createSecret } from '../../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import type { Money } from '../../../core/money.ts';
import { projectInstant } from '../../../db/json-projection.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { toEmailRow } from '../../../integrations/email/outbox.ts';
import type { ProviderName } from '../../../integrations/payments/provider.ts';
import { orderConfirmed } from '../emails/confirmation.ts';
import { formatMoney, toDayPassSubject, toEventSubject } from '../emails/format.ts';
import { toReturnSeatsSql } from '../limits/seat-usage.ts';
import { findOrderLink, portalUrl } from '../links.ts';
import { loadOrder, lockOrder } from '../queries.ts';
import type { Order } from '../types.ts';
import { orderNotLive } from './cancel-order.ts';

export interface ReceivedPayment {
  orderId: string;
  provider: ProviderName;
  /** The provider's name of the payment: the same one counts once, however often it is told. */
  ref: string;
  amount: Money;
}

interface PendingOrder {
  code: string;
  currency: string;
  buyer: { name: string; email: string };
  event: Parameters<typeof toEventSubject>[0] | null;
  /** What it is for, where it is for no event. */
  pass: Parameters<typeof toDayPassSubject>[0];
  held: { name: string; code: string }[];
}

// What the mail says. Nobody changes it while the order is pending.
const FIND_PENDING_ORDER = prepareStatement(`
  SELECT json_build_object('code', o.code, 'currency', o.currency,
    'buyer', json_build_object('name', o.buyer_name, 'email', o.buyer_email),
    'event', CASE WHEN e.id IS NOT NULL THEN json_build_object('title', e.title, 'startsAt', ${projectInstant('e.starts_at')},
      'endsAt', ${projectInstant('e.ends_at')}, 'timeZone', l.time_zone, 'place', l.name, 'address', l.address) END,
    'pass', CASE WHEN e.id IS NULL THEN (
      SELECT json_build_object('name', type.name, 'validOn', to_char(p.valid_on, 'YYYY-MM-DD'), 'place', place.name)
      FROM day_passes p JOIN day_pass_types type ON type.id = p.type_id JOIN locations place ON place.id = type.location_id
      WHERE p.order_id = o.id LIMIT 1) END,
    'held', (SELECT coalesce(json_agg(json_build_object('name', held.name, 'code', held.code) ORDER BY held.position), '[]'::json)
      FROM (SELECT attendee_name AS name, code, position FROM tickets WHERE order_id = o.id AND status = 'held'
        UNION ALL
        SELECT holder_name, code, position FROM day_passes WHERE order_id = o.id AND status = 'held') held)) AS pending
  FROM orders o LEFT JOIN events e ON e.id = o.event_id LEFT JOIN locations l ON l.id = e.location_id
  WHERE o.id = $1::uuid AND o.status = 'pending'`);

// What is paid for no longer counts against the order limits. Nothing is written unless the order is still pending and the payment new: each part looks at the one before.
const CONFIRM_PENDING_ORDER = prepareStatement(`
  WITH pending AS MATERIALIZED (
    SELECT id FROM orders
    WHERE id = $1::uuid AND status = 'pending' AND total_amount = coalesce($2::int, 0) FOR UPDATE),
  payment AS (
    INSERT INTO payments (id, order_id, provider, ref, amount, currency, created_at)
    SELECT p.id, o.id, p.provider, p.ref, p.amount, p.currency, $4::timestamptz
    FROM pending o, jsonb_to_record($3::jsonb)
      AS p(id uuid, provider payment_provider, ref text, amount int, currency text) WHERE p.id IS NOT NULL
    ON CONFLICT (provider, ref) DO NOTHING RETURNING order_id),
  confirmed AS (
    UPDATE orders SET status = 'paid', paid_at = $4::timestamptz, updated_at = $4::timestamptz
    WHERE id = (SELECT id FROM pending) AND ($2::int IS NULL OR EXISTS (SELECT FROM payment)) RETURNING id, seat_keys),
  tickets_good AS (
    UPDATE tickets SET status = 'valid', updated_at = $4::timestamptz
    WHERE order_id = (SELECT id FROM confirmed) AND status = 'held' RETURNING id),
  passes_good AS (
    UPDATE day_passes SET status = 'valid', updated_at = $4::timestamptz
    WHERE order_id = (SELECT id FROM confirmed) AND status = 'held' RETURNING id),
  seats_returned AS (${toReturnSeatsSql(`
    SELECT counted.key, (SELECT count(*)::int FROM tickets_good) + (SELECT count(*)::int FROM passes_good) AS seats
    FROM confirmed, unnest(confirmed.seat_keys) AS counted(key) WHERE $2::int IS NOT NULL`)}),
  offer_taken AS (
    UPDATE waitlist_entries SET status = 'accepted', updated_at = $4::timestamptz
    WHERE order_id = (SELECT id FROM confirmed)),
  linked AS (
    INSERT INTO order_access_tokens (hash, order_id, can_confirm, created_at)
    SELECT decode($5::text, 'hex'), id, true, $4::timestamptz FROM confirmed),
  told AS (
    INSERT INTO mails (id, recipient, priority, subject, text, html, created_at, next_attempt_at)
    SELECT m.id, m.recipient, m.priority, m.subject, m.text, m.html, $4::timestamptz, $4::timestamptz
    FROM confirmed, jsonb_to_record($6::jsonb) AS m(id uuid, recipient text, priority mail_priority, subject text, text text, html text))
  SELECT EXISTS (SELECT FROM confirmed) AS confirmed`);

/**
 * Makes the tickets good that a pending order holds, by the payment of exactly its price or, where there is none, for
 * nothing, and says so by mail: one statement, which does all of it or nothing. Answers whether it did.
 */
export async function confirmPendingOrder(
  ctx: Context,
  { orderId, payment }: { orderId: string; payment: Omit<ReceivedPayment, 'orderId'> | null },
): Promise<boolean> {
  const [row] = await ctx.pipelinedSql<{ pending: PendingOrder }>(FIND_PENDING_ORDER, [orderId]);
  if (row === undefined) return false;
  const { code, currency, buyer, event, pass, held } = row.pending;
  if (payment && payment.amount.currency !== currency) return false;
  const occasion = event ? toEventSubject(event) : toDayPassSubject(pass);
  const { plainText: secret, hash } = createSecret('orderLink');
  const letter = orderConfirmed({
    buyer,
    orderCode: code,
    orderSubject: occasion,
    admissions: held,
    paid: payment && formatMoney(payment.amount),
    portalUrl: portalUrl(ctx, secret),
  });
  const [answer] = await ctx.lockingSql<{ confirmed: boolean }>(CONFIRM_PENDING_ORDER, [
    orderId,
    payment?.amount.amount ?? null,
    JSON.stringify(payment ? { id: v7(), ...payment, ...payment.amount } : {}),
    ctx.now(),
    Buffer.from(hash).toString('hex'),
    JSON.stringify(toEmailRow(letter, ctx)),
  ]);
  if (!answer?.confirmed) return false;
  await ctx.triggerJob?.(ctx, 'mail.deliver');
  return true;
}

/**
 * Confirms a free order, or takes an offer for which nothing is to be paid, by the secret that was mailed to the buyer.
 * Confirming twice answers as it is. Throws NOT_FOUND for the secret; CONFLICT, reason PAYMENT_NEEDED, where there is a
 * price, NOT_LIVE once its time is over, MAIL_LINK_REQUIRED for the secret that whoever placed the order was given.
 */
export async function confirmFreeOrder(ctx: Context, secret: string): Promise<Order> {
  const link = await findOrderLink(ctx, secret);
  if (link === null) throw notFound('order');
  const { orderId: id, canConfirm } = link;
  return runInTransaction(ctx, async (ctx) => {
    const { status, totalAmount, expiresAt } = await lockOrder(ctx, id);
    if (status !== 'paid') {
      const over = status !== 'pending' || (expiresAt !== null && expiresAt <= ctx.now());
      if (over) throw orderNotLive({ status: status === 'cancelled' ? status : 'expired' });
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
      if (!(await confirmPendingOrder(ctx, { orderId: id, payment: null })))
        throw orderNotLive(await loadOrder(ctx, id));
    }
    return loadOrder(ctx, id, secret);
  });
}
