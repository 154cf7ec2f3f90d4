import type { Temporal } from 'temporal-polyfill';
import { findInstants, toStartOfDay } from '../../../core/time/local-time.ts';
import { findOpenRanges, listDates } from '../../../core/time/opening-hours.ts';
import {
  getDurationMinutes,
  hasOverlap,
  intersectRanges,
  subtractRanges,
  type TimeRange,
} from '../../../core/time/time-range.ts';
import { DAY_MINUTES, MINUTE_MS, toZonedDateTime } from '../../../core/time/time-zone.ts';
import { toOccupiedRange } from '../../spaces/types.ts';
import type { ResourceSchedule } from '../resource-schedule.ts';

/** Finds the ranges in which the location is open and the resource is not occupied. */
export const findFreeRanges = (schedule: ResourceSchedule, range: TimeRange): TimeRange[] =>
  subtractRanges(findOpenRanges(schedule.calendar, range), schedule.busy);

/** How many starts searches can still visit. Searches of one response share it. */
export interface StartBudget {
  starts: number;
}

/**
 * Finds the slots of a length within a range that violate no rule of the resource or location, in order of time. The
 * schedule must cover the range and the buffer after it. Each start that is visited, free or not, takes one of the budget, and the
 * search ends when none is left.
 */
export function* findFreeSlots(
  schedule: ResourceSchedule,
  minutes: number,
  range: TimeRange,
  now: number,
  budget: StartBudget = { starts: Number.POSITIVE_INFINITY },
): Generator<TimeRange> {
  const { resource, calendar, busy } = schedule;
  if (!resource.active || !isBookableDuration(schedule, minutes)) return;
  const starts = intersectRanges(range, toBookingWindow(schedule, now));
  if (!starts) return;
  let first = 0;
  for (const open of findOpenRanges(calendar, { start: starts.start, end: range.end })) {
    const last = { start: open.start, end: Math.min(open.end, starts.end) };
    if (last.end <= last.start) return;
    for (const start of eachSlotStart(resource.gridMinutes, calendar.timeZone, last)) {
      if (budget.starts <= 0) return;
      budget.starts -= 1;
      const end = addBookingMinutes(schedule, start, minutes);
      if (end > open.end) break;
      // Starts and busy ranges are both sorted, so earlier busy ranges are never checked again.
      while ((busy[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first += 1;
      if (!isBlocked(busy, first, toOccupiedRange(resource, { start, end }))) yield { start, end };
    }
  }
}

/** Whether bookings of the resource can have this length. */
export const isBookableDuration = ({ resource }: ResourceSchedule, minutes: number) =>
  minutes >= resource.minMinutes &&
  minutes <= resource.maxMinutes &&
  minutes % resource.gridMinutes === 0;

/** Checks the busy ranges from `first` on, which are sorted by start. */
function isBlocked(busy: TimeRange[], first: number, occupied: TimeRange): boolean {
  for (let index = first; index < busy.length; index += 1) {
    const range = busy[index] as TimeRange;
    if (range.start >= occupied.end) return false;
    if (hasOverlap(range, occupied)) return true;
  }
  return false;
}

/** Finds the slots nearest to a requested one of the same length, nearest first. `slots` must be in order of time. */
export function findNearestSlots<Slot extends TimeRange>(
  slots: Iterable<Slot>,
  requested: TimeRange,
  limit: number,
): Slot[] {
  const getDistance = ({ start }: TimeRange) => Math.abs(start - requested.start);
  const nearest: Slot[] = [];
  for (const slot of slots) {
    // Slots come in order of time: once they are farther away than all candidates, none is nearer.
    if (
      nearest.length === limit &&
      slot.start > requested.start &&
      getDistance(slot) >= getDistance(nearest.at(-1) as Slot)
    )
      break;
    nearest.push(slot);
    nearest.sort((a, b) => getDistance(a) - getDistance(b) || a.start - b.start);
    if (nearest.length > limit) nearest.pop();
  }
  return nearest;
}

/**
 * Returns the range of starts that can be booked now: from the minimum notice until the end of the last day, in local
 * time.
 */
export function toBookingWindow({ resource, calendar }: ResourceSchedule, now: number): TimeRange {
  const lastDay = toZonedDateTime(now, calendar.timeZone)
    .toPlainDate()
    .add({ days: resource.daysAhead + 1 });
  return {
    start: now + resource.noticeMinutes * MINUTE_MS,
    end: toStartOfDay(lastDay, calendar.timeZone),
  };
}

/** The data that durations depend on. */
interface DurationContext {
  resource: { gridMinutes: number };
  calendar: { timeZone: string };
}

const isBookedByDay = ({ resource }: DurationContext) => resource.gridMinutes === DAY_MINUTES;

/**
 * Counts the minutes of a booking, for the limits of the resource, the price and the plan. It counts elapsed time, so that two
 * hours are two hours even in the night in which clocks change. A resource that is booked by the day counts 24 hours for each local
 * day, even if it has 23 or 25.
 */
export function countBookingMinutes(context: DurationContext, range: TimeRange): number {
  const days = isBookedByDay(context) ? countWholeDays(range, context.calendar.timeZone) : null;
  return days === null ? getDurationMinutes(range) : days * DAY_MINUTES;
}

/** Returns the end of a booking that lasts a number of minutes: the inverse of `countBookingMinutes`. */
export function addBookingMinutes(
  context: DurationContext,
  start: number,
  minutes: number,
): number {
  const { timeZone } = context.calendar;
  if (isBookedByDay(context) && minutes % DAY_MINUTES === 0 && isStartOfDay(start, timeZone)) {
    const date = toZonedDateTime(start, timeZone).toPlainDate();
    return toStartOfDay(date.add({ days: minutes / DAY_MINUTES }), timeZone);
  }
  return start + minutes * MINUTE_MS;
}

/**
 * Whether a booking that starts on the grid lasts a multiple of the grid. Days end at midnight: across a clock change, 48 hours
 * are not two days.
 */
export const isMultipleOfInterval = (
  context: DurationContext,
  { end, minutes }: { end: number; minutes: number },
): boolean =>
  isBookedByDay(context)
    ? isStartOfDay(end, context.calendar.timeZone)
    : minutes % context.resource.gridMinutes === 0;

/** Counts the local dates of a range from midnight to midnight. Null for any other range. */
function countWholeDays({ start, end }: TimeRange, timeZone: string): number | null {
  if (!isStartOfDay(start, timeZone) || !isStartOfDay(end, timeZone)) return null;
  const [first, last] = [start, end].map((at) => toZonedDateTime(at, timeZone).toPlainDate());
  return first && last ? first.until(last, { largestUnit: 'days' }).days : null;
}

const isStartOfDay = (instant: number, timeZone: string) =>
  instant === toStartOfDay(toZonedDateTime(instant, timeZone).toPlainDate(), timeZone);

/**
 * Iterates over the instants in a range at which the local time is a multiple of the grid, counted from
 * midnight. A local time that is skipped yields none, one that occurs twice yields two. With an interval of a day, each date yields
 * its first instant.
 */
export function* eachSlotStart(
  gridMinutes: number,
  timeZone: string,
  range: TimeRange,
): Generator<number> {
  for (const date of listDates(range, timeZone)) {
    for (const instant of listSlotStarts(date, gridMinutes, timeZone)) {
      if (instant >= range.start && instant < range.end) yield instant;
    }
  }
}

/** Whether a booking can start at an instant: whether `eachSlotStart` yields it. */
export function isOnGrid(instant: number, gridMinutes: number, timeZone: string): boolean {
  if (gridMinutes === DAY_MINUTES) return isStartOfDay(instant, timeZone);
  if (instant % MINUTE_MS !== 0) return false;
  const { hour, minute } = toZonedDateTime(instant, timeZone);
  return (hour * 60 + minute) % gridMinutes === 0;
}

function listSlotStarts(date: Temporal.PlainDate, gridMinutes: number, timeZone: string): number[] {
  const midnight = date.toZonedDateTime({ timeZone });
  if (gridMinutes === DAY_MINUTES) return [midnight.epochMilliseconds];
  const next = date.add({ days: 1 }).toZonedDateTime({ timeZone });
  const times = Array.from(
    { length: Math.ceil(DAY_MINUTES / gridMinutes) },
    (_, index) => index * gridMinutes,
  );
  // Almost all days have no clock change. Arithmetic is then faster than a lookup for each time.
  if (midnight.offsetNanoseconds === next.offsetNanoseconds && midnight.hour === 0) {
    return times.map((minute) => midnight.epochMilliseconds + minute * MINUTE_MS);
  }
  return times
    .flatMap((minute) =>
      findInstants(
        date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 }),
        timeZone,
      ),
    )
    .toSorted((a, b) => a - b);
}
