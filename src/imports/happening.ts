import { wallClock } from '../time.ts';
import type { Problem } from './calendar/problem.ts';
import type { Occurrence } from './calendar/series.ts';
import { type ImportRow, skipped } from './report.ts';

/** How a report names an occurrence. */
export function labelOf({ title, startsAt, allDay }: Occurrence, timeZone: string): string {
  const start = wallClock(startsAt, timeZone);
  return `${title || 'Untitled'}, ${allDay ? start.slice(0, 10) : start}`;
}

export const skippedProblems = (problems: Problem[]): ImportRow[] =>
  problems.map((problem) => skipped(problem, problem.reason));

/** The row of what an earlier run imported. Nothing is changed here, so a change there is told. */
export function unchanged(
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
