import type { Context } from '../context.ts';
import type { ImportKind } from '../db/generated/client.ts';
import {
  continueImport,
  finishImport,
  type ImportChangeRecord,
  type ImportSubject,
  recordEntries,
  startImport,
} from '../features/imports/service/imports.ts';
import type { ImportReport, ImportRow } from './report.ts';

interface OpenOptions {
  /** The import that the part belongs to. Default: an import of its own, which ends with it. */
  importId?: string | undefined;
  fileName?: string | undefined;
  update?: boolean | undefined;
  /** The resource of bookings. */
  resourceId?: string | undefined;
}

/** Records what an import does, in its transaction. */
export interface ImportWriter {
  write(
    report: ImportReport,
    findSubject: (row: ImportRow) => string | undefined,
    changes: ImportChangeRecord[],
  ): Promise<ImportReport>;
}

/** Starts an import, or continues one with its next part, locked until the transaction ends. */
export async function openImport(
  ctx: Context,
  kind: ImportKind,
  { importId, fileName, update = false, resourceId }: OpenOptions,
): Promise<ImportWriter> {
  const id =
    importId ??
    (await startImport(ctx, {
      kind,
      fileName,
      updatesExisting: update,
      resourceId,
    }));
  if (importId !== undefined) await continueImport(ctx, id, kind);
  return {
    write: async (report, findSubject, changes) => {
      const entries = report.rows.map((row) => ({ ...row, subjectId: findSubject(row) }));
      await recordEntries(ctx, id, { entries, changes, isPart: importId !== undefined });
      if (importId === undefined) await finishImport(ctx, id);
      return { ...report, importId: id };
    },
  };
}

export const toCreated = (subjectType: ImportSubject, subjectId: string): ImportChangeRecord => ({
  subjectType,
  subjectId,
});
