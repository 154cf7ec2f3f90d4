import type { Context } from '../../context.ts';
import { formatLongDate, formatLongTimeRange } from '../../core/time/format.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
  type TemplateEmail,
} from '../../integrations/email/template-email.ts';
import type { EmailTexts } from '../../languages/emails/email-texts.ts';
import { selectAdmissionsInClosure } from '../closures/types.ts';
import { readEmailTexts } from '../settings/service.ts';
import {
  type AnnouncedClosure,
  CLOSURE_COLUMNS,
  CLOSURE_JOINS,
  toClosurePriority,
  toClosureValues,
} from './announced-closure.ts';

/** What a buyer or holder has within a closure. */
interface Recipient extends AnnouncedClosure {
  email: string;
  /** Events and days, soonest first, each once. */
  subjects: {
    title: string;
    startsAt: string | null;
    endsAt: string | null;
    validOn: string | null;
  }[];
}

const TAKE_RECIPIENTS = prepareStatement(`
  UPDATE closure_recipients SET emailed = true
  WHERE closure_id = $1::uuid AND recipient_key IN (
    SELECT recipient_key FROM closure_recipients WHERE closure_id = $1::uuid AND NOT emailed
    ORDER BY recipient_key LIMIT $2::int)
  RETURNING recipient_key AS key`);

// Those who cancelled their tickets meanwhile need no email. Names are left out: strangers can have entered them.
const LOAD_RECIPIENTS = prepareStatement(`
  WITH admission AS MATERIALIZED (
    SELECT mail_recipient_key(a.email) AS key, a.*
    FROM ${selectAdmissionsInClosure('$1::uuid', '$3::timestamptz')} a WHERE mail_recipient_key(a.email) = ANY ($2::text[])),
  subject AS (SELECT DISTINCT key, title, starts_at, ends_at, valid_on FROM admission),
  address AS (SELECT key, min(email) AS email FROM admission GROUP BY key)
  SELECT address.email, ${CLOSURE_COLUMNS}, (
    SELECT json_agg(json_build_object('title', s.title, 'startsAt', s.starts_at, 'endsAt', s.ends_at, 'validOn', s.valid_on)
      ORDER BY coalesce(s.starts_at, s.valid_on::timestamp AT TIME ZONE l.time_zone), s.title)
    FROM subject s WHERE s.key = address.key) AS subjects
  FROM address CROSS JOIN closures c ${CLOSURE_JOINS} WHERE c.id = $1::uuid ORDER BY address.key`);

/**
 * Emails the next `size` buyers and holders of event tickets and day passes, in a transaction that has locked the closure. Returns
 * whether there can be more.
 */
export async function sendToTicketHolders(
  ctx: Context,
  closureId: string,
  size: number,
): Promise<boolean> {
  const taken = await ctx.lockingSql<{ key: string }>(TAKE_RECIPIENTS, [closureId, size]);
  if (taken.length === 0) return false;
  const keys = taken.map(({ key }) => key);
  const recipients = await ctx.lockingSql<Recipient>(LOAD_RECIPIENTS, [closureId, keys, ctx.now()]);
  const texts = await readEmailTexts(ctx);
  const emails = recipients.map((recipient) => toEmail(texts, recipient));
  await enqueueTemplateEmails(ctx, texts, emails);
  return true;
}

const toEmail = (texts: EmailTexts, recipient: Recipient): TemplateEmail =>
  defineTemplateEmail(
    'ticket-closure',
    {
      ...toClosureValues(texts, recipient),
      admissions: recipient.subjects.map((subject) =>
        formatSubject(texts, subject, recipient.timeZone),
      ),
    },
    {
      to: recipient.email,
      priority: toClosurePriority(recipient),
      frame: { sender: recipient.location, recipientName: null },
    },
  );

const formatSubject = (
  { language }: EmailTexts,
  { title, startsAt, endsAt, validOn }: Recipient['subjects'][number],
  timeZone: string,
): string => {
  if (startsAt !== null && endsAt !== null)
    return `${title}, ${formatLongTimeRange(startsAt, endsAt, timeZone, language)}`;
  return validOn === null ? title : `${title}, ${formatLongDate(validOn, language)}`;
};
