import type { Bookable, Place } from './documented-bookings.ts';
import {
  DAY,
  findFirst,
  findLast,
  MINUTE,
  startOfDay,
  toDay,
  toWall,
} from './documented-bookings-time.ts';

/** Days, lengths, grids, opening hours and closures of the model of the documented booking rules. */

const isMidnight = (zone: string, instant: number) =>
  startOfDay(zone, toDay(zone, instant)) === instant;

/** Elapsed minutes, but 1440 for each day of a resource that is booked by the day. */
export function countMinutes(zone: string, { grid }: Bookable, start: number, end: number): number {
  if (grid === 1440 && isMidnight(zone, start) && isMidnight(zone, end))
    return (toDay(zone, end) - toDay(zone, start)) * 1440;
  return (end - start) / MINUTE;
}

export function isOnGrid(
  zone: string,
  { grid }: Bookable,
  start: number,
  end: number,
  minutes: number,
) {
  if (grid === 1440) return isMidnight(zone, start) && isMidnight(zone, end);
  const sinceMidnight = toWall(zone, start) - toDay(zone, start) * DAY;
  return sinceMidnight % (grid * MINUTE) === 0 && minutes % grid === 0;
}

/** The periods in which the location is open and that overlap the span, joined where they meet. */
function findOpenPeriods(place: Place, start: number, end: number): [number, number][] {
  if (place.hours.length === 0) return [[start, end]];
  const periods: [number, number][] = [];
  for (let day = toDay(place.zone, start) - 1; day <= toDay(place.zone, end) + 1; day += 1) {
    // 1970-01-01 was a Thursday.
    const weekday = ((((day + 3) % 7) + 7) % 7) + 1;
    for (const period of place.hours) {
      if (period.weekday !== weekday) continue;
      const opens = findFirst(place.zone, day * DAY + period.opens * MINUTE);
      const closes = findLast(place.zone, day * DAY + period.closes * MINUTE);
      if (closes > opens) periods.push([opens, closes]);
    }
  }
  periods.sort(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  for (const [opens, closes] of periods) {
    const last = joined.at(-1);
    if (last && opens <= last[1]) last[1] = Math.max(last[1], closes);
    else joined.push([opens, closes]);
  }
  return joined;
}

export const isOpen = (place: Place, start: number, end: number) =>
  findOpenPeriods(place, start, end).some(([opens, closes]) => opens <= start && end <= closes);

export function isClosed({ zone, closures }: Place, start: number, end: number): boolean {
  const first = toDay(zone, start);
  const last = toDay(zone, end - 1);
  return closures.some(({ from, to }) => from <= last && first <= to);
}
