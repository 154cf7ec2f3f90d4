import { toLocalDate } from '../../core/time/time-zone.ts';
import {
  findDateProblem,
  parseWallClock,
  SKIPPED_TIME_MESSAGE,
  toLocalTime,
} from './wall-clock.ts';

/** The value of a datetime-local input: "2026-11-20T18:00", or empty. */
export const toLocalDateTime = (at: string | null, timeZone: string) =>
  at === null ? '' : `${toLocalDate(at, timeZone)}T${toLocalTime(at, timeZone)}`;

/** Null if the input is empty, or if clocks skip the time. */
export function parseLocalDateTime(local: string, timeZone: string): string | null {
  const [day = '', time = ''] = local.split('T');
  return parseWallClock(day, time.slice(0, 5), timeZone);
}

/** What is wrong with the value of a datetime-local input, or null. */
export const validateLocalDateTime = (local: string, timeZone: string) =>
  findDateProblem(local.split('T', 1)[0] ?? '') ??
  (local !== '' && parseLocalDateTime(local, timeZone) === null ? SKIPPED_TIME_MESSAGE : null);

/** What is wrong with the end of a period, or null. */
export function validateEndAfterStart(start: string, end: string, timeZone: string): string | null {
  const problem = validateLocalDateTime(end, timeZone);
  if (problem !== null || start === '' || end === '') return problem;
  const [from, to] = [parseLocalDateTime(start, timeZone), parseLocalDateTime(end, timeZone)];
  return from !== null && to !== null && to <= from ? 'Enter an end after the start' : null;
}
