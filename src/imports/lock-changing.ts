import type { FieldChange } from '../features/imports/service/changed-fields.ts';
import {
  DELETED_MEANWHILE,
  type KeptReason,
  type KnownResult,
  toKeptResult,
  toUpdated,
  UNCHANGED,
} from './known-entries.ts';

interface ChangeRules<Row> {
  /** Null if the row is as the file says. */
  findChange(row: Row): FieldChange | null;
  /** Says why a row stays that differs from the file, or null if it can change. */
  explainKept(row: Row): KeptReason | null;
  /** Locks these rows and reads them again, also without any: an import can lock more along with them. */
  lock(ids: string[]): Promise<Row[]>;
}

interface ChangingRows<Row> {
  /** The results of all rows, by id. Those of `changing` say that they are changed. */
  results: Map<string, KnownResult>;
  /** The rows that the import changes, locked until the transaction ends. */
  changing: { row: Row; change: FieldChange }[];
}

/**
 * Decides which rows that were imported before change. It locks only these and decides again, since people can change or delete
 * some of them meanwhile.
 */
export async function lockChanging<Row extends { id: string }>(
  rows: Row[],
  { findChange, explainKept, lock }: ChangeRules<Row>,
): Promise<ChangingRows<Row>> {
  const results = new Map<string, KnownResult>();
  const decide = (row: Row) => {
    const change = findChange(row);
    const kept = change && explainKept(row);
    if (change === null) results.set(row.id, UNCHANGED);
    else if (kept !== null) results.set(row.id, toKeptResult(change, kept));
    else {
      results.set(row.id, toUpdated(change));
      return [{ row, change }];
    }
    return [];
  };
  const different = rows.flatMap(decide);
  for (const { row, change } of different)
    results.set(row.id, toKeptResult(change, DELETED_MEANWHILE));
  const locked = await lock(different.map(({ row }) => row.id));
  return { results, changing: locked.flatMap(decide) };
}
