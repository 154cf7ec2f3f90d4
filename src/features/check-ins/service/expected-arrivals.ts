import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time/time-zone.ts';
import { toDayEndSql } from '../../../db/day-bounds.ts';
import { projectInstant } from '../../../db/json-projection.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { notFound } from '../../../errors.ts';

type ArrivalKind = 'booking' | 'day_pass' | 'ticket';

/** A person who has a booking, a day pass or a ticket today and is not in. */
export interface ExpectedArrival {
  kind: ArrivalKind;
  /** The id of the booking, the day pass or the ticket. */
  id: string;
  name: string;
  /** The resource, the type of the day pass, or the event. */
  what: string;
  /** Null for day passes, which are for the whole day. */
  startsAt: Instant | null;
  locationId: string;
  locationName: string;
  timeZone: string;
}

const MAX_ARRIVALS = 200;

const NOW = '$2::timestamptz';

const TODAY = `(${NOW} AT TIME ZONE l.time_zone)::date`;

const HERE = `
  SELECT l.id, l.name, l.time_zone, ${TODAY} AS today, ${toDayEndSql(TODAY, 'l.time_zone')} AS tomorrow
  FROM locations l WHERE $1::uuid IS NULL OR l.id = $1::uuid`;

const isInSql = (column: string, id: string) =>
  `EXISTS (SELECT FROM check_ins c WHERE c.${column} = ${id} AND c.result = 'admitted' AND c.checked_out_at IS NULL)`;
const wasInSql = (column: string, id: string) =>
  `EXISTS (SELECT FROM check_ins c WHERE c.${column} = ${id} AND c.result = 'admitted')`;

const FIND_ARRIVALS = prepareStatement(`
  WITH here AS MATERIALIZED (${HERE}),
  arrival AS (
    SELECT 'booking' AS kind, b.id, coalesce(m.name, b.guest_name) AS name, r.name AS what, b.starts_at, here.id AS location_id
    FROM here CROSS JOIN LATERAL (
      SELECT * FROM bookings WHERE location_id = here.id AND status = 'confirmed' AND checked_in_at IS NULL
        AND starts_at < here.tomorrow AND starts_at > ${NOW} - interval '31 days' AND ends_at > ${NOW}) b
    JOIN resources r ON r.id = b.resource_id LEFT JOIN members m ON m.id = b.member_id
    WHERE NOT ${isInSql('member_id', 'b.member_id')}
    UNION ALL
    SELECT 'day_pass', d.id, d.holder_name, t.name, NULL, here.id
    FROM here JOIN day_pass_types t ON t.location_id = here.id
    JOIN day_passes d ON d.type_id = t.id AND d.valid_on = here.today AND d.status = 'valid'
    WHERE NOT ${wasInSql('day_pass_id', 'd.id')}
    UNION ALL
    SELECT 'ticket', k.id, k.attendee_name, e.title, e.starts_at, here.id
    FROM here JOIN events e ON e.location_id = here.id AND e.status = 'published'
      AND e.starts_at < here.tomorrow AND e.starts_at > ${NOW} - interval '31 days' AND e.ends_at > ${NOW}
    JOIN tickets k ON k.event_id = e.id AND k.status = 'valid'
    WHERE NOT ${wasInSql('ticket_id', 'k.id')})
  SELECT arrival.kind, arrival.id, arrival.name, arrival.what, ${projectInstant('arrival.starts_at')} AS "startsAt",
    here.id AS "locationId", here.name AS "locationName", here.time_zone AS "timeZone"
  FROM arrival JOIN here ON here.id = arrival.location_id
  ORDER BY arrival.starts_at NULLS FIRST, arrival.name, arrival.id LIMIT ${MAX_ARRIVALS}`);

/**
 * Lists who is expected today, at one location or all, and is not in: confirmed bookings that are not over, day passes, and tickets
 * of today's events. Day passes come first, then by start. At most 200.
 *
 * @throws NOT_FOUND for an id that cannot be a location's
 */
export function listExpectedArrivals(
  ctx: Context,
  locationId: string | null,
): Promise<ExpectedArrival[]> {
  if (locationId !== null && !isUuid(locationId)) throw notFound('location', locationId);
  return ctx.pipelinedSql<ExpectedArrival>(FIND_ARRIVALS, [locationId, ctx.now()]);
}
