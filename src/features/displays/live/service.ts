import type { Ctx } from '../../../context.ts';
import { type Sql, statement } from '../../../db/sql.ts';
import { type Feed, feedOf } from '../../../feed.ts';
import { location } from '../../spaces/service.ts';
import { asDisplay, type Display, type DisplayStatus, SHOWN } from '../display.ts';

/** That a display came or went. */
interface StatusNews {
  display: Display;
  previousStatus: DisplayStatus;
  status: DisplayStatus;
  at: Date;
}

interface Change {
  id: string;
  displayId: string;
  previousStatus: DisplayStatus;
  status: DisplayStatus;
  at: Date;
}

const feeds = new WeakMap<Sql, Feed<StatusNews>>();

/** From now on, of the displays of one location or of all, whichever instance noticed it. Throws NOT_FOUND. */
export async function* statusNews(
  ctx: Ctx,
  locationId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<StatusNews[], void, void> {
  const one = locationId === undefined ? undefined : (await location(ctx, locationId)).id;
  for await (const news of feedFor(ctx).listen(signal)) {
    yield news.filter(({ display }) => one === undefined || display.location.id === one);
  }
}

// What was noted when is the database's to say; who commits late is still seen for so long.
const LATEST = '10 seconds';

const SINCE = statement(`
  SELECT id, display_id AS "displayId", previous_status::text AS "previousStatus", status::text AS status, at FROM display_status_changes
  WHERE recorded_at > now() - interval '${LATEST}' ORDER BY recorded_at, id`);

/** One look serves everybody who listens. */
function feedFor(ctx: Ctx): Feed<StatusNews> {
  const known = feeds.get(ctx.sql);
  if (known) return known;
  const made = feedOf(() => {
    let told: Set<string> | undefined;
    return async () => {
      const recent = await ctx.sql<Change>(SINCE, []);
      const before = told;
      told = new Set(recent.map(({ id }) => id));
      // What had happened before anybody listened is no news.
      return before === undefined
        ? []
        : named(
            ctx,
            recent.filter(({ id }) => !before.has(id)),
          );
    };
  });
  feeds.set(ctx.sql, made);
  return made;
}

const AT_ONCE = 1_000;

async function named(ctx: Ctx, changes: Change[]): Promise<StatusNews[]> {
  const news: StatusNews[] = [];
  for (let from = 0; from < changes.length; from += AT_ONCE) {
    const some = changes.slice(from, from + AT_ONCE);
    const ids = some.map(({ displayId }) => displayId);
    const rows = await ctx.db.display.findMany({ ...SHOWN, where: { id: { in: ids } } });
    const displays = new Map(rows.map((row) => [row.id, asDisplay(row, ctx.now())]));
    for (const { displayId, previousStatus, status, at } of some) {
      const display = displays.get(displayId);
      if (display) news.push({ display, previousStatus, status, at });
    }
  }
  return news;
}
