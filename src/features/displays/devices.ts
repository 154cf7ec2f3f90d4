import { hash } from 'node:crypto';
import { gather } from '../../db/gather.ts';
import type { DisplayKind } from '../../db/generated/client.ts';
import { type Sql, statement } from '../../db/sql.ts';

/** A display as its token names it. */
export interface Device {
  id: string;
  name: string;
  kind: DisplayKind;
  locationId: string;
  resourceId: string | null;
  /** Another one as soon as what displays of its location show may have changed. */
  stamp: string;
}

const CHANGES = (location: string) => `
  coalesce((SELECT changes FROM display_content_versions WHERE location_id = ${location}), 0)
    + (SELECT count(*) FROM display_content_changes WHERE location_id = ${location})`;
const EVERYWHERE = `'00000000-0000-0000-0000-000000000000'::uuid`;

// $1 is the hashes in hexadecimal, $2 the present. A token that was rotated holds until its time is over. The changes of a
// location are counted once, however many of its displays ask.
const BY_TOKEN = statement(`
  WITH asked AS MATERIALIZED (
    SELECT decode(hex, 'hex') AS hash, n FROM unnest(string_to_array($1::text, ',')) WITH ORDINALITY AS given (hex, n)),
  device AS MATERIALIZED (
    SELECT asked.n, d.id, d.name, d.kind, d.location_id, d.resource_id
    FROM asked JOIN displays d ON d.token_hash = asked.hash WHERE d.revoked_at IS NULL
    UNION ALL
    SELECT asked.n, d.id, d.name, d.kind, d.location_id, d.resource_id
    FROM asked JOIN displays d ON d.previous_token_hash = asked.hash
    WHERE d.revoked_at IS NULL AND d.previous_token_until > $2::timestamptz),
  everywhere AS MATERIALIZED (SELECT ${CHANGES(EVERYWHERE)} AS changes),
  here AS MATERIALIZED (
    SELECT l.location_id, ${CHANGES('l.location_id')} + everywhere.changes AS stamp
    FROM (SELECT DISTINCT location_id FROM device) l CROSS JOIN everywhere)
  SELECT device.n::int AS n, device.id, device.name, device.kind::text AS kind, device.location_id AS "locationId",
    device.resource_id AS "resourceId", here.stamp::text AS stamp
  FROM device JOIN here ON here.location_id = device.location_id`);

interface Asked {
  hex: string;
  now: Date;
}

/**
 * Whose token it is, asked of the database every time, so that a revocation counts at the next request on every instance.
 * What arrives together is asked together.
 */
export function devicesIn(sql: Sql): (token: string, now: Date) => Promise<Device | null> {
  const find = gather<Asked, Device>(async (asked) => {
    const hashes = asked.map(({ hex }) => hex).join();
    const rows = await sql<Device & { n: number }>(BY_TOKEN, [hashes, asked[0]?.now]);
    const found = new Array<Device | null>(asked.length).fill(null);
    for (const row of rows) found[row.n - 1] = row;
    return found;
  });
  return (token, now) => find({ hex: hash('sha256', token, 'hex'), now });
}
