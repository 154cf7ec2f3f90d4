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
import { toOccupiedRange } from '../../spaces/types.ts';
import type { ResourceSchedule } from '../resource-schedule.ts';

/** Finds the ranges in which the location is open and the resource is not occupied. */
export const findFreeRanges = (schedule: ResourceSchedule, range: TimeRange): TimeRange[] =>
  subtractRanges(findOpenRanges(schedule.calendar, range), schedule.busy);

/**
 * Finds the slots of a length within a range that violate no rule of the resource or location, in order of time. The
 * schedule must cover the range and the buffer after it.
 */
export function* findFreeSlots(
  schedule: ResourceSchedule,
  minutes: number,
  range: TimeRange,
  now: number,
): Generator<TimeRange> {
  const { resource, calendar, busy } = schedule;
  if (!resource.active || !isBookableDuration(schedule, minutes)) return;
  const starts = intersectRanges(range, toBookingWindow(schedule, now));
  if (!starts) return;
  let first = 0;
  for (const open of findOpenRanges(calendar, { start: starts.start, end: range.end })) {
    const last = { start: open.start, end: Math.min(open.end, starts.end) };
    if (last.end <= last.start) return;
    for (const start of eachSlotStart(resource.slotIntervalMinutes, calendar.timeZone, last)) {
      const end = addBookingMinutes(schedule, start, minutes);
      if (end > open.end) break;
      // Starts and busy ranges are both sorted, so earlier busy ranges are never checked again.
      while ((busy[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first += 1;
      if (!isBlocked(busy, first, toOccupiedRange(resource, { start, end }))) yield { start, end };
    }
  }
}

const isBookableDuration = ({ resource }: ResourceSchedule, minutes: number) =>
  minutes >= resource.minMinutes &&
  minutes <= resource.maxMinutes &&
  minutes % resource.slotIntervalMinutes === 0;

/** Checks the busy ranges from `first` on, which are sorted by start. */
function isBlocked(busy: TimeRange[], first: number, occupied: TimeRange): boolean {
  for (let index = first; index < busy.length; index += 1) {
    const range = busy[index] as TimeRange;
    if (range.start >= occupied.end) return false;
    if (hasOverlap(range, occupied)) return true;
  }
  return false;
}

/** Finds the slots nearest to a requested one of the same length, nearest first. */
export function findNearestSlots(
  slots: Iterable<TimeRange>,
  requested: TimeRange,
  limit: number,
): TimeRange[] {
  const getDistance = ({ start }: TimeRange) => Math.abs(start - requested.start);
  const nearest: TimeRange[] = [];
  for (const slot of slots) {
    // Slots come in order of time: once they are farther away than all candidates, none is nearer.
    if (
      nearest.length === limit &&
      slot.start > requested.start &&
      getDistance(slot) >= getDistance(nearest.at(-1) as TimeRange)
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
    .add({ days: resource.maxAdvanceDays + 1 });
  return {
    start: now + resource.minNoticeMinutes * MINUTE_MS,
    end: lastDay.toZonedDateTime({ timeZone: calendar.timeZone }).epochMilliseconds,
  };
}

/** The data that durations depend on. */
interface DurationContext {
  resource: { slotIntervalMinutes: number };
  calendar: { timeZone: string };
}

const HOUR_MINUTES = 60;

/**
 * Counts the minutes of a booking. With a slot interval of more than an hour, such as a day, it counts in local time: a
 * day has 24 hours even when daylight saving changes. Otherwise it counts elapsed time.
 */
export function countBookingMinutes(
  { resource, calendar }: DurationContext,
  range: TimeRange,
): number {
  if (resource.slotIntervalMinutes <= HOUR_MINUTES) return getDurationMinutes(range);
  const toLocal = (at: number) => toZonedDateTime(at, calendar.timeZone).toPlainDateTime();
  const duration = toLocal(range.start).until(toLocal(range.end), { largestUnit: 'minutes' });
  return duration.total('minutes');
}

/** Returns the end of a booking that lasts a number of minutes: the inverse of `countBookingMinutes`. */
export function addBookingMinutes(
  { resource, calendar }: DurationContext,
  start: number,
  minutes: number,
): number {
  if (resource.slotIntervalMinutes <= HOUR_MINUTES) return start + minutes * MINUTE_MS;
  const localEnd = toZonedDateTime(start, calendar.timeZone).toPlainDateTime().add({ minutes });
  return localEnd.toZonedDateTime(calendar.timeZone).epochMilliseconds;
}

/**
 * Iterates over the instants in a range at which the local time is a multiple of the slot interval, counted from
 * midnight. A local time that is skipped yields none, one that occurs twice yields two.
 */
export function* eachSlotStart(
  slotIntervalMinutes: number,
  timeZone: string,
  range: TimeRange,
): Generator<number> {
  for (const date of listDates(range, timeZone)) {
    for (const instant of listSlotStarts(date, slotIntervalMinutes, timeZone)) {
      if (instant >= range.start && instant < range.end) yield instant;
    }
  }
}

/** Whether the local time of an instant is a multiple of the slot interval, counted from midnight. */
export function isOnGrid(instant: number, slotIntervalMinutes: number, timeZone: string): boolean {
  if (instant % MINUTE_MS !== 0) return false;
  const { hour, minute } = toZonedDateTime(instant, timeZone);
  return (hour * 60 + minute) % slotIntervalMinutes === 0;
}

function listSlotStarts(
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
  // Almost all days have no clock change. Arithmetic is then faster than a lookup for each time.
  if (midnight.offsetNanoseconds === next.offsetNanoseconds && midnight.hour === 0) {
    return times.map((minute) => midnight.epochMilliseconds + minute * MINUTE_MS);
  }
  return times.flatMap((minute) => findInstants(date, minute, timeZone)).toSorted((a, b) => a - b);
}

/** Finds the instants of a local time: none if it is skipped, two if it occurs twice. */
function findInstants(date: Temporal.PlainDate, minute: number, timeZone: string): number[] {
  const local = date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (!earlier.toPlainDateTime().equals(local)) return [];
  const later = local.toZonedDateTime(timeZone, { disambiguation: 'later' });
  return [...new Set([earlier.epochMilliseconds, later.epochMilliseconds])];
}
