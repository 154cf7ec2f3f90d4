import { type Context, runInTransaction } from '../../../context.ts';
import { formatLongDate, formatLongTimeRange } from '../../../core/time/format.ts';
import { toDayEndSql, toDayStartSql } from '../../../db/day-bounds.ts';
import type { ActorKind } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import { toHistorySql } from '../../../journal/read-changes.ts';
import { renderBookingCalendar } from '../booking-invitation.ts';

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
  firstDay: string;
  lastDay: string;
  reason: string | null;
  message: string | null;
  location: string;
  address: string | null;
  timeZone: string;
  /** Who announced the closure last. */
  actorKind: ActorKind | null;
}

/** Lets a job email the holders of bookings within closures. There can be more than one transaction can email. */
export const triggerClosureEmails = async (ctx: Context): Promise<void> =>
  ctx.triggerJob?.(ctx, 'closures.announce');

const FIND_CLOSURES = prepareStatement(
  `SELECT DISTINCT closure_id AS id FROM closure_bookings WHERE NOT emailed ORDER BY id`,
);

const HOLDERS_BATCH_SIZE = 200;

/** Job: emails the holders of bookings within closures, in batches, one email for each holder and closure. */
export async function sendClosureEmails(
  ctx: Context,
  signal?: AbortSignal,
  batchSize = HOLDERS_BATCH_SIZE,
): Promise<void> {
  for (const { id } of await ctx.lockingSql<{ id: string }>(FIND_CLOSURES, [])) {
    // A failed closure does not stop the others. The next run retries it.
    try {
      while (!signal?.aborted && (await sendBatch(ctx, id, batchSize)));
    } catch (error) {
      ctx.log.error({ err: error, closure: id }, 'could not email that a location is closed');
    }
  }
}

// Of two runs, one waits for the other.
const LOCK_CLOSURE = prepareStatement(
  `SELECT id FROM closures WHERE id = $1::uuid FOR NO KEY UPDATE`,
);

const HOLDER = `lower(coalesce(m.email, b.guest_email, ''))`;

// Marks what is emailed in the transaction that queues the emails, so each is sent once.
const TAKE_HOLDERS = prepareStatement(`
  WITH waiting AS MATERIALIZED (
    SELECT k.booking_id, k.cancelled, ${HOLDER} AS holder, dense_rank() OVER (ORDER BY k.cancelled, ${HOLDER}) AS place
    FROM closure_bookings k JOIN bookings b ON b.id = k.booking_id LEFT JOIN members m ON m.id = b.member_id
    WHERE k.closure_id = $1::uuid AND NOT k.emailed)
  UPDATE closure_bookings k SET emailed = true FROM waiting
  WHERE k.closure_id = $1::uuid AND k.booking_id = waiting.booking_id AND waiting.place <= $2::int
  RETURNING k.booking_id AS id`);

// Bookings that the holder has moved or cancelled meanwhile need no email.
const LOAD_BOOKINGS = prepareStatement(`
  SELECT b.id, k.cancelled, b.starts_at AS "startsAt", b.ends_at AS "endsAt", b.title,
    coalesce(m.email, b.guest_email) AS email, m.name AS member, r.name AS resource,
    c.starts_on::text AS "firstDay", c.ends_on::text AS "lastDay", c.reason, c.announcement AS message,
    l.name AS location, l.address, l.time_zone AS "timeZone", announced.actor_kind AS "actorKind"
  FROM closure_bookings k JOIN closures c ON c.id = k.closure_id JOIN locations l ON l.id = c.location_id
  JOIN bookings b ON b.id = k.booking_id JOIN resources r ON r.id = b.resource_id
  LEFT JOIN members m ON m.id = b.member_id
  LEFT JOIN LATERAL (
    SELECT actor_kind FROM ${toHistorySql('c.id')} change WHERE change.type = 'closure.announced'
    ORDER BY change.sequence DESC LIMIT 1) announced ON true
  WHERE k.closure_id = $1::uuid AND k.booking_id = ANY ($2::uuid[])
    AND coalesce(m.email, b.guest_email) IS NOT NULL
    AND (k.cancelled OR b.status IN ('pending', 'confirmed')
      AND b.starts_at < ${toDayEndSql('c.ends_on', 'l.time_zone')}
      AND b.ends_at > ${toDayStartSql('c.starts_on', 'l.time_zone')})
  ORDER BY b.starts_at, b.id`);

/** Emails the next holders of bookings within a closure. Returns whether there can be more. */
const sendBatch = (ctx: Context, closureId: string, size: number): Promise<boolean> =>
  runInTransaction(ctx, async (ctx) => {
    await ctx.lockingSql(LOCK_CLOSURE, [closureId]);
    const taken = await ctx.lockingSql<{ id: string }>(TAKE_HOLDERS, [closureId, size]);
    const ids = taken.map(({ id }) => id);
    const bookings = await ctx.lockingSql<AnnouncedBooking>(LOAD_BOOKINGS, [closureId, ids]);
    const groups = new Map<string, [AnnouncedBooking, ...AnnouncedBooking[]]>();
    for (const booking of bookings) {
      const key = [booking.cancelled, booking.email.toLowerCase()].join(' ');
      const group = groups.get(key);
      if (group) group.push(booking);
      else groups.set(key, [booking]);
    }
    const emails: TemplateEmail[] = [];
    for (const group of groups.values()) emails.push(await toEmail(ctx, group));
    await enqueueTemplateEmails(ctx, emails);
    return ids.length > 0;
  });

async function toEmail(
  ctx: Context,
  bookings: [AnnouncedBooking, ...AnnouncedBooking[]],
): Promise<TemplateEmail> {
  const [{ cancelled, email, member, location, address, reason, message, ...closure }] = bookings;
  const { firstDay, lastDay, timeZone, actorKind } = closure;
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
    // A token can book for any address, so its emails have a smaller budget.
    priority: actorKind === 'token' ? 'requested' : 'essential',
    attachments,
    frame: { sender: location, recipientName: member, actionUrl },
  });
}
