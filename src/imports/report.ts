import type { Money } from '../core/money.ts';
import { formatLocalDate, formatLocalDateTime } from '../core/time/format.ts';
import type { SkippedEntry } from './calendar/entry-error.ts';
import type { Occurrence } from './calendar/series.ts';
import type { DateOrder } from './dates.ts';
import type { MemberField } from './member-fields.ts';
import type { Encoding } from './source/encoding.ts';
import type { ImportNote } from './source/note.ts';

type ImportOutcome = 'imported' | 'updated' | 'unchanged' | 'skipped';

/** The outcome for one entry of the file. `line` is where the entry starts, counted from 1. */
export interface ImportRow {
  line: number;
  what: string;
  outcome: ImportOutcome;
  reason?: string;
}

export interface ImportColumn {
  /** As in the header. */
  name: string;
  /** Null if it is not imported. */
  field: MemberField | null;
}

export type ImportCounts = Record<ImportOutcome, number>;

/** Whether imported bookings are free of charge, or get the prices that they would get if they were made here. */
export const BOOKING_PRICINGS = ['none', 'by_rules'] as const;
export type BookingPricing = (typeof BOOKING_PRICINGS)[number];

/** What imported bookings cost that got a price. */
export interface ImportPrices {
  bookings: number;
  total: Money;
  /** What they use of plans. */
  includedMinutes: number;
}

export interface ImportReport extends ImportCounts {
  dryRun: boolean;
  /** The import that it belongs to. Absent for a dry run. */
  importId?: string;
  rows: ImportRow[];
  notes: ImportNote[];
  /** The columns of a list, in order, with what they are read as. Absent for calendars. */
  columns?: ImportColumn[];
  /** The plans of a list that new members cannot get, since there are none of these names, or they are inactive. Absent for calendars. */
  unknownPlans?: string[];
  /** Whether dates such as 03/04/2024 in the file begin with the day or the month. Absent if it has none that shows it. */
  dateOrder?: DateOrder | null;
  /** The prices of bookings, new ones and those that move. Absent for others. */
  prices?: ImportPrices;
}

/** Reports progress; `total` counts the entries to write. */
export type OnProgress = (done: number, total: number) => void;

export interface CalendarImportOptions extends ImportOptions {
  /** An iCalendar file. */
  file: Uint8Array;
  /** The encoding of a file that is not Unicode. Default: what it looks like. */
  encoding?: Encoding | undefined;
  /** The most occurrences to import. Default: as many as a file can have. */
  maxOccurrences?: number | undefined;
}

export interface ImportOptions {
  /** Report what would happen, but change nothing. */
  dryRun?: boolean | undefined;
  /** The name of the file, for the list of imports. */
  fileName?: string | undefined;
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
    updated: count('updated'),
    unchanged: count('unchanged'),
    skipped: count('skipped'),
    rows: rows.toSorted(compareByLine),
    notes,
  };
}

const compareByLine = (a: ImportRow, b: ImportRow) => a.line - b.line;

export const toSkippedRow = (
  { line, what }: { line: number; what: string },
  reason: string,
): ImportRow => ({
  line,
  what,
  outcome: 'skipped',
  reason,
});

/** Formats the label of an occurrence in a report. */
export function formatOccurrence(
  { title, startsAt, allDay }: Occurrence,
  timeZone: string,
): string {
  const format = allDay ? formatLocalDate : formatLocalDateTime;
  return `${title || 'Untitled'}, ${format(startsAt, timeZone)}`;
}

export const toSkippedRows = (problems: SkippedEntry[]): ImportRow[] =>
  problems.map((problem) => toSkippedRow(problem, problem.reason));
