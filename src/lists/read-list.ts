import type { Context } from '../context.ts';
import { MAX_LIMIT, type Page, type PageRequest } from '../core/pagination.ts';
import { type Casing, toJsonSql, toJsonTextSql } from '../db/json-projection.ts';
import {
  type Bind,
  createParameters,
  type Parameters,
  prepareListStatement,
  prepareStatement,
} from '../db/prepared-statement.ts';
import {
  buildAggregate,
  buildCount,
  buildPage,
  type PageArgs,
  type PageQuery,
  toKeySql,
} from './page.ts';
import type { ListRules, RowList, RowSource, ToItem } from './row-list.ts';
import { encodePosition, parseOrder } from './sort-order.ts';

/** The ids of the rows of a page, in order. */
export interface KeyPage {
  keys: { id: string; cursor: string }[];
  /** Whether there are more rows in the direction of reading. */
  hasMore: boolean;
}

/** Selects the rows of parents. `parent` is the SQL of the parent's id. */
export interface ParentCondition {
  ids: readonly string[];
  toCondition(row: string, parent: string): string;
}

/** A list whose pages one statement reads, finished. */
type ProjectedList<Filter extends object> = ListRules<Filter> & { toItem: ToItem };

export interface JsonPage {
  /** A JSON array in the requested casing. */
  json: string;
  nextCursor: string | null;
}

/** Reads a page of the rows that the viewer sees, as JSON text. @throws BAD_REQUEST for an invalid page or cursor. */
export async function readJsonPage<Filter extends object>(
  ctx: Context,
  list: ProjectedList<Filter>,
  filter: Filter,
  request: PageRequest,
  casing: Casing,
): Promise<JsonPage> {
  const parameters = createParameters();
  const scope = { ...ctx, ...parameters };
  const page = buildPage(list, filter, request, scope);
  const { projection, joins } = list.toItem(scope);
  const text = `SELECT ${toJsonTextSql(projection, casing)} AS json, item.id, ${page.toKeySql('item')} AS key
    FROM ${page.rows} item ${joins} ORDER BY ${page.toResultOrder('item')}`;
  const found = await ctx.pipelinedSql<{ json: string; id: string; key: string }>(
    prepareListStatement(text, parameters),
    parameters.values,
  );
  const items = found.slice(0, page.limit);
  const last = items.at(-1);
  return {
    json: `[${items.map(({ json }) => json).join()}]`,
    nextCursor:
      found.length > page.limit && last
        ? encodePosition(list, page.order, [last.key, last.id])
        : null,
  };
}

/** Reads a page of the rows that the viewer sees, in one statement. @throws as `readJsonPage`. */
export async function readPage<Row, Filter extends object>(
  ctx: Context,
  list: ProjectedList<Filter>,
  filter: Filter,
  page: PageRequest,
): Promise<Page<Row>> {
  const { json, nextCursor } = await readJsonPage(ctx, list, filter, page, 'camel');
  return { items: JSON.parse(json), nextCursor };
}

/** Lists the rows that the viewer sees. @throws BAD_REQUEST for an invalid page or cursor. */
export async function listRows<Row extends { id: string }, Filter extends object>(
  ctx: Context,
  list: RowList<Row, Filter>,
  filter: Filter,
  page: PageRequest,
): Promise<Page<Row>> {
  const { toItem } = list;
  if (toItem) return readPage(ctx, { ...list, toItem }, filter, page);
  const { keys, hasMore } = await readKeys(ctx, list, filter, page);
  const rows = await findInOrder(ctx, list, keys);
  return { items: rows, nextCursor: hasMore ? (keys.at(-1)?.cursor ?? null) : null };
}

/** Lists all rows of a short list that the viewer sees. */
export async function listAllRows<Row extends { id: string }, Filter extends object>(
  ctx: Context,
  list: RowList<Row, Filter>,
  filter: Filter,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await listRows(ctx, list, filter, { limit: MAX_LIMIT, cursor });
    rows.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return rows;
}

