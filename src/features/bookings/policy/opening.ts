import { Temporal } from 'temporal-polyfill';
import { zonedAt } from '../../../time.ts';
import { intersection, merged, type Span } from './span.ts';

/** When a location lets people in, by its own wall clock. */
export interface Calendar {
  timeZone: string;
  /** None at all: always open. Minutes since midnight, at most 1440. */
  hours: { weekday: number; opensMinute: number; closesMinute: number }[];
  /** Dates as YYYY-MM-DD, the last one included. */
  closures: { startsOn: string; endsOn: string; reason: string | null }[];
}

/** The stretches of a span in which the location is open, in order; what touches at midnight is one. */
export function openSpans(calendar: Calendar, span: Span): Span[] {
  const spans: Span[] = [];
  for (const date of datesOf(span, calendar.timeZone)) {
    if (closureOn(calendar, date)) continue;
    for (const [opens, closes] of hoursOn(calendar, date)) {
      const open = intersection(span, {
        start: instantAt(date, opens, calendar.timeZone),
        end: instantAt(date, closes, calendar.timeZone),
      });
      if (open) spans.push(open);
    }
  }
  return merged(spans);
}

/** The first closure that the span touches. */
export function closureDuring(calendar: Calendar, span: Span) {
  if (calendar.closures.length === 0) return null;
  for (const date of datesOf(span, calendar.timeZone)) {
    const closure = closureOn(calendar, date);
    if (closure) return closure;
  }
  return null;
}

/** The dates that the wall clock shows during a span. */
export function* datesOf({ start, end }: Span, timeZone: string): Generator<Temporal.PlainDate> {
  const last = zonedAt(end - 1, timeZone).toPlainDate();
  let date = zonedAt(start, timeZone).toPlainDate();
  while (Temporal.PlainDate.compare(date, last) <= 0) {
    yield date;
    date = date.add({ days: 1 });
  }
}

/** From and to, in minutes since midnight, in order. */
export function hoursOn({ hours }: Calendar, date: Temporal.PlainDate): [number, number][] {
  if (hours.length === 0) return [[0, DAY]];
  return hours
    .filter(({ weekday }) => weekday === date.dayOfWeek)
    .map(({ opensMinute, closesMinute }): [number, number] => [opensMinute, closesMinute])
    .toSorted(([a], [b]) => a - b);
}

const DAY = 24 * 60;

function closureOn({ closures }: Calendar, date: Temporal.PlainDate) {
  if (closures.length === 0) return undefined;
  const day = date.toString();
  return closures.find(({ startsOn, endsOn }) => startsOn <= day && day <= endsOn);
}

/** A time that the clocks skip means the moment at which they skip it; of one that they show twice, the first. */
function instantAt(date: Temporal.PlainDate, minute: number, timeZone: string): number {
  if (minute === DAY) return date.add({ days: 1 }).toZonedDateTime({ timeZone }).epochMilliseconds;
  const wall = date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (zoned.toPlainDateTime().equals(wall)) return zoned.epochMilliseconds;
  return (zoned.getTimeZoneTransition('next') ?? zoned).epochMilliseconds;
}
