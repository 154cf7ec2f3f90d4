import { findOpenRanges } from '../../../core/time/opening-hours.ts';
import { intersectRanges, subtractRanges, type TimeRange } from '../../../core/time/time-range.ts';
import { toZonedDateTime } from '../../../core/time/time-zone.ts';
import type { ResourceSchedule } from '../resource-schedule.ts';
import { findFreeSlots, isBookableDuration, type StartBudget, toBookingWindow } from './slots.ts';

/** Why a resource has no slot in a period. */
export const EMPTY_REASONS = [
  'length_not_offered',
  'too_late',
  'too_early',
  'closed',
  'booked_out',
  'too_short',
  'not_allowed',
] as const;

export type EmptyReason = (typeof EMPTY_REASONS)[number];

/** Finds why a period without a slot of this length has none. `not_allowed`: the times are free, but the member or plan cannot book them. */
export function findEmptyReason(
  schedule: ResourceSchedule,
  minutes: number,
  range: TimeRange,
  now: number,
): EmptyReason {
  if (!isBookableDuration(schedule, minutes)) return 'length_not_offered';
  const window = toBookingWindow(schedule, now);
  const starts = intersectRanges(range, window);
  if (starts === null) return range.end <= window.start ? 'too_late' : 'too_early';
  // What is after the window cannot be booked yet, so it does not count as open or free.
  const open = findOpenRanges(schedule.calendar, starts);
  if (open.length === 0) return 'closed';
  if (subtractRanges(open, schedule.busy).length === 0) return 'booked_out';
  return findFirstStart(schedule, minutes, range, now) === null ? 'too_short' : 'not_allowed';
}

/**
 * Finds the first local day, as YYYY-MM-DD, on which a booking of this length can start. Null if there is none in the range, or if
 * the budget is spent before.
 */
export function findFirstFreeDay(
  schedule: ResourceSchedule,
  minutes: number,
  range: TimeRange,
  now: number,
  budget: StartBudget,
): string | null {
  const start = findFirstStart(schedule, minutes, range, now, budget);
  if (start === null) return null;
  return toZonedDateTime(start, schedule.calendar.timeZone).toPlainDate().toString();
}

function findFirstStart(...args: Parameters<typeof findFreeSlots>): number | null {
  for (const { start } of findFreeSlots(...args)) return start;
  return null;
}
