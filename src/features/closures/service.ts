import { can, canSeeAll, requireAccess } from '../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../context.ts';
import { toInstantBounds } from '../../core/time/calendar-date.ts';
import type { InputOf } from '../../core/validation.ts';
import { toDayEndSql, toDayStartSql } from '../../db/day-bounds.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { DomainError } from '../../errors.ts';
import { recordAction } from '../../journal/record-changes.ts';
import { cancelLockedBookings } from '../bookings/service/change-booking.ts';
import { toCancellableCondition, toCancellableSql } from '../bookings/types.ts';
import { type Closure, saveClosureAnnouncement } from '../spaces/service/opening-hours.ts';
import type { announceClosureInput } from './inputs.ts';
import { selectAdmissionsInClosure } from './types.ts';

interface AnnouncedClosure {
  closure: Closure;
  /** How many bookings the emails are about. */
  bookingCount: number;
  cancelledCount: number;
  /** How many people with tickets or day passes get an email: none if the caller has no `mailings:write`. */
  ticketHolderCount: number;
}

/**
 * Lets a job email everybody who has bookings, event tickets or day passes within a closure that are not over. Each booking is
 * announced once, however often this is called, and once more if it is cancelled later; each holder of tickets and passes gets
 * one email. With `cancelBookings`, the job cancels those that have not started as by the house: without a fee, and the included hours
 * return.
 *
 * A text of their own, and emails to people who have not booked, are only for callers who can send mailings (`mailings:write`). Others
 * email the holders of bookings what happens to these.
 *
 * @throws FORBIDDEN for callers other than staff, and for a message without `mailings:write`; NOT_FOUND
 *
 * @example
 * await announceClosure(ctx, { id: closure.id, message: 'We are moving.', cancelBookings: true });
 */
export async function announceClosure(
  ctx: Context,
  { id, message, cancelBookings }: InputOf<typeof announceClosureInput>,
): Promise<AnnouncedClosure> {
  if (!canSeeAll(ctx.viewer, 'bookings:write'))
    throw new DomainError('FORBIDDEN', 'Only staff can announce closures.', {
      reason: 'STAFF_ONLY',
    });
  if (message !== undefined) requireAccess(ctx.viewer, 'mailings:write');
  return runInTransaction(ctx, async (tx) => {
    // Locks the closure, so that a second call waits and finds nothing left to announce.
    const closure = await saveClosureAnnouncement(tx, id, message);
    const bookings = await addBookings(tx, closure, cancelBookings);
    const bookingCount = bookings.length;
    const recipients = can(ctx.viewer, 'mailings:write')
      ? await tx.lockingSql<{ key: string }>(ADD_RECIPIENTS, [id, tx.now()])
      : [];
    if (bookingCount + recipients.length > 0) {
      await recordAction(tx, 'closure.announced', [id]);
      await tx.triggerJob?.(tx, 'closures.announce');
    }
    return {
      ...{ closure, bookingCount, ticketHolderCount: recipients.length },
      cancelledCount: bookings.filter(({ cancelled }) => cancelled).length,
    };
  });
}

/** Marks the bookings that were not announced yet, or not as cancelled. Those that have started are only announced. */
async function addBookings(
  { db, now }: Context,
  { id, startsOn, endsOn, location }: Closure,
  cancelBookings: boolean,
): Promise<{ cancelled: boolean }[]> {
  const { from, to } = toInstantBounds(startsOn, endsOn, location.timeZone);
  return db.$queryRaw`
    INSERT INTO closure_bookings (closure_id, booking_id, cancelled)
    SELECT ${id}::uuid, b.id, ${cancelBookings} AND ${toCancellableCondition('b', now())} FROM bookings b
    WHERE b.location_id = ${location.id}::uuid AND b.status IN ('pending', 'confirmed')
      AND tstzrange(b.starts_at, b.ends_at) && tstzrange(${from}, ${to}) AND b.ends_at > ${now()}
    ORDER BY b.id
    ON CONFLICT (closure_id, booking_id) DO UPDATE SET cancelled = true, emailed = false
      WHERE excluded.cancelled AND NOT closure_bookings.cancelled
    RETURNING cancelled`;
}

const ADD_RECIPIENTS = prepareStatement(`
  INSERT INTO closure_recipients (closure_id, recipient_key)
  SELECT DISTINCT $1::uuid, mail_recipient_key(admission.email)
  FROM ${selectAdmissionsInClosure('$1::uuid', '$2::timestamptz')} admission ORDER BY 2
  ON CONFLICT (closure_id, recipient_key) DO NOTHING RETURNING recipient_key AS key`);

/**
 * Cancels those of these bookings that were announced as cancelled and have not started. Those that the holder has cancelled
 * meanwhile are no longer among the announced ones. Call it in a transaction that has locked the closure.
 */
export async function cancelAnnouncedBookings(
  ctx: Context,
  closureId: string,
  ids: string[],
): Promise<void> {
  const live = await ctx.lockingSql<{ id: string; reason: string | null }>(LOCK_ANNOUNCED, [
    closureId,
    ids,
    ctx.now(),
  ]);
  const liveIds = live.map(({ id }) => id);
  await ctx.lockingSql(KEEP_OTHERS, [closureId, ids, liveIds]);
  if (liveIds.length > 0)
    await cancelLockedBookings(ctx, liveIds, {
      reason: live[0]?.reason ?? undefined,
      waiveFee: true,
    });
}

const LOCK_ANNOUNCED = prepareStatement(`
  SELECT b.id, coalesce(c.announcement, c.reason) AS reason
  FROM closure_bookings k JOIN closures c ON c.id = k.closure_id JOIN bookings b ON b.id = k.booking_id
  JOIN locations l ON l.id = c.location_id
  WHERE k.closure_id = $1::uuid AND k.booking_id = ANY ($2::uuid[]) AND k.cancelled
    AND ${toCancellableSql('b', '$3::timestamptz')} AND b.ends_at > $3::timestamptz
    -- Its holder can have moved it out of the closure since.
    AND b.starts_at < ${toDayEndSql('c.ends_on', 'l.time_zone')}
    AND b.ends_at > ${toDayStartSql('c.starts_on', 'l.time_zone')}
  ORDER BY b.id FOR NO KEY UPDATE OF b`);

const KEEP_OTHERS = prepareStatement(`
  UPDATE closure_bookings SET cancelled = false
  WHERE closure_id = $1::uuid AND booking_id = ANY ($2::uuid[]) AND cancelled AND booking_id <> ALL ($3::uuid[])`);
