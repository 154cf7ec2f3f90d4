import { canSeeAll } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { DomainError } from '../../../errors.ts';
import { publishDomainEvent } from '../../../integrations/webhooks/publish-event.ts';
import { assertStaff } from '../booking-input.ts';
import { notifyHolder } from '../notifications.ts';
import {
  getBookingWithScope,
  getWritableBooking,
  listWritableBookings,
} from '../queries/list-bookings.ts';
import type { Booking } from '../types.ts';

interface CancelOptions {
  reason?: string | undefined;
  scope?: SeriesScope | undefined;
  /** Staff lets off the fee of a late cancellation. */
  waiveFee?: boolean | undefined;
}

/**
 * Sets the slot free. Until the resource's deadline it costs nothing and gives back the plan's hours; later the
 * price stays due. Throws NOT_FOUND, and CONFLICT, reason NOT_LIVE, for what is cancelled or over already.
 */
export async function cancelBooking(
  ctx: Context,
  id: string,
  { reason, scope = 'this', waiveFee = false }: CancelOptions,
): Promise<Booking> {
  if (waiveFee) assertStaff(ctx.viewer, 'Only staff may waive the fee.');
  const now = ctx.now();
  // Who has left cannot cancel, but staff may tidy up what is over.
  const inTime = canSeeAll(ctx.viewer, 'bookings:write')
    ? IS_LIVE_SQL
    : Prisma.sql`${IS_LIVE_SQL} AND b.ends_at > ${now}`;
  return runInTransaction(ctx, async (tx) => {
    const ids = await lockSeriesBookings(tx, await getWritableBooking(tx, id), scope, inTime);
    if (ids.length === 0) throw bookingNotLive(await getWritableBooking(tx, id));
    await tx.db.$executeRaw`
      UPDATE bookings b SET status = 'cancelled', cancelled_at = ${now}, updated_at = ${now},
        cancel_reason = ${reason ?? null}::text,
        cancel_fee = CASE WHEN c.free THEN 0 ELSE b.price_amount END,
        included_minutes = CASE WHEN c.free THEN 0 ELSE b.included_minutes END
      FROM (
        SELECT o.id, ${waiveFee} OR o.status = 'pending'
          OR ${now}::timestamptz <= o.starts_at - r.free_cancellation_hours * interval '1 hour' AS free
        FROM bookings o JOIN resources r ON r.id = o.resource_id
        WHERE o.id = ANY (${ids}::uuid[])) c
      WHERE b.id = c.id`;
    const booking = await getWritableBooking(tx, id);
    await notifyHolder(tx, booking, 'cancelled', { bookings: ids.length, reason });
    await publishDomainEvent(tx, 'booking.cancelled', async () =>
      (await listWritableBookings(tx, ids)).map((booking) => ({ booking })),
    );
    return booking;
  });
}

/** Why a booking can no longer be changed. */
export function bookingNotLive({ status }: Booking): DomainError {
  const message = {
    cancelled: 'The booking is cancelled already.',
    no_show: 'The booking was given up because nobody came.',
    pending: 'The booking is over.',
    confirmed: 'The booking is over.',
  }[status];
  return new DomainError('CONFLICT', message, { reason: 'NOT_LIVE', status });
}

/** Changes what a booking is called. Throws NOT_FOUND. */
export const updateBooking = (
  ctx: Context,
  id: string,
  { title, notes }: { title?: string | null | undefined; notes?: string | null | undefined },
  scope: SeriesScope = 'this',
): Promise<Booking> =>
  runInTransaction(ctx, async (tx) => {
    const ids = await lockSeriesBookings(
      tx,
      await getWritableBooking(tx, id),
      scope,
      Prisma.sql`true`,
    );
    const data = {
      updatedAt: ctx.now(),
      ...(title === undefined ? {} : { title }),
      ...(notes === undefined ? {} : { notes }),
    };
    await tx.db.booking.updateMany({ where: { id: { in: ids } }, data });
    return getWritableBooking(tx, id);
  });

/** Approves a pending booking; its slot is held already. Throws NOT_FOUND, CONFLICT for one that is not pending. */
export async function confirmBooking(
  ctx: Context,
  id: string,
  scope: SeriesScope = 'this',
): Promise<Booking> {
  assertStaff(ctx.viewer, 'Only staff approves bookings.');
  return runInTransaction(ctx, async (tx) => {
    const booking = await getWritableBooking(tx, id);
    const ids = await lockSeriesBookings(tx, booking, scope, Prisma.sql`b.status = 'pending'`);
    if (ids.length === 0) throw bookingNotPending(await getWritableBooking(tx, id));
    const data = { status: 'confirmed', updatedAt: ctx.now() } as const;
    await tx.db.booking.updateMany({ where: { id: { in: ids } }, data });
    const confirmed = await getWritableBooking(tx, id);
    await notifyHolder(tx, confirmed, 'confirmed', { bookings: ids.length });
    return confirmed;
  });
}

