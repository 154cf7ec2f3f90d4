import type { Ctx } from '../../../context.ts';
import type { Sql } from '../../../db/sql.ts';
import { type Feed, feedOf } from '../../../feed.ts';
import { type Occupancy, occupancy } from '../occupancy.ts';

const feeds = new WeakMap<Sql, Feed<Occupancy>>();

/**
 * How many are in, of one location or of all: as it is now, and each time it changes, whichever instance let somebody in.
 * Throws NOT_FOUND.
 */
export async function* occupancyChanges(
  ctx: Ctx,
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
  yield changed(await occupancy(ctx, one));
  for await (const all of feedFor(ctx).listen(signal)) {
    yield changed(all.filter((it) => one === undefined || it.locationId === one));
  }
}

/** One look at all locations serves everybody who listens: they are few. */
function feedFor(ctx: Ctx): Feed<Occupancy> {
  const known = feeds.get(ctx.sql);
  if (known) return known;
  const made = feedOf(() => () => occupancy(ctx), { onlyLatest: true });
  feeds.set(ctx.sql, made);
  return made;
}
