import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { enqueueTemplateEmails } from '../../../integrations/email/template-email.ts';
import type { RecordedChange } from '../../../journal/read-changes.ts';
import { readEmailTexts } from '../../settings/service.ts';
import { createOrderLinks } from '../service/links.ts';
import { waitlistEventCancelled, waitlistOffer } from './waitlist.ts';

interface EntryChange {
  email: string;
  quantity: number;
  /** How many tickets the person waits for. An offer can be for fewer. */
  wanted: number;
  typeName: string;
  eventTitle: string;
  timeZone: string;
  locationName: string;
  memberName: string | null;
  priceAmount: number;
  currency: string;
  isPaidOnSite: boolean;
  /** The open offer. Null if the list was closed because the event is cancelled. */
  orderId: string | null;
  holdUntil: Date;
}

const LOAD_CHANGES = prepareStatement(`
  SELECT w.email, w.quantity AS wanted, coalesce((SELECT count(*)::int FROM tickets x WHERE x.order_id = o.id), 0) AS quantity, t.name AS "typeName", e.title AS "eventTitle", l.time_zone AS "timeZone",
    l.name AS "locationName", m.name AS "memberName", o.total_amount AS "priceAmount", o.currency, o.provider = 'on_site' AS "isPaidOnSite",
    o.id AS "orderId", o.expires_at AS "holdUntil"
  FROM changes c JOIN waitlist_entries w ON w.id = c.subject_id JOIN ticket_types t ON t.id = w.ticket_type_id
    JOIN events e ON e.id = t.event_id JOIN locations l ON l.id = e.location_id
    LEFT JOIN members m ON m.id = w.member_id AND lower(m.email) = lower(w.email)
    LEFT JOIN orders o ON o.id = (c.after ->> 'order_id')::uuid
  WHERE c.id = ANY ($1::uuid[]) AND CASE c.type
    WHEN 'waitlist_entry.offered' THEN o.status = 'pending'
    ELSE c.before ->> 'status' = 'waiting' AND e.status = 'cancelled' END
  ORDER BY c.position`);

/** Emails people on waiting lists for whom tickets are held, or whose event is cancelled. */
export async function sendWaitlistEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const ids = changes.map(({ id }) => id);
  const links = createOrderLinks(ctx);
  const texts = await readEmailTexts(ctx);
  const emails = (await ctx.lockingSql<EntryChange>(LOAD_CHANGES, [ids])).map((entry) =>
    entry.orderId === null
      ? waitlistEventCancelled(entry)
      : waitlistOffer(texts, {
          ...entry,
          price: { amount: entry.priceAmount, currency: entry.currency },
          portalUrl: links.create(entry.orderId),
        }),
  );
  await links.save();
  await enqueueTemplateEmails(ctx, texts, emails);
}
