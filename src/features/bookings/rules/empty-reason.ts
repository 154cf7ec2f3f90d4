import { findOpenRanges } from '../../../core/time/opening-hours.ts';
import { intersectRanges, subtractRanges, type TimeRange } from '../../../core/time/time-range.ts';
import { DAY_MS, MINUTE_MS, toZonedDateTime } from '../../../core/time/time-zone.ts';
import type { ResourceSchedule } from '../resource-schedule.ts';
import { findFreeSlots, isBookableDuration, type StartBudget, toBookingWindow } from './slots.ts';

/** Why a resource has no slot in a period. */
export const EMPTY_REASONS = [
  'inactive',
  'length_not_offered',
  'not_allowed',
  'too_late',
  'too_early',
  'closed',
  'booked_out',
  'too_short',
] as const;

export type EmptyReason = (typeof EMPTY_REASONS)[number];

/** A search that has found no slot. */
export interface EmptySearch {
  schedule: ResourceSchedule;
  minutes: number;
  range: TimeRange;
  now: number;
  /** The member who would book, by whether their membership is active. Null if everybody could. */
  member: { isActive: boolean } | null;
  /** If it is spent by this search, the reason is not certain. */
  budget?: StartBudget;
}

/**
 * Finds why a period has no slot of this length. If one thing alone empties it, that is the reason; of several, the first one. Causes for
 * which another time does not help come first, then a length that could be shorter.
 */
export function findEmptyReason(search: EmptySearch): EmptyReason {
  const { schedule, minutes, range, now } = search;
  const { resource, calendar, busy } = schedule;
  if (!resource.active) return 'inactive';
  if (!isBookableDuration(schedule, minutes)) return 'length_not_offered';
  if (search.member?.isActive === false) return 'not_allowed';
  const window = toBookingWindow(schedule, now);
  if (range.end <= window.start) return 'too_late';

  const hasStart = ({ minutes = search.minutes, ...changed }: Partial<EmptySearch>) =>
    findFirstStart(changed.schedule ?? schedule, minutes, range, now, search.budget) !== null;
  if (search.member !== null && hasStart({})) return 'not_allowed'; // the plan has too few hours left
  if (minutes > resource.minMinutes && hasStart({ minutes: resource.minMinutes }))
    return 'too_short';
  if (busy.length > 0 && hasStart({ schedule: { ...schedule, busy: [] } })) return 'booked_out';
  const noticeMinutes = (range.start - now) / MINUTE_MS;
  const withoutNotice = { ...schedule, resource: { ...resource, noticeMinutes } };
  if (window.start > range.start && hasStart({ schedule: withoutNotice })) return 'too_late';
  // What is after the window cannot be booked yet, so it does not count as open or free.
  const starts = intersectRanges(range, window);
  const open = starts === null ? [] : findOpenRanges(calendar, starts);
  const alwaysOpen = { ...schedule, calendar: { ...calendar, hours: [], closures: [] } };
  if (hasStart({ schedule: alwaysOpen })) return open.length === 0 ? 'closed' : 'too_short';
  const daysAhead = resource.daysAhead + Math.ceil((range.end - window.start) / DAY_MS);
  const withoutEnd = { ...schedule, resource: { ...resource, daysAhead } };
  if (window.end < range.end && hasStart({ schedule: withoutEnd })) return 'too_early';
  if (starts === null) return 'too_early';
  if (open.length === 0) return 'closed';
  return subtractRanges(open, busy).length === 0 ? 'booked_out' : 'too_short';
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
