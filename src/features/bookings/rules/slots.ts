import type { Temporal } from 'temporal-polyfill';
import { findOpenRanges, listDates } from '../../../core/time/opening-hours.ts';
import {
  getDurationMinutes,
  hasOverlap,
  intersectRanges,
  subtractRanges,
  type TimeRange,
} from '../../../core/time/time-range.ts';
import { DAY_MINUTES, MINUTE_MS, toZonedDateTime } from '../../../core/time/time-zone.ts';
import type { ResourceSchedule } from '../resource-schedule.ts';

/** The stretches of a span in which the location is open and nothing stands in the resource's way. */
export const findFreeRanges = (ground: ResourceSchedule, span: TimeRange): TimeRange[] =>
  subtractRanges(findOpenRanges(ground.calendar, span), ground.busy);

/**
 * The slots of that length within a span that `judge` would let anybody have, in order. The ground must have been
 * read for the span and the buffer after it.
 */
export function* findFreeSlots(
  ground: ResourceSchedule,
  minutes: number,
  span: TimeRange,
  now: number,
): Generator<TimeRange> {
  const { resource, calendar, busy } = ground;
  if (!resource.active || !isBookableDuration(ground, minutes)) return;
  const starts = intersectRanges(span, toBookingWindow(ground, now));
  if (!starts) return;
  const buffer = resource.bufferMinutes * MINUTE_MS;
  let first = 0;
  for (const open of findOpenRanges(calendar, { start: starts.start, end: span.end })) {
    const last = { start: open.start, end: Math.min(open.end, starts.end) };
    if (last.end <= last.start) return;
    for (const start of eachGridStart(resource.slotIntervalMinutes, calendar.timeZone, last)) {
      const end = addBookingMinutes(ground, start, minutes);
      if (end > open.end) break;
      // Both walk forwards, so that nothing is looked at twice.
      while ((busy[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first += 1;
      if (!isBlocked(busy, first, { start, end: end + buffer })) yield { start, end };
    }
  }
}

const isBookableDuration = ({ resource }: ResourceSchedule, minutes: number) =>
  minutes >= resource.minMinutes &&
  minutes <= resource.maxMinutes &&
  minutes % resource.slotIntervalMinutes === 0;

/** From the first that has not ended; what stands there is sorted by start, and never overlaps but with events. */
function isBlocked(busy: TimeRange[], first: number, occupied: TimeRange): boolean {
  for (let index = first; index < busy.length; index += 1) {
    const other = busy[index] as TimeRange;
    if (other.start >= occupied.end) return false;
    if (hasOverlap(other, occupied)) return true;
  }
  return false;
}

/** The slots nearest to a wish of the same length, nearest first, at most so many. */
export function findNearestSlots(
  slots: Iterable<TimeRange>,
  wish: TimeRange,
  most: number,
): TimeRange[] {
  const far = ({ start }: TimeRange) => Math.abs(start - wish.start);
  const found: TimeRange[] = [];
  for (const slot of slots) {
    // Slots come in order: once later ones lie farther than all that are kept, none is nearer.
    if (
      found.length === most &&
      slot.start > wish.start &&
      far(slot) >= far(found.at(-1) as TimeRange)
    )
      break;
    found.push(slot);
    found.sort((a, b) => far(a) - far(b) || a.start - b.start);
    if (found.length > most) found.pop();
  }
  return found;
}

/** Starts that may be booked now: after the notice, before the end of the last day ahead by the wall clock. */
export function toBookingWindow({ resource, calendar }: ResourceSchedule, now: number): TimeRange {
  const lastDay = toZonedDateTime(now, calendar.timeZone)
    .toPlainDate()
    .add({ days: resource.maxAdvanceDays + 1 });
  return {
    start: now + resource.minNoticeMinutes * MINUTE_MS,
    end: lastDay.toZonedDateTime({ timeZone: calendar.timeZone }).epochMilliseconds,
  };
}

/** As much of a ground as it takes. */
interface DurationContext {
  resource: { slotIntervalMinutes: number };
  calendar: { timeZone: string };
}

const HOUR_MINUTES = 60;

/**
 * How many minutes a booking counts. On a grid of more than an hour, such as one of days, by the wall clock: a day is
 * a day, also when the clocks change in it. On finer ones, as time goes by.
 */
export function countBookingMinutes(
  { resource, calendar }: DurationContext,
  span: TimeRange,
): number {
  if (resource.slotIntervalMinutes <= HOUR_MINUTES) return getDurationMinutes(span);
  const [start, end] = [span.start, span.end].map((at) =>
    toZonedDateTime(at, calendar.timeZone).toPlainDateTime(),
  ) as [PlainDateTime, PlainDateTime];
  return start.until(end, { largestUnit: 'minutes' }).total('minutes');
}

type PlainDateTime = ReturnType<ReturnType<typeof toZonedDateTime>['toPlainDateTime']>;

/** When a booking of so many minutes ends. */
export function addBookingMinutes(
  { resource, calendar }: DurationContext,
  start: number,
  minutes: number,
): number {
  if (resource.slotIntervalMinutes <= HOUR_MINUTES) return start + minutes * MINUTE_MS;
  const wall = toZonedDateTime(start, calendar.timeZone).toPlainDateTime().add({ minutes });
  return wall.toZonedDateTime(calendar.timeZone).epochMilliseconds;
}

/**
 * The instants of a span at which the wall clock shows a multiple of the grid, counted from midnight. Times that
 * the clocks skip are none; those that they show twice are two.
 */
export function* eachGridStart(
  slotIntervalMinutes: number,
  timeZone: string,
  span: TimeRange,
): Generator<number> {
  for (const date of listDates(span, timeZone)) {
    for (const instant of listGridStarts(date, slotIntervalMinutes, timeZone)) {
      if (instant >= span.start && instant < span.end) yield instant;
    }
  }
}

export function isOnGrid(instant: number, slotIntervalMinutes: number, timeZone: string): boolean {
  if (instant % MINUTE_MS !== 0) return false;
  const { hour, minute } = toZonedDateTime(instant, timeZone);
  return (hour * 60 + minute) % slotIntervalMinutes === 0;
}

function listGridStarts(
  date: Temporal.PlainDate,
  slotIntervalMinutes: number,
  timeZone: string,
): number[] {
  const midnight = date.toZonedDateTime({ timeZone });
  const next = date.add({ days: 1 }).toZonedDateTime({ timeZone });
  const times = Array.from(
    { length: Math.ceil(DAY_MINUTES / slotIntervalMinutes) },
    (_, index) => index * slotIntervalMinutes,
  );
  // Almost every day has no change of clocks, and then no time needs to be asked for its instant.
  if (midnight.offsetNanoseconds === next.offsetNanoseconds && midnight.hour === 0) {
    return times.map((minute) => midnight.epochMilliseconds + minute * MINUTE_MS);
  }
  return times.flatMap((minute) => findInstants(date, minute, timeZone)).toSorted((a, b) => a - b);
}

/** None where the clocks skip the time, two where they show it twice. */
function findInstants(date: Temporal.PlainDate, minute: number, timeZone: string): number[] {
  const wall = date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });
  const earlier = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (!earlier.toPlainDateTime().equals(wall)) return [];
  const later = wall.toZonedDateTime(timeZone, { disambiguation: 'later' });
  return [...new Set([earlier.epochMilliseconds, later.epochMilliseconds])];
}
