import type { Context } from '../../../context.ts';
import { toComparableNameSql } from '../../../core/names.ts';
import { formatLongTime } from '../../../core/time/format.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { toEmailClient } from '../../../integrations/email/outbox.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import type { RecordedChange } from '../../../journal/read-changes.ts';
import type { EmailTexts } from '../../../languages/emails/email-texts.ts';
import { readEmailTexts } from '../../settings/service.ts';

export const ARRIVAL_EMAIL_TYPES = ['check_in.admitted', 'check_in.unconfirmed'] as const;

/** Above that, the admin panel gives a better overview. */
const MAX_HOST_EMAILS = 10;

interface Arrival {
  changeId: string;
  isVisitor: boolean;
  isUnconfirmed: boolean;
  hostId: string | null;
  /** The date of the arrival at the location. */
  day: string;
  guest: string;
  title: string | null;
  at: Date;
  location: string;
  timeZone: string;
  host: string | null;
  to: string | null;
  /** How many emails the recipient has got in the 15 minutes before. */
  earlier: number;
}

// The host of a visitor gets the email; for guests it is the address of the location.
const LOAD_ARRIVALS = prepareStatement(`
  SELECT c.subject = 'visitor' AS "isVisitor", c.unconfirmed AS "isUnconfirmed", c.host_id AS "hostId",
    (c.created_at AT TIME ZONE l.time_zone)::date::text AS day, c.label AS guest, coalesce(type.name, r.name) AS title, c.occurred_at AS at,
    l.name AS location, l.time_zone AS "timeZone", h.name AS host, change.id AS "changeId",
    CASE WHEN c.subject = 'visitor' THEN h.email ELSE l.host_email END AS to,
    (SELECT count(*)::int FROM check_ins other
     WHERE other.result = 'admitted' AND NOT other.unconfirmed AND other.created_at > c.created_at - interval '15 minutes'
       AND (other.created_at, other.id) < (c.created_at, c.id)
       AND CASE WHEN c.subject = 'visitor' THEN other.host_id = c.host_id AND other.subject = 'visitor'
         ELSE other.location_id = c.location_id
           AND (other.subject = 'day_pass' OR other.subject = 'booking' AND other.member_id IS NULL) END) AS earlier
  FROM changes change JOIN check_ins c ON c.id = change.subject_id JOIN locations l ON l.id = c.location_id
  LEFT JOIN members h ON h.id = c.host_id
  LEFT JOIN day_passes p ON p.id = c.day_pass_id LEFT JOIN day_pass_types type ON type.id = p.type_id
  LEFT JOIN bookings b ON b.id = c.booking_id LEFT JOIN resources r ON r.id = b.resource_id
  WHERE change.id = ANY ($1::uuid[])
    AND (c.subject IN ('visitor', 'day_pass') OR c.subject = 'booking' AND c.member_id IS NULL)
  ORDER BY change.position`);

/**
 * Emails the host about the arrival of a visitor, or the host address of the location about guests and holders of day
 * passes. A visit that was already over when it was uploaded causes none. An unconfirmed visitor causes another email, and
 * at most one a day.
 */
export async function sendArrivalEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const current = changes.filter(({ after }) => after?.checked_out_at == null);
  if (current.length === 0) return;
  const ids = current.map(({ id }) => id);
  const arrivals = await ctx.lockingSql<Arrival>(LOAD_ARRIVALS, [ids]);
  // Anyone at a kiosk can cause an email to a host, so it counts against the budget of the client.
  const clients = new Map(current.map((change) => [change.id, toEmailClient(change)]));
  const texts = await readEmailTexts(ctx);
  const emails: TemplateEmail[] = [];
  for (const arrival of arrivals) {
    const client = clients.get(arrival.changeId);
    if (arrival.to === null || !client) continue;
    const isAllowed = arrival.isUnconfirmed
      ? await claimUnconfirmedVisitorEmail(ctx, arrival)
      : arrival.earlier < MAX_HOST_EMAILS;
    if (isAllowed) emails.push({ ...toEmail(texts, arrival, arrival.to), client });
  }
  await enqueueTemplateEmails(ctx, texts, emails);
}

/** A CHECK on `unconfirmed_visitor_emails` has the same limit. */
const MAX_UNCONFIRMED_EMAILS_A_DAY = 10;

/** The same for all spellings of a name. The name itself is not needed. */
const VISITOR_HASH = `sha256(convert_to(btrim(${toComparableNameSql('$3::text')}), 'UTF8'))`;

// The keys allow one row for each visitor, and one for each number. Several instances could choose the same number at once;
// then one of them gets no row and tries again.
const CLAIM_UNCONFIRMED_EMAIL = prepareStatement(`
  INSERT INTO unconfirmed_visitor_emails (host_id, day, visitor_hash, number)
  SELECT $1::uuid, $2::date, ${VISITOR_HASH}, count(*) + 1 FROM unconfirmed_visitor_emails
  WHERE host_id = $1::uuid AND day = $2::date HAVING count(*) < ${MAX_UNCONFIRMED_EMAILS_A_DAY}
  ON CONFLICT DO NOTHING RETURNING number`);

const READ_CLAIM = prepareStatement(`
  SELECT count(*)::int AS count, coalesce(bool_or(visitor_hash = ${VISITOR_HASH}), false) AS "isKnown"
  FROM unconfirmed_visitor_emails WHERE host_id = $1::uuid AND day = $2::date`);

/** Returns whether the host can get an email about this unconfirmed visitor, and counts it. */
async function claimUnconfirmedVisitorEmail(
  { lockingSql }: Context,
  { hostId, day, guest }: Arrival,
): Promise<boolean> {
  const values = [hostId, day, guest];
  for (;;) {
    if ((await lockingSql(CLAIM_UNCONFIRMED_EMAIL, values)).length > 0) return true;
    const [claim] = await lockingSql<{ count: number; isKnown: boolean }>(READ_CLAIM, values);
    if (claim?.isKnown || (claim?.count ?? 0) >= MAX_UNCONFIRMED_EMAILS_A_DAY) return false;
  }
}

/** Job: deletes the counts of past days. Returns their number. */
export async function purgeUnconfirmedVisitorEmails({ db, now }: Context): Promise<number> {
  const { count } = await db.unconfirmedVisitorEmail.deleteMany({
    where: { day: { lt: new Date(now().getTime() - UNCONFIRMED_EMAIL_RETENTION_MS) } },
  });
  return count;
}

/** Two days, since the date at a location can differ from that of UTC. */
const UNCONFIRMED_EMAIL_RETENTION_MS = 2 * DAY_MS;

function toEmail({ language }: EmailTexts, arrival: Arrival, to: string): TemplateEmail {
  const { isVisitor, isUnconfirmed, guest, title, location, host } = arrival;
  const time = formatLongTime(new Date(arrival.at), arrival.timeZone, language);
  const values = { location, guest, time };
  return isVisitor
    ? defineTemplateEmail(isUnconfirmed ? 'visitor-unconfirmed' : 'visitor-arrived', values, {
        ...{ to, priority: 'requested' },
        frame: { sender: location, recipientName: host },
      })
    : defineTemplateEmail(
        'guest-arrived',
        { ...values, title },
        {
          ...{ to, priority: 'essential' },
          frame: { sender: location, recipientName: null },
        },
      );
}
