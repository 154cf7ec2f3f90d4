import { canSeeAll } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { toMaskedNameSql } from '../../../core/names.ts';
import { DAY_MS, HOUR_MS } from '../../../core/time/time-zone.ts';
import type { CheckIn, CheckInResult, CheckInSubject } from '../../../db/generated/client.ts';
import {
  type Projection,
  projectRow,
  projectUnescaped,
  projectWhen,
} from '../../../db/json-projection.ts';
import { matchEnum, type RowList } from '../../../lists/row-list.ts';
import { projectFields } from '../../../rows/projection.ts';
import { toLocationProjection } from '../../spaces/types.ts';
import { isReplacedSql } from '../replaced-visits.ts';
import { checkInRow } from '../rows.ts';
import { TITLE_INCLUDE, toSubjectTitle } from './attempt-log.ts';

/** One attempt as staff and tokens see it, with any result. */
export interface CheckInAttempt
  extends Pick<
    CheckIn,
    | 'id'
    | 'result'
    | 'unconfirmed'
    | 'disputed'
    | 'beforeCancellation'
    | 'label'
    | 'ticketId'
    | 'dayPassId'
    | 'bookingId'
    | 'memberId'
    | 'hostId'
    | 'checkedOutAt'
    | 'autoCheckOutAt'
    | 'autoCheckedOut'
    | 'actor'
  > {
  subject: { type: CheckInSubject; title: string | null } | null;
  location: { id: string; name: string; timeZone: string };
  /** When it happened. */
  at: Date;
  /** When the server recorded it. */
  recordedAt: Date;
}

export interface AttemptFilter {
  locationId?: string | undefined;
  /** True: only people who are checked in, each once. False: all others. */
  present?: boolean | undefined;
  unconfirmed?: boolean | undefined;
  result?: readonly CheckInResult[] | undefined;
  subject?: readonly CheckInSubject[] | undefined;
  /** Happened in [from, to). */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Attempts by the time of recording, newest first. For viewers with check-ins:read. */
export const attemptList: RowList<CheckInAttempt, AttemptFilter, 'RECORDED_AT' | 'AT'> = {
  name: 'check-ins',
  table: 'check_ins',
  sortKeys: {
    RECORDED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of recording' },
    AT: { column: 'occurred_at', type: 'timestamptz', label: 'time at which it happened' },
  },
  defaultOrder: 'RECORDED_AT_DESC',
  // The conditions limit the time of recording too.
  sharedQueryPlans: { RECORDED_AT: ['from', 'to'], AT: ['from', 'to'] },
  where: (
    row,
    { locationId, present, unconfirmed, result, subject, from, to },
    { viewer, now, bind },
  ) => [
    ...(canSeeAll(viewer, 'check-ins:read') ? [] : ['false']),
    ...(locationId ? [`${row}.location_id = ${bind(locationId, 'uuid')}`] : []),
    ...(result ? [matchEnum(`${row}.result`, result)] : []),
    ...(subject ? [matchEnum(`${row}.subject`, subject)] : []),
    ...(present === undefined ? [] : [isPresent(row, present, bind(now(), 'timestamptz'))]),
    ...(unconfirmed === undefined
      ? []
      : [unconfirmed ? `${row}.unconfirmed` : `NOT ${row}.unconfirmed`]),
    ...(from
      ? [
          `${row}.occurred_at >= ${bind(from, 'timestamptz')}`,
          `${row}.created_at >= ${bind(shift(from, -MAX_AHEAD_MS), 'timestamptz')}`,
        ]
      : []),
    ...(to
      ? [
          `${row}.occurred_at < ${bind(to, 'timestamptz')}`,
          `${row}.created_at < ${bind(shift(to, MAX_DELAY_MS), 'timestamptz')}`,
        ]
      : []),
  ],
  findByIds: findAttemptsByIds,
};

/** Projects an attempt. */
export const toAttemptProjection = (row: string): Projection => ({
  ...projectFields(checkInRow, row),
  subject: projectWhen(`${row}.subject IS NOT NULL`, {
    type: projectUnescaped(`${row}.subject`),
    title: toTitleSql(row),
  }),
  location: projectRow('locations', `${row}.location_id`, toLocationProjection),
  ticketId: projectUnescaped(`${row}.ticket_id`),
  dayPassId: projectUnescaped(`${row}.day_pass_id`),
  bookingId: projectUnescaped(`${row}.booking_id`),
  memberId: projectUnescaped(`${row}.member_id`),
  hostId: projectUnescaped(`${row}.host_id`),
});

/** The title of the subject, as `toSubjectTitle` returns it. */
const toTitleSql = (row: string) => `CASE ${row}.subject
  WHEN 'ticket' THEN (SELECT event.title FROM tickets ticket JOIN events event ON event.id = ticket.event_id WHERE ticket.id = ${row}.ticket_id)
  WHEN 'day_pass' THEN (SELECT type.name FROM day_passes pass JOIN day_pass_types type ON type.id = pass.type_id WHERE pass.id = ${row}.day_pass_id)
  WHEN 'booking' THEN (SELECT resource.name FROM bookings booking JOIN resources resource ON resource.id = booking.resource_id WHERE booking.id = ${row}.booking_id)
  WHEN 'visitor' THEN (SELECT ${toMaskedNameSql('host.name')} FROM members host WHERE host.id = ${row}.host_id)
  END`;

// The limits of check_ins_recorded_at. With them, a period finds its place in the order of the list.
const MAX_AHEAD_MS = HOUR_MS;
const MAX_DELAY_MS = 8 * DAY_MS;

const shift = (at: Date, ms: number) => new Date(at.getTime() + ms);

/** The condition for people who are checked in at `now`, or for all other attempts. Only visits have auto_check_out_at. */
const isPresent = (row: string, present: boolean, now: string) =>
  present
    ? `${row}.checked_out_at IS NULL AND ${row}.auto_check_out_at > ${now} AND NOT ${isReplacedSql(row)}`
    : `(${row}.auto_check_out_at IS NULL OR ${row}.checked_out_at IS NOT NULL OR ${row}.auto_check_out_at <= ${now}
        OR ${isReplacedSql(row)})`;

async function findAttemptsByIds({ db }: Context, ids: string[]): Promise<CheckInAttempt[]> {
  const rows = await db.checkIn.findMany({
    where: { id: { in: ids } },
    include: { ...TITLE_INCLUDE, location: { select: { id: true, name: true, timeZone: true } } },
  });
  return rows.map((row) => ({
    id: row.id,
    result: row.result,
    unconfirmed: row.unconfirmed,
    disputed: row.disputed,
    beforeCancellation: row.beforeCancellation,
    label: row.label,
    subject: row.subject && { type: row.subject, title: toSubjectTitle(row) },
    location: row.location,
    ticketId: row.ticketId,
    dayPassId: row.dayPassId,
    bookingId: row.bookingId,
    memberId: row.memberId,
    hostId: row.hostId,
    at: row.occurredAt,
    recordedAt: row.createdAt,
    checkedOutAt: row.checkedOutAt,
    autoCheckOutAt: row.autoCheckOutAt,
    autoCheckedOut: row.autoCheckedOut,
    actor: row.actor,
  }));
}
