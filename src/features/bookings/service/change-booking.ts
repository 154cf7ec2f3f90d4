import type { z } from 'zod';
import { canSeeAll } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { DomainError } from '../../../errors.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import { assertStaff } from '../holder-and-times.ts';
import type { cancelBookingInput, updateBookingInput } from '../inputs.ts';
import { type Booking, toCancellableCondition } from '../types.ts';
import { getWritableBooking } from './list-bookings.ts';

type CancelOptions = Partial<Omit<z.output<typeof cancelBookingInput>, 'id'>>;

/**
 * Cancels a booking that has not started, and frees its slot. Before the resource's deadline
 * cancelling is free and returns the plan's included hours; after it, the full price is charged as the fee. With
 * `waiveFee`, a late cancellation is a free one. A request that nobody has approved can be declined at any time.
 *
 * @returns the booking with this id, even if `scope` cancels others of its series too
 * @throws NOT_FOUND; CONFLICT, reason NOT_LIVE, when it is cancelled or a no-show, and STARTED when it has started; FORBIDDEN for
 *   `waiveFee` without staff
 *
 * @example
 * await cancelBooking(ctx, booking.id, { reason: 'The room is being painted.', waiveFee: true });
 */
export async function cancelBooking(
  ctx: Context,
  id: string,
  { reason, scope = 'this', waiveFee = false }: CancelOptions,
): Promise<Booking> {
  if (waiveFee) assertStaff(ctx.viewer, 'Only staff can waive the fee.');
  return runInTransaction(ctx, async (tx) => {
    const booking = await getWritableBooking(tx, id);
    const ids = await lockSeriesBookings(tx, booking, scope, toCancellableCondition('b', tx.now()));
    if (ids.length === 0) throw cannotCancel(await getWritableBooking(tx, id));
    await cancelLockedBookings(tx, ids, { reason, waiveFee });
    return getWritableBooking(tx, id);
  });
}

/** Cancels live bookings that the transaction has locked. */
export async function cancelLockedBookings(
  ctx: Context,
  ids: string[],
  { reason, waiveFee = false }: Pick<CancelOptions, 'reason' | 'waiveFee'>,
): Promise<void> {
  const now = ctx.now();
  await recordUpdated(
    ctx,
    'booking.cancelled',
    ids,
    () => ctx.db.$executeRaw`
      UPDATE bookings b SET status = 'cancelled', cancelled_at = ${now}, updated_at = ${now},
        cancel_reason = ${reason ?? null}::text,
        cancel_fee = CASE WHEN c.free THEN 0 ELSE b.price_amount END,
        included_minutes = CASE WHEN c.free THEN 0 ELSE b.included_minutes END
      FROM (
        SELECT o.id, ${waiveFee} OR o.status = 'pending'
          OR ${now}::timestamptz <= o.starts_at - r.free_cancellation_hours * interval '1 hour' AS free
        FROM bookings o JOIN resources r ON r.id = o.resource_id
        WHERE o.id = ANY (${ids}::uuid[])) c
      WHERE b.id = c.id`,
  );
}

/** Returns the error for a booking that can no longer be cancelled. */
function cannotCancel(booking: Booking): DomainError {
  if (booking.status !== 'confirmed') return bookingNotLive(booking);
  return new DomainError(
    'CONFLICT',
    'This booking has started, so it cannot be cancelled. Staff can still move it to other times.',
    { reason: 'STARTED' },
  );
}

/** Returns the error for a booking that can no longer be changed. */
export function bookingNotLive({ status }: Booking): DomainError {
  const message = {
    cancelled: 'This booking is already cancelled.',
    no_show: 'This booking was released as a no-show.',
    pending: 'This booking is over.',
    confirmed: 'This booking is over.',
  }[status];
  return new DomainError('CONFLICT', message, { reason: 'NOT_LIVE', status });
}

/**
 * Changes the title and notes of a booking. Omitted fields stay unchanged; null clears them.
 *
 * @throws NOT_FOUND
 */
