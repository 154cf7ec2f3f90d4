import { type Context, runInTransaction } from '../../../context.ts';
import { toInstantBounds } from '../../../core/time/calendar-date.ts';
import type { InputOf } from '../../../core/validation.ts';
import { recordAction } from '../../../journal/record-changes.ts';
import { type Closure, saveClosureAnnouncement } from '../../spaces/service/opening-hours.ts';
import { assertStaff } from '../holder-and-times.ts';
import type { announceClosureInput } from '../inputs.ts';
import { cancelLockedBookings } from './change-booking.ts';

interface AnnouncedClosure {
  closure: Closure;
  /** How many bookings the emails are about. */
  bookingCount: number;
  cancelledCount: number;
}

/**
 * Emails the holders of the bookings that overlap a closure and are not over, one email each. Each booking is announced once,
 * however often this is called, and once more if it is cancelled later. With `cancelBookings`, the bookings are cancelled as by
 * the house: without a fee, and the included hours return.
 *
 * @throws FORBIDDEN for callers other than staff; NOT_FOUND
 *
 * @example
 * await announceClosure(ctx, { id: closure.id, message: 'We are moving.', cancelBookings: true });
 */
export async function announceClosure(
  ctx: Context,
  { id, message, cancelBookings }: InputOf<typeof announceClosureInput>,
): Promise<AnnouncedClosure> {
  assertStaff(ctx.viewer, 'Only staff can announce closures.');
  return runInTransaction(ctx, async (tx) => {
    // Locks the closure, so that a second call waits and finds nothing left to announce.
    const closure = await saveClosureAnnouncement(tx, id, message ?? null);
    const ids = await lockBookingsToAnnounce(tx, closure, cancelBookings);
    if (ids.length === 0) return { closure, bookingCount: 0, cancelledCount: 0 };
    await tx.db.$executeRaw`
      INSERT INTO closure_bookings (closure_id, booking_id, cancelled)
      SELECT ${id}::uuid, booking.id, ${cancelBookings} FROM unnest(${ids}::uuid[]) booking (id)
      ON CONFLICT (closure_id, booking_id) DO UPDATE SET cancelled = true, emailed = false
        WHERE excluded.cancelled AND NOT closure_bookings.cancelled`;
    if (cancelBookings)
      await cancelLockedBookings(tx, ids, {
        reason: message ?? closure.reason ?? undefined,
        waiveFee: true,
      });
    await recordAction(tx, 'closure.announced', [id]);
    return {
      closure,
      bookingCount: ids.length,
      cancelledCount: cancelBookings ? ids.length : 0,
    };
  });
}

/** Locks the bookings within a closure that were not announced yet, or with `isCancelled` all, in the order of their ids. */
async function lockBookingsToAnnounce(
  { db, now }: Context,
  { id, startsOn, endsOn, location }: Closure,
  isCancelled: boolean,
): Promise<string[]> {
  const { from, to } = toInstantBounds(startsOn, endsOn, location.timeZone);
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT b.id FROM bookings b
    WHERE b.location_id = ${location.id}::uuid AND b.status IN ('pending', 'confirmed')
      AND tstzrange(b.starts_at, b.ends_at) && tstzrange(${from}, ${to}) AND b.ends_at > ${now()}
      AND (${isCancelled} OR NOT EXISTS (
        SELECT FROM closure_bookings k WHERE k.closure_id = ${id}::uuid AND k.booking_id = b.id))
    ORDER BY b.id FOR NO KEY UPDATE`;
  return rows.map(({ id }) => id);
}
