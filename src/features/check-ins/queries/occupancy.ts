import type { Context } from '../../../context.ts';
import { type ChangeFeed, createChangeFeed } from '../../../core/change-feed.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Sql } from '../../../db/prepared-statement.ts';
import { notFound } from '../../../errors.ts';

const occupancyFeeds = new WeakMap<Sql, ChangeFeed<Occupancy>>();

/**
 * How many are in, of one location or of all: as it is now, and each time it changes, whichever instance let somebody in.
 * Throws NOT_FOUND.
 */
export async function* watchOccupancy(
  ctx: Context,
  locationId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Occupancy[], void, void> {
  const one = locationId?.toLowerCase();
  let known = new Map<string, string>();
  const changed = (all: Occupancy[]) => {
    const news = all.filter((it) => known.get(it.locationId) !== JSON.stringify(it));
    known = new Map(all.map((it) => [it.locationId, JSON.stringify(it)]));
    return news;
  };
  yield changed(await listOccupancy(ctx, one));
  for await (const all of getOccupancyFeed(ctx).listen(signal)) {
    yield changed(all.filter((it) => one === undefined || it.locationId === one));
  }
}

/** One look at all locations serves everybody who listens: they are few. */
function getOccupancyFeed(ctx: Context): ChangeFeed<Occupancy> {
  const known = occupancyFeeds.get(ctx.pipelinedSql);
  if (known) return known;
  const made = createChangeFeed(() => () => listOccupancy(ctx), { onlyLatest: true });
  occupancyFeeds.set(ctx.pipelinedSql, made);
  return made;
}

/** How many are in at a location at this moment. */
export interface Occupancy {
  locationId: string;
  locationName: string;
  present: number;
  /** Null where as many come as like. */
  capacity: number | null;
}

/** By name, of one location or of all. Whose time is over counts no longer, even before it is noted. Throws NOT_FOUND. */
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
