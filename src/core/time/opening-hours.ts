import { Temporal } from 'temporal-polyfill';
import { intersectRanges, mergeRanges, type TimeRange } from './time-range.ts';
import { DAY_MINUTES, toZonedDateTime } from './time-zone.ts';

/** When a location is open, in its own local time. */
export interface OpeningCalendar {
  timeZone: string;
  /** Empty means always open. Minutes since midnight, at most 1440. */
  hours: { weekday: number; opensMinute: number; closesMinute: number }[];
  /** Dates as YYYY-MM-DD, the last one included. */
  closures: { startsOn: string; endsOn: string; reason: string | null }[];
}

/** The open ranges within a range, in order; ranges that touch at midnight are merged. */
export function findOpenRanges(calendar: OpeningCalendar, span: TimeRange): TimeRange[] {
  const spans: TimeRange[] = [];
  for (const date of listDates(span, calendar.timeZone)) {
    if (findClosureByDate(calendar, date)) continue;
    for (const [opens, closes] of listOpeningHours(calendar, date)) {
      const open = intersectRanges(span, {
        start: toEpochMs(date, opens, calendar.timeZone),
        end: toEpochMs(date, closes, calendar.timeZone),
      });
      if (open) spans.push(open);
    }
  }
  return mergeRanges(spans);
}

/** The first closure that overlaps the range. */
export function findClosure(calendar: OpeningCalendar, span: TimeRange) {
  if (calendar.closures.length === 0) return null;
  for (const date of listDates(span, calendar.timeZone)) {
    const closure = findClosureByDate(calendar, date);
    if (closure) return closure;
  }
  return null;
}

/** The local dates of a range. */
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

/** Opening and closing times in minutes since midnight, in order. */
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

/** A skipped local time resolves to the moment of the change; a repeated one to its first occurrence. */
function toEpochMs(date: Temporal.PlainDate, minute: number, timeZone: string): number {
  if (minute === DAY_MINUTES)
    return date.add({ days: 1 }).toZonedDateTime({ timeZone }).epochMilliseconds;
  const wall = date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (zoned.toPlainDateTime().equals(wall)) return zoned.epochMilliseconds;
  return (zoned.getTimeZoneTransition('next') ?? zoned).epochMilliseconds;
}
