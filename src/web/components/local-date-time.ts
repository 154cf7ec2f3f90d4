import { parseWallClock, toLocalDate, toLocalTime } from './wall-clock.ts';

/** A moment as an input for local times holds it, by the clocks of a place: "2026-11-20T18:00", empty for none. */
export const toLocalDateTime = (at: string | null, timeZone: string) =>
  at === null ? '' : `${toLocalDate(at, timeZone)}T${toLocalTime(at, timeZone)}`;

/** Null where there is none. */
export function parseLocalDateTime(local: string, timeZone: string): string | null {
  const [day = '', time = ''] = local.split('T');
  return parseWallClock(day, time.slice(0, 5), timeZone);
}

export const validateLocalDateTime = (local: string, timeZone: string) =>
  local !== '' && parseLocalDateTime(local, timeZone) === null
    ? 'The clocks skip this time on that day'
    : null;

/** Says what is wrong with an end that comes before its beginning. */
export function validateEndAfterStart(start: string, end: string, timeZone: string): string | null {
  const problem = validateLocalDateTime(end, timeZone);
  if (problem !== null || start === '' || end === '') return problem;
  const [from, to] = [parseLocalDateTime(start, timeZone), parseLocalDateTime(end, timeZone)];
  return from !== null && to !== null && to <= from ? 'Later than the beginning' : null;
}

/** The instant of before where nobody touched the field: clocks show some times twice. */
export const toChangedInstant = (local: string, before: string | null, timeZone: string) =>
  before !== null && local === toLocalDateTime(before, timeZone)
    ? before
    : parseLocalDateTime(local, timeZone);

export const BROWSER_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export const TIME_ZONES = [
  ...new Set([BROWSER_TIME_ZONE, 'UTC', ...Intl.supportedValuesOf('timeZone')]),
];
