import type { Context } from '../context.ts';
import type { Page, PageRequest } from '../core/pagination.ts';
import { createParameters, prepareListStatement } from './prepared-statement.ts';
import { buildCount, buildPage, type PageArgs, type PageQuery, type RowList } from './row-list.ts';
import { encodePosition } from './sort-order.ts';

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

/** Lists the rows that the viewer sees. @throws BAD_REQUEST for an invalid page or cursor. */
export async function listRows<Row extends { id: string }, Filter extends object>(
  ctx: Context,
  list: RowList<Row, Filter>,
  filter: Filter,
  { limit, cursor }: PageRequest,
): Promise<Page<Row>> {
  const { keys, hasMore } = await readKeys(ctx, list, filter, { first: limit, after: cursor });
  const rows = await findInOrder(ctx, list, keys);
  return { items: rows, nextCursor: hasMore ? (keys.at(-1)?.cursor ?? null) : null };
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

/** Reads which rows a page has. @throws BAD_REQUEST */
export async function readKeys<Filter extends object>(
  ctx: Context,
  list: RowList<{ id: string }, Filter>,
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
  list: RowList<{ id: string }, Filter>,
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

/** Counts the rows that the viewer sees, up to `max`. */
export async function countRows<Filter extends object>(
  ctx: Context,
  list: RowList<{ id: string }, Filter>,
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

/** Counts the rows of each parent, up to `max`, in one statement. */
export async function countRowsByParent<Filter extends object>(
  ctx: Context,
  list: RowList<{ id: string }, Filter>,
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
  list: RowList<{ id: string }, never>,
  { order, limit, isBackward }: PageQuery,
  rows: KeyRow['keys'],
): KeyPage {
  const keys = rows
    .slice(0, limit)
    .map(([key, id]) => ({ id, cursor: encodePosition(list, order, [key, id]) }));
  return { keys: isBackward ? keys.reverse() : keys, hasMore: rows.length > limit };
}
