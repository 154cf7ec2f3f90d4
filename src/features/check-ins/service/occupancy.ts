import type { Context } from '../../../context.ts';
import { type ChangeFeed, createChangeFeed, type FeedOptions } from '../../../core/change-feed.ts';
import { isUuid } from '../../../core/ids.ts';
import { type Projection, projectNumber, projectUnescaped } from '../../../db/json-projection.ts';
import { notFound } from '../../../errors.ts';
import { isReplacedSql } from '../replaced-visits.ts';

/** How many people are checked in at a location now. */
export interface Occupancy {
  locationId: string;
  locationName: string;
  present: number;
  /** How many of them an unpaired client checked in by handle, and nobody has confirmed. */
  unconfirmed: number;
  /** Null if the location has no limit. */
  capacity: number | null;
}

/** Projects the occupancy of the location with this alias. `clock.now` is the current time. */
export const toOccupancyProjection = (location: string): Projection => ({
  locationId: projectUnescaped(`${location}.id`),
  locationName: `${location}.name`,
  present: projectNumber(countPresent(location, 'clock.now')),
  unconfirmed: projectNumber(countPresent(location, 'clock.now', ' AND c.unconfirmed')),
  capacity: projectNumber(`${location}.capacity`),
});

const countPresent = (location: string, now: string, condition = '') => `(
  SELECT count(*)::int FROM check_ins c WHERE c.location_id = ${location}.id AND c.result = 'admitted'
    AND c.checked_out_at IS NULL AND c.auto_check_out_at > ${now} AND NOT ${isReplacedSql('c')}${condition})`;

/**
 * Lists the occupancy of one location or of all, by name. Visits that are past their automatic check-out do not count,
 * even before the job has ended them.
 * @throws NOT_FOUND for the location.
 */
export async function listOccupancy(ctx: Context, locationId?: string): Promise<Occupancy[]> {
  if (locationId !== undefined && !isUuid(locationId)) throw notFound('location', locationId);
  const rows = await readOccupancy(ctx, locationId === undefined ? null : [locationId]);
  if (locationId !== undefined && rows.length === 0) throw notFound('location', locationId);
  return rows;
}

/** Finds the occupancy of these locations, by location. */
export async function findOccupancyByLocation(
  ctx: Context,
  locationIds: string[],
): Promise<Map<string, Occupancy>> {
  const rows = await readOccupancy(ctx, locationIds);
  return new Map(rows.map((row) => [row.locationId, row]));
}

const READ_OCCUPANCY = `
  SELECT l.id AS "locationId", l.name AS "locationName", l.capacity,
    ${countPresent('l', '$1::timestamptz')} AS present,
    ${countPresent('l', '$1::timestamptz', ' AND c.unconfirmed')} AS unconfirmed
  FROM locations l WHERE $2::uuid[] IS NULL OR l.id = ANY ($2::uuid[]) ORDER BY l.name, l.id`;

const readOccupancy = ({ db, now }: Context, ids: string[] | null): Promise<Occupancy[]> =>
  db.$queryRawUnsafe<Occupancy[]>(READ_OCCUPANCY, now(), ids);

/** Creates the feed that all subscribers of a process share. It reads all locations at once, since there are few. */
export const createOccupancyFeed = (ctx: Context, options?: FeedOptions): ChangeFeed<Occupancy> =>
  createChangeFeed(() => () => listOccupancy(ctx), { ...options, onlyLatest: true });

/**
 * Yields the current occupancy of one location or of all, then each change, on any instance.
 * @throws NOT_FOUND for the location.
 */
export async function* watchOccupancy(
  ctx: Context,
  feed: ChangeFeed<Occupancy>,
  locationId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Occupancy[], void, void> {
  const onlyId = locationId?.toLowerCase();
  let latest = new Map<string, string>();
  const findChanged = (all: Occupancy[]) => {
    const changed = all.filter(
      (occupancy) => latest.get(occupancy.locationId) !== JSON.stringify(occupancy),
    );
    latest = new Map(all.map((occupancy) => [occupancy.locationId, JSON.stringify(occupancy)]));
    return changed;
  };
  yield findChanged(await listOccupancy(ctx, onlyId));
  for await (const all of feed.listen(signal)) {
    yield findChanged(
      all.filter(({ locationId }) => onlyId === undefined || locationId === onlyId),
    );
  }
}
