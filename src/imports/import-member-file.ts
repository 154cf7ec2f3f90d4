import type { Context } from '../context.ts';
import { finishImport, startImport } from '../features/imports/service/imports.ts';
import { createDateOrderFinder } from './dates.ts';
import { findCommonZone, importListedMembers, type MemberImportOptions } from './import-members.ts';
import { createCellReader, recognizeColumns } from './member-columns.ts';
import { createDuplicateFinder, createMemberParser, type ListedMember } from './read-members.ts';
import type { ImportCounts, ImportRow, OnProgress } from './report.ts';
import { type CsvTable, readCsv } from './source/csv-table.ts';
import type { ImportNote } from './source/note.ts';
import type { ReadFile } from './source/read-text.ts';

// Each batch is a transaction, so that others can use the embedded database in between.
const BATCH_ROWS = 1_000;

interface MemberFileImport extends MemberImportOptions {
  dryRun?: boolean | undefined;
  /** The name of the file, for the list of imports. */
  fileName?: string | undefined;
  /** Takes each row of the report. They are not kept: a list can have any number of lines. */
  onRow: (row: ImportRow) => void;
  onProgress?: OnProgress | undefined;
  /** How many rows a transaction imports. Default: 1,000 */
  batchRows?: number | undefined;
}

export interface MemberFileReport extends ImportCounts {
  dryRun: boolean;
  /** Absent for a dry run. */
  importId?: string;
  notes: ImportNote[];
}

/**
 * Imports a member list of any size, in batches of 1,000 rows: it keeps one batch, the email addresses, the customer numbers and the lines that it skips in memory. It reads the whole file before it imports
 * the first row: a file that is no list imports nothing. If it is interrupted, importing the file again continues. All batches belong to one import, which can be undone.
 *
 * @throws BAD_REQUEST, with the line, for a file that cannot be read at all
 */
export async function importMemberFile(
  ctx: Context,
  readFile: ReadFile,
  {
    dryRun = false,
    fileName,
    onRow,
    onProgress,
    batchRows = BATCH_ROWS,
    ...options
  }: MemberFileImport,
): Promise<MemberFileReport> {
  const { total, dateOrder, notes } = await checkFile(readFile, options);
  const table = await readCsv(readFile, options.encoding);
  const { cell } = createCellReader(
    table.header,
    options.mapping ?? recognizeColumns(table.header),
  );
  const parse = createMemberParser({
    cell,
    columns: table.header.cells.length,
    dateOrder,
    timeZone: await findCommonZone(ctx),
    undecided: options.undecided,
  });
  const counts = { imported: 0, updated: 0, unchanged: 0, skipped: 0 };
  const start = { kind: 'members' as const, fileName, updatesExisting: options.update };
  const importId = dryRun ? undefined : await startImport(ctx, start);
  // It keeps all that is kept of the rows.
  const findDuplicate = createDuplicateFinder();
  const skippedBefore = new Set<number>();
  const created = new Map<string, ImportNote>();
  let done = 0;
  for await (const batch of toBatches(table.rows, batchRows)) {
    const rows = batch.map(parse);
    const skipped = rows.filter((row) => 'outcome' in row);
    const people: ListedMember[] = [];
    for (const person of rows) {
      if ('outcome' in person) continue;
      const duplicate = findDuplicate(person);
      if (duplicate === null) people.push(person);
      else skipped.push(duplicate);
    }
    const report = await importListedMembers(ctx, people, {
      ...options,
      dryRun,
      importId,
      skippedRows: skipped,
      skippedBefore,
    });
    for (const note of report.notes) created.set(note.text, note);
    for (const row of report.rows) {
      counts[row.outcome] += 1;
      if (row.outcome === 'skipped') skippedBefore.add(row.line);
      onRow(row);
    }
    done += batch.length;
    onProgress?.(done, total);
  }
  if (importId !== undefined) await finishImport(ctx, importId);
  const report = { dryRun, ...counts, notes: [...notes, ...created.values()] };
  return importId === undefined ? report : { ...report, importId };
}

/** Reads the whole file: whether it can be read, and how its dates and characters are. */
async function checkFile(
  readFile: ReadFile,
  { encoding, mapping, dateOrder }: MemberImportOptions,
) {
  const table = await readCsv(readFile, encoding);
  const { cell, notes } = createCellReader(table.header, mapping ?? recognizeColumns(table.header));
  const order = createDateOrderFinder();
  let total = 0;
  for await (const row of table.rows) {
    total += 1;
    order.add(cell(row, 'startsOn'));
    order.add(cell(row, 'endsOn'));
  }
  return { total, dateOrder: dateOrder ?? order.find(), notes: [...notes, ...table.listNotes()] };
}

async function* toBatches(rows: CsvTable['rows'], size: number) {
  let batch = [];
  for await (const row of rows) {
    if (batch.push(row) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
