import type { Context } from '../../context.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import { prepareStatement, type Sql } from '../../db/prepared-statement.ts';

/** What a device can report about itself. */
export interface Telemetry {
  appVersion: string | null;
  uptimeSeconds: number | null;
  batteryPercent: number | null;
}

export interface Heartbeat {
  /** Milliseconds since 1970. */
  at: number;
  telemetry: Telemetry | undefined;
}

const VERSION_PATTERN = /^[\w.+-]{1,40}$/;
const MAX_UPTIME_SECONDS = 2_000_000_000;

/** Reads telemetry from the parameters of a heartbeat. Ignores values that make no sense: the heartbeat counts all the same. */
export function parseTelemetry(query: URLSearchParams): Telemetry | undefined {
  const version = query.get('app_version') ?? '';
  const appVersion =
    VERSION_PATTERN.test(version) && version.toUpperCase() !== 'NULL' ? version : null;
  const uptimeSeconds = parseTelemetryNumber(query.get('uptime'), MAX_UPTIME_SECONDS);
  const batteryPercent = parseTelemetryNumber(query.get('battery'), 100);
  if (appVersion === null && uptimeSeconds === null && batteryPercent === null) return undefined;
  return { appVersion, uptimeSeconds, batteryPercent };
}

function parseTelemetryNumber(text: string | null, max: number): number | null {
  if (text === null || !/^\d{1,10}(\.\d+)?$/.test(text)) return null;
  const number = Math.round(Number(text));
  return number <= max ? number : null;
}

/** Joins two heartbeats of one display. A value that the newer one lacks stays as it was. */
export function mergeHeartbeats(
  { telemetry: older }: Heartbeat,
  { at, telemetry: newer }: Heartbeat,
): Heartbeat {
  if (older === undefined || newer === undefined) return { at, telemetry: newer ?? older };
  return {
    at,
    telemetry: {
      appVersion: newer.appVersion ?? older.appVersion,
      uptimeSeconds: newer.uptimeSeconds ?? older.uptimeSeconds,
      batteryPercent: newer.batteryPercent ?? older.batteryPercent,
    },
  };
}

export const ONLINE_WITHIN_SECONDS = 150;
export const STALE_WITHIN_SECONDS = 300;

// A heartbeat that waited too long for the database does not bring a display online, and one from before a revocation does not
// bring it back. Rows are taken in the order of their ids, so that two instances do not deadlock. A trigger records each change
// of status, never with a time before the previous change.
const RECORD_HEARTBEATS = prepareStatement(`
  UPDATE display_heartbeats h SET
    last_seen_at = seen.at,
    status_since = CASE WHEN h.status = 'online' OR NOT seen.fresh THEN h.status_since
      ELSE greatest(seen.at, h.status_since) END,
    status = CASE WHEN seen.fresh THEN 'online' ELSE h.status END,
    app_version = coalesce(seen.app_version, h.app_version),
    uptime_seconds = coalesce(seen.uptime, h.uptime_seconds),
    battery_percent = coalesce(seen.battery, h.battery_percent)
  FROM (
    SELECT id, to_timestamp(ms / 1000::float8) AS at, app_version, uptime, battery,
      to_timestamp(ms / 1000::float8) > $6::timestamptz - interval '${ONLINE_WITHIN_SECONDS} seconds' AS fresh
    FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::int[], $5::int[]) AS input (id, ms, app_version, uptime, battery)
    ORDER BY id) seen
  WHERE h.display_id = seen.id AND h.status <> 'revoked' AND (h.last_seen_at IS NULL OR h.last_seen_at < seen.at)`);

/** Writes the heartbeats of many displays, by their ids, in one statement. */
export async function recordHeartbeats(
  sql: Sql,
  heartbeats: Map<string, Heartbeat>,
  now: Date,
): Promise<void> {
  const items = [...heartbeats.values()];
  const toColumn = (pick: (telemetry: Telemetry) => string | number | null) =>
    toArrayLiteral(items.map(({ telemetry }) => (telemetry && pick(telemetry)) ?? null));
  await sql(RECORD_HEARTBEATS, [
    toArrayLiteral([...heartbeats.keys()]),
    toArrayLiteral(items.map(({ at }) => at)),
    toColumn(({ appVersion }) => appVersion),
    toColumn(({ uptimeSeconds }) => uptimeSeconds),
    toColumn(({ batteryPercent }) => batteryPercent),
    now,
  ]);
}

/** An array as PostgreSQL reads it. Ids, numbers and versions contain no character that needs quotes. */
const toArrayLiteral = (items: (string | number | null)[]) =>
  `{${items.map((item) => item ?? 'NULL').join()}}`;

// The status changes at the moment when the time limit passed, not when this statement runs. Rows that a heartbeat has locked
// are skipped: their displays are not silent.
const MAX_BATCH_SIZE = 2_000;
const MARK_SILENT = prepareStatement(`
  UPDATE display_heartbeats h SET
    status = silent.status::display_status,
    status_since = h.last_seen_at + CASE silent.status WHEN 'stale' THEN interval '${ONLINE_WITHIN_SECONDS} seconds'
      ELSE interval '${STALE_WITHIN_SECONDS} seconds' END
  FROM (
    SELECT display_id, CASE WHEN last_seen_at > $1::timestamptz - interval '${STALE_WITHIN_SECONDS} seconds' THEN 'stale'
      ELSE 'offline' END AS status
    FROM display_heartbeats
    WHERE last_seen_at <= $1::timestamptz - CASE status WHEN 'online' THEN interval '${ONLINE_WITHIN_SECONDS} seconds'
        WHEN 'stale' THEN interval '${STALE_WITHIN_SECONDS} seconds' END
    LIMIT ${MAX_BATCH_SIZE} FOR NO KEY UPDATE SKIP LOCKED) silent
  WHERE h.display_id = silent.display_id
  RETURNING h.display_id`);

/** Marks displays that became stale or went offline. Safe to run at any time, and on several instances at once. */
export async function markSilentDisplays(sql: Sql, now: Date): Promise<void> {
  let marked: number;
  do marked = (await sql(MARK_SILENT, [now])).length;
  while (marked === MAX_BATCH_SIZE);
}

const STATUS_CHANGE_RETENTION_MS = 90 * DAY_MS;

/** Deletes status changes of displays that are older than 90 days. */
export const purgeStatusChanges = ({ db, now }: Context) =>
  db.displayStatusChange.deleteMany({
    where: { at: { lt: new Date(now().getTime() - STATUS_CHANGE_RETENTION_MS) } },
  });
