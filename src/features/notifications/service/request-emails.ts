import { type Context, runInTransaction } from '../../../context.ts';
import { formatLongTimeRange } from '../../../core/time/format.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
} from '../../../integrations/email/template-email.ts';
import type { EmailTexts } from '../../../languages/emails/email-texts.ts';
import { readEmailTexts } from '../../settings/service.ts';

/** A booking that needs approval, or those of a series, of which it is the first. */
interface BookingRequest {
  id: string;
  holder: string | null;
  resource: string;
  location: string;
  timeZone: string;
  startsAt: Date;
  endsAt: Date;
  count: number;
}

// The primary key of the reports lets concurrent runs report each request once.
const CLAIM_REQUESTS = prepareStatement(`
  WITH due AS (
    SELECT b.id, b.starts_at FROM bookings b
    WHERE b.status = 'pending' AND b.starts_at > $1::timestamptz AND b.import_uid IS NULL
      AND NOT EXISTS (SELECT FROM booking_request_reports r WHERE r.booking_id = b.id AND r.starts_at = b.starts_at)),
  claimed AS (
    INSERT INTO booking_request_reports (booking_id, starts_at, reported_at) SELECT id, starts_at, $1::timestamptz FROM due
    ON CONFLICT DO NOTHING RETURNING booking_id)
  SELECT (array_agg(b.id ORDER BY b.starts_at, b.id))[1] AS id, (array_agg(b.ends_at ORDER BY b.starts_at, b.id))[1] AS "endsAt",
    min(b.starts_at) AS "startsAt", count(*)::int AS count, r.name AS resource, l.name AS location, l.time_zone AS "timeZone",
    coalesce(m.name, b.guest_name) AS holder
  FROM claimed JOIN bookings b ON b.id = claimed.booking_id
    JOIN resources r ON r.id = b.resource_id JOIN locations l ON l.id = b.location_id LEFT JOIN members m ON m.id = b.member_id
  GROUP BY coalesce(b.series_id, b.id), r.id, l.id, coalesce(m.name, b.guest_name)
  ORDER BY min(b.starts_at), (array_agg(b.id ORDER BY b.starts_at, b.id))[1]`);

const MAX_LISTED = 20;

/**
 * Job: emails the staff who want it about bookings that need approval, once for each start. All requests since the last run are
 * one email, so the schedule of the job limits how many emails a person gets.
 */
export const reportRequests = (ctx: Context): Promise<void> =>
  runInTransaction(ctx, async (ctx) => {
    const { db, now } = ctx;
    await db.bookingRequestReport.deleteMany({ where: { startsAt: { lt: now() } } });
    const requests = await ctx.lockingSql<BookingRequest>(CLAIM_REQUESTS, [now()]);
    if (requests.length === 0) return;
    const staff = await db.user.findMany({
      where: {
        ...{ role: { not: null }, disabledAt: null, invitedAt: null },
        OR: [
          { wantsRequestEmails: true },
          { wantsRequestEmails: null, role: { in: ['owner', 'manager'] } },
        ],
      },
      orderBy: { id: 'asc' },
      select: { name: true, email: true },
    });
    const texts = await readEmailTexts(ctx);
    await enqueueTemplateEmails(
      ctx,
      texts,
      staff.map(({ name, email }) =>
        defineTemplateEmail('requests-waiting', toValues(texts, requests), {
          ...{ to: email, priority: 'essential' },
          frame: { recipientName: name, actionUrl: toRequestsUrl(ctx, requests) },
        }),
      ),
    );
  });

/** The link only shows the request: staff decide in the panel. */
const toRequestsUrl = ({ baseUrl }: Context, requests: BookingRequest[]) =>
  `${baseUrl}/admin/bookings/requests${requests.length === 1 ? `?request=${requests[0]?.id}` : ''}`;

function toValues(texts: EmailTexts, requests: BookingRequest[]) {
  const { text } = texts;
  const listed = requests.slice(0, MAX_LISTED).map((request) => formatRequest(texts, request));
  const others = requests.length - listed.length;
  return {
    count: text('request.count', { count: requests.length }),
    requests: others > 0 ? [...listed, text('email.more', { count: others })] : listed,
  };
}

function formatRequest({ language, text }: EmailTexts, request: BookingRequest): string {
  const { holder, resource, location, startsAt, endsAt, timeZone, count } = request;
  const more = count > 1 ? ` ${text('email.more', { count: count - 1 })}` : '';
  const time = formatLongTimeRange(startsAt, endsAt, timeZone, language);
  return `${[holder, resource, location].filter(Boolean).join(', ')}: ${time}${more}`;
}
