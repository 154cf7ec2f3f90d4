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

/**
 * Says of lines that other lines keep out whether these are skipped themselves, so that people begin with them.
 *
 * @param skippedBefore the lines of earlier parts that were skipped
 */
export function explainCauses(
  skipped: SkippedLine[],
  skippedBefore: ReadonlySet<number> = new Set(),
): ImportRow[] {
  const lines = new Set(skipped.map(({ line }) => line));
  return skipped.map(({ cause, ...row }) => {
    if (cause === undefined) return row;
    const isSkipped = lines.has(cause.line) || skippedBefore.has(cause.line);
    const more = isSkipped ? cause.ifSkipped : cause.otherwise;
    return more === undefined ? row : { ...row, reason: `${row.reason} ${more}` };
  });
}
