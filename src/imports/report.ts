type Outcome = 'imported' | 'unchanged' | 'skipped';

/** What became of one entry of the file. `line` is where the entry begins, counted from 1. */
export interface ImportRow {
  line: number;
  what: string;
  outcome: Outcome;
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

export function reportOf(
  dryRun: boolean,
  rows: ImportRow[],
  notes: ImportNote[] = [],
): ImportReport {
  const count = (outcome: Outcome) => rows.filter((row) => row.outcome === outcome).length;
  return {
    dryRun,
    imported: count('imported'),
    unchanged: count('unchanged'),
    skipped: count('skipped'),
    rows: rows.toSorted((a, b) => a.line - b.line),
    notes,
  };
}

export const skipped = (
  { line, what }: { line: number; what: string },
  reason: string,
): ImportRow => ({
  line,
  what,
  outcome: 'skipped',
  reason,
});
