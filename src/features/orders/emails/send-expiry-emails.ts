import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { enqueueTemplateEmails } from '../../../integrations/email/template-email.ts';
import type { RecordedChange } from '../../../journal/read-changes.ts';
import { readEmailTexts } from '../../settings/service.ts';
import { findOrdersByIds } from '../service/find-orders.ts';
import { createOrderLinks } from '../service/links.ts';
import { hasBuyerAddress } from '../types.ts';
import { orderExpired } from './reservations.ts';

// Anyone can enter the address of a stranger, so only buyers who have confirmed their order get the email. Offers of a waiting list
// have an email of their own.
const SELECT_EXPIRED = prepareStatement(`
  SELECT o.id FROM orders o
  WHERE o.id = ANY ($1::uuid[]) AND o.status = 'expired' AND (o.provider = 'on_site' OR o.delayed_payment_at IS NOT NULL)
    AND NOT coalesce(o.confirmed_hold_until > o.expires_at, false)
    AND NOT EXISTS (SELECT FROM waitlist_entries w WHERE w.order_id = o.id)`);

/** Emails buyers whose orders were not paid at the front desk in time, or whose delayed payment failed. */
export async function sendExpiryEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const ids = [...new Set(changes.flatMap(({ subjectId }) => subjectId ?? []))];
  const expired = await ctx.lockingSql<{ id: string }>(SELECT_EXPIRED, [ids]);
  const orders = await findOrdersByIds(
    ctx,
    expired.map(({ id }) => id),
  );
  const links = createOrderLinks(ctx);
  const texts = await readEmailTexts(ctx);
  const emails = orders
    .filter(hasBuyerAddress)
    .map((order) => orderExpired(texts, order, links.create(order.id)));
  await links.save();
  await enqueueTemplateEmails(ctx, texts, emails);
}
