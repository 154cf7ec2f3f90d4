import type { Projection } from '../../db/json-projection.ts';
import { projectFields } from '../../rows/projection.ts';
import type { ShownRow } from '../../rows/row.ts';
import { importEntryRow, importRow } from './rows.ts';

/** An import, with the names of its resource and of who started it. */
export type Import = ShownRow<typeof importRow>;

/** What an import did with one entry of its file. */
export type ImportedEntry = ShownRow<typeof importEntryRow>;

export const toImportProjection = (row: string) =>
  projectFields(importRow, row) satisfies Projection;

export const toImportedEntryProjection = (row: string) =>
  projectFields(importEntryRow, row) satisfies Projection;

/** Something about one line of the file. */
export interface UndoNote {
  line: number;
  reason: string;
}

/** What undoing an import did, or would do. */
export interface UndoReport {
  /** How many members, events or bookings are removed. */
  removed: number;
  /** How many get their earlier fields back. */
  restored: number;
  /** What stays as it is, such as fields that were changed since the import. */
  notes: UndoNote[];
  /** Why it cannot be undone, by line. Empty if it can be. */
  problems: UndoNote[];
}
