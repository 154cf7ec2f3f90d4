import { clockIn } from '../../ui/place-words.ts';
import type { Attempt } from './queries.ts';

/** "9:00 AM GMT+1": of use where times of several zones stand below each other. */
export function clockWithZone(at: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(undefined, {
    timeZone,
    timeZoneName: 'short',
  }).formatToParts(new Date(at));
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  return `${clockIn(at, timeZone)} ${zone}`;
}

/** How a list of these tells the time. */
export const clockFor = (attempts: Attempt[]) =>
  new Set(attempts.map(({ location }) => location.timeZone)).size > 1 ? clockWithZone : clockIn;

export type Clock = (at: string, timeZone: string) => string;
