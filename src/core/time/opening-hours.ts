import { Temporal } from 'temporal-polyfill';
import { intersectRanges, mergeRanges, type TimeRange } from './time-range.ts';
import { DAY_MINUTES, toZonedDateTime } from './time-zone.ts';

/** When a location lets people in, by its own wall clock. */
export interface OpeningCalendar {
  timeZone: string;
  /** None at all: always open. Minutes since midnight, at most 1440. */
  hours: { weekday: number; opensMinute: number; closesMinute: number }[];
  /** Dates as YYYY-MM-DD, the last one included. */
  closures: { startsOn: string; endsOn: string; reason: string | null }[];
}

/** The stretches of a span in which the location is open, in order; what touches at midnight is one. */
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

/** The first closure that the span touches. */
export function findClosure(calendar: OpeningCalendar, span: TimeRange) {
  if (calendar.closures.length === 0) return null;
  for (const date of listDates(span, calendar.timeZone)) {
    const closure = findClosureByDate(calendar, date);
    if (closure) return closure;
  }
  return null;
}

/** The dates that the wall clock shows during a span. */
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

/** From and to, in minutes since midnight, in order. */
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

/** A time that the clocks skip means the moment at which they skip it; of one that they show twice, the first. */
function toEpochMs(date: Temporal.PlainDate, minute: number, timeZone: string): number {
  if (minute === DAY_MINUTES)
    return date.add({ days: 1 }).toZonedDateTime({ timeZone }).epochMilliseconds;
  const wall = date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (zoned.toPlainDateTime().equals(wall)) return zoned.epochMilliseconds;
  return (zoned.getTimeZoneTransition('next') ?? zoned).epochMilliseconds;
}
