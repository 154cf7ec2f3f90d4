import { decodeCursor, isInstant, type Page, type PageRequest } from '../page.ts';
import { overlapping, parameters } from './overlapping.ts';
import { type Sql, statement } from './sql.ts';
import { type Casing, instant, jsonOf, type Tree } from './tree.ts';

export type Bind = (value: unknown, type: string) => string;

/** A list of things in time, read by one statement that answers with the finished JSON. */
export interface Listing {
  table: string;
  /** `item` is the row of the table. */
  tree: Tree;
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
const USUAL_LIMITS = [20, 50, 100];

/** Sorted by start and id. Throws BAD_REQUEST for a cursor from elsewhere. */
export async function readJson(
  sql: Sql,
  listing: Listing,
  page: PageRequest,
  casing: Casing,
): Promise<JsonPage> {
  const { values, bind } = parameters();
  const after = page.cursor === undefined ? undefined : decodeCursor(page.cursor, isInstant);
  const limit = USUAL_LIMITS.includes(page.limit) ? String(page.limit) : bind(page.limit, 'int');
  const rows = overlapping(
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
    SELECT (SELECT coalesce(json_agg(${jsonOf(listing.tree, casing)} ORDER BY item.starts_at, item.id), '[]')::text
            FROM (SELECT * FROM page ORDER BY starts_at, id LIMIT ${limit}) item ${listing.joins(bind)}) AS json,
           (SELECT json_build_array(${instant('starts_at')}, id)::text
            FROM page WHERE (SELECT count(*) FROM page) > ${limit}
            ORDER BY starts_at, id OFFSET ${limit} - 1 LIMIT 1) AS next`;
  const [found] = await sql<{ json: string; next: string | null }>(statement(text), values);
  if (!found) throw new Error('a list always answers with one row');
  return {
    json: found.json,
    nextCursor: found.next === null ? null : Buffer.from(compact(found.next)).toString('base64url'),
  };
}

export async function readPage<T>(sql: Sql, listing: Listing, page: PageRequest): Promise<Page<T>> {
  const { json, nextCursor } = await readJson(sql, listing, page, 'camel');
  return { items: JSON.parse(json), nextCursor };
}

/** The one row with this id, if the conditions hold for it. */
export async function readOne<T>(
  sql: Sql,
  { table, tree, joins, where }: Listing,
  match: (bind: Bind) => string,
): Promise<T | null> {
  const { values, bind } = parameters();
  const conditions = [match(bind), ...where(bind)].join(' AND ');
  const text = `SELECT ${jsonOf(tree, 'camel')} AS found
    FROM (SELECT * FROM ${table} WHERE ${conditions}) item ${joins(bind)}`;
  const [row] = await sql<{ found: T }>(statement(text), values);
  return row?.found ?? null;
}

/** As the code writes cursors, without PostgreSQL's blanks. */
const compact = (json: string) => JSON.stringify(JSON.parse(json));
