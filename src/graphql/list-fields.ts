import type { Access } from '../auth/viewer.ts';
import { isUuid } from '../core/ids.ts';
import { DEFAULT_RELATION_LIMIT } from '../core/pagination.ts';
import { type PageArgs, toPageLimit } from '../lists/page.ts';
import type { ListScope, RowList, RowSource } from '../lists/row-list.ts';
import type { SortKey } from '../lists/sort-order.ts';
import { builder } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { type ListSelection, MAX_COUNT, type ToParentCondition } from './list-loaders.ts';

const TotalCount = builder.objectRef<number>('TotalCount');
TotalCount.implement({
  description: `The number of rows of a list. Counting stops at ${MAX_COUNT.toLocaleString('en')}.`,
  fields: (t) => ({
    value: t.int({
      description: `At most ${MAX_COUNT}`,
      resolve: (count) => Math.min(count, MAX_COUNT),
    }),
    isExact: t.boolean({
      description: 'False if there are more rows than the value says',
      resolve: (count) => count <= MAX_COUNT,
    }),
    text: t.string({
      description: 'For people, such as "17" or "1,000+"',
      resolve: (count) =>
        count <= MAX_COUNT ? count.toLocaleString('en') : `${MAX_COUNT.toLocaleString('en')}+`,
    }),
  }),
});

/** The fields of `TotalCount` in SQL. A test compares them with the resolvers. */
export const toTotalCountSql = (count: string): Record<string, string> => ({
  value: `least(${count}, ${MAX_COUNT})`,
  isExact: `(${count} <= ${MAX_COUNT})`,
  text: `CASE WHEN ${count} <= ${MAX_COUNT} THEN to_char(${count}, 'FM999,999') ELSE '${MAX_COUNT.toLocaleString('en')}+' END`,
});

interface CountableConnection {
  countTotal?: () => Promise<number>;
}

builder.globalConnectionField('totalCount', (t) =>
  t.field({
    type: TotalCount,
    description: 'The number of rows on all pages. It is counted only if it is selected.',
    resolve: (connection) => {
      const { countTotal } = connection as CountableConnection;
      if (countTotal === undefined) throw new Error('this list cannot be counted');
      return countTotal();
    },
  }),
);

type OrderEnum = ReturnType<typeof createOrderEnum>;

const orderEnums = new Map<string, OrderEnum>();

/** Returns the enum of the orders of a list, such as `BookingOrder`. */
export function getOrderEnum(
  node: string,
  { sortKeys }: Pick<RowList<{ id: string }, never>, 'sortKeys'>,
): OrderEnum {
  const name = `${node}Order`;
  const ref = orderEnums.get(name) ?? createOrderEnum(name, sortKeys);
  orderEnums.set(name, ref);
  return ref;
}

function createOrderEnum(name: string, sortKeys: Record<string, SortKey>) {
  const values = Object.entries(sortKeys).flatMap(([key, { label }]) => [
    [`${key}_ASC`, { value: `${key}_ASC`, description: `By ${label}, ascending` }] as const,
    [`${key}_DESC`, { value: `${key}_DESC`, description: `By ${label}, descending` }] as const,
  ]);
  return builder.enumType(name, {
    description: `How to sort ${name.replace(/Order$/, '')} lists`,
    values: Object.fromEntries(values) as Record<string, { value: string }>,
  });
}

type ListArgs<Filter> = PageArgs & { filter?: Filter | null | undefined };

/** Returns the options of a root field that lists all rows that the viewer sees. */
export const listField = <Row extends { id: string }, Filter extends object>(
  list: RowList<Row, Filter>,
) => ({
  extensions: { list: { list } satisfies ListExtension },
  resolve: (_: unknown, args: ListArgs<Filter>, context: GraphqlContext) =>
    resolveList({ list, filter: args.filter ?? ({} as Filter) }, args, context, undefined),
});

/**
 * Returns the options of a field of a type that lists the rows that belong to it. `toCondition` receives the alias of the
 * row and the SQL of the parent's id. If access depends on the parent, `sufficientAccess` names one that suffices for all.
 */
export const relationField = <Row extends { id: string }, Filter extends object>(
  list: RowList<Row, Filter>,
  toCondition: ToParentCondition,
  sufficientAccess?: Access,
) => ({
  extensions: { sufficientAccess, list: { list, toCondition } satisfies ListExtension },
  resolve: ({ id }: { id: string }, args: ListArgs<Filter>, context: GraphqlContext) =>
    resolveList(
      { list, filter: args.filter ?? ({} as Filter), toCondition },
      toRelationArgs(args),
      context,
      id,
    ),
});

/** Applies the page size of lists below another object, of which there can be many in a response. */
export const toRelationArgs = <Args extends PageArgs>(args: Args): Args =>
  args.first == null && args.last == null ? { ...args, first: DEFAULT_RELATION_LIMIT } : args;

