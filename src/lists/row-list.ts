import type { Context } from '../context.ts';
import type { Projection } from '../db/json-projection.ts';
import type { Bind, Parameters } from '../db/prepared-statement.ts';
import type { SharedQueryPlans } from './plan-choice.ts';
import type { SortKey, SortOrder } from './sort-order.ts';

/** The conditions under which rows are read. */
export interface ListScope
  extends Pick<Context, 'viewer' | 'now' | 'hasMailServer' | 'payments'>,
    Pick<Parameters, 'bind' | 'requireCustomPlan'> {}

/** The rows of a table that a viewer sees. */
export interface RowSource<Row extends { id: string }, Filter extends object = object> {
  table: string;
  /** SQL conditions on the row with this alias: those of the viewer, and those of the filter. */
  where(row: string, filter: Filter, scope: ListScope): string[];
  /** Finds rows by id, in any order. */
  findByIds(ctx: Context, ids: string[]): Promise<Row[]>;
}

/**
 * How the rows of a table are listed: which ones a viewer sees, and how they are filtered and sorted. Both APIs, relations
 * and counts use it. Its `findByIds` checks no permission: `where` has selected the ids.
 */
export interface RowList<
  Row extends { id: string } = { id: string },
  Filter extends object = object,
  Key extends string = string,
> extends RowSource<Row, Filter> {
  /** The plural, for cursors and messages, such as `bookings`. */
  name: string;
  sortKeys: Record<Key, SortKey>;
  defaultOrder: SortOrder<Key>;
  /** The filters that an index of a sort key serves. See `chooseQueryPlan`. */
  sharedQueryPlans?: SharedQueryPlans<Key>;
  /** The range of the filter, for rows with `starts_at` and `ends_at`. */
  getRange?(filter: Filter, scope: Pick<ListScope, 'now'>): OverlapFilter;
  /**
   * The range of a column other than the sort key, if an index begins with its week and continues with the sort key. Null for filters and
   * viewers that leave out most rows of a week.
   */
  getWeeks?(filter: Filter, scope: Pick<ListScope, 'viewer'>, key: Key): WeekFilter | null;
  /**
   * By sort key, the columns of owners with an index of their own that continues with it, if an owner has some 30,000 rows at most:
   * PostgreSQL reads all of them in order in less than 20 ms.
   */
  ownersInOrder?: { [key in Key]?: readonly string[] };
  /** For lists whose pages one statement reads, finished. */
  toItem?: ToItem;
}

/** How the rows of a list are selected and sorted, without how they are found by id. */
export type ListRules<Filter extends object = object> = Omit<
  RowList<{ id: string }, Filter>,
  'findByIds'
>;

/** The half-open range [from, to) that rows with a start and an end must overlap. Each bound is optional. */
interface OverlapFilter {
  from?: Date | undefined;
  to?: Date | undefined;
}

interface WeekFilter extends OverlapFilter {
  column: string;
  /** The columns of owners with an index of their own, that begins with the owner. */
  ownerColumns?: readonly string[];
}

/** How PostgreSQL writes a row, whose alias is `item`. The text is cached per projection object, so reuse the object. */
export type ToItem = (scope: Pick<ListScope, 'viewer' | 'now' | 'bind'>) => {
  projection: Projection;
  /** Joins to the row. They see only the rows of the page. */
  joins: string;
};

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
