import { dayAt, instantAt, timeAt } from '../../ui/wall-clock.ts';

/** A moment as an input for local times holds it, by the clocks of a place: "2026-11-20T18:00", empty for none. */
export const localOf = (at: string | null, timeZone: string) =>
  at === null ? '' : `${dayAt(at, timeZone)}T${timeAt(at, timeZone)}`;

/** Null where there is none. */
export function instantOf(local: string, timeZone: string): string | null {
  const [day = '', time = ''] = local.split('T');
  return instantAt(day, time.slice(0, 5), timeZone);
}

export const problemWithLocal = (local: string, timeZone: string) =>
  local !== '' && instantOf(local, timeZone) === null
    ? 'The clocks skip this time on that day'
    : null;

/** Says what is wrong with an end that comes before its beginning. */
export function problemWithEnd(start: string, end: string, timeZone: string): string | null {
  const problem = problemWithLocal(end, timeZone);
  if (problem !== null || start === '' || end === '') return problem;
  const [from, to] = [instantOf(start, timeZone), instantOf(end, timeZone)];
  return from !== null && to !== null && to <= from ? 'Later than the beginning' : null;
}

/** The instant of before where nobody touched the field: clocks show some times twice. */
export const changedInstant = (local: string, before: string | null, timeZone: string) =>
  before !== null && local === localOf(before, timeZone) ? before : instantOf(local, timeZone);
