import type { Context } from '../../context.ts';
import { formatLongTimeRange } from '../../core/time/format.ts';
import { toDayEndSql, toDayStartSql } from '../../db/day-bounds.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
  type TemplateEmail,
} from '../../integrations/email/template-email.ts';
import type { SpaceTexts } from '../../languages/emails/email-texts.ts';
import { cancelAnnouncedBookings } from '../closures/service.ts';
import { readEmailTexts } from '../settings/service.ts';
import {
  type AnnouncedClosure,
  CLOSURE_COLUMNS,
  CLOSURE_JOINS,
  toClosurePriority,
  toClosureValues,
} from './announced-closure.ts';
import { renderBookingCalendar } from './booking-invitation.ts';

interface AnnouncedBooking extends AnnouncedClosure {
  id: string;
  cancelled: boolean;
  startsAt: Date;
  endsAt: Date;
  title: string | null;
  email: string;
  /** Null for guests, for whom anyone can have entered a name. */
  member: string | null;
  resource: string;
}

const HOLDER = `lower(coalesce(m.email, b.guest_email, b.id::text))`;

const TAKE_HOLDERS = prepareStatement(`
  WITH waiting AS MATERIALIZED (
    SELECT k.booking_id, k.cancelled, ${HOLDER} AS holder
    FROM closure_bookings k JOIN bookings b ON b.id = k.booking_id LEFT JOIN members m ON m.id = b.member_id
    WHERE k.closure_id = $1::uuid AND NOT k.emailed),
  placed AS (
    SELECT cancelled, holder, sum(count(*)) OVER (ORDER BY cancelled, holder) - count(*) AS earlier
    FROM waiting GROUP BY cancelled, holder)
  UPDATE closure_bookings k SET emailed = true FROM waiting JOIN placed USING (cancelled, holder)
  WHERE k.closure_id = $1::uuid AND k.booking_id = waiting.booking_id AND placed.earlier < $2::int
  RETURNING k.booking_id AS id`);

// Bookings that the holder has moved or cancelled meanwhile need no email.
const LOAD_BOOKINGS = prepareStatement(`
  SELECT b.id, k.cancelled, b.starts_at AS "startsAt", b.ends_at AS "endsAt", b.title,
    coalesce(m.email, b.guest_email) AS email, m.name AS member, r.name AS resource,
    ${CLOSURE_COLUMNS}
  FROM closure_bookings k JOIN closures c ON c.id = k.closure_id ${CLOSURE_JOINS}
  JOIN bookings b ON b.id = k.booking_id JOIN resources r ON r.id = b.resource_id
  LEFT JOIN members m ON m.id = b.member_id
  WHERE k.closure_id = $1::uuid AND k.booking_id = ANY ($2::uuid[])
    AND coalesce(m.email, b.guest_email) IS NOT NULL
    AND (k.cancelled OR b.status IN ('pending', 'confirmed')
      AND b.starts_at < ${toDayEndSql('c.ends_on', 'l.time_zone')}
      AND b.ends_at > ${toDayStartSql('c.starts_on', 'l.time_zone')})
  ORDER BY b.starts_at, b.id`);

/**
 * Cancels and emails the bookings of the next holders, about `size` bookings, in a transaction that has locked the closure. Returns
 * whether there can be more.
 */
export async function sendToBookingHolders(
  ctx: Context,
  closureId: string,
  size: number,
): Promise<boolean> {
  const taken = await ctx.lockingSql<{ id: string }>(TAKE_HOLDERS, [closureId, size]);
  if (taken.length === 0) return false;
  const ids = taken.map(({ id }) => id);
  await cancelAnnouncedBookings(ctx, closureId, ids);
  const bookings = await ctx.lockingSql<AnnouncedBooking>(LOAD_BOOKINGS, [closureId, ids]);
  const groups = new Map<string, [AnnouncedBooking, ...AnnouncedBooking[]]>();
  for (const booking of bookings) {
    const key = [booking.cancelled, booking.email.toLowerCase()].join(' ');
    const group = groups.get(key);
    if (group) group.push(booking);
    else groups.set(key, [booking]);
  }
  const texts = await readEmailTexts(ctx);
  const emails: TemplateEmail[] = [];
  for (const group of groups.values()) emails.push(await toEmail(ctx, texts, group));
  await enqueueTemplateEmails(ctx, texts, emails);
  return true;
}

async function toEmail(
  ctx: Context,
  texts: SpaceTexts,
  bookings: [AnnouncedBooking, ...AnnouncedBooking[]],
): Promise<TemplateEmail> {
  const [first] = bookings;
  const { cancelled, email, member, location, address, timeZone } = first;
  const actionUrl = member === null ? undefined : `${ctx.baseUrl}/my`;
  const values = {
    ...toClosureValues(texts, first),
    times: bookings.map(
      ({ startsAt, endsAt, resource }) =>
        `${formatLongTimeRange(startsAt.getTime(), endsAt.getTime(), timeZone, texts.language)}, ${resource}`,
    ),
    cancelled: cancelled ? 'yes' : null,
  };
  const attachments = cancelled
    ? [
        await renderBookingCalendar(ctx, texts, {
          isCancelled: true,
          attendee: email,
          url: actionUrl,
          bookings: bookings.map(({ id, startsAt, endsAt, title, resource }) => ({
            ...{ id, startsAt, endsAt, resource, location, address, timeZone, isPending: false },
            title: member === null ? null : title,
          })),
        }),
      ]
    : [];
  return defineTemplateEmail('booking-closure', values, {
    to: email,
    priority: toClosurePriority(first),
    attachments,
    frame: { sender: location, recipientName: member, actionUrl },
  });
}
