import { findOpenRanges, type OpeningCalendar } from '../../../core/time/opening-hours.ts';
import { DAY_MS, toZonedDateTime } from '../../../core/time/time-zone.ts';

/**
 * Finds when a location closes, in milliseconds since 1970 and always later than `at`: the last closing time of the day, or the one of
 * the night that began the day before. Midnight in its time zone if it is always open, closed all day, or closed already.
 */
export function findClosingTime(calendar: OpeningCalendar, at: number): number {
  const today = toZonedDateTime(at, calendar.timeZone).startOfDay();
  const midnight = today.add({ days: 1 }).epochMilliseconds;
  if (calendar.hours.length === 0) return midnight;
  const [from, to] = [today.epochMilliseconds - DAY_MS, midnight + DAY_MS / 2];
  const open = findOpenRanges(calendar, { start: from, end: to }).filter(({ end }) => end > at);
  const night = open.find(({ start, end }) => start < today.epochMilliseconds && end < midnight);
  if (night) return night.end;
  const last = open.filter(({ start }) => start < midnight).at(-1);
  // Opening periods that last until noon of the next day are not nights: the location is open around the clock.
  return last === undefined || last.end >= to ? midnight : last.end;
}
