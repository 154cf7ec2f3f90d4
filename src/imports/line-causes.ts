import type { ImportRow } from './report.ts';

/** The line of the same file because of which another one is skipped, and what to say about it. */
interface Cause {
  line: number;
  ifSkipped: string;
  otherwise?: string;
}

/** A line that is skipped, perhaps because of another line. */
export interface SkippedLine extends ImportRow {
  cause?: Cause | undefined;
}

export const isSkipped = ({ outcome }: ImportRow): boolean => outcome === 'skipped';

/**
 * Says of lines that other lines keep out whether these are skipped themselves, so that people begin with them.
 *
 * @param rows of all lines, since what becomes of one can depend on the changes
 * @param skippedBefore the lines of earlier parts that were skipped
 */
export function explainCauses(
  rows: SkippedLine[],
  skippedBefore: ReadonlySet<number> = new Set(),
): ImportRow[] {
  const lines = new Set(rows.filter(isSkipped).map(({ line }) => line));
  return rows.map(({ cause, ...row }) => {
    if (cause === undefined) return row;
    const isCauseSkipped = lines.has(cause.line) || skippedBefore.has(cause.line);
    const more = isCauseSkipped ? cause.ifSkipped : cause.otherwise;
    return more === undefined ? row : { ...row, reason: `${row.reason} ${more}` };
  });
}
