import { canSeeAll, type Viewer } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import type { Instant } from '../../../core/time/time-zone.ts';
import {
  type Projection,
  projectInstant,
  projectNumber,
  projectUnescaped,
  toJsonSql,
} from '../../../db/json-projection.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { MAX_EARLY_CHECK_IN_MINUTES, toCancellableSql } from '../types.ts';

/** What the viewer can do with a booking now. The commands check this again. */
export interface BookingActions {
  confirm: boolean;
  checkIn: boolean;
  update: boolean;
  reschedule: boolean;
  cancel: boolean;
  /** Until when cancelling is free. Null if it is free at any time, and if the booking cannot be cancelled. */
  freeCancellationUntil: Instant | null;
}

/**
 * Projects what the viewer can do with the booking of this row; `clock.now` is the current time. The rules are those of
 * `confirmBooking`, `checkInBooking`, `updateBooking`, `rescheduleBooking` and `cancelBooking`, which a test compares.
 */
export function toBookingActionsProjection(row: string, viewer: Viewer): Projection {
  const isStaff = canSeeAll(viewer, 'bookings:write');
  const canWrite = isStaff || viewer.kind === 'member'; // members see only their own
  const isLive = `${row}.status IN ('pending', 'confirmed')`;
  // Staff can still correct a booking that is over.
  const canChange = isStaff ? isLive : `(${canWrite} AND ${isLive} AND ${row}.ends_at > clock.now)`;
  const isPending = `${row}.status = 'pending'`;
  const canCancel = `(${canWrite} AND ${toCancellableSql(row, 'clock.now')})`;
  const deadline = `(${row}.starts_at - interval '1 hour' * (
    SELECT booked.free_cancellation_hours FROM resources booked WHERE booked.id = ${row}.resource_id))`;
  return {
    confirm: projectNumber(`(${isStaff} AND ${isPending})`),
    checkIn: projectNumber(`(${canSeeAll(viewer, 'check-ins:write')} AND ${row}.status = 'confirmed'
      AND ${row}.checked_in_at IS NULL AND ${row}.ends_at > clock.now
      AND ${row}.starts_at <= clock.now + interval '${MAX_EARLY_CHECK_IN_MINUTES} minutes')`),
    update: projectNumber(`${canWrite}`),
    reschedule: projectNumber(
      `(${canChange} AND (${isStaff} OR ${isPending} OR clock.now <= ${deadline}))`,
    ),
    cancel: projectNumber(canCancel),
    freeCancellationUntil: projectUnescaped(
      `CASE WHEN ${canCancel} AND NOT ${isPending} THEN ${projectInstant(deadline)} END`,
    ),
  } satisfies Projection & Record<keyof BookingActions, unknown>;
}

/** Finds what the viewer can do with bookings that the viewer sees, by their ids. */
export async function findBookingActions(
  { pipelinedSql, viewer, now }: Context,
  ids: string[],
): Promise<Map<string, BookingActions>> {
  const actions = toJsonSql(toBookingActionsProjection('b', viewer), 'camel');
  const statement = prepareStatement(`SELECT b.id, ${actions} AS actions FROM bookings b
    CROSS JOIN (SELECT $2::timestamptz AS now) clock WHERE b.id = ANY ($1::uuid[])`);
  const rows = await pipelinedSql<{ id: string; actions: BookingActions }>(statement, [ids, now()]);
  return new Map(rows.map(({ id, actions }) => [id, actions]));
}
