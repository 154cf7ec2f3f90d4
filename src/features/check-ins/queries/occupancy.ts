import type { Context } from '../../../context.ts';
import { type ChangeFeed, createChangeFeed } from '../../../core/change-feed.ts';
import { isUuid } from '../../../core/ids.ts';
import { notFound } from '../../../errors.ts';

/** How many people are checked in at a location now. */
export interface Occupancy {
  locationId: string;
  locationName: string;
  present: number;
  /** Null if the location has no limit. */
  capacity: number | null;
}

/**
 * Lists the occupancy of one location or of all, by name. Visits whose time is over do not count, even before the job has ended
 * them.
 * @throws NOT_FOUND for the location.
 */
export async function listOccupancy(
  { db, now }: Context,
  locationId?: string,
): Promise<Occupancy[]> {
  if (locationId !== undefined && !isUuid(locationId)) throw notFound('location');
  const [at, id] = [now().toISOString(), locationId ?? null];
  const rows = await db.$queryRaw<Occupancy[]>`
    SELECT l.id AS "locationId", l.name AS "locationName", l.capacity, (
      SELECT count(*)::int FROM check_ins c WHERE c.location_id = l.id AND c.result = 'admitted'
        AND c.checked_out_at IS NULL AND c.auto_check_out_at > ${at}::timestamptz) AS present
    FROM locations l WHERE ${id}::uuid IS NULL OR l.id = ${id}::uuid ORDER BY l.name, l.id`;
  if (locationId !== undefined && rows.length === 0) throw notFound('location');
  return rows;
}

/** Creates the feed that all subscribers of a process share. It reads all locations at once: they are few. */
export const createOccupancyFeed = (ctx: Context): ChangeFeed<Occupancy> =>
  createChangeFeed(() => () => listOccupancy(ctx), { onlyLatest: true });

/**
 * Yields the occupancy of one location or of all, first as it is, then what has changed, on whichever instance.
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
    const changed = all.filter((it) => latest.get(it.locationId) !== JSON.stringify(it));
    latest = new Map(all.map((it) => [it.locationId, JSON.stringify(it)]));
    return changed;
  };
  yield findChanged(await listOccupancy(ctx, onlyId));
  for await (const all of feed.listen(signal)) {
    yield findChanged(all.filter((it) => onlyId === undefined || it.locationId === onlyId));
  }
}