/**
 * Returns the options of a field for the one row that belongs to the parent. It is null if the viewer does not see that
 * row. The other parameters are those of `relationField`.
 */
export const relatedRow = <Row extends { id: string }, Filter extends object>(
  list: RowList<Row, Filter>,
  toCondition: ToParentCondition,
  sufficientAccess?: Access,
) => ({
  nullable: true as const,
  extensions: { sufficientAccess, list: { list, toCondition } satisfies ListExtension },
  resolve: async ({ id }: { id: string }, _: unknown, { lists }: GraphqlContext) => {
    const selection = { list, filter: {} as Filter, toCondition };
    const {
      keys: [key],
    } = await lists.loadKeys(selection, { first: 1 }, id);
    return key === undefined ? null : lists.loadRow(list, key.id);
  },
});

interface RowFieldOptions<Parent> {
  /** The key of the parent's projection that has the id. */
  reads: string;
  toId: (parent: Parent) => string | null | undefined;
  /** An access that is sufficient for every row, for fields whose access depends on the row. */
  sufficientAccess?: Access;
}

/** Returns the options of a field for the one row whose id the parent has. It is null if the viewer does not see that row. */
export const rowField = <Row extends { id: string }, Parent>(
  source: RowSource<Row>,
  { reads, toId, sufficientAccess }: RowFieldOptions<Parent>,
) => ({
  nullable: true as const,
  extensions: {
    sufficientAccess,
    row: {
      table: source.table,
      where: (row, _, scope) => [
        `${row}.id = ${scope.parent(reads)}`,
        ...source.where(row, {}, scope),
      ],
    } satisfies RowExtension,
  },
  resolve: (parent: Parent, _: unknown, { lists }: GraphqlContext): Promise<Row | null> | null => {
    const id = toId(parent);
    return id == null ? null : lists.loadRow(source, id);
  },
});

/**
 * What a field lists, for reads that are planned from the selection. If the type of the field is that of the rows, it returns
 * the first row.
 */
export interface ListExtension {
  // biome-ignore lint/suspicious/noExplicitAny: each list has its own filter
  list: RowList<any, any>;
  toCondition?: ToParentCondition;
}

/** The rows of a table that a field returns. Their type has a projection. */
export interface RowExtension {
  /** A table, or a subquery that computes the rows. */
  table: string | ((args: Record<string, unknown>, scope: RowScope) => string);
  /** The conditions on the row with this alias. `args` are parsed. */
  where: (row: string, args: Record<string, unknown>, scope: RowScope) => string[];
  /** The order, for a field of several rows. */
  toOrder?: (row: string) => string;
  /** Whether a field of several rows responds with an error if there are none. */
  needsRow?: (args: Record<string, unknown>) => boolean;
}

export interface RowScope extends ListScope {
  /** Returns the SQL of a key of the parent's projection. Root fields have no parent. */
  parent: (key: string) => string;
  /** The event of a subscription, for its root field. */
  event: unknown;
}

/** Selects the row with an id from those of a list that the viewer sees. */
export const selectById = <Filter extends object>({
  table,
  where,
}: Pick<RowSource<{ id: string }, Filter>, 'table' | 'where'>): RowExtension => ({
  table,
  where: (row, { id }, scope) =>
    typeof id === 'string' && isUuid(id)
      ? [`${row}.id = ${scope.bind(id, 'uuid')}`, ...where(row, {} as Filter, scope)]
      : ['false'],
});

/** Selects the row of an event, for the root field of a subscription. `toTable` returns a subquery of one row. */
export const selectByEvent = <Event>(
  toTable: (event: Event, scope: RowScope) => string,
): RowExtension => ({
  table: (_, scope) => toTable(scope.event as Event, scope),
  where: () => [],
});

async function resolveList<Row extends { id: string }, Filter extends object>(
  selection: ListSelection<Row, Filter>,
  { first, after, last, before, orderBy }: ListArgs<Filter>,
  { lists }: GraphqlContext,
  parentId: string | undefined,
) {
  const args = { first, after, last, before, orderBy };
  toPageLimit(args);
  const { keys, hasMore } = await lists.loadKeys(selection, args, parentId);
  const nodes = await Promise.all(keys.map(({ id }) => lists.loadRow(selection.list, id)));
  const edges = keys.flatMap(({ cursor }, index) => {
    const node = nodes[index];
    return node == null ? [] : [{ cursor, node }]; // it was deleted in the meantime
  });
  return {
    edges,
    pageInfo: {
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
      hasNextPage: last == null ? hasMore : before != null,
      hasPreviousPage: last == null ? after != null : hasMore,
    },
    countTotal: () => lists.countTotal(selection, parentId),
  };
}
