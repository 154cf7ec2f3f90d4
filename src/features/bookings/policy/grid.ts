import type { Temporal } from 'temporal-polyfill';
import { zonedAt } from '../../../time.ts';
import { datesOf } from './opening.ts';
import { MINUTE, type Span } from './span.ts';

const DAY = 24 * 60;

/**
 * The instants of a span at which the wall clock shows a multiple of the grid, counted from midnight. Times that
 * the clocks skip are none; those that they show twice are two.
 */
export function* gridStarts(
  slotIntervalMinutes: number,
  timeZone: string,
  span: Span,
): Generator<number> {
  for (const date of datesOf(span, timeZone)) {
    for (const instant of startsOn(date, slotIntervalMinutes, timeZone)) {
      if (instant >= span.start && instant < span.end) yield instant;
    }
  }
}

export function isOnGrid(instant: number, slotIntervalMinutes: number, timeZone: string): boolean {
  if (instant % MINUTE !== 0) return false;
  const { hour, minute } = zonedAt(instant, timeZone);
  return (hour * 60 + minute) % slotIntervalMinutes === 0;
}

function startsOn(
  date: Temporal.PlainDate,
  slotIntervalMinutes: number,
  timeZone: string,
): number[] {
  const midnight = date.toZonedDateTime({ timeZone });
  const next = date.add({ days: 1 }).toZonedDateTime({ timeZone });
  const times = Array.from(
    { length: Math.ceil(DAY / slotIntervalMinutes) },
    (_, index) => index * slotIntervalMinutes,
  );
  // Almost every day has no change of clocks, and then no time needs to be asked for its instant.
  if (midnight.offsetNanoseconds === next.offsetNanoseconds && midnight.hour === 0) {
    return times.map((minute) => midnight.epochMilliseconds + minute * MINUTE);
  }
  return times.flatMap((minute) => instantsOf(date, minute, timeZone)).toSorted((a, b) => a - b);
}

/** None where the clocks skip the time, two where they show it twice. */
function instantsOf(date: Temporal.PlainDate, minute: number, timeZone: string): number[] {
  const wall = date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });
  const earlier = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (!earlier.toPlainDateTime().equals(wall)) return [];
  const later = wall.toZonedDateTime(timeZone, { disambiguation: 'later' });
  return [...new Set([earlier.epochMilliseconds, later.epochMilliseconds])];
}
