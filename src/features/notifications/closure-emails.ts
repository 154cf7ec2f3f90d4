import type { Context } from '../../context.ts';
import { formatLongDate, formatLongTimeRange } from '../../core/time/format.ts';
import type { MailPriority } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
  type TemplateEmail,
} from '../../integrations/email/template-email.ts';
import type { RecordedChange } from '../../journal/read-changes.ts';
import { renderBookingCalendar } from './booking-invitation.ts';

export const CLOSURE_EMAIL_TYPES = ['closure.announced'] as const;

interface AnnouncedBooking {
  id: string;
  cancelled: boolean;
  startsAt: Date;
  endsAt: Date;
  title: string | null;
  email: string;
  /** Null for guests, for whom anyone can have entered a name. */
  member: string | null;
  resource: string;
  closureId: string;
  firstDay: string;
  lastDay: string;
  reason: string | null;
  message: string | null;
  location: string;
  address: string | null;
  timeZone: string;
}

// Marks what is emailed in the transaction that queues the emails, so each is sent once. Bookings that the holder has moved or
// cancelled meanwhile need none.
const TAKE_BOOKINGS = prepareStatement(`
  WITH taken AS (
    UPDATE closure_bookings SET emailed = true WHERE closure_id = ANY ($1::uuid[]) AND NOT emailed
    RETURNING closure_id, booking_id, cancelled)
  SELECT b.id, taken.cancelled, b.starts_at AS "startsAt", b.ends_at AS "endsAt", b.title,
    coalesce(m.email, b.guest_email) AS email, m.name AS member, r.name AS resource,
    c.id AS "closureId", c.starts_on::text AS "firstDay", c.ends_on::text AS "lastDay", c.reason, c.announcement AS message,
    l.name AS location, l.address, l.time_zone AS "timeZone"
  FROM taken JOIN closures c ON c.id = taken.closure_id JOIN locations l ON l.id = c.location_id
  JOIN bookings b ON b.id = taken.booking_id JOIN resources r ON r.id = b.resource_id
  LEFT JOIN members m ON m.id = b.member_id
  WHERE coalesce(m.email, b.guest_email) IS NOT NULL
    AND (taken.cancelled OR b.status IN ('pending', 'confirmed')
      AND b.starts_at < ((c.ends_on + 1)::timestamp AT TIME ZONE l.time_zone)
      AND b.ends_at > (c.starts_on::timestamp AT TIME ZONE l.time_zone))
  ORDER BY b.starts_at, b.id`);

/** Emails the holders of bookings within closures, one email for each holder and closure. */
export async function sendClosureEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const ids = changes.flatMap(({ subjectId }) => subjectId ?? []);
  // A token can book for any address, so its emails have a smaller budget.
  const priority = changes.some(({ actorKind }) => actorKind === 'token')
    ? 'requested'
    : 'essential';
  const bookings = await ctx.lockingSql<AnnouncedBooking>(TAKE_BOOKINGS, [[...new Set(ids)]]);
  const groups = new Map<string, [AnnouncedBooking, ...AnnouncedBooking[]]>();
  for (const booking of bookings) {
    const { closureId, cancelled, email } = booking;
    const key = [closureId, cancelled, email.toLowerCase()].join(' ');
    const group = groups.get(key);
    if (group) group.push(booking);
    else groups.set(key, [booking]);
  }
  const emails: TemplateEmail[] = [];
  for (const group of groups.values()) emails.push(await toEmail(ctx, group, priority));
  await enqueueTemplateEmails(ctx, emails);
}

async function toEmail(
  ctx: Context,
  bookings: [AnnouncedBooking, ...AnnouncedBooking[]],
  priority: MailPriority,
): Promise<TemplateEmail> {
  const [{ cancelled, email, member, location, address, reason, message, ...closure }] = bookings;
  const { firstDay, lastDay, timeZone } = closure;
  const actionUrl = member === null ? undefined : `${ctx.baseUrl}/my`;
  const values = {
    ...{ location, address, reason, message },
    days:
      firstDay === lastDay
        ? formatLongDate(firstDay)
        : `${formatLongDate(firstDay)} to ${formatLongDate(lastDay)}`,
    times: bookings.map(
      ({ startsAt, endsAt, resource }) =>
        `${formatLongTimeRange(startsAt.getTime(), endsAt.getTime(), timeZone)}, ${resource}`,
    ),
    cancelled: cancelled ? 'yes' : null,
  };
  const attachments = cancelled
    ? [
        await renderBookingCalendar(ctx, {
          isCancelled: true,
          attendee: email,
          url: actionUrl,
          bookings: bookings.map(({ id, startsAt, endsAt, title, resource }) => ({
            ...{ id, startsAt, endsAt, resource, location, address, isPending: false },
            title: member === null ? null : title,
          })),
        }),
      ]
    : [];
  return defineTemplateEmail('booking-closure', values, {
    to: email,
    priority,
    attachments,
    frame: { sender: location, recipientName: member, actionUrl },
  });
}
