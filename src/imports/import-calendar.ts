import type { Context } from '../context.ts';
import { createRowSample } from '../core/row-sample.ts';
import { deleteImportFile, readImportFile } from '../features/imports/service/file-parts.ts';
import { importInTurn } from '../features/imports/service/import-queue.ts';
import type { CalendarImportOptions, ImportReport, ImportRow } from './report.ts';
import type { Encoding } from './source/encoding.ts';

// One transaction imports them. The embedded database serves nobody else meanwhile, so that it must take a few seconds at most.
const MAX_OCCURRENCES = 5_000;

interface CalendarSource {
  /** The text of the file. */
  file?: string | undefined;
  /** Or a file that was sent in parts, which is deleted after it was imported. */
  fileId?: string | undefined;
  encoding?: Encoding | undefined;
  dryRun?: boolean | undefined;
}

type ImportWork = (
  source: Pick<CalendarImportOptions, 'file' | 'encoding' | 'maxOccurrences'>,
) => Promise<ImportReport>;

/**
 * Imports a calendar that a request has sent, or the requests before it, after the imports that run in this process.
 *
 * @throws NOT_FOUND for the file, and what `work` throws
 */
export const importCalendar = (
  ctx: Context,
  source: CalendarSource,
  work: ImportWork,
): Promise<ImportReport> =>
  importInTurn(ctx, () => readAndImport(ctx, source, work), source.fileId);

async function readAndImport(
  ctx: Context,
  { file, fileId, encoding, dryRun = false }: CalendarSource,
  work: ImportWork,
): Promise<ImportReport> {
  const { rows, ...report } = await work({
    ...(fileId === undefined
      ? { file: Buffer.from(file ?? ''), encoding: 'utf-8' }
      : { file: await readImportFile(ctx, fileId), encoding }),
    maxOccurrences: MAX_OCCURRENCES,
  });
  if (fileId !== undefined && !dryRun) await deleteImportFile(ctx, fileId);
  // A calendar can have many entries from other years, which are all skipped.
  const sample = createRowSample<ImportRow>();
  for (const row of rows) sample.add(row);
  const text = sample.formatLeftOut();
  return {
    ...report,
    rows: sample.rows,
    notes: text === null ? report.notes : [...report.notes, { line: null, text }],
  };
}
