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
