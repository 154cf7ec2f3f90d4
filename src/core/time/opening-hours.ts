import { Temporal } from 'temporal-polyfill';
import { intersectRanges, mergeRanges, type TimeRange } from './time-range.ts';
import { DAY_MINUTES, DAY_MS, toZonedDateTime } from './time-zone.ts';

/** When a location is open, in its own local time. */
export interface OpeningCalendar {
  timeZone: string;
  /** Empty means always open. Minutes since midnight, at most 1440. */
  hours: { weekday: number; opensMinute: number; closesMinute: number }[];
  /** Dates as YYYY-MM-DD, the last one included. */
  closures: { startsOn: string; endsOn: string; reason: string | null }[];
}

/** Finds the open ranges within a range, in order. Ranges that touch at midnight are merged. */
export function findOpenRanges(calendar: OpeningCalendar, range: TimeRange): TimeRange[] {
  const openRanges: TimeRange[] = [];
  for (const date of listDates(range, calendar.timeZone)) {
    if (findClosureByDate(calendar, date)) continue;
    for (const [opens, closes] of listOpeningHours(calendar, date)) {
      const open = intersectRanges(range, {
        start: toEpochMs(date, opens, calendar.timeZone),
        end: toEpochMs(date, closes, calendar.timeZone),
      });
      if (open) openRanges.push(open);
    }
  }
  return mergeRanges(openRanges);
}

/**
 * Finds when a location closes, in milliseconds since 1970 and always later than `at`: the last closing time of the day, or that of
 * opening hours past midnight that began the day before. Returns midnight in the zone of the location if it is always open, closed all
 * day, or already closed.
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
  // If an opening period lasts until noon of the next day, the location is open around the clock.
  return last === undefined || last.end >= to ? midnight : last.end;
}

/** Finds the first closure that overlaps the range, or null. */
export function findClosure(calendar: OpeningCalendar, range: TimeRange) {
  if (calendar.closures.length === 0) return null;
  for (const date of listDates(range, calendar.timeZone)) {
    const closure = findClosureByDate(calendar, date);
    if (closure) return closure;
  }
  return null;
}

/** Lists the local dates of a range. */
export function* listDates(
  { start, end }: TimeRange,
  timeZone: string,
): Generator<Temporal.PlainDate> {
  const last = toZonedDateTime(end - 1, timeZone).toPlainDate();
  let date = toZonedDateTime(start, timeZone).toPlainDate();
  while (Temporal.PlainDate.compare(date, last) <= 0) {
    yield date;
    date = date.add({ days: 1 });
  }
}

/** Lists opening and closing times of a date in minutes since midnight, in order. */
export function listOpeningHours(
  { hours }: OpeningCalendar,
  date: Temporal.PlainDate,
): [number, number][] {
  if (hours.length === 0) return [[0, DAY_MINUTES]];
  return hours
    .filter(({ weekday }) => weekday === date.dayOfWeek)
    .map(({ opensMinute, closesMinute }): [number, number] => [opensMinute, closesMinute])
    .toSorted(([a], [b]) => a - b);
}

function findClosureByDate({ closures }: OpeningCalendar, date: Temporal.PlainDate) {
  if (closures.length === 0) return undefined;
  const day = date.toString();
  return closures.find(({ startsOn, endsOn }) => startsOn <= day && day <= endsOn);
}

/**
 * Converts local time to an instant. A skipped time becomes the moment of the clock change; a repeated one its first
 * occurrence.
 */
function toEpochMs(date: Temporal.PlainDate, minute: number, timeZone: string): number {
  if (minute === DAY_MINUTES)
    return date.add({ days: 1 }).toZonedDateTime({ timeZone }).epochMilliseconds;
  const wall = date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (zoned.toPlainDateTime().equals(wall)) return zoned.epochMilliseconds;
  return (zoned.getTimeZoneTransition('next') ?? zoned).epochMilliseconds;
}
