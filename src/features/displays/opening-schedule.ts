import { isDeepStrictEqual } from 'node:util';
import { Temporal } from 'temporal-polyfill';
import { toInstantBounds } from '../../core/time/calendar-date.ts';
import { findOpenRanges, type OpeningCalendar } from '../../core/time/opening-hours.ts';
import { subtractRanges, type TimeRange } from '../../core/time/time-range.ts';
import { DAY_MINUTES, DAY_MS, toZonedDateTime } from '../../core/time/time-zone.ts';

/** When a house is open, in the words of the wire. */
export interface OpeningSchedule {
  open: boolean;
  /** Null: always. */
  opening: { opens_at: string | null; closes_at: string | null }[] | null;
}

interface CachedSchedule extends OpeningSchedule {
  /** In milliseconds since 1970. */
  from: number;
  until: number;
}

const MAX_CACHED_SCHEDULES = 5_000;
const scheduleCache = new Map<string, CachedSchedule>();

/**
 * By the calendar's JSON, at an instant in milliseconds since 1970; `until` is when it changes by the clock alone. All
 * screens of a house have one calendar, and many houses the same, so what was reckoned is kept.
 */
export function getOpeningSchedule(calendar: string, now: number): CachedSchedule {
  const known = scheduleCache.get(calendar);
  if (known && known.from <= now && now < known.until) return known;
  const held = computeOpeningSchedule(JSON.parse(calendar), now);
  scheduleCache.delete(calendar);
  scheduleCache.set(calendar, held);
  if (scheduleCache.size > MAX_CACHED_SCHEDULES)
    scheduleCache.delete(scheduleCache.keys().next().value as string);
  return held;
}

/**
 * What is not over and begins within 24 hours, and the next that begins after these, so that there is always one to come.
 * What began before yesterday, or ends out of sight, has no instant there.
 */
export function computeOpeningSchedule(calendar: OpeningCalendar, now: number): CachedSchedule {
  const seen = computeOutlook(calendar, now);
  const told = toOpeningSchedule(seen);
  let until = findNextChange(calendar, seen);
  while (Number.isFinite(until)) {
    const then = computeOutlook(calendar, until);
    if (!isDeepStrictEqual(toOpeningSchedule(then), told)) break;
    until = findNextChange(calendar, then);
  }
  return { ...told, from: now, until };
}

interface OpeningOutlook {
  now: number;
  yesterday: number;
  /** From the day before yesterday on: what begins at the very start of yesterday can be told from what began before. */
  sight: TimeRange;
  lastDay: Temporal.PlainDate;
  upcoming: TimeRange[];
  /** Nothing of it would be otherwise, were the sight a longer one. */
  isComplete: boolean;
}

// Mostly the next opening is near, and soon found; what lies beyond the farthest look comes into sight by and by.
const LOOKAHEAD_DAYS = [4, 14];
const MAX_LOOKAHEAD_DAYS = 100;

function computeOutlook(calendar: OpeningCalendar, now: number): OpeningOutlook {
  for (const days of LOOKAHEAD_DAYS) {
    const seen = computeOutlookForDays(calendar, now, days);
    if (seen.isComplete) return seen;
  }
  return computeOutlookForDays(calendar, now, MAX_LOOKAHEAD_DAYS);
}

function computeOutlookForDays(
  calendar: OpeningCalendar,
  now: number,
  days: number,
): OpeningOutlook {
  const today = toZonedDateTime(now, calendar.timeZone).toPlainDate();
  const yesterday = toStartOfDayMs(calendar, today.subtract({ days: 1 }));
  const lastDay = today.add({ days });
  const sight = {
    start: toStartOfDayMs(calendar, today.subtract({ days: 2 })),
    end: toStartOfDayMs(calendar, lastDay.add({ days: 1 })),
  };
  const coming = findOpenSpans(calendar, sight).filter(({ end }) => end > now);
  const after = coming.findIndex(({ start }) => start > now + DAY_MS);
  const isWhole = (coming[after]?.end ?? sight.end) < sight.end;
  const shown = after < 0 ? coming : coming.slice(0, after + 1);
  return { now, yesterday, sight, lastDay, upcoming: shown, isComplete: isWhole };
}

function toOpeningSchedule({ now, yesterday, sight, upcoming }: OpeningOutlook): OpeningSchedule {
  const opening = upcoming.map(({ start, end }) => ({
    opens_at: start < yesterday ? null : new Date(start).toISOString(),
    closes_at: end === sight.end ? null : new Date(end).toISOString(),
  }));
  const [first] = opening;
  const isAlways = first?.opens_at === null && first.closes_at === null;
  return { open: upcoming.some(({ start }) => start <= now), opening: isAlways ? null : opening };
}

/** Before it nothing changes; at it, something may. */
function findNextChange(calendar: OpeningCalendar, seen: OpeningOutlook): number {
  const { now, yesterday, sight, lastDay, upcoming, isComplete } = seen;
  const edges = upcoming
    .flatMap(({ start, end }) => [start - DAY_MS, start, end])
    .filter((at) => at !== sight.end);
  const [first] = upcoming;
  if (first && first.start >= yesterday) {
    const day = toZonedDateTime(first.start, calendar.timeZone).toPlainDate();
    edges.push(toStartOfDayMs(calendar, day.add({ days: 2 })));
  }
  const turn = isComplete ? undefined : findNextDifferentDay(calendar, lastDay);
  if (turn) edges.push(toStartOfDayMs(calendar, turn.subtract({ days: MAX_LOOKAHEAD_DAYS })));
  return Math.min(...edges.filter((at) => at > now));
}

/** The first day on which it may be otherwise than at the end of this one. */
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

/** As availability has it; where only closures are ever in the way, without looking at every day. */
function findOpenSpans(calendar: OpeningCalendar, sight: TimeRange): TimeRange[] {
  if (!isRoundTheClock(calendar)) return findOpenRanges(calendar, sight);
  const closed = calendar.closures.map(({ startsOn, endsOn }) => {
    const { from, to } = toInstantBounds(startsOn, endsOn, calendar.timeZone);
    return { start: from.getTime(), end: to.getTime() };
  });
  return subtractRanges([sight], closed);
}

/** Hours of one day never overlap. */
const isRoundTheClock = ({ hours }: OpeningCalendar) =>
  hours.length === 0 ||
  hours.reduce((sum, { opensMinute, closesMinute }) => sum + closesMinute - opensMinute, 0) ===
    7 * DAY_MINUTES;

const toStartOfDayMs = ({ timeZone }: OpeningCalendar, day: Temporal.PlainDate): number =>
  day.toZonedDateTime({ timeZone }).epochMilliseconds;
