import { BROWSER_TIME_ZONE } from './browser-time-zone.ts';
import { parseWallClock, toLocalDate, toLocalTime } from './wall-clock.ts';

/** The value of a datetime-local input in a location's zone: "2026-11-20T18:00", or empty. */
export const toLocalDateTime = (at: string | null, timeZone: string) =>
  at === null ? '' : `${toLocalDate(at, timeZone)}T${toLocalTime(at, timeZone)}`;

/** Null if the input is empty or the time does not exist. */
export function parseLocalDateTime(local: string, timeZone: string): string | null {
  const [day = '', time = ''] = local.split('T');
  return parseWallClock(day, time.slice(0, 5), timeZone);
}

export const validateLocalDateTime = (local: string, timeZone: string) =>
  local !== '' && parseLocalDateTime(local, timeZone) === null
    ? 'This time does not exist on that day because clocks change'
    : null;

/** Returns a message if the end is invalid or not after the start. */
export function validateEndAfterStart(start: string, end: string, timeZone: string): string | null {
  const problem = validateLocalDateTime(end, timeZone);
  if (problem !== null || start === '' || end === '') return problem;
  const [from, to] = [parseLocalDateTime(start, timeZone), parseLocalDateTime(end, timeZone)];
  return from !== null && to !== null && to <= from ? 'Enter an end after the start' : null;
}

/** Keeps the previous instant if the field is untouched, as local times can be ambiguous. */
export const toChangedInstant = (local: string, before: string | null, timeZone: string) =>
  before !== null && local === toLocalDateTime(before, timeZone)
    ? before
    : parseLocalDateTime(local, timeZone);

export const TIME_ZONES = [
  ...new Set([BROWSER_TIME_ZONE, 'UTC', ...Intl.supportedValuesOf('timeZone')]),
];
