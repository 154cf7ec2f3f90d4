import type { Context } from '../../../context.ts';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { projectInstant } from '../../../db/json-projection.ts';
import { DomainError } from '../../../errors.ts';
import { toOrigin, toRecordSql } from '../../../journal/record-changes.ts';
import { type Booking, MAX_EARLY_CHECK_IN_MINUTES } from '../types.ts';
import { bookingNotLive } from './change-booking.ts';
import { getBookingWithScope } from './list-bookings.ts';

/**
 * Checks in one booking, so that it is not released as a no-show. Check-in is possible from `MAX_EARLY_CHECK_IN_MINUTES`
 * before the start until the end. A repeated check-in keeps the first time.
 *
 * @throws NOT_FOUND; CONFLICT, reason NOT_YET before that time, reason AWAITING_APPROVAL while it is pending, reason NOT_LIVE when it is
 *   over or cancelled
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
  const current = await getBookingWithScope(ctx, id, 'check-ins:write');
  if (current.status !== 'pending' || Date.parse(current.endsAt) <= ctx.now().getTime())
    throw bookingNotLive(current);
  throw new DomainError('CONFLICT', 'Staff must approve this booking before you check in.', {
    reason: 'AWAITING_APPROVAL',
  });
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
    } AND b.location_id = ${locationId}::uuid AND b.checked_in_at IS NULL`,
    at,
  );

/**
 * Checks in the confirmed bookings that meet a condition on rows `b`. Every check-in of a booking uses this statement. It records
 * those that were not checked in before.
 */
async function recordCheckIn(ctx: Context, condition: Prisma.Sql, at: Date): Promise<number> {
  const [result] = await ctx.db.$queryRaw<{ count: number }[]>`
    WITH due AS MATERIALIZED (
      SELECT b.id, b.checked_in_at IS NULL AS is_first FROM bookings b
      WHERE ${condition} AND b.status = 'confirmed' AND b.ends_at > ${at}
        AND b.starts_at <= ${at}::timestamptz + ${MAX_EARLY_CHECK_IN_MINUTES} * interval '1 minute'
      ORDER BY b.id FOR NO KEY UPDATE),
    changed AS (
      UPDATE bookings b SET checked_in_at = coalesce(b.checked_in_at, ${at}), updated_at = ${ctx.now()}
      FROM due WHERE b.id = due.id RETURNING b.*, due.is_first),
    ${toOriginCte(ctx)}, recorded AS (${RECORD_CHECK_IN})
    SELECT count(*)::int AS count FROM changed`;
  return result?.count ?? 0;
}

const RECORD_CHECK_IN = Prisma.raw(
  toRecordSql({
    subject: 'booking',
    type: `'booking.checked_in'`,
    source: 'changed row, origin WHERE row.is_first',
    before: `'{"checked_in_at": null}'`,
    after: `jsonb_build_object('checked_in_at', ${projectInstant('row.checked_in_at')})`,
  }),
);

const toOriginCte = (ctx: Context) =>
  Prisma.sql`origin AS (
    SELECT * FROM jsonb_populate_record(NULL::changes, ${JSON.stringify(toOrigin(ctx))}::jsonb))`;

/**
 * Releases confirmed bookings whose holders did not arrive within the resource's `noShowMinutes`, counted from the start
 * or from the last change, such as a booking for a walk-in. Members who are checked in at the location count as arrived.
 * A booking that is over stays confirmed: its slot cannot be released any more, and if the job did not run in time, check-ins were not
 * possible either. The price stays the same. A job calls this. It can be repeated safely.
 *
 * @returns how many bookings were released
 */
export async function releaseNoShows(ctx: Context): Promise<number> {
  const [result] = await ctx.db.$queryRaw<{ count: number }[]>`
    WITH late AS MATERIALIZED (
      SELECT o.id, late.now FROM bookings o JOIN resources r ON r.id = o.resource_id,
        (SELECT ${ctx.now()}::timestamptz AS now) late
      WHERE o.status = 'confirmed' AND o.checked_in_at IS NULL AND o.ends_at > late.now
        AND o.starts_at <= late.now AND o.starts_at > late.now - interval '31 days'
        AND greatest(o.starts_at, o.updated_at) + r.no_show_minutes * interval '1 minute' <= late.now
        AND NOT EXISTS (
          SELECT FROM check_ins c WHERE c.member_id = o.member_id AND c.location_id = o.location_id
            AND c.result = 'admitted' AND NOT c.unconfirmed AND c.checked_out_at IS NULL AND c.auto_check_out_at > late.now)
      ORDER BY o.id FOR UPDATE OF o SKIP LOCKED),
    changed AS (
      UPDATE bookings b SET status = 'no_show', updated_at = late.now
      FROM late WHERE b.id = late.id RETURNING b.*),
    ${toOriginCte(ctx)}, recorded AS (${RECORD_NO_SHOW})
    SELECT count(*)::int AS count FROM changed`;
  return result?.count ?? 0;
}

const RECORD_NO_SHOW = Prisma.raw(
  toRecordSql({
    subject: 'booking',
    type: `'booking.no_show'`,
    source: 'changed row, origin',
    before: `'{"status": "confirmed"}'`,
    after: `'{"status": "no_show"}'`,
  }),
);
