import { findOpenRanges, type OpeningCalendar } from '../../../core/time/opening-hours.ts';
import { DAY_MS, toZonedDateTime } from '../../../core/time/time-zone.ts';

/**
 * When a location closes for the day of an instant: its last closing of that day, or that of the night which began
 * before. At midnight by its clocks where it is always open, shut, or has closed already. Always later than `at`.
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
  // What goes on until noon is no night: it is open round the clock.
  return last === undefined || last.end >= to ? midnight : last.end;
}
