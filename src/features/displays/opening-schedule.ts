import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { toStartOfDay } from '../../core/time/local-time.ts';
import {
  findOpenRanges,
  isRoundTheClock,
  type OpeningCalendar,
} from '../../core/time/opening-hours.ts';
import type { TimeRange } from '../../core/time/time-range.ts';
import { DAY_MS, toZonedDateTime } from '../../core/time/time-zone.ts';

/** When a location is open, with the field names of the API. */
export interface OpeningSchedule {
  open: boolean;
  /** Null if it is always open. */
  opening: { opens_at: string | null; closes_at: string | null }[] | null;
}

interface CachedSchedule extends OpeningSchedule {
  /** In milliseconds since 1970. */
  from: number;
  /** When the schedule next changes. */
  until: number;
}

const MAX_CACHED_SCHEDULES = 5_000;

/** Gets the schedule for a calendar, given as JSON, at an instant. Times are in milliseconds since 1970. */
export type GetOpeningSchedule = (calendar: string, now: number) => CachedSchedule;

/** Caches schedules by the JSON, since all screens of a location, and many locations, have equal calendars. */
export function createScheduleCache(): GetOpeningSchedule {
  const schedules = new LRUCache<string, CachedSchedule>({ max: MAX_CACHED_SCHEDULES });
  return (calendar, now) => {
    const cached = schedules.get(calendar);
    if (cached && cached.from <= now && now < cached.until) return cached;
    const schedule = computeOpeningSchedule(JSON.parse(calendar), now);
    schedules.set(calendar, schedule);
    return schedule;
  };
}

/**
 * Computes the opening periods that are not over and begin within 24 hours, and the next one after them. A start before
 * yesterday and an end beyond the lookahead are null.
 */
export function computeOpeningSchedule(calendar: OpeningCalendar, now: number): CachedSchedule {
  const outlook = computeOutlook(calendar, now);
  const schedule = toOpeningSchedule(outlook);
  let until = findNextChange(calendar, outlook);
  while (Number.isFinite(until)) {
    const nextOutlook = computeOutlook(calendar, until);
    if (!isDeepStrictEqual(toOpeningSchedule(nextOutlook), schedule)) break;
    until = findNextChange(calendar, nextOutlook);
  }
  return { ...schedule, from: now, until };
}

interface OpeningOutlook {
  now: number;
  yesterday: number;
  /**
   * Starts the day before yesterday, to distinguish a period that begins at the start of yesterday from one that began
   * earlier.
   */
  window: TimeRange;
  lastDay: Temporal.PlainDate;
  upcoming: TimeRange[];
  /** Whether a longer window would have the same result. */
  isComplete: boolean;
}

// The next opening is usually near, so short windows are tried first.
const LOOKAHEAD_DAYS = [4, 14];
const MAX_LOOKAHEAD_DAYS = 100;

function computeOutlook(calendar: OpeningCalendar, now: number): OpeningOutlook {
  for (const days of LOOKAHEAD_DAYS) {
    const outlook = computeOutlookForDays(calendar, now, days);
    if (outlook.isComplete) return outlook;
  }
  return computeOutlookForDays(calendar, now, MAX_LOOKAHEAD_DAYS);
}

function computeOutlookForDays(
  calendar: OpeningCalendar,
  now: number,
  days: number,
): OpeningOutlook {
  const today = toZonedDateTime(now, calendar.timeZone).toPlainDate();
  const yesterday = toStartOfDay(today.subtract({ days: 1 }), calendar.timeZone);
  const lastDay = today.add({ days });
  const window = {
    start: toStartOfDay(today.subtract({ days: 2 }), calendar.timeZone),
    end: toStartOfDay(lastDay.add({ days: 1 }), calendar.timeZone),
  };
  const current = findOpenRanges(calendar, window).filter(({ end }) => end > now);
  const next = current.findIndex(({ start }) => start > now + DAY_MS);
  const isComplete = (current[next]?.end ?? window.end) < window.end;
  const upcoming = next < 0 ? current : current.slice(0, next + 1);
  return { now, yesterday, window, lastDay, upcoming, isComplete };
}

function toOpeningSchedule({ now, yesterday, window, upcoming }: OpeningOutlook): OpeningSchedule {
  const opening = upcoming.map(({ start, end }) => ({
    opens_at: start < yesterday ? null : new Date(start).toISOString(),
    closes_at: end === window.end ? null : new Date(end).toISOString(),
  }));
  const [first] = opening;
  const isAlways = first?.opens_at === null && first.closes_at === null;
  return { open: upcoming.some(({ start }) => start <= now), opening: isAlways ? null : opening };
}

/** Finds the first instant at which the schedule can change. */
function findNextChange(calendar: OpeningCalendar, outlook: OpeningOutlook): number {
  const { now, yesterday, window, lastDay, upcoming, isComplete } = outlook;
  const edges = upcoming
    .flatMap(({ start, end }) => [start - DAY_MS, start, end])
    .filter((at) => at !== window.end);
  const [first] = upcoming;
  if (first && first.start >= yesterday) {
    const day = toZonedDateTime(first.start, calendar.timeZone).toPlainDate();
    edges.push(toStartOfDay(day.add({ days: 2 }), calendar.timeZone));
  }
  const differentDay = isComplete ? undefined : findNextDifferentDay(calendar, lastDay);
  if (differentDay) {
    const day = differentDay.subtract({ days: MAX_LOOKAHEAD_DAYS });
    edges.push(toStartOfDay(day, calendar.timeZone));
  }
  return Math.min(...edges.filter((at) => at > now));
}

/** Finds the first day after `last` on which the location can be open or closed differently than at the end of `last`. */
function findNextDifferentDay(
  calendar: OpeningCalendar,
  last: Temporal.PlainDate,
): Temporal.PlainDate | undefined {
  const day = last.toString();
  const closures = calendar.closures.filter(({ endsOn }) => endsOn >= day);
  const ends = closures.filter(({ startsOn }) => startsOn <= day).map(({ endsOn }) => endsOn);
  const closedUntil = ends.toSorted().at(-1);
  if (closedUntil) return Temporal.PlainDate.from(closedUntil).add({ days: 1 });
  if (!isRoundTheClock(calendar)) return last.add({ days: 1 });
  const [next] = closures.map(({ startsOn }) => startsOn).toSorted();
  return next === undefined ? undefined : Temporal.PlainDate.from(next);
}
