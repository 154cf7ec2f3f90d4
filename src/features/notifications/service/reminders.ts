import { type Context, runInTransaction } from '../../../context.ts';
import { formatMoney } from '../../../core/money.ts';
import { formatLongTimeRange } from '../../../core/time/format.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import { toOpenAmountSql } from '../../bookings/types.ts';
import {
  createPreferenceLinks,
  findOptedOut,
  type PreferenceLinks,
  purgePreferenceLinks,
} from '../../email-preferences/service.ts';
import { claimPaymentReminders } from '../../orders/emails/service/payment-reminders.ts';
import type { PriceTexts } from '../../settings/service.ts';
import { readEmailTexts } from '../../settings/service.ts';

const MAX_BATCH_SIZE = 100;

const CLAIMED = `claimed AS (
  INSERT INTO reminders (subject_id, starts_at, sent_at) SELECT id, starts_at, $1::timestamptz FROM due
  ON CONFLICT DO NOTHING RETURNING subject_id)`;
const isNew = (row: string, startsAt: string) =>
  `NOT EXISTS (SELECT FROM reminders r WHERE r.subject_id = ${row}.id AND r.starts_at = ${startsAt})`;

/** The time and place of a booking or an event. */
interface TimeAndPlace {
  startsAt: Date;
  endsAt: Date;
  location: string;
  address: string | null;
  timeZone: string;
}

const TIME_AND_PLACE = (row: string) => `${row}.starts_at AS "startsAt", ${row}.ends_at AS "endsAt",
  l.name AS location, l.address, l.time_zone AS "timeZone"`;

// A booking that was made or moved within the last day needs no reminder: its holder has just got an email.
const CLAIM_BOOKINGS = prepareStatement(`
  WITH due AS (
    SELECT b.id, b.starts_at FROM bookings b
    WHERE b.starts_at > $1::timestamptz AND b.starts_at <= $1::timestamptz + interval '1 day' AND b.status = 'confirmed'
      AND b.updated_at <= b.starts_at - interval '1 day' AND (b.member_id IS NOT NULL OR b.guest_email IS NOT NULL)
      AND ${isNew('b', 'b.starts_at')}
    ORDER BY b.starts_at, b.id LIMIT ${MAX_BATCH_SIZE}),
  ${CLAIMED}
  SELECT ${TIME_AND_PLACE('b')}, o.name AS resource, m.name AS member, coalesce(m.email, b.guest_email) AS email,
    ${toOpenAmountSql('b')} AS amount, b.price_currency AS currency
  FROM claimed JOIN bookings b ON b.id = claimed.subject_id JOIN resources o ON o.id = b.resource_id
  JOIN locations l ON l.id = b.location_id LEFT JOIN members m ON m.id = b.member_id`);

// Free orders can name strangers, so that only their buyers, who have confirmed their address, are reminded.
const CLAIM_ORDERS = prepareStatement(`
  WITH due AS (
    SELECT o.id, e.starts_at FROM events e JOIN orders o ON o.event_id = e.id
    WHERE e.starts_at > $1::timestamptz AND e.starts_at <= $1::timestamptz + interval '1 day' AND e.status = 'published'
      AND o.status = 'paid' AND o.paid_at <= e.starts_at - interval '1 day' AND ${isNew('o', 'e.starts_at')}
      AND EXISTS (SELECT FROM tickets t WHERE t.order_id = o.id AND t.status = 'valid')
    ORDER BY e.starts_at, o.id LIMIT ${MAX_BATCH_SIZE}),
  ${CLAIMED}
  SELECT ${TIME_AND_PLACE('e')}, e.title AS event, e.slug, o.code AS order,
    (SELECT coalesce(array_agg(DISTINCT lower(email)), '{}') FROM (
      SELECT o.buyer_email AS email UNION ALL
      SELECT t.attendee_email FROM tickets t WHERE t.order_id = o.id AND t.status = 'valid' AND t.attendee_email IS NOT NULL AND o.total_amount > 0
    ) recipient WHERE email IS NOT NULL) AS emails
  FROM claimed JOIN orders o ON o.id = claimed.subject_id JOIN events e ON e.id = o.event_id
  JOIN locations l ON l.id = e.location_id`);

