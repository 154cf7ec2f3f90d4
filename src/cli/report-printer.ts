import type { ImportCounts, ImportRow } from '../imports/report.ts';
import type { ImportNote } from '../imports/source/note.ts';
import { formatCommand } from './run-command.ts';

interface PrintedReport extends ImportCounts {
  dryRun: boolean;
  /** Absent for a dry run. */
  importId?: string;
  notes: ImportNote[];
}

/** Prints each row of a report as soon as it is known, because a list can have any number of them. */
export function createReportPrinter({ json = false, url }: { json?: boolean; url?: string }) {
  let start = '{"rows":[';
  return {
    printRow: (row: ImportRow): void => {
      if (json) process.stdout.write(`${start}${JSON.stringify(row)}`);
      else if (row.reason !== undefined) process.stdout.write(`${formatRow(row)}\n`);
      start = ',';
    },
    /** Prints the rest, once all rows are printed. */
    printEnd: (report: PrintedReport): void => {
      const isEmpty = start !== ',';
      const text = json
        ? `${isEmpty ? start : ''}],${JSON.stringify(report).slice(1)}`
        : formatEnd(report, url);
      process.stdout.write(`${text}\n`);
    },
  };
}

const formatRow = ({ line, what, outcome, reason }: ImportRow) =>
  `line ${line}: ${what}: ${outcome}: ${reason}`;

function formatEnd({ dryRun, importId, notes, ...counts }: PrintedReport, url?: string): string {
  const { imported, updated, unchanged, skipped } = counts;
  const lines = notes.map(({ line, text }) => (line === null ? text : `line ${line}: ${text}`));
  const summary = dryRun
    ? `Dry run: would import ${imported}, ${updated > 0 ? `update ${updated}, ` : ''}leave ${unchanged} unchanged and skip ${skipped}. Nothing was changed. Run again without --dry-run to import.`
    : `Imported ${imported}, ${updated > 0 ? `updated ${updated}, ` : ''}left ${unchanged} unchanged and skipped ${skipped}.`;
  // A running service may be the only one that can open its database.
  const way =
    url === undefined
      ? formatCommand(`import undo ${importId}`)
      : new URL('/admin/settings/imports', url).href;
  const undo = importId === undefined ? [] : [`To undo it: ${way}`];
  return [...lines, summary, ...undo].join('\n');
}
