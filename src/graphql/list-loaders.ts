import DataLoader from 'dataloader';
import type { Context } from '../context.ts';
import type { PageArgs } from '../lists/page.ts';
import {
  countRows,
  countRowsByParent,
  type KeyPage,
  type ParentCondition,
  readKeys,
  readKeysByParent,
} from '../lists/read-list.ts';
import type { RowList } from '../lists/row-list.ts';

/** The rows of a list that belong to a parent, such as the bookings of a member. */
export type ToParentCondition = ParentCondition['toCondition'];

/** A list, or the part of it that belongs to each parent, as a field selects it. */
export interface ListSelection<Row extends { id: string }, Filter extends object> {
  list: RowList<Row, Filter>;
  filter: Filter;
  toCondition?: ToParentCondition | undefined;
}

/** Counts stop here, so that they cost the same however many rows there are. */
export const MAX_COUNT = 1_000;

/** Loaders that read lists of many parents in one statement. They are created when a field first uses them. */
export function createListLoaders(ctx: Context) {
  const loaders = new Map<unknown, Map<string, DataLoader<string, unknown>>>();

  /** Fields of one response share the loader for the same list, condition and arguments. */
  function share<Value>(
    owner: unknown,
    args: unknown,
    read: (ids: readonly string[]) => Promise<Map<string, Value>>,
  ): DataLoader<string, Value> {
    const byArgs = loaders.get(owner) ?? new Map<string, DataLoader<string, unknown>>();
    loaders.set(owner, byArgs);
    const key = JSON.stringify(args);
    const loader =
      byArgs.get(key) ??
      new DataLoader<string, unknown>(async (ids) => {
        const values = await read(ids);
        return ids.map((id) => (values.has(id) ? values.get(id) : null));
      });
    byArgs.set(key, loader);
    return loader as DataLoader<string, Value>;
  }

  /** Loads one row. The list decides whether it checks what the viewer can see. */
  const loadRow = <Row extends { id: string }>(
    { findByIds }: Pick<RowList<Row, never>, 'findByIds'>,
    id: string,
  ): Promise<Row | null> =>
    share(
      findByIds,
      null,
      async (ids) => new Map((await findByIds(ctx, [...ids])).map((row) => [row.id, row])),
    ).load(id);

  async function loadKeys<Filter extends object>(
    { list, filter, toCondition }: ListSelection<{ id: string }, Filter>,
    args: PageArgs,
    parentId: string | undefined,
  ): Promise<KeyPage> {
    if (toCondition === undefined || parentId === undefined)
      return readKeys(ctx, list, filter, args);
    const keys = await share(toCondition, ['keys', filter, args], (ids) =>
      readKeysByParent(ctx, list, filter, args, { ids, toCondition }),
    ).load(parentId);
    return keys ?? { keys: [], hasMore: false };
  }

  async function countTotal<Filter extends object>(
    { list, filter, toCondition }: ListSelection<{ id: string }, Filter>,
    parentId: string | undefined,
  ): Promise<number> {
    const max = MAX_COUNT + 1;
    if (toCondition === undefined || parentId === undefined)
      return countRows(ctx, list, filter, max);
    const count = await share(toCondition, ['count', filter], (ids) =>
      countRowsByParent(ctx, list, filter, max, { ids, toCondition }),
    ).load(parentId);
    return count ?? 0;
  }

  return { loadRow, loadKeys, countTotal };
}

export type ListLoaders = ReturnType<typeof createListLoaders>;