export const updateBooking = (
  ctx: Context,
  id: string,
  { title, notes }: Pick<z.output<typeof updateBookingInput>, 'title' | 'notes'>,
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
    await recordUpdated(tx, 'booking.updated', ids, () =>
      tx.db.booking.updateMany({ where: { id: { in: ids } }, data }),
    );
    return getWritableBooking(tx, id);
  });

/**
 * Approves a pending booking. Its slot is already reserved.
 *
 * @throws FORBIDDEN for callers other than staff; NOT_FOUND; CONFLICT, reason NOT_PENDING
 */
export async function confirmBooking(
  ctx: Context,
  id: string,
  scope: SeriesScope = 'this',
): Promise<Booking> {
  assertStaff(ctx.viewer, 'Only staff can approve bookings.');
  return runInTransaction(ctx, async (tx) => {
    const booking = await getWritableBooking(tx, id);
    const ids = await lockSeriesBookings(tx, booking, scope, Prisma.sql`b.status = 'pending'`);
    if (ids.length === 0) throw bookingNotPending(await getWritableBooking(tx, id));
    const data = { status: 'confirmed', updatedAt: ctx.now() } as const;
    await recordUpdated(tx, 'booking.confirmed', ids, () =>
      tx.db.booking.updateMany({ where: { id: { in: ids } }, data }),
    );
    return getWritableBooking(tx, id);
  });
}

const bookingNotPending = ({ status }: Booking) =>
  new DomainError('CONFLICT', 'This booking is not waiting for approval.', {
    reason: 'NOT_PENDING',
    status,
  });

/** Which bookings of a series: only this one, this and the following ones, or this and all future ones. */
export type SeriesScope = z.output<typeof cancelBookingInput>['scope'];

/** Condition on rows `b`: the booking occupies its slot. */
const IS_LIVE_SQL = Prisma.sql`b.status IN ('pending', 'confirmed')`;

/** Condition on rows `b`: the viewer can move the booking. Only staff can if it is over, to correct it. */
export const toChangeableCondition = ({ viewer, now }: Context): Prisma.Sql =>
  canSeeAll(viewer, 'bookings:write')
    ? IS_LIVE_SQL
    : Prisma.sql`${IS_LIVE_SQL} AND b.ends_at > ${now()}`;

/**
 * Locks the bookings in a series scope that meet a condition on rows `b`, until the transaction ends. They are locked in the
 * order of their ids, so that two calls cannot deadlock.
 *
 * @returns their ids
 */
export const lockSeriesBookings = (
  ctx: Context,
  booking: Booking,
  scope: SeriesScope,
  condition: Prisma.Sql,
): Promise<string[]> =>
  findSeriesBookings(ctx, booking, scope, condition, Prisma.sql`FOR NO KEY UPDATE`);

/** Finds the ids of the bookings in a series scope that meet a condition on rows `b`. */
export async function findSeriesBookings(
  ctx: Context,
  booking: Booking,
  scope: SeriesScope,
  condition: Prisma.Sql,
  lock = Prisma.empty,
): Promise<string[]> {
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT b.id FROM bookings b WHERE ${toScopeCondition(ctx, booking, scope)} AND ${condition}
    ORDER BY b.id ${lock}`;
  return rows.map(({ id }) => id);
}

/** Past bookings of the series are left out, except the given booking. */
function toScopeCondition(
  ctx: Context,
  { id, seriesId, startsAt }: Booking,
  scope: SeriesScope,
): Prisma.Sql {
  if (scope === 'this' || seriesId === null) return Prisma.sql`b.id = ${id}::uuid`;
  const isLater =
    scope === 'following'
      ? Prisma.sql`b.starts_at >= ${new Date(startsAt)}`
      : Prisma.sql`b.starts_at > ${ctx.now()}`;
  return Prisma.sql`(b.id = ${id}::uuid OR (b.series_id = ${seriesId}::uuid AND ${isLater}))`;
}
