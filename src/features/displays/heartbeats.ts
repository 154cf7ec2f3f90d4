import { prepareStatement, type Sql } from '../../db/prepared-statement.ts';

/** What a device may tell of itself. */
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

export const ONLINE_WITHIN_SECONDS = 150;
export const STALE_WITHIN_SECONDS = 300;

// What the database was too busy to take for long is no news of being online, and what was heard before a revocation
// brings nobody back. In the order of the ids, so that two instances do not wait for each other. A change of the status is
// noted by a trigger, never before the one that was noted last.
const RECORD_HEARTBEATS = prepareStatement(`
  UPDATE display_heartbeats p SET
    last_seen_at = seen.at,
    status_since = CASE WHEN p.status = 'online' OR NOT seen.fresh THEN p.status_since
      ELSE greatest(seen.at, p.status_since) END,
    status = CASE WHEN seen.fresh THEN 'online' ELSE p.status END,
    app_version = coalesce(seen.app_version, p.app_version),
    uptime_seconds = coalesce(seen.uptime, p.uptime_seconds),
    battery_percent = coalesce(seen.battery, p.battery_percent)
  FROM (
    SELECT id, to_timestamp(ms / 1000::float8) AS at, app_version, uptime, battery,
      to_timestamp(ms / 1000::float8) > $6::timestamptz - interval '${ONLINE_WITHIN_SECONDS} seconds' AS fresh
    FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::int[], $5::int[]) AS given (id, ms, app_version, uptime, battery)
    ORDER BY id) seen
  WHERE p.display_id = seen.id AND p.status <> 'revoked' AND (p.last_seen_at IS NULL OR p.last_seen_at < seen.at)`);

/** Writes what many devices were heard to say, by their ids, in one statement. */
export async function recordHeartbeats(
  sql: Sql,
  seen: Map<string, Heartbeat>,
  now: Date,
): Promise<void> {
  const pulses = [...seen.values()];
  const told = (pick: (telemetry: Telemetry) => string | number | null) =>
    toArrayLiteral(pulses.map(({ telemetry }) => (telemetry && pick(telemetry)) ?? null));
  await sql(RECORD_HEARTBEATS, [
    toArrayLiteral([...seen.keys()]),
    toArrayLiteral(pulses.map(({ at }) => at)),
    told(({ appVersion }) => appVersion),
    told(({ uptimeSeconds }) => uptimeSeconds),
    told(({ batteryPercent }) => batteryPercent),
    now,
  ]);
}

/** An array as PostgreSQL reads it. Nothing in it needs quotes: ids, numbers and versions without signs of their own. */
const toArrayLiteral = (items: (string | number | null)[]) =>
  `{${items.map((item) => item ?? 'NULL').join()}}`;

// A display that was not heard of for long changes at the moment when it was too long. Some at a time, and none that is
// just being heard: nobody waits for it.
const MAX_BATCH_SIZE = 2_000;
const MARK_SILENT = prepareStatement(`
  UPDATE display_heartbeats p SET
    status = silent.status::display_status,
    status_since = p.last_seen_at + CASE silent.status WHEN 'stale' THEN interval '${ONLINE_WITHIN_SECONDS} seconds'
      ELSE interval '${STALE_WITHIN_SECONDS} seconds' END
  FROM (
    SELECT display_id, CASE WHEN last_seen_at > $1::timestamptz - interval '${STALE_WITHIN_SECONDS} seconds' THEN 'stale'
      ELSE 'offline' END AS status
    FROM display_heartbeats
    WHERE last_seen_at <= $1::timestamptz - CASE status WHEN 'online' THEN interval '${ONLINE_WITHIN_SECONDS} seconds'
        WHEN 'stale' THEN interval '${STALE_WITHIN_SECONDS} seconds' END
    LIMIT ${MAX_BATCH_SIZE} FOR NO KEY UPDATE SKIP LOCKED) silent
  WHERE p.display_id = silent.display_id
  RETURNING p.display_id`);

/** Notes which displays have become stale or gone offline; as often as one likes, and on several instances at once. */
export async function markSilentDisplays(sql: Sql, now: Date): Promise<void> {
  let noted: number;
  do noted = (await sql(MARK_SILENT, [now])).length;
  while (noted === MAX_BATCH_SIZE);
}

/** Of two pulses of one display: what was told before stays where nothing new is told. */
export function mergeHeartbeats(
  { telemetry: before }: Heartbeat,
  { at, telemetry: told }: Heartbeat,
): Heartbeat {
  if (before === undefined || told === undefined) return { at, telemetry: told ?? before };
  return {
    at,
    telemetry: {
      appVersion: told.appVersion ?? before.appVersion,
      uptimeSeconds: told.uptimeSeconds ?? before.uptimeSeconds,
      batteryPercent: told.batteryPercent ?? before.batteryPercent,
    },
  };
}

const VERSION_PATTERN = /^[\w.+-]{1,40}$/;
const MAX_UPTIME_SECONDS = 2_000_000_000;

/** What of the parameters is telemetry; whatever makes no sense is as if it were not there. */
export function parseTelemetry(query: URLSearchParams): Telemetry | undefined {
  const version = query.get('app_version') ?? '';
  const appVersion =
    VERSION_PATTERN.test(version) && version.toUpperCase() !== 'NULL' ? version : null;
  const uptimeSeconds = parseTelemetryNumber(query.get('uptime'), MAX_UPTIME_SECONDS);
  const batteryPercent = parseTelemetryNumber(query.get('battery'), 100);
  if (appVersion === null && uptimeSeconds === null && batteryPercent === null) return undefined;
  return { appVersion, uptimeSeconds, batteryPercent };
}

function parseTelemetryNumber(text: string | null, most: number): number | null {
  if (text === null || !/^\d{1,10}(\.\d+)?$/.test(text)) return null;
  const number = Math.round(Number(text));
  return number <= most ? number : null;
}
