import type { Context } from '../../context.ts';
import type { Money } from '../../core/money.ts';
import type { OpeningCalendar } from '../../core/time/opening-hours.ts';
import type { TimeRange } from '../../core/time/time-range.ts';
import type { ResourceType } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { MAX_BUFFER_MINUTES } from '../spaces/rows.ts';

export interface ResourceScheduleFilter {
  ids?: string[] | undefined;
  locationId?: string | undefined;
  types?: ResourceType[] | undefined;
  area?: string | undefined;
  /** The minimum capacity. */
  capacity?: number | undefined;
  /** Amenities that the resource must all have. */
  amenities?: string[] | undefined;
  activeOnly?: boolean;
}

const toEpochMsSql = (expression: string) => `(extract(epoch FROM ${expression}) * 1000)::bigint`;

// Conflicts come from the range indexes, one search per resource: the cost depends on the bookings in the range, not on
// the length of the history.
const FIND_RESOURCE_SCHEDULES = prepareStatement(`
  SELECT json_build_object(
    'resource', json_build_object(
      'id', r.id, 'name', r.name, 'type', r.type, 'active', r.active,
      'pricePerHour', json_build_object('amount', r.hourly_amount, 'currency', r.currency),
      'minMinutes', r.min_minutes, 'maxMinutes', r.max_minutes, 'gridMinutes', r.grid_minutes,
      'bufferMinutes', r.buffer_minutes, 'noticeMinutes', r.notice_minutes, 'daysAhead', r.days_ahead,
      'freeCancellationHours', r.free_cancellation_hours, 'requiresApproval', r.requires_approval),
    'location', json_build_object('id', l.id, 'name', l.name),
    'calendar', json_build_object(
      'timeZone', l.time_zone,
      'hours', (SELECT coalesce(json_agg(json_build_object(
          'weekday', h.weekday, 'opensMinute', h.opens_minute, 'closesMinute', h.closes_minute)), '[]'::json)
        FROM opening_hours h WHERE h.location_id = l.id),
      'closures', (SELECT coalesce(json_agg(json_build_object(
          'startsOn', c.starts_on, 'endsOn', c.ends_on, 'reason', c.reason) ORDER BY c.starts_on), '[]'::json)
        FROM closures c WHERE c.location_id = l.id
          AND c.starts_on <= ($7::timestamptz AT TIME ZONE l.time_zone)::date
          AND c.ends_on >= ($6::timestamptz AT TIME ZONE l.time_zone)::date)),
    'busy', (SELECT coalesce(json_agg(json_build_object(
        'start', ${toEpochMsSql('busy.starts_at')}, 'end', ${toEpochMsSql('busy.occupied_until')}, 'endsAt', ${toEpochMsSql('busy.ends_at')},
        'bookingId', busy.booking_id, 'memberId', busy.member_id, 'title', busy.title,
        'holder', busy.holder) ORDER BY busy.starts_at), '[]'::json)
      FROM (
        SELECT b.starts_at, b.ends_at, b.occupied_until, b.id AS booking_id, b.member_id, b.title,
          coalesce(b.guest_name, m.name) AS holder
        FROM bookings b LEFT JOIN members m ON m.id = b.member_id
        WHERE b.resource_id = r.id AND b.status IN ('pending', 'confirmed')
          AND tstzrange(b.starts_at, b.occupied_until) && tstzrange($6::timestamptz, $7::timestamptz)
          AND b.id <> ALL ($8::uuid[])
        UNION ALL
        SELECT e.starts_at, e.ends_at, e.ends_at + r.buffer_minutes * interval '1 minute', NULL, NULL, e.title, NULL
        FROM events e
        WHERE e.resource_id = r.id AND e.status = 'published'
          AND tstzrange(e.starts_at, e.ends_at) && tstzrange($6::timestamptz - interval '${MAX_BUFFER_MINUTES} minutes', $7::timestamptz)
      ) busy)) AS schedule
  FROM resources r JOIN locations l ON l.id = r.location_id
  WHERE ($1::uuid[] IS NULL OR r.id = ANY ($1::uuid[]))
    AND ($2::uuid IS NULL OR r.location_id = $2::uuid)
    AND ($3::resource_type[] IS NULL OR r.type = ANY ($3::resource_type[]))
    AND ($4::int IS NULL OR r.capacity >= $4::int)
    AND ($5::text[] IS NULL OR r.amenities @> $5::text[])
    AND (r.active OR NOT $9::boolean)
    AND ($11::text IS NULL OR r.area = $11)
  ORDER BY r.name, r.id LIMIT $10::int`);

export const MAX_RESOURCES = 250;

/**
 * Finds the schedules of up to 250 resources in a range, sorted by name, in one statement, and one more if there are. Bookings in `excludedIds` do not
 * count as busy, since they are being moved.
 */
export async function findResourceSchedules(
  { pipelinedSql }: Context,
  filter: ResourceScheduleFilter,
  range: TimeRange,
  excludedIds: string[] = [],
): Promise<ResourceSchedule[]> {
  const rows = await pipelinedSql<{ schedule: ResourceSchedule }>(FIND_RESOURCE_SCHEDULES, [
    filter.ids ?? null,
    filter.locationId ?? null,
    filter.types ?? null,
    filter.capacity ?? null,
    filter.amenities ?? null,
    new Date(range.start),
    new Date(range.end),
    excludedIds,
    filter.activeOnly ?? false,
    MAX_RESOURCES + 1,
    filter.area ?? null,
  ]);
  return rows.map(({ schedule }) => schedule);
}

/** A range in which a resource is not free: a live booking with its buffer, or an event. Milliseconds since 1970. */
export interface BusyRange extends TimeRange {
  /** The end without the buffer. */
  endsAt: number;
  bookingId: string | null;
  memberId: string | null;
  title: string | null;
  /** The name of the member or guest; null for an event. */
  holder: string | null;
}

/** The data about a resource in a range that the booking rules need. */
export interface ResourceSchedule {
  resource: {
    id: string;
    name: string;
    type: ResourceType;
    active: boolean;
    pricePerHour: Money;
    minMinutes: number;
    maxMinutes: number;
    gridMinutes: number;
    bufferMinutes: number;
    noticeMinutes: number;
    daysAhead: number;
    freeCancellationHours: number;
    requiresApproval: boolean;
  };
  location: { id: string; name: string };
  calendar: OpeningCalendar;
  /** Sorted by start. */
  busy: BusyRange[];
}