const bookingNotPending = ({ status }: Booking) =>
  new DomainError('CONFLICT', 'The booking does not wait for approval.', {
    reason: 'NOT_PENDING',
    status,
  });

const MAX_EARLY_CHECK_IN_MINUTES = 60;

/** Somebody has come for the booking, so it is not given up; a second time changes nothing. Throws NOT_FOUND, CONFLICT when it is over, cancelled or more than an hour away. */
export async function checkInBooking(ctx: Context, id: string): Promise<Booking> {
  const booking = await getBookingWithScope(ctx, id, 'check-ins:write');
  const now = ctx.now();
  const soonest = new Date(Date.parse(booking.startsAt) - MAX_EARLY_CHECK_IN_MINUTES * 60_000);
  if (now < soonest) {
    throw new DomainError(
      'CONFLICT',
      `Check in from ${MAX_EARLY_CHECK_IN_MINUTES} minutes before the start.`,
      {
        reason: 'NOT_YET',
      },
    );
  }
  const done = await ctx.db.$executeRaw`
    UPDATE bookings b SET checked_in_at = coalesce(b.checked_in_at, ${now}), updated_at = ${now}
    WHERE b.id = ${id}::uuid AND ${IS_LIVE_SQL} AND b.ends_at > ${now}`;
  if (done === 0) throw bookingNotLive(await getBookingWithScope(ctx, id, 'check-ins:write'));
  return getBookingWithScope(ctx, id, 'check-ins:write');
}

/**
 * Sets resources free whose bookers have not arrived in time, where the resource says after how many minutes: from the
 * start, or from when it was last changed, such as for somebody who walked in later. Members who are in at the location
 * have arrived. The price stays as it is. Answers with how many there were; for timed work, as often as one likes.
 */
export const releaseNoShows = ({ db, now }: Context): Promise<number> =>
  db.$executeRaw`
    UPDATE bookings b SET status = 'no_show', updated_at = late.now
    FROM (
      SELECT o.id, late.now FROM bookings o JOIN resources r ON r.id = o.resource_id,
        (SELECT ${now()}::timestamptz AS now) late
      WHERE o.status = 'confirmed' AND o.checked_in_at IS NULL AND o.ends_at > late.now
        AND o.starts_at <= late.now AND o.starts_at > late.now - interval '31 days'
        AND greatest(o.starts_at, o.updated_at) + r.no_show_minutes * interval '1 minute' <= late.now
        AND NOT EXISTS (
          SELECT FROM check_ins c WHERE c.member_id = o.member_id AND c.location_id = o.location_id
            AND c.result = 'admitted' AND c.checked_out_at IS NULL AND c.auto_check_out_at > late.now)
      ORDER BY o.id FOR UPDATE OF o SKIP LOCKED) late
    WHERE b.id = late.id`;

/** Of a series: this one, this and those that follow, or all that are still to come. */
export type SeriesScope = 'this' | 'following' | 'all';

/** Bookings that hold their slot, of rows called `b`. */
export const IS_LIVE_SQL = Prisma.sql`b.status IN ('pending', 'confirmed')`;

/**
 * What is meant beside this booking and meets a condition on rows called `b`, kept from all others until the
 * transaction ends. Always in the same order, so that two of them wait for each other and neither for ever.
 */
export async function lockSeriesBookings(
  ctx: Context,
  booking: Booking,
  scope: SeriesScope,
  condition: Prisma.Sql,
): Promise<string[]> {
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT b.id FROM bookings b WHERE ${toScopeCondition(ctx, booking, scope)} AND ${condition}
    ORDER BY b.id FOR NO KEY UPDATE`;
  return rows.map(({ id }) => id);
}

/** What is over is never meant but by name. */
function toScopeCondition(
  ctx: Context,
  { id, seriesId, startsAt }: Booking,
  scope: SeriesScope,
): Prisma.Sql {
  if (scope === 'this' || seriesId === null) return Prisma.sql`b.id = ${id}::uuid`;
  const later =
    scope === 'following'
      ? Prisma.sql`b.starts_at >= ${new Date(startsAt)}`
      : Prisma.sql`b.starts_at > ${ctx.now()}`;
  return Prisma.sql`(b.id = ${id}::uuid OR (b.series_id = ${seriesId}::uuid AND ${later}))`;
}
