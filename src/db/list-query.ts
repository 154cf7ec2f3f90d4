import type { Page, PageRequest } from '../core/pagination.ts';
import { type Casing, type Projection, toJsonSql, toJsonTextSql } from './json-projection.ts';
import {
  type Bind,
  createParameters,
  prepareListStatement,
  type Sql,
} from './prepared-statement.ts';
import { chooseQueryPlan, findOwner, type SharedQueryPlans } from './query-plan-choice.ts';
import { buildRangeQuery } from './range-query.ts';
import { encodePosition, parseOrder, parsePosition } from './sort-order.ts';

/** A list of rows with a start and an end, read by one statement that returns the finished JSON. */
export interface ListQuery {
  table: string;
  /** Its expressions refer to the row of the table as `item`. */
  projection: Projection;
  /** Joins to the page's rows, whose alias is `item`. */
  joins: (bind: Bind) => string;
  /** SQL conditions on the row with this alias. */
  where: (row: string, bind: Bind) => string[];
  from?: Date | undefined;
  to?: Date | undefined;
  /** The filter that `where` contains. See `chooseQueryPlan`. */
  filter: object;
  sharedQueryPlans?: SharedQueryPlans | undefined;
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
  query: ListQuery,
  page: PageRequest,
  casing: Casing,
): Promise<JsonPage> {
  const { values, bind } = createParameters();
  const list = toSortableList(query);
  const order = parseOrder(list, undefined);
  const after =
    page.cursor === undefined ? undefined : parsePosition(list, order, 'cursor', page.cursor);
  const limit = PREPARED_LIMITS.includes(page.limit) ? String(page.limit) : bind(page.limit, 'int');
  const { where, ownerColumn } = findOwner(query.where('listed', bind));
  const choice = { sortKey: 'STARTS_AT', hasOwner: ownerColumn !== null };
  const needsCustomPlan = chooseQueryPlan(query, query.filter, choice) !== 'shared';
  const owner = ownerColumn === null ? '' : `listed.${ownerColumn}, `;
  const rows = buildRangeQuery({
    table: query.table,
    where: [
      ...where,
      ...(after
        ? [
            `(listed.starts_at, listed.id) > (${bind(after[0], 'timestamptz')}, ${bind(after[1], 'uuid')})`,
          ]
        : []),
    ],
    range: {
      from: query.from && bind(query.from, 'timestamptz'),
      to: query.to && bind(query.to, 'timestamptz'),
    },
    end: `ORDER BY ${owner}listed.starts_at, listed.id LIMIT ${limit} + 1`,
    isSortedByStart: true,
  });
  // One row more than the page shows whether another page follows. Joins see only the rows of the page.
  const text = `SELECT ${toJsonTextSql(query.projection, casing)} AS json, item.id, date_part('epoch', item.starts_at) AS "startsAt"
    FROM ${rows} item ${query.joins(bind)} ORDER BY item.starts_at, item.id`;
  const found = await sql<ListedRow>(prepareListStatement(text, { needsCustomPlan }), values);
  const items = found.slice(0, page.limit);
  const last = items.at(-1);
  return {
    json: `[${items.map(({ json }) => json).join()}]`,
    nextCursor:
      found.length > page.limit && last ? encodePosition(list, order, toPosition(last)) : null,
  };
}

interface ListedRow {
  json: string;
  id: string;
  /** Seconds since 1970. */
  startsAt: number;
}

const toPosition = ({ startsAt, id }: ListedRow): [key: string, id: string] => [
  new Date(Math.round(startsAt * 1000)).toISOString(),
  id,
];

/** The cursors equal those of the list with the name of the table, so they are valid in both APIs. */
const toSortableList = ({ table }: ListQuery) => ({
  name: table,
  sortKeys: { STARTS_AT: { column: 'starts_at', type: 'timestamptz' as const, label: 'start' } },
  defaultOrder: 'STARTS_AT_ASC',
});

/** Reads a page as objects, sorted by start and id. @throws BAD_REQUEST for a cursor of another list. */
export async function readPage<T>(sql: Sql, query: ListQuery, page: PageRequest): Promise<Page<T>> {
  const { json, nextCursor } = await readJsonPage(sql, query, page, 'camel');
  return { items: JSON.parse(json), nextCursor };
}

/** Finds one row by `match`, or null if it does not exist or fails the list's conditions. */
export async function findRow<T>(
  sql: Sql,
  { table, projection, joins, where }: Omit<ListQuery, 'filter'>,
  match: (row: string, bind: Bind) => string,
): Promise<T | null> {
  const { values, bind } = createParameters();
  const conditions = [match('listed', bind), ...where('listed', bind)].join(' AND ');
  const text = `SELECT ${toJsonSql(projection, 'camel')} AS item_json
    FROM (SELECT * FROM ${table} listed WHERE ${conditions}) item ${joins(bind)}`;
  const [row] = await sql<{ item_json: T }>(prepareListStatement(text), values);
  return row?.item_json ?? null;
}
