import { isInstant, type Page, type PageRequest, parseCursor } from '../core/pagination.ts';
import { type Casing, type Projection, projectInstant, toJsonSql } from './json-projection.ts';
import { prepareStatement, type Sql } from './prepared-statement.ts';

export type Bind = (value: unknown, type: string) => string;

/** A list of rows with a start and an end, read by one statement that returns the finished JSON. */
export interface ListQuery {
  table: string;
  /** Its expressions refer to the row of the table as `item`. */
  projection: Projection;
  /** Joins to the page's rows, whose alias is `item`. */
  joins: (bind: Bind) => string;
  where: (bind: Bind) => string[];
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface JsonPage {
  /** A JSON array in the requested casing. */
  json: string;
  nextCursor: string | null;
}

// Common page sizes are literals in the text, so that each gets its own plan. Other sizes share one statement.
const PREPARED_LIMITS = [20, 50, 100];

/** Reads a page as JSON text, sorted by start and id. @throws BAD_REQUEST for a cursor of another list. */
export async function readJsonPage(
  sql: Sql,
  listing: ListQuery,
  page: PageRequest,
  casing: Casing,
): Promise<JsonPage> {
  const { values, bind } = createParameters();
  const after = page.cursor === undefined ? undefined : parseCursor(page.cursor, isInstant);
  const limit = PREPARED_LIMITS.includes(page.limit) ? String(page.limit) : bind(page.limit, 'int');
  const rows = buildRangeQuery(
    listing.table,
    listing.where(bind),
    {
      from: listing.from && bind(listing.from, 'timestamptz'),
      to: listing.to && bind(listing.to, 'timestamptz'),
      after: after && { startsAt: bind(after[0], 'timestamptz'), id: bind(after[1], 'uuid') },
    },
    `${limit} + 1`,
  );
  const text = `WITH page AS MATERIALIZED ${rows}
    SELECT (SELECT coalesce(json_agg(${toJsonSql(listing.projection, casing)} ORDER BY item.starts_at, item.id), '[]')::text
            FROM (SELECT * FROM page ORDER BY starts_at, id LIMIT ${limit}) item ${listing.joins(bind)}) AS json,
           (SELECT json_build_array(${projectInstant('starts_at')}, id)::text
            FROM page WHERE (SELECT count(*) FROM page) > ${limit}
            ORDER BY starts_at, id OFFSET ${limit} - 1 LIMIT 1) AS next`;
  const [row] = await sql<{ json: string; next: string | null }>(prepareStatement(text), values);
  if (!row) throw new Error('a list query returns exactly one row');
  return {
    json: row.json,
    nextCursor:
      row.next === null ? null : Buffer.from(toCompactJson(row.next)).toString('base64url'),
  };
}

export async function readPage<T>(
  sql: Sql,
  listing: ListQuery,
  page: PageRequest,
): Promise<Page<T>> {
  const { json, nextCursor } = await readJsonPage(sql, listing, page, 'camel');
  return { items: JSON.parse(json), nextCursor };
}

/** Finds one row by `match`, or null if it does not exist or fails the list's conditions. */
export async function findRow<T>(
  sql: Sql,
  { table, projection, joins, where }: ListQuery,
  match: (bind: Bind) => string,
): Promise<T | null> {
  const { values, bind } = createParameters();
  const conditions = [match(bind), ...where(bind)].join(' AND ');
  const text = `SELECT ${toJsonSql(projection, 'camel')} AS item_json
    FROM (SELECT * FROM ${table} WHERE ${conditions}) item ${joins(bind)}`;
  const [row] = await sql<{ item_json: T }>(prepareStatement(text), values);
  return row?.item_json ?? null;
}

/** Removes PostgreSQL's spaces, so that cursors equal those of `encodeCursor`. */
const toCompactJson = (json: string) => JSON.stringify(JSON.parse(json));

/** Collects the values of a statement while its text is built. */
function createParameters() {
  const values: unknown[] = [];
  return { values, bind: (value: unknown, type: string) => `$${values.push(value)}::${type}` };
}

interface RangeFilter {
  /** SQL expressions of the instants. The range is half open. */
  from?: string | undefined;
  to?: string | undefined;
  after?: { startsAt: string; id: string } | undefined;
}

/**
 * Selects at most `limit` rows that overlap a range, sorted by start and id. Rows that are running when the range begins
 * come from the range index, later ones from the sorted index. A page therefore costs the same however much history
 * precedes it.
 */
function buildRangeQuery(table: string, where: string[], span: RangeFilter, limit: string): string {
  const common = [...where];
  if (span.to) common.push(`starts_at < ${span.to}`);
  if (span.after) common.push(`(starts_at, id) > (${span.after.startsAt}, ${span.after.id})`);
  const select = (...conditions: string[]) =>
    `(SELECT * FROM ${table} WHERE ${[...conditions, ...common, 'true'].join(' AND ')} ORDER BY starts_at, id LIMIT ${limit})`;
  if (!span.from) return select();
  // OFFSET 0 prevents the planner from scanning the whole history in order of start.
  const running = `(SELECT * FROM (SELECT * FROM ${table} WHERE tstzrange(starts_at, ends_at) @> ${span.from} OFFSET 0) running
    WHERE ${[`starts_at < ${span.from}`, ...common].join(' AND ')})`;
  const later = select(`starts_at >= ${span.from}`);
  return `(SELECT * FROM (${running} UNION ALL ${later}) matches ORDER BY starts_at, id LIMIT ${limit})`;
}
