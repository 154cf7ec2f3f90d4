import { hash } from 'node:crypto';
import type { Context } from '../../context.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import type { DisplayKind } from '../../db/generated/client.ts';
import { prepareStatement, type Sql } from '../../db/prepared-statement.ts';
import { createQueryBatcher } from '../../db/query-batcher.ts';

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

const toChangeCountSql = (location: string) => `
  coalesce((SELECT changes FROM display_content_versions WHERE location_id = ${location}), 0)
    + (SELECT count(*) FROM display_content_changes WHERE location_id = ${location})`;
const ALL_LOCATIONS_ID = `'00000000-0000-0000-0000-000000000000'::uuid`;

// $1 is the hashes in hexadecimal, $2 the present. A token that was rotated holds until its time is over. The changes of a
// location are counted once, however many of its displays ask.
const FIND_DEVICES_BY_TOKEN = prepareStatement(`
  WITH asked AS MATERIALIZED (
    SELECT decode(hex, 'hex') AS hash, n FROM unnest(string_to_array($1::text, ',')) WITH ORDINALITY AS given (hex, n)),
  device AS MATERIALIZED (
    SELECT asked.n, d.id, d.name, d.kind, d.location_id, d.resource_id
    FROM asked JOIN displays d ON d.token_hash = asked.hash WHERE d.revoked_at IS NULL
    UNION ALL
    SELECT asked.n, d.id, d.name, d.kind, d.location_id, d.resource_id
    FROM asked JOIN displays d ON d.previous_token_hash = asked.hash
    WHERE d.revoked_at IS NULL AND d.previous_token_until > $2::timestamptz),
  everywhere AS MATERIALIZED (SELECT ${toChangeCountSql(ALL_LOCATIONS_ID)} AS changes),
  here AS MATERIALIZED (
    SELECT l.location_id, ${toChangeCountSql('l.location_id')} + everywhere.changes AS stamp
    FROM (SELECT DISTINCT location_id FROM device) l CROSS JOIN everywhere)
  SELECT device.n::int AS n, device.id, device.name, device.kind::text AS kind, device.location_id AS "locationId",
    device.resource_id AS "resourceId", here.stamp::text AS stamp
  FROM device JOIN here ON here.location_id = device.location_id`);

interface TokenLookup {
  hex: string;
  now: Date;
}

/**
 * Whose token it is, asked of the database every time, so that a revocation counts at the next request on every instance.
 * What arrives together is asked together.
 */
export function createDeviceLookup(sql: Sql): (token: string, now: Date) => Promise<Device | null> {
  const find = createQueryBatcher<TokenLookup, Device>(async (asked) => {
    const hashes = asked.map(({ hex }) => hex).join();
    const rows = await sql<Device & { n: number }>(FIND_DEVICES_BY_TOKEN, [hashes, asked[0]?.now]);
    const found = new Array<Device | null>(asked.length).fill(null);
    for (const row of rows) found[row.n - 1] = row;
    return found;
  });
  return (token, now) => find({ hex: hash('sha256', token, 'hex'), now });
}

/**
 * Counts the rows that tell of changes and deletes them, in one statement: the stamp of a location, which is the sum of
 * both, stays what it is. For timed work, as often as one likes.
 */
export const compactContentChanges = ({ db }: Context): Promise<number> =>
  db.$executeRaw`
    WITH counted AS (DELETE FROM display_content_changes RETURNING location_id)
    INSERT INTO display_content_versions AS s (location_id, changes)
    SELECT location_id, count(*) FROM counted GROUP BY location_id ORDER BY location_id
    ON CONFLICT (location_id) DO UPDATE SET changes = s.changes + EXCLUDED.changes`;

const STATUS_CHANGE_RETENTION_MS = 90 * DAY_MS;

/** Deletes what is told of displays that came and went more than 90 days ago. */
export const purgeStatusChanges = ({ db, now }: Context) =>
  db.displayStatusChange.deleteMany({
    where: { at: { lt: new Date(now().getTime() - STATUS_CHANGE_RETENTION_MS) } },
  });
