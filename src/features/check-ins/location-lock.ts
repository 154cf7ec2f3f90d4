import type { Context } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import { createKeyedQueue } from '../../core/keyed-queue.ts';
import type { OpeningCalendar } from '../../core/time/opening-hours.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { notFound } from '../../errors.ts';

/** Where somebody arrives, once its row is locked. */
export interface LockedLocation extends OpeningCalendar {
  id: string;
  name: string;
  capacity: number | null;
  hostEmail: string | null;
  /** How many are in, without those whose time is over. */
  present: number;
}

/** Whose visits at other places matter too: by id, or by what may be their code. */
export interface VisitHolder {
  memberId: string | null;
  codes: string[];
}

const runInLocationQueue = createKeyedQueue();

/** Those who arrive at one place wait here, without a connection, and only then for each other in the database. */
export const serializeByLocation = <T>(
  ctx: Context,
  locationId: string,
  work: () => Promise<T>,
): Promise<T> => (ctx.isInTransaction ? work() : runInLocationQueue(locationId, work));

// In the order of their ids, whoever locks: so nobody waits in a circle.
const LOCK_LOCATIONS = prepareStatement(`
  WITH member AS (
    SELECT coalesce($2::uuid, (SELECT m.id FROM members m WHERE m.code = ANY ($3::text[]) LIMIT 1)) AS id)
  SELECT o.location_id AS id FROM occupancies o
  WHERE o.location_id = $1::uuid OR o.location_id IN (
    SELECT c.location_id FROM check_ins c JOIN member ON member.id = c.member_id
    WHERE c.result = 'admitted' AND c.checked_out_at IS NULL)
  ORDER BY o.location_id FOR UPDATE OF o`);

// The counter stands as it did before those whose time is over were let go: both happen in one statement.
const READ_LOCATION = prepareStatement(`
  WITH ended AS (
    UPDATE check_ins SET checked_out_at = auto_check_out_at, auto_checked_out = true
    WHERE location_id = $1::uuid AND result = 'admitted' AND checked_out_at IS NULL AND auto_check_out_at <= $2::timestamptz
    RETURNING id)
  SELECT l.id, l.name, l.time_zone AS "timeZone", l.capacity, l.host_email AS "hostEmail",
    o.present - (SELECT count(*) FROM ended)::int AS present,
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
 * Until the transaction ends nobody else comes to or leaves this place, nor the one where this member is in. Always the
 * first lock that is taken. Answers with what is locked. Throws NOT_FOUND.
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
  if (!locked.includes(locationId)) throw notFound('location');
  return locked;
}

/** Lets those go whose time is over by now. The calendar is that around the instant. Throws NOT_FOUND. */
export async function getLockedLocation(
  ctx: Context,
  locationId: string,
  at: Date,
): Promise<LockedLocation> {
  const values = [locationId, ctx.now().toISOString(), at.toISOString()];
  const [place] = await ctx.lockingSql<LockedLocation>(READ_LOCATION, values);
  if (place === undefined) throw notFound('location');
  return place;
}
