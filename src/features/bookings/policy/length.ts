import { zonedAt } from '../../../time.ts';
import { MINUTE, minutesOf, type Span } from './span.ts';

/** As much of a ground as it takes. */
export interface Measure {
  resource: { slotIntervalMinutes: number };
  calendar: { timeZone: string };
}

const HOUR = 60;

/**
 * How many minutes a booking counts. On a grid of more than an hour, such as one of days, by the wall clock: a day is
 * a day, also when the clocks change in it. On finer ones, as time goes by.
 */
export function lengthOf({ resource, calendar }: Measure, span: Span): number {
  if (resource.slotIntervalMinutes <= HOUR) return minutesOf(span);
  const [start, end] = [span.start, span.end].map((at) =>
    zonedAt(at, calendar.timeZone).toPlainDateTime(),
  ) as [PlainDateTime, PlainDateTime];
  return start.until(end, { largestUnit: 'minutes' }).total('minutes');
}

type PlainDateTime = ReturnType<ReturnType<typeof zonedAt>['toPlainDateTime']>;

/** When a booking of so many minutes ends. */
export function endAfter({ resource, calendar }: Measure, start: number, minutes: number): number {
  if (resource.slotIntervalMinutes <= HOUR) return start + minutes * MINUTE;
  const wall = zonedAt(start, calendar.timeZone).toPlainDateTime().add({ minutes });
  return wall.toZonedDateTime(calendar.timeZone).epochMilliseconds;
}