async function findInOrder<Row extends { id: string }>(
  ctx: Context,
  { findByIds }: RowList<Row>,
  keys: KeyPage['keys'],
): Promise<Row[]> {
  if (keys.length === 0) return [];
  const ids = keys.map(({ id }) => id);
  const rows = new Map((await findByIds(ctx, ids)).map((row) => [row.id, row]));
  // A row can be deleted between the two statements.
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Rows that one statement reads, finished. */
type ProjectedRows = Pick<RowSource<{ id: string }>, 'table'> & { toItem: ToItem };

/** Finds rows by id, in any order. Unknown ids are left out, and rows that fail a condition. */
export function findRows<Row>(
  ctx: Context,
  { table, toItem }: ProjectedRows,
  ids: string[],
  toConditions: (row: string, bind: Bind) => string[] = () => [],
): Promise<Row[]> {
  const parameters = createParameters();
  const listed = parameters.bind(ids, 'uuid[]');
  const conditions = toConditions('item', parameters.bind);
  const rows = `unnest(${listed}) listed (id) JOIN ${table} item ON item.id = listed.id`;
  return readItems(ctx, toItem, rows, conditions, parameters);
}

/** Finds the row that matches, or null if there is none or the viewer does not see it. */
export async function findRow<Row>(
  ctx: Context,
  { table, where, toItem }: ProjectedRows & Pick<RowSource<{ id: string }>, 'where'>,
  match: (row: string, bind: Bind) => string,
): Promise<Row | null> {
  const parameters = createParameters();
  const scope = { ...ctx, ...parameters };
  const conditions = [match('item', scope.bind), ...where('item', {}, scope)];
  const [row] = await readItems<Row>(ctx, toItem, `${table} item`, conditions, parameters);
  return row ?? null;
}

async function readItems<Row>(
  ctx: Context,
  toItem: ToItem,
  rows: string,
  conditions: string[],
  parameters: Parameters,
): Promise<Row[]> {
  const { projection, joins } = toItem({ ...ctx, ...parameters });
  const text = `SELECT ${toJsonSql(projection, 'camel')} AS item_json
    FROM ${rows} ${joins} WHERE ${['true', ...conditions].join(' AND ')}`;
  const found = await ctx.pipelinedSql<{ item_json: Row }>(
    prepareStatement(text),
    parameters.values,
  );
  return found.map(({ item_json }) => item_json);
}

/** Reads which rows a page has. @throws BAD_REQUEST */
export async function readKeys<Filter extends object>(
  ctx: Context,
  list: ListRules<Filter>,
  filter: Filter,
  args: PageArgs,
): Promise<KeyPage> {
  const parameters = createParameters();
  const page = buildPage(list, filter, args, { ...ctx, ...parameters });
  const text = `SELECT ${toKeysSql(page)} AS keys`;
  const [row] = await ctx.pipelinedSql<KeyRow>(
    prepareListStatement(text, parameters),
    parameters.values,
  );
  return toKeyPage(list, page, row?.keys ?? []);
}

/** Reads which rows the pages of these parents have, in one statement. @throws BAD_REQUEST */
export async function readKeysByParent<Filter extends object>(
  ctx: Context,
  list: ListRules<Filter>,
  filter: Filter,
  args: PageArgs,
  { ids, toCondition }: ParentCondition,
): Promise<Map<string, KeyPage>> {
  const parameters = createParameters();
  const parents = parameters.bind(ids, 'uuid[]');
  const page = buildPage(list, filter, args, { ...ctx, ...parameters }, (row) => [
    toCondition(row, 'parent.id'),
  ]);
  const text = `SELECT parent.id, ${toKeysSql(page)} AS keys FROM unnest(${parents}) parent (id)`;
  const rows = await ctx.pipelinedSql<KeyRow & { id: string }>(
    prepareListStatement(text, parameters),
    parameters.values,
  );
  return new Map(rows.map(({ id, keys }) => [id, toKeyPage(list, page, keys)]));
}

/** Returns the cursors of rows in an order of the list, by id. Checks no permission. @throws BAD_REQUEST for an invalid order */
export async function readCursors(
  ctx: Context,
  list: CursorList,
  ids: readonly string[],
  orderBy: string | null | undefined,
): Promise<Map<string, string>> {
  const order = parseOrder(list, orderBy);
  const { bind, values } = createParameters();
  const text = `SELECT item.id, ${toKeySql(order, 'item')} AS key FROM ${list.table} item
    WHERE item.id = ANY (${bind(ids, 'uuid[]')})`;
  const rows = await ctx.pipelinedSql<{ id: string; key: string }>(prepareStatement(text), values);
  return new Map(rows.map(({ id, key }) => [id, encodePosition(list, order, [key, id])]));
}

/** What a list says about its cursors. */
export type CursorList = Pick<RowList, 'name' | 'table' | 'sortKeys' | 'defaultOrder'>;

/** Counts the rows that the viewer sees, up to `max`. */
export async function countRows<Filter extends object>(
  ctx: Context,
  list: ListRules<Filter>,
  filter: Filter,
  max: number,
): Promise<number> {
  const parameters = createParameters();
  const text = `SELECT ${buildCount(list, filter, { ...ctx, ...parameters }, max)} AS count`;
  const [row] = await ctx.pipelinedSql<{ count: number }>(
    prepareListStatement(text, parameters),
    parameters.values,
  );
  return row?.count ?? 0;
}

/** Computes SQL columns over the rows that the viewer sees, at most `max` of them. Their alias is `counted`. */
export async function aggregateRows<Result, Filter extends object>(
  ctx: Context,
  list: ListRules<Filter>,
  filter: Filter,
  { max, columns, groupBy }: { max: number; columns: string; groupBy: string },
): Promise<Result[]> {
  const parameters = createParameters();
  const rows = buildAggregate(list, filter, { ...ctx, ...parameters }, { max, columns: '*' });
  const text = `SELECT ${columns} FROM ${rows} counted GROUP BY ${groupBy} ORDER BY ${groupBy}`;
  return ctx.pipelinedSql(prepareListStatement(text, parameters), parameters.values);
}

/** Counts the rows of each parent, up to `max`, in one statement. */
export async function countRowsByParent<Filter extends object>(
  ctx: Context,
  list: ListRules<Filter>,
  filter: Filter,
  max: number,
  { ids, toCondition }: ParentCondition,
): Promise<Map<string, number>> {
  const parameters = createParameters();
  const parents = parameters.bind(ids, 'uuid[]');
  const count = buildCount(list, filter, { ...ctx, ...parameters }, max, (row) => [
    toCondition(row, 'parent.id'),
  ]);
  const text = `SELECT parent.id, ${count} AS count FROM unnest(${parents}) parent (id)`;
  const rows = await ctx.pipelinedSql<{ id: string; count: number }>(
    prepareListStatement(text, parameters),
    parameters.values,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

interface KeyRow {
  keys: [key: string, id: string][];
}

const toKeysSql = (page: PageQuery) =>
  `(SELECT coalesce(json_agg(json_build_array(${page.toKeySql('listed')}, listed.id)
      ORDER BY ${page.toReadOrder('listed')}), '[]'::json) FROM ${page.rows} listed)`;

function toKeyPage(
  list: Pick<RowList, 'name' | 'sortKeys' | 'defaultOrder'>,
  { order, limit, isBackward }: PageQuery,
  rows: KeyRow['keys'],
): KeyPage {
  const keys = rows
    .slice(0, limit)
    .map(([key, id]) => ({ id, cursor: encodePosition(list, order, [key, id]) }));
  return { keys: isBackward ? keys.reverse() : keys, hasMore: rows.length > limit };
}
