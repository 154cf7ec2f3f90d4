import { hash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { DisplayKind } from '../../../db/generated/client.ts';
import { prepareStatement, type Sql } from '../../../db/prepared-statement.ts';
import { createQueryBatcher } from '../../../db/query-batcher.ts';

/** The fields of a display that its polls need. */
export interface Device {
  id: string;
  name: string;
  kind: DisplayKind;
  locationId: string;
  resourceId: string | null;
  /** Changes whenever the content of a display at its location might have changed. */
  contentVersion: string;
}

const toChangeCountSql = (location: string) => `
  coalesce((SELECT changes FROM display_content_versions WHERE location_id = ${location}), 0)
    + (SELECT count(*) FROM display_content_changes WHERE location_id = ${location})`;
const ALL_LOCATIONS_ID = `'00000000-0000-0000-0000-000000000000'::uuid`;

// FIND_DEVICES in src/auth/authenticate.ts finds devices for other requests, as callers. This statement also reads what polls
// need, so that a poll takes one statement. Both apply the same conditions to tokens.
// $1 is the token hashes in hexadecimal, $2 the current time. A rotated token stays valid until its overlap ends. The changes
// of a location are counted once for all of its displays.
const FIND_DEVICES_BY_TOKEN = prepareStatement(`
  WITH token AS MATERIALIZED (
    SELECT decode(hex, 'hex') AS hash, n FROM unnest(string_to_array($1::text, ',')) WITH ORDINALITY AS hashes (hex, n)),
  device AS MATERIALIZED (
    SELECT token.n, d.id, d.name, d.kind, d.location_id, d.resource_id
    FROM token JOIN displays d ON d.token_hash = token.hash WHERE d.revoked_at IS NULL
    UNION ALL
    SELECT token.n, d.id, d.name, d.kind, d.location_id, d.resource_id
    FROM token JOIN displays d ON d.previous_token_hash = token.hash
    WHERE d.revoked_at IS NULL AND d.previous_token_until > $2::timestamptz),
  all_locations AS MATERIALIZED (SELECT ${toChangeCountSql(ALL_LOCATIONS_ID)} AS changes),
  content_version AS MATERIALIZED (
    SELECT l.location_id, ${toChangeCountSql('l.location_id')} + all_locations.changes AS changes
    FROM (SELECT DISTINCT location_id FROM device) l CROSS JOIN all_locations)
  SELECT device.n::int AS n, device.id, device.name, device.kind::text AS kind, device.location_id AS "locationId",
    device.resource_id AS "resourceId", content_version.changes::text AS "contentVersion"
  FROM device JOIN content_version ON content_version.location_id = device.location_id`);

/** One for each connection that hot reads share. */
const MAX_LOOKUPS_IN_FLIGHT = 2;

interface TokenLookup {
  hex: string;
  now: Date;
}

/**
 * Creates a function that finds a device by its token. It reads the database each time, so a revocation applies to the next
 * request, on every instance. Concurrent requests share one statement.
 */
export function createDeviceLookup(sql: Sql): (token: string, now: Date) => Promise<Device | null> {
  const find = createQueryBatcher<TokenLookup, Device>(
    async (lookups) => {
      const hashes = lookups.map(({ hex }) => hex).join();
      const rows = await sql<Device & { n: number }>(FIND_DEVICES_BY_TOKEN, [
        hashes,
        lookups[0]?.now,
      ]);
      const devices = new Array<Device | null>(lookups.length).fill(null);
      for (const row of rows) devices[row.n - 1] = row;
      return devices;
    },
    { maxInFlight: MAX_LOOKUPS_IN_FLIGHT },
  );
  return (token, now) => find({ hex: hash('sha256', token, 'hex'), now });
}

/**
 * Job: adds the change rows of each location to its counter and deletes them, in one statement. The content version is
 * the sum of both, so it does not change. It can run at any time.
 */
export const compactContentChanges = ({ db }: Context): Promise<number> =>
  db.$executeRaw`
    WITH counted AS (DELETE FROM display_content_changes RETURNING location_id)
    INSERT INTO display_content_versions AS s (location_id, changes)
    SELECT location_id, count(*) FROM counted GROUP BY location_id ORDER BY location_id
    ON CONFLICT (location_id) DO UPDATE SET changes = s.changes + EXCLUDED.changes`;
