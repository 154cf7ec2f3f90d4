import type { Context } from '../../../context.ts';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { DomainError } from '../../../errors.ts';
import { getBookingWithScope } from '../queries/list-bookings.ts';
import { type Booking, MAX_EARLY_CHECK_IN_MINUTES } from '../types.ts';
import { bookingNotLive, IS_LIVE_SQL } from './change-booking.ts';

/**
 * Checks in one booking, so that it is not released as a no-show. Check-in is possible from `MAX_EARLY_CHECK_IN_MINUTES`
 * before the start until the end. A repeated check-in keeps the first time.
 *
 * @throws NOT_FOUND; CONFLICT, reason NOT_YET before that time, reason NOT_LIVE when it is over or cancelled
 */
export async function checkInBooking(ctx: Context, id: string): Promise<Booking> {
  const booking = await getBookingWithScope(ctx, id, 'check-ins:write');
  const count = await recordCheckIn(ctx, Prisma.sql`b.id = ${id}::uuid`, ctx.now());
  if (count > 0) return getBookingWithScope(ctx, id, 'check-ins:write');
  if (isTooEarly(booking, ctx.now())) {
    throw new DomainError(
      'CONFLICT',
      `Check in from ${MAX_EARLY_CHECK_IN_MINUTES} minutes before the start.`,
      { reason: 'NOT_YET' },
    );
  }
  throw bookingNotLive(await getBookingWithScope(ctx, id, 'check-ins:write'));
}

const isTooEarly = ({ startsAt }: Booking, now: Date) =>
  now.getTime() < Date.parse(startsAt) - MAX_EARLY_CHECK_IN_MINUTES * MINUTE_MS;

/** An arrival of a member, for all of their bookings, or of the guest of one booking. */
export type Arrival = { memberId: string } | { bookingId: string };

/**
 * Checks in every confirmed booking of an arrival that is running or starts within `MAX_EARLY_CHECK_IN_MINUTES` at this
 * location. `at` is the time of arrival, which can be in the past. Callers must authorize the arrival.
 *
 * @returns how many bookings were checked in, not counting those that already were
 */
export const checkInArrivedBookings = (
  ctx: Context,
  arrival: Arrival,
  { locationId, at }: { locationId: string; at: Date },
): Promise<number> =>
  recordCheckIn(
    ctx,
    Prisma.sql`${
      'memberId' in arrival
        ? Prisma.sql`b.member_id = ${arrival.memberId}::uuid`
        : Prisma.sql`b.id = ${arrival.bookingId}::uuid`
    } AND b.location_id = ${locationId}::uuid AND b.status = 'confirmed' AND b.checked_in_at IS NULL`,
    at,
  );

/** Checks in the bookings that meet a condition on rows `b`. Every check-in of a booking uses this statement. */
const recordCheckIn = ({ db, now }: Context, condition: Prisma.Sql, at: Date): Promise<number> =>
  db.$executeRaw`
    UPDATE bookings b SET checked_in_at = coalesce(b.checked_in_at, ${at}), updated_at = ${now()}
    WHERE ${condition} AND ${IS_LIVE_SQL} AND b.ends_at > ${at}
      AND b.starts_at <= ${at}::timestamptz + ${MAX_EARLY_CHECK_IN_MINUTES} * interval '1 minute'`;

/**
 * Releases confirmed bookings whose holders did not arrive within the resource's `noShowMinutes`, counted from the start
 * or from the last change, such as a booking for a walk-in. Members who are checked in at the location count as arrived.
 * The price stays the same. A job calls this. It can be repeated safely.
 *
 * @returns how many bookings were released
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
