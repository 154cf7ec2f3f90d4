import type { Context } from '../../../../context.ts';
import { prepareStatement } from '../../../../db/prepared-statement.ts';
import type { TemplateEmail } from '../../../../integrations/email/template-email.ts';
import type { PriceTexts } from '../../../settings/service.ts';
import { findOrdersByIds } from '../../service/find-orders.ts';
import { createOrderLinks } from '../../service/links.ts';
import { hasBuyerAddress } from '../../types.ts';
import { findDesksOfOrders, paymentDue } from '../reservations.ts';

// A day before the order expires, or after half of the time if it is held for less than two days: an hour after the order at the
// earliest. Offers of a waiting list, and orders that nobody has confirmed, have emails of their own.
const CLAIM_UNPAID = prepareStatement(`
  WITH due AS (
    SELECT o.id, o.expires_at FROM orders o
    WHERE o.status = 'pending' AND o.expires_at > $1::timestamptz AND o.provider = 'on_site'
      AND o.buyer_email IS NOT NULL
      AND greatest(o.expires_at - interval '1 day', o.created_at + (o.expires_at - o.created_at) / 2) <= $1::timestamptz
      AND o.expires_at - o.created_at >= interval '2 hours'
      AND NOT coalesce(o.confirmed_hold_until > o.expires_at, false)
      AND NOT EXISTS (SELECT FROM waitlist_entries w WHERE w.order_id = o.id)
      AND NOT EXISTS (SELECT FROM reminders r WHERE r.subject_id = o.id AND r.starts_at = o.expires_at)
    ORDER BY o.expires_at, o.id LIMIT $2::int)
  INSERT INTO reminders (subject_id, starts_at, sent_at) SELECT id, expires_at, $1::timestamptz FROM due
  ON CONFLICT DO NOTHING RETURNING subject_id AS id`);

/**
 * Claims unpaid orders whose buyers are to be reminded, at most `limit`, and returns the emails. Call it in a transaction that also
 * queues them, so that each reminder is sent once.
 */
export async function claimPaymentReminders(
  ctx: Context,
  texts: PriceTexts,
  limit: number,
): Promise<{ claimed: number; emails: TemplateEmail[] }> {
  const claimed = await ctx.lockingSql<{ id: string }>(CLAIM_UNPAID, [ctx.now(), limit]);
  const orders = await findOrdersByIds(
    ctx,
    claimed.map(({ id }) => id),
  );
  const desks = await findDesksOfOrders(ctx, orders);
  const links = createOrderLinks(ctx);
  const emails = orders.filter(hasBuyerAddress).flatMap((order) => {
    const desk = desks.get(order.id);
    return desk ? [paymentDue(texts, order, desk, links.create(order.id))] : [];
  });
  await links.save();
  return { claimed: claimed.length, emails };
}
