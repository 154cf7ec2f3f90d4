import type { Context } from '../context.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../core/pagination.ts';
import { DomainError } from '../errors.ts';
import { projectInstant } from './json-projection.ts';
import type { Bind, Parameters } from './prepared-statement.ts';
import { chooseQueryPlan, findOwner, type SharedQueryPlans } from './query-plan-choice.ts';
import { buildRangeQuery, buildSortedRangeQuery } from './range-query.ts';
import {
  type ParsedOrder,
  parseOrder,
  parsePosition,
  type SortKey,
  type SortOrder,
} from './sort-order.ts';

/** The conditions under which a list is read. */
export interface ListScope
  extends Pick<Context, 'viewer' | 'now' | 'hasMailServer'>,
    Pick<Parameters, 'bind' | 'requireCustomPlan'> {}

/** The half-open range [from, to) that rows with a start and an end must overlap. Each bound is optional. */
interface OverlapFilter {
  from?: Date | undefined;
  to?: Date | undefined;
}

/**
 * How the rows of a table are listed: which ones a viewer sees, and how they are filtered and sorted. Both APIs, relations
 * and counts use it.
 */
export interface RowList<
  Row extends { id: string } = { id: string },
  Filter extends object = object,
  Key extends string = string,
> {
  /** The plural, for cursors and messages, such as `bookings`. */
  name: string;
  table: string;
  sortKeys: Record<Key, SortKey>;
  defaultOrder: SortOrder<Key>;
  /** The filters that an index of a sort key serves. See `chooseQueryPlan`. */
  sharedQueryPlans?: SharedQueryPlans<Key>;
  /** SQL conditions on the row with this alias: those of the viewer, and those of the filter. */
  where(row: string, filter: Filter, scope: ListScope): string[];
  /** The range of the filter, for rows with `starts_at` and `ends_at`. */
  getRange?(filter: Filter, scope: Pick<ListScope, 'now'>): OverlapFilter;
  /** Finds the rows of a page by id, in any order. Checks no permission: `where` has selected the ids. */
  findByIds(ctx: Context, ids: string[]): Promise<Row[]>;
}

/** A page of a list, from its beginning (`first`) or from its end (`last`). */
export interface PageArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
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
    });
  }
  const limit = first ?? last ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) {
    const name = last == null ? 'first' : 'last';
    throw new DomainError('BAD_REQUEST', `${name} must be from 1 to ${MAX_LIMIT}.`, {
      reason: 'INVALID_INPUT',
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
  list: RowList<{ id: string }, Filter>,
  filter: Filter,
  args: PageArgs,
  scope: ListScope,
  toConditions: (row: string) => string[] = () => [],
): PageQuery {
  const limit = toPageLimit(args);
  const order = parseOrder(list, args.orderBy);
  const { column, type } = order.key;
  const { bind } = scope;
  const isBackward = args.last != null;
  const isDescending = order.isDescending !== isBackward;
  const readOrder = isDescending ? ' DESC' : '';
  const resultOrder = order.isDescending ? ' DESC' : '';
  const reverseOrder = order.isDescending ? '' : ' DESC';
  const toBoundary = (argument: 'after' | 'before', cursor: string) => {
    const [key, id] = parsePosition(list, order, argument, cursor);
    const operator = (argument === 'after') !== order.isDescending ? '>' : '<';
    return (row: string) =>
      `(${row}.${column}, ${row}.id) ${operator} (${bind(key, type)}, ${bind(id, 'uuid')})`;
  };
  const boundaries = [
    ...(args.after == null ? [] : [toBoundary('after', args.after)]),
    ...(args.before == null ? [] : [toBoundary('before', args.before)]),
  ];
  const toReadOrder = (row: string) => `${row}.${column}${readOrder}, ${row}.id${readOrder}`;
  const parentConditions = toConditions('listed');
  const { where, ownerColumn } = findOwner(
    [
      ...parentConditions,
      ...list.where('listed', filter, scope),
      ...boundaries.map((toSql) => toSql('listed')),
    ],
    parentConditions,
  );
  const limitSql = PLANNED_LIMITS.includes(limit) ? String(limit) : bind(limit, 'int');
  const owner = ownerColumn === null ? '' : `listed.${ownerColumn}${readOrder}, `;
  const page = {
    where,
    end: `ORDER BY ${owner}${toReadOrder('listed')} LIMIT ${limitSql} + 1`,
    keyName: order.keyName,
    hasOwner: ownerColumn !== null,
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
    toKeySql: (row) =>
      type === 'timestamptz' ? projectInstant(`${row}.${column}`) : `${row}.${column}::text`,
  };
}

/** Builds the query that counts the rows of a list, up to `max`. */
export function buildCount<Filter extends object>(
  list: RowList<{ id: string }, Filter>,
  filter: Filter,
  scope: ListScope,
  max: number,
  toConditions: (row: string) => string[] = () => [],
): string {
  const conditions = [...toConditions('listed'), ...list.where('listed', filter, scope)];
  const rows = selectRows(list, filter, scope, {
    where: conditions,
    end: `LIMIT ${max}`,
    keyName: undefined,
    hasOwner: findOwner(conditions).ownerColumn !== null,
    isRelated: false,
  });
  return `(SELECT count(*)::int FROM ${rows} counted)`;
}

interface SelectedRows {
  where: string[];
  /** ORDER BY and LIMIT. */
  end: string;
  /** Undefined for rows in any order. */
  keyName: string | undefined;
  hasOwner: boolean;
  /** Whether a condition selects the rows of a parent. */
  isRelated: boolean;
}

/** Selects the rows of a page, and has the statement planned for its values if the filter needs it. */
function selectRows<Filter extends object>(
  list: RowList<{ id: string }, Filter>,
  filter: Filter,
  scope: ListScope,
  { where, end, keyName, hasOwner, isRelated }: SelectedRows,
): string {
  const { from, to } = list.getRange?.(filter, scope) ?? {};
  const queryPlan = chooseQueryPlan(list, from ? { ...filter, from } : filter, {
    sortKey: keyName,
    hasOwner,
  });
  if (queryPlan !== 'shared') scope.requireCustomPlan();
  const query = {
    table: list.table,
    where,
    range: {
      from: from && scope.bind(from, 'timestamptz'),
      to: to && scope.bind(to, 'timestamptz'),
    },
    end,
  };
  const isFoundFirst = queryPlan === 'found first' || (isRelated && !hasOwner);
  if (keyName !== undefined && isFoundFirst) return buildSortedRangeQuery(query);
  return buildRangeQuery({ ...query, isSortedByStart: keyName === 'STARTS_AT' });
}

/** Returns the condition for a column with one of these values of an enum. Literals can use a partial index. */
export function matchEnum(column: string, values: readonly string[]): string {
  const literals = [...new Set(values)].sort().map((value) => {
    if (!/^[a-z_.]+$/.test(value)) throw new Error(`${value} is not a value of an enum`);
    return `'${value}'`;
  });
  return `${column} IN (${literals.join(', ')})`;
}

/** The half-open range [createdFrom, createdTo) of a filter. Each bound is optional. */
export interface CreationFilter {
  createdFrom?: Date | undefined;
  createdTo?: Date | undefined;
}

/** Returns the conditions for rows that were created within the range. */
export const matchCreation = (
  row: string,
  { createdFrom, createdTo }: CreationFilter,
  bind: Bind,
): string[] => [
  ...(createdFrom ? [`${row}.created_at >= ${bind(createdFrom, 'timestamptz')}`] : []),
  ...(createdTo ? [`${row}.created_at < ${bind(createdTo, 'timestamptz')}`] : []),
];
