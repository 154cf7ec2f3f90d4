import { isInstant, type Page, type PageRequest, parseCursor } from '../core/pagination.ts';
import { type Casing, type Projection, projectInstant, toJsonSql } from './json-projection.ts';
import { prepareStatement, type Sql } from './prepared-statement.ts';

export type Bind = (value: unknown, type: string) => string;

/** A list of things in time, read by one statement that answers with the finished JSON. */
export interface ListQuery {
  table: string;
  /** `item` is the row of the table. */
  projection: Projection;
  /** Joins to the page's rows, which are called `item`. */
  joins: (bind: Bind) => string;
  where: (bind: Bind) => string[];
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface JsonPage {
  /** A JSON array, in the casing that was asked for. */
  json: string;
  nextCursor: string | null;
}

// The usual sizes stand in the text, so that PostgreSQL keeps one plan for each; the rest share one statement.
const PREPARED_LIMITS = [20, 50, 100];

/** Sorted by start and id. Throws BAD_REQUEST for a cursor from elsewhere. */
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
  const [found] = await sql<{ json: string; next: string | null }>(prepareStatement(text), values);
  if (!found) throw new Error('a list always answers with one row');
  return {
    json: found.json,
    nextCursor:
      found.next === null ? null : Buffer.from(toCompactJson(found.next)).toString('base64url'),
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

/** The one row with this id, if the conditions hold for it. */
export async function findRow<T>(
  sql: Sql,
  { table, projection, joins, where }: ListQuery,
  match: (bind: Bind) => string,
): Promise<T | null> {
  const { values, bind } = createParameters();
  const conditions = [match(bind), ...where(bind)].join(' AND ');
  const text = `SELECT ${toJsonSql(projection, 'camel')} AS found
    FROM (SELECT * FROM ${table} WHERE ${conditions}) item ${joins(bind)}`;
  const [row] = await sql<{ found: T }>(prepareStatement(text), values);
  return row?.found ?? null;
}

/** As the code writes cursors, without PostgreSQL's blanks. */
const toCompactJson = (json: string) => JSON.stringify(JSON.parse(json));

/** Collects the values of a statement while its text is written. */
function createParameters() {
  const values: unknown[] = [];
  return { values, bind: (value: unknown, type: string) => `$${values.push(value)}::${type}` };
}

interface RangeFilter {
  /** SQL of the instants; the range is half open. */
  from?: string | undefined;
  to?: string | undefined;
  after?: { startsAt: string; id: string } | undefined;
}

/**
 * The rows of a table with starts_at and ends_at that overlap a span, sorted by start and id, at most `limit`.
 * What already runs when the span begins comes from the range index and what begins later from the sorted one:
 * so a page costs the same wherever it lies, however much history stands before it.
 */
function buildRangeQuery(table: string, where: string[], span: RangeFilter, limit: string): string {
  const common = [...where];
  if (span.to) common.push(`starts_at < ${span.to}`);
  if (span.after) common.push(`(starts_at, id) > (${span.after.startsAt}, ${span.after.id})`);
  const select = (...conditions: string[]) =>
    `(SELECT * FROM ${table} WHERE ${[...conditions, ...common, 'true'].join(' AND ')} ORDER BY starts_at, id LIMIT ${limit})`;
  if (!span.from) return select();
  // OFFSET 0 keeps the planner from walking the whole history in order of start instead.
  const running = `(SELECT * FROM (SELECT * FROM ${table} WHERE tstzrange(starts_at, ends_at) @> ${span.from} OFFSET 0) running
    WHERE ${[`starts_at < ${span.from}`, ...common].join(' AND ')})`;
  const later = select(`starts_at >= ${span.from}`);
  return `(SELECT * FROM (${running} UNION ALL ${later}) either ORDER BY starts_at, id LIMIT ${limit})`;
}
