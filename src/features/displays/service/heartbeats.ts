import type { Context } from '../../../context.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import { prepareStatement, type Sql } from '../../../db/prepared-statement.ts';
import { ONLINE_WITHIN_SECONDS } from '../rows.ts';
import { toRecordStatusSql } from '../status-journal.ts';

/** The data that a device can report about itself. */
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

/** Parses telemetry from the parameters of a heartbeat. Ignores invalid values, so that they do not fail the heartbeat. */
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

/** Merges two heartbeats of one display. A value that the newer one lacks stays unchanged. */
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

// A heartbeat that is written too late does not set a display online, and one from before a revocation does not undo
// it. Rows are updated in the order of their ids, so that two instances do not deadlock. A trigger records each change
// of status, never with a time before the previous change. `previous_status` passes the status before to the journal: another
// table could only read it as of before the statement waited for a lock.
const RECORD_HEARTBEATS = prepareStatement(`
  WITH written AS (
    UPDATE display_heartbeats h SET
      previous_status = h.status,
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
    WHERE h.display_id = seen.id AND h.status <> 'revoked' AND (h.last_seen_at IS NULL OR h.last_seen_at < seen.at)
    RETURNING h.*)
  ${toRecordStatusSql({ changed: 'written', actorKind: 'device', actorId: 'row.id' })}`);

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

/** Formats a PostgreSQL array. Ids, numbers and versions contain no character that needs quotes. */
const toArrayLiteral = (items: (string | number | null)[]) =>
  `{${items.map((item) => item ?? 'NULL').join()}}`;

const STATUS_CHANGE_RETENTION_MS = 90 * DAY_MS;

/** Job: deletes status changes that are older than 90 days. */
export const purgeStatusChanges = ({ db, now }: Context) =>
  db.displayStatusChange.deleteMany({
    where: { recordedAt: { lt: new Date(now().getTime() - STATUS_CHANGE_RETENTION_MS) } },
  });
