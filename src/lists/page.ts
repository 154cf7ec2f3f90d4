import { DEFAULT_LIMIT, MAX_LIMIT } from '../core/pagination.ts';
import { projectInstant } from '../db/json-projection.ts';
import { DomainError } from '../errors.ts';
import { chooseQueryPlan, findOwner } from './plan-choice.ts';
import type { ListRules, ListScope } from './row-list.ts';
import { buildRangeQuery, buildSortedRangeQuery } from './row-range.ts';
import { type ParsedOrder, parseOrder, parsePosition } from './sort-order.ts';

/** A page of a list, from its beginning (`first`) or from its end (`last`). */
export interface PageArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  /** What services and REST have instead of `first` and `after`: a validated number, and a cursor. */
  limit?: number;
  cursor?: string | undefined;
  orderBy?: string | null | undefined;
}

/** A page as SQL. Its rows have all columns of the table. */
export interface PageQuery {
  /** Selects up to one row more than the page has. That row shows that there are more. */
  rows: string;
  limit: number;
  limitSql: string;
  /** Such as `row.starts_at, row.id`, in the order of the result. */
  toResultOrder(row: string): string;
  toReverseOrder(row: string): string;
  /** The order in which `rows` are read: reversed for the last ones. */
  toReadOrder(row: string): string;
  order: ParsedOrder;
  /** The sort key of a row, as text. */
  toKeySql(row: string): string;
  isBackward: boolean;
}

// Common page sizes are literals in the text, so that each gets its own plan. Other sizes share one statement.
const PLANNED_LIMITS = [1, 3, 5, 10, 20, 50, 100];

/** Converts `first` and `last`. @throws BAD_REQUEST for both at once and for a number of rows out of range. */
export function toPageLimit({ first, last }: PageArgs): number {
  if (first != null && last != null) {
    throw new DomainError('BAD_REQUEST', 'Use either first or last, not both.', {
      reason: 'INVALID_INPUT',
      fields: ['first', 'last'],
    });
  }
  const limit = first ?? last ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) {
    const name = last == null ? 'first' : 'last';
    throw new DomainError('BAD_REQUEST', `${name} must be from 1 to ${MAX_LIMIT}.`, {
      reason: 'INVALID_INPUT',
      fields: [name],
      limit: MAX_LIMIT,
    });
  }
  return limit;
}

/**
 * Builds the query of a page. `conditions` are added to those of the list, such as the one that selects the rows of a
 * parent.
 * @throws BAD_REQUEST for an invalid page, and for a cursor of another list or order
 */
export function buildPage<Filter extends object>(
  list: ListRules<Filter>,
  filter: Filter,
  args: PageArgs,
  scope: ListScope,
  toConditions: (row: string) => string[] = () => [],
): PageQuery {
  const limit = args.limit ?? toPageLimit(args);
  const order = parseOrder(list, args.orderBy);
  const { column, type } = order.key;
  const { bind } = scope;
  const isBackward = args.last != null;
  const isDescending = order.isDescending !== isBackward;
  const readOrder = isDescending ? ' DESC' : '';
  const resultOrder = order.isDescending ? ' DESC' : '';
  const reverseOrder = order.isDescending ? '' : ' DESC';
  const toBoundary = (argument: 'after' | 'before' | 'cursor') => {
    const cursor = args[argument];
    if (cursor == null) return [];
    const [key, id] = parsePosition(list, order, argument, cursor);
    const operator = (argument === 'before') === order.isDescending ? '>' : '<';
    return [`(listed.${column}, listed.id) ${operator} (${bind(key, type)}, ${bind(id, 'uuid')})`];
  };
  const boundaries = (['after', 'cursor', 'before'] as const).flatMap(toBoundary);
  const toReadOrder = (row: string) => `${row}.${column}${readOrder}, ${row}.id${readOrder}`;
  const parentConditions = toConditions('listed');
  const conditions = [...parentConditions, ...list.where('listed', filter, scope), ...boundaries];
  const { where, ownerColumn } = findOwner(conditions, parentConditions);
  const limitSql = PLANNED_LIMITS.includes(limit) ? String(limit) : bind(limit, 'int');
  const owner = ownerColumn === null ? '' : `listed.${ownerColumn}${readOrder}, `;
  const page = {
    where,
    conditions,
    order: `ORDER BY ${owner}${toReadOrder('listed')}`,
    limit: `LIMIT ${limitSql} + 1`,
    key: { name: order.keyName, column },
    ownerColumn,
    isRelated: parentConditions.length > 0,
  };
  return {
    rows: selectRows(list, filter, scope, page),
    limit,
    limitSql,
    isBackward,
    toReadOrder,
    toResultOrder: (row) => `${row}.${column}${resultOrder}, ${row}.id${resultOrder}`,
    toReverseOrder: (row) => `${row}.${column}${reverseOrder}, ${row}.id${reverseOrder}`,
    order,
    toKeySql: (row) => toKeySql(order, row),
  };
}