/** Job: reminds people of bookings and events that begin within a day, once for each start, and of unpaid orders before they expire. */
export async function sendReminders(ctx: Context): Promise<void> {
  const texts = await readEmailTexts(ctx);
  await runInBatches(ctx, texts, remindOfBookings);
  await runInBatches(ctx, texts, remindOfEvents);
  await runInBatches(ctx, texts, remindOfPayments);
  const startsAt = { lt: new Date(ctx.now().getTime() - DAY_MS) };
  await ctx.db.reminder.deleteMany({ where: { startsAt } });
  await purgePreferenceLinks(ctx);
}

/** Claims and queues in one transaction, so that each reminder is sent exactly once. */
async function runInBatches(
  ctx: Context,
  texts: PriceTexts,
  remind: (ctx: Context, texts: PriceTexts) => Promise<number>,
) {
  while ((await runInTransaction(ctx, (ctx) => remind(ctx, texts))) === MAX_BATCH_SIZE);
}

async function remindOfBookings(ctx: Context, texts: PriceTexts): Promise<number> {
  const claimed = await ctx.lockingSql<
    TimeAndPlace & {
      resource: string;
      member: string | null;
      email: string;
      amount: number;
      currency: string;
    }
  >(CLAIM_BOOKINGS, [ctx.now()]);
  const optedOut = await findOptedOut(
    ctx,
    claimed.map(({ email }) => email),
  );
  await enqueueReminders(
    ctx,
    texts,
    claimed
      .filter(({ email }) => !optedOut.has(email))
      .map(({ email, member, resource, amount, currency, ...timeAndPlace }) =>
        defineTemplateEmail(
          'booking-reminder',
          {
            ...{ resource, ...toValues(texts, timeAndPlace) },
            due: amount === 0 ? null : formatMoney({ amount, currency }, texts.language),
          },
          {
            to: email,
            frame: {
              sender: timeAndPlace.location,
              recipientName: member,
              actionUrl: member === null ? undefined : `${ctx.baseUrl}/my`,
            },
          },
        ),
      ),
  );
  return claimed.length;
}

async function remindOfEvents(ctx: Context, texts: PriceTexts): Promise<number> {
  const claimed = await ctx.lockingSql<
    TimeAndPlace & { event: string; slug: string; order: string; emails: string[] }
  >(CLAIM_ORDERS, [ctx.now()]);
  const optedOut = await findOptedOut(
    ctx,
    claimed.flatMap(({ emails }) => emails),
  );
  await enqueueReminders(
    ctx,
    texts,
    claimed.flatMap(({ emails, event, slug, order, ...timeAndPlace }) =>
      emails
        .filter((to) => !optedOut.has(to))
        .map((to) =>
          defineTemplateEmail(
            'event-reminder',
            { event, order, ...toValues(texts, timeAndPlace) },
            {
              to,
              frame: {
                sender: timeAndPlace.location,
                // The name on an order can be text that a stranger entered.
                recipientName: null,
                actionUrl: `${ctx.baseUrl}/events/${slug}`,
              },
            },
          ),
        ),
    ),
  );
  return claimed.length;
}

async function remindOfPayments(ctx: Context, texts: PriceTexts): Promise<number> {
  const { claimed, emails } = await claimPaymentReminders(ctx, texts, MAX_BATCH_SIZE);
  const optedOut = await findOptedOut(
    ctx,
    emails.map(({ to }) => to),
  );
  await enqueueReminders(
    ctx,
    texts,
    emails.filter(({ to }) => !optedOut.has(to)),
  );
  return claimed;
}

const toValues = (
  { language }: PriceTexts,
  { startsAt, endsAt, timeZone, location, address }: TimeAndPlace,
) => ({
  location,
  address,
  time: formatLongTimeRange(
    new Date(startsAt).getTime(),
    new Date(endsAt).getTime(),
    timeZone,
    language,
  ),
});

/** Queues reminders, each with links with which its recipient stops them. */
async function enqueueReminders(
  ctx: Context,
  texts: PriceTexts,
  emails: TemplateEmail[],
): Promise<void> {
  const links = await createPreferenceLinks(
    ctx,
    emails.map(({ to }) => to),
    'reminders',
  );
  await enqueueTemplateEmails(
    ctx,
    texts,
    emails.map((email, index) => addLinks(texts, email, links[index])),
  );
}

const addLinks = (
  { text }: PriceTexts,
  email: TemplateEmail,
  links: PreferenceLinks | undefined,
): TemplateEmail => ({
  ...email,
  priority: 'essential',
  unsubscribeUrl: links?.oneClick,
  frame: {
    ...email.frame,
    smallLink: links && { label: text('reminder.stop'), url: links.page },
  },
});
