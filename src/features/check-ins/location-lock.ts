import { system } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import type { OpeningCalendar } from '../../core/time/opening-hours.ts';
import type { DisputedAdmission, MemberAdmission } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { notFound } from '../../errors.ts';
import { toOrigin } from '../../journal/record-changes.ts';
import { DISPUTED_ADMISSION_SQL } from '../settings/service.ts';
import { toEndOverdueVisitsSql } from './visit-statements.ts';

/** A location whose visits are locked. */
export interface LockedLocation extends OpeningCalendar {
  id: string;
  name: string;
  capacity: number | null;
  hostEmail: string | null;
  memberAdmission: MemberAdmission;
  disputedAdmission: DisputedAdmission;
  /** How many confirmed visits are open, without those that are past their automatic check-out. */
  present: number;
  /** How many unconfirmed visits are open, counted in the same way. */
  unconfirmed: number;
}

/** The member whose visits at other locations must be locked too, by id or by possible codes. */
export interface VisitHolder {
  memberId: string | null;
  codes: string[];
}

/** Runs the check-ins of one location one at a time. They wait here, without a connection to the database. */
export const serializeByLocation = <T>(
  ctx: Context,
  locationId: string,
  work: () => Promise<T>,
): Promise<T> => (ctx.isInTransaction ? work() : ctx.queues.checkIns(locationId, work));

// Locks in the order of ids, to prevent deadlocks.
const LOCK_LOCATIONS = prepareStatement(`
  WITH member AS (
    SELECT coalesce($2::uuid, (SELECT m.id FROM members m WHERE m.code = ANY ($3::text[])
      ORDER BY array_position($3::text[], m.code) LIMIT 1)) AS id)
  SELECT o.location_id AS id FROM occupancies o
  WHERE o.location_id = $1::uuid OR o.location_id IN (
    SELECT c.location_id FROM check_ins c JOIN member ON member.id = c.member_id
    WHERE c.result = 'admitted' AND c.checked_out_at IS NULL AND NOT c.unconfirmed)
  ORDER BY o.location_id FOR UPDATE OF o`);

// The statement sees the counters as they were before the update, so it subtracts the visits that the update ends.
const READ_LOCATION = prepareStatement(`
  WITH ${toEndOverdueVisitsSql('$4')}
  SELECT l.id, l.name, l.time_zone AS "timeZone", l.capacity, l.host_email AS "hostEmail",
    l.member_admission AS "memberAdmission", ${DISPUTED_ADMISSION_SQL} AS "disputedAdmission",
    o.present - (SELECT count(*) FROM ended WHERE NOT unconfirmed)::int AS present,
    o.unconfirmed - (SELECT count(*) FROM ended WHERE unconfirmed)::int AS unconfirmed,
    (SELECT coalesce(json_agg(json_build_object('weekday', h.weekday, 'opensMinute', h.opens_minute,
        'closesMinute', h.closes_minute)), '[]'::json)
      FROM opening_hours h WHERE h.location_id = l.id) AS hours,
    (SELECT coalesce(json_agg(json_build_object('startsOn', k.starts_on, 'endsOn', k.ends_on, 'reason', k.reason)), '[]'::json)
      FROM closures k WHERE k.location_id = l.id
        AND k.ends_on >= ($3::timestamptz - interval '2 days')::date
        AND k.starts_on <= ($3::timestamptz + interval '2 days')::date) AS closures
  FROM locations l JOIN occupancies o ON o.location_id = l.id WHERE l.id = $1::uuid`);

const NO_HOLDER: VisitHolder = { memberId: null, codes: [] };

/**
 * Locks the visits of a location, and of the one where the holder is checked in, until the transaction ends. It must be the
 * first lock of the transaction. Returns the ids of the locked locations.
 * @throws NOT_FOUND for the location.
 */
export async function lockLocationVisits(
  ctx: Context,
  locationId: string,
  { memberId, codes }: VisitHolder = NO_HOLDER,
): Promise<string[]> {
  const rows = isUuid(locationId)
    ? await ctx.lockingSql<{ id: string }>(LOCK_LOCATIONS, [locationId, memberId, codes])
    : [];
  const locked = rows.map(({ id }) => id);
  if (!locked.includes(locationId)) throw notFound('location', locationId);
  return locked;
}

/**
 * Ends the visits that are past their automatic check-out and reads the location, with closures for two days around `at`.
 * @throws NOT_FOUND for the location.
 */
export async function getLockedLocation(
  ctx: Context,
  locationId: string,
  at: Date,
): Promise<LockedLocation> {
  const origin = toOrigin({ ...ctx, viewer: system });
  const values = [locationId, ctx.now().toISOString(), at.toISOString(), JSON.stringify(origin)];
  const [location] = await ctx.lockingSql<LockedLocation>(READ_LOCATION, values);
  if (location === undefined) throw notFound('location', locationId);
  return location;
}