/** Returns the sort key of a row in this order, as text. */
export const toKeySql = ({ key: { column, type } }: ParsedOrder, row: string): string =>
  type === 'timestamptz' ? projectInstant(`${row}.${column}`) : `${row}.${column}::text`;

/** Builds the query that computes columns over the rows of a list, at most `max`. The alias of the row is `counted`. */
export function buildAggregate<Filter extends object>(
  list: ListRules<Filter>,
  filter: Filter,
  scope: ListScope,
  { max, columns, toConditions = () => [] }: Aggregate,
): string {
  const conditions = [...toConditions('listed'), ...list.where('listed', filter, scope)];
  const rows = selectRows(list, filter, scope, {
    where: conditions,
    conditions,
    order: '',
    limit: `LIMIT ${max}`,
    key: null,
    ownerColumn: findOwner(conditions).ownerColumn,
    isRelated: false,
  });
  return `(SELECT ${columns} FROM ${rows} counted)`;
}

interface Aggregate {
  max: number;
  columns: string;
  toConditions?: (row: string) => string[];
}

/** Builds the query that counts the rows of a list, up to `max`. */
export const buildCount = <Filter extends object>(
  list: ListRules<Filter>,
  filter: Filter,
  scope: ListScope,
  max: number,
  toConditions: (row: string) => string[] = () => [],
): string => buildAggregate(list, filter, scope, { max, columns: 'count(*)::int', toConditions });

interface SelectedRows {
  where: string[];
  /** The same, as they were before `findOwner`. */
  conditions: string[];
  /** ORDER BY. */
  order: string;
  /** LIMIT. */
  limit: string;
  /** The sort key. Null for rows in any order. */
  key: { name: string; column: string } | null;
  /** Null if the rows do not belong to one owner. */
  ownerColumn: string | null;
  /** Whether a condition selects the rows of a parent. */
  isRelated: boolean;
}

/** Selects the rows of a page, and has the statement planned for its values if the filter needs it. */
function selectRows<Filter extends object>(
  list: ListRules<Filter>,
  filter: Filter,
  scope: ListScope,
  { where, conditions, order, limit, key, ownerColumn, isRelated }: SelectedRows,
): string {
  const hasOwner = ownerColumn !== null;
  const { from, to } = list.getRange?.(filter, scope) ?? {};
  const queryPlan = chooseQueryPlan(list, from ? { ...filter, from } : filter, {
    sortKey: key?.name,
    hasOwner,
  });
  if (queryPlan !== 'shared') scope.requireCustomPlan();
  const bindRange = (range: { from?: Date | undefined; to?: Date | undefined }) => ({
    from: range.from && scope.bind(range.from, 'timestamptz'),
    to: range.to && scope.bind(range.to, 'timestamptz'),
  });
  const query = { table: list.table, where, range: bindRange({ from, to }) };
  const isFoundFirst = queryPlan === 'found first' || (isRelated && !hasOwner);
  if (key !== null && isFoundFirst) {
    const found = list.getWeeks?.(filter, scope, key.name);
    const isIndexed = hasOwner ? found?.ownerColumns?.includes(ownerColumn) : !isRelated;
    const weeks =
      found && isIndexed ? { column: found.column, where: conditions, ...bindRange(found) } : null;
    const owners: Partial<Record<string, readonly string[]>> = list.ownersInOrder ?? {};
    const isOwnerInOrder = hasOwner && owners[key.name]?.includes(ownerColumn) === true;
    const sorted = { keyColumn: key.column, ownerColumn, isOwnerInOrder, order, limit };
    return buildSortedRangeQuery({ ...query, ...sorted, weeks });
  }
  const isSortedByStart = key?.name === 'STARTS_AT';
  return buildRangeQuery({ ...query, end: `${order} ${limit}`, isSortedByStart });
}
