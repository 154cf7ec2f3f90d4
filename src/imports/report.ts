import { formatWallClock } from '../core/time/time-zone.ts';
import type { SkippedEntry } from './calendar/entry-error.ts';
import type { Occurrence } from './calendar/series.ts';

type ImportOutcome = 'imported' | 'unchanged' | 'skipped';

/** What became of one entry of the file. `line` is where the entry begins, counted from 1. */
export interface ImportRow {
  line: number;
  what: string;
  outcome: ImportOutcome;
  reason?: string;
}

/** Something about the file as a whole, such as a column that nothing is done with. */
export interface ImportNote {
  line: number;
  text: string;
}

export interface ImportReport {
  dryRun: boolean;
  imported: number;
  unchanged: number;
  skipped: number;
  rows: ImportRow[];
  notes: ImportNote[];
}

/** Called as the work goes on; `total` counts what is to be written. */
export type OnProgress = (done: number, total: number) => void;

export interface ImportOptions {
  /** Reports what would happen and changes nothing. */
  dryRun?: boolean | undefined;
  onProgress?: OnProgress | undefined;
}

export function buildReport(
  dryRun: boolean,
  rows: ImportRow[],
  notes: ImportNote[] = [],
): ImportReport {
  const count = (outcome: ImportOutcome) => rows.filter((row) => row.outcome === outcome).length;
  return {
    dryRun,
    imported: count('imported'),
    unchanged: count('unchanged'),
    skipped: count('skipped'),
    rows: rows.toSorted((a, b) => a.line - b.line),
    notes,
  };
}

export const toSkippedRow = (
  { line, what }: { line: number; what: string },
  reason: string,
): ImportRow => ({
  line,
  what,
  outcome: 'skipped',
  reason,
});

/** How a report names an occurrence. */
export function formatOccurrence(
  { title, startsAt, allDay }: Occurrence,
  timeZone: string,
): string {
  const start = formatWallClock(startsAt, timeZone);
  return `${title || 'Untitled'}, ${allDay ? start.slice(0, 10) : start}`;
}

export const toSkippedRows = (problems: SkippedEntry[]): ImportRow[] =>
  problems.map((problem) => toSkippedRow(problem, problem.reason));

/** The row of what an earlier run imported. Nothing is changed here, so a change there is told. */
export function toUnchangedRow(
  { line, startsAt, endsAt }: Occurrence,
  what: string,
  stored: { startsAt: Date; endsAt: Date },
): ImportRow {
  const same = +startsAt === +stored.startsAt && +endsAt === +stored.endsAt;
  const reason = same
    ? 'It was imported before.'
    : 'It was imported before. Its time in the file is another now; here it stays as it is.';
  return { line, what, outcome: 'unchanged', reason };
}
