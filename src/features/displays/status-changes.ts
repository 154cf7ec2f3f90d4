import type { Context } from '../../context.ts';
import { type ChangeFeed, createChangeFeed } from '../../core/change-feed.ts';
import { prepareStatement, type Sql } from '../../db/prepared-statement.ts';
import { getLocation } from '../spaces/service.ts';
import { DISPLAY_QUERY, type Display, type DisplayStatus, toDisplay } from './display.ts';

/** That a display came or went. */
interface DisplayStatusEvent {
  display: Display;
  previousStatus: DisplayStatus;
  status: DisplayStatus;
  at: Date;
}

interface StatusChangeRow {
  id: string;
  displayId: string;
  previousStatus: DisplayStatus;
  status: DisplayStatus;
  at: Date;
}

const statusFeeds = new WeakMap<Sql, ChangeFeed<DisplayStatusEvent>>();

/** From now on, of the displays of one location or of all, whichever instance noticed it. Throws NOT_FOUND. */
export async function* watchDisplayStatus(
  ctx: Context,
  locationId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<DisplayStatusEvent[], void, void> {
  const one = locationId === undefined ? undefined : (await getLocation(ctx, locationId)).id;
  for await (const news of getStatusFeed(ctx).listen(signal)) {
    yield news.filter(({ display }) => one === undefined || display.location.id === one);
  }
}

// What was noted when is the database's to say; who commits late is still seen for so long.
const LATE_COMMIT_WINDOW = '10 seconds';

const READ_RECENT_CHANGES = prepareStatement(`
  SELECT id, display_id AS "displayId", previous_status::text AS "previousStatus", status::text AS status, at FROM display_status_changes
  WHERE recorded_at > now() - interval '${LATE_COMMIT_WINDOW}' ORDER BY recorded_at, id`);

/** One look serves everybody who listens. */
function getStatusFeed(ctx: Context): ChangeFeed<DisplayStatusEvent> {
  const known = statusFeeds.get(ctx.pipelinedSql);
  if (known) return known;
  const made = createChangeFeed(() => {
    let told: Set<string> | undefined;
    return async () => {
      const recent = await ctx.pipelinedSql<StatusChangeRow>(READ_RECENT_CHANGES, []);
      const before = told;
      told = new Set(recent.map(({ id }) => id));
      // What had happened before anybody listened is no news.
      return before === undefined
        ? []
        : withDisplays(
            ctx,
            recent.filter(({ id }) => !before.has(id)),
          );
    };
  });
  statusFeeds.set(ctx.pipelinedSql, made);
  return made;
}

const MAX_BATCH_SIZE = 1_000;

async function withDisplays(
  ctx: Context,
  changes: StatusChangeRow[],
): Promise<DisplayStatusEvent[]> {
  const news: DisplayStatusEvent[] = [];
  for (let from = 0; from < changes.length; from += MAX_BATCH_SIZE) {
    const some = changes.slice(from, from + MAX_BATCH_SIZE);
    const ids = some.map(({ displayId }) => displayId);
    const rows = await ctx.db.display.findMany({ ...DISPLAY_QUERY, where: { id: { in: ids } } });
    const displays = new Map(rows.map((row) => [row.id, toDisplay(row, ctx.now())]));
    for (const { displayId, previousStatus, status, at } of some) {
      const display = displays.get(displayId);
      if (display) news.push({ display, previousStatus, status, at });
    }
  }
  return news;
}
