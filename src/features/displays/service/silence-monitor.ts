import { prepareStatement, type Sql } from '../../../db/prepared-statement.ts';
import { ONLINE_WITHIN_SECONDS, STALE_WITHIN_SECONDS } from '../rows.ts';
import { toRecordStatusSql } from '../status-journal.ts';

// Displays that are offline or revoked cannot fall silent, and an index leaves them out.
const IS_LIVE = `status IN ('online', 'stale')`;
const TIMEOUT = `CASE status WHEN 'online' THEN interval '${ONLINE_WITHIN_SECONDS} seconds'
  WHEN 'stale' THEN interval '${STALE_WITHIN_SECONDS} seconds' END`;

// The status change gets the time at which the timeout passed, not the time of this statement. Rows that a heartbeat
// has locked are skipped, since their displays are not silent.
const MAX_BATCH_SIZE = 2_000;
const MARK_SILENT = prepareStatement(`
  WITH marked AS (
    UPDATE display_heartbeats h SET
      status = silent.status::display_status,
      status_since = h.last_seen_at + CASE silent.status WHEN 'stale' THEN interval '${ONLINE_WITHIN_SECONDS} seconds'
        ELSE interval '${STALE_WITHIN_SECONDS} seconds' END,
      previous_status = h.status
    FROM (
      SELECT display_id, CASE WHEN last_seen_at > $1::timestamptz - interval '${STALE_WITHIN_SECONDS} seconds' THEN 'stale'
        ELSE 'offline' END AS status
      FROM display_heartbeats
      WHERE ${IS_LIVE} AND last_seen_at <= $1::timestamptz - ${TIMEOUT}
      LIMIT ${MAX_BATCH_SIZE} FOR NO KEY UPDATE SKIP LOCKED) silent
    WHERE h.display_id = silent.display_id
    RETURNING h.*),
  recorded AS (${toRecordStatusSql({ changed: 'marked', actorKind: 'system', actorId: 'NULL::uuid' })})
  SELECT display_id FROM marked`);

/** Marks displays that became stale or went offline. It can run at any time and on several instances at once. */
export async function markSilentDisplays(sql: Sql, now: Date): Promise<void> {
  let marked: number;
  do marked = (await sql(MARK_SILENT, [now])).length;
  while (marked === MAX_BATCH_SIZE);
}

const FIND_NEXT_SILENCE = prepareStatement(
  `SELECT min(last_seen_at + ${TIMEOUT}) AS at FROM display_heartbeats WHERE ${IS_LIVE}`,
);

// A heartbeat that is written late can set a display online whose time is nearly over.
const MAX_PAUSE_MS = 30_000;

/**
 * Creates a function that marks silent displays, for frequent calls. It reads nothing until the first display can be silent,
 * since heartbeats only move that time into the future, but at least twice a minute.
 */
export function createSilenceMonitor(sql: Sql): (now: Date) => Promise<void> {
  let nextCheckAt = 0;
  return async (now) => {
    if (now.getTime() < nextCheckAt) return;
    await markSilentDisplays(sql, now);
    const [next] = await sql<{ at: Date | null }>(FIND_NEXT_SILENCE, []);
    const pauseEndsAt = now.getTime() + MAX_PAUSE_MS;
    nextCheckAt = Math.min(next?.at?.getTime() ?? pauseEndsAt, pauseEndsAt);
  };
}
