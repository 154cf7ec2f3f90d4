import { Temporal } from 'temporal-polyfill';
import { toFirstInstant, toLastInstant, toStartOfDay } from './local-time.ts';
import { intersectRanges, mergeRanges, subtractRanges, type TimeRange } from './time-range.ts';
import { DAY_MINUTES, DAY_MS, HOUR_MS, toZonedDateTime, WEEK_MINUTES } from './time-zone.ts';

/** When a location is open, in its own local time. */
export interface OpeningCalendar {
  timeZone: string;
  /** Empty means always open. Minutes since midnight, at most 1440. */
  hours: { weekday: number; opensMinute: number; closesMinute: number }[];
  /** Dates as YYYY-MM-DD, the last one included. */
  closures: { startsOn: string; endsOn: string; reason: string | null }[];
}

/**
 * Finds the open ranges within a range, in order. Ranges that touch at midnight are merged. If clocks show an opening time twice,
 * the location opens at the first; if they show a closing time twice, it closes at the second. If they skip one, it is the moment of
 * the change.
 */
export function findOpenRanges(calendar: OpeningCalendar, range: TimeRange): TimeRange[] {
  // Without this, locations that never close would cost as much as the range has days.
  if (isRoundTheClock(calendar)) return subtractRanges([range], listClosedRanges(calendar));
  const openRanges: TimeRange[] = [];
  for (const date of listDates(range, calendar.timeZone)) {
    if (findClosureByDate(calendar, date)) continue;
    for (const hours of listOpeningHours(calendar, date)) {
      const open = intersectRanges(range, toOpenRange(date, hours, calendar.timeZone));
      if (open) openRanges.push(open);
    }
  }
  return mergeRanges(openRanges);
}

/** Whether the location is open in a millisecond. */
export const isOpenAt = (calendar: OpeningCalendar, at: number): boolean =>
  findOpenRanges(calendar, { start: at, end: at + 1 }).length > 0;

/** Whether the location is always open except for closures. Opening hours of a day never overlap, so that their sum shows it. */
export const isRoundTheClock = ({ hours }: OpeningCalendar): boolean =>
  hours.length === 0 ||
  hours.reduce((sum, { opensMinute, closesMinute }) => sum + closesMinute - opensMinute, 0) ===
    WEEK_MINUTES;

const listClosedRanges = ({ closures, timeZone }: OpeningCalendar): TimeRange[] =>
  closures.map(({ startsOn, endsOn }) => ({
    start: toStartOfDay(Temporal.PlainDate.from(startsOn), timeZone),
    end: toStartOfDay(Temporal.PlainDate.from(endsOn).add({ days: 1 }), timeZone),
  }));

/**
 * Finds when a location closes, in milliseconds since 1970 and always later than `at`: the last closing time of the day, or that of
 * opening hours past midnight that began the day before. Returns midnight in the zone of the location if it is always open, closed all
 * day, or already closed.
 */
export function findClosingTime(calendar: OpeningCalendar, at: number): number {
  const today = toZonedDateTime(at, calendar.timeZone).startOfDay();
  const midnight = today.add({ days: 1 }).epochMilliseconds;
  if (calendar.hours.length === 0) return midnight;
  const [from, to] = [today.epochMilliseconds - DAY_MS, midnight + DAY_MS / 2];
  const open = findOpenRanges(calendar, { start: from, end: to }).filter(({ end }) => end > at);
  const night = open.find(({ start, end }) => start < today.epochMilliseconds && end < midnight);
  if (night) return night.end;
  const last = open.filter(({ start }) => start < midnight).at(-1);
  // If an opening period lasts until noon of the next day, the location is open around the clock.
  return last === undefined || last.end >= to ? midnight : last.end;
}

/**
 * Finds when a location will have been open for some hours, in milliseconds since 1970: the end of the last of them. Returns `until` if
 * it is not open for as long before.
 */
export function addOpenHours(
  calendar: OpeningCalendar,
  { from, hours, until }: { from: number; hours: number; until: number },
): number {
  let left = hours * HOUR_MS;
  // Most searches end within days, so that later weeks are not read.
  for (let start = from; start < until; start += SEARCH_STEP_MS) {
    const end = Math.min(start + SEARCH_STEP_MS, until);
    for (const open of findOpenRanges(calendar, { start, end })) {
      if (open.end - open.start >= left) return open.start + left;
      left -= open.end - open.start;
    }
  }
  return until;
}

const SEARCH_STEP_MS = 7 * DAY_MS;

/** Finds when a location closes on a date, in milliseconds since 1970: at the end of the day if it is always open or closed all day. */
export function findEndOfOpenDay(calendar: OpeningCalendar, date: string): number {
  const day = Temporal.PlainDate.from(date);
  const start = toStartOfDay(day, calendar.timeZone);
  const end = toStartOfDay(day.add({ days: 1 }), calendar.timeZone);
  return findOpenRanges(calendar, { start, end }).at(-1)?.end ?? end;
}

/** Finds the first closure that overlaps the range, or null. */
export function findClosure(calendar: OpeningCalendar, range: TimeRange) {
  if (calendar.closures.length === 0) return null;
  for (const date of listDates(range, calendar.timeZone)) {
    const closure = findClosureByDate(calendar, date);
    if (closure) return closure;
  }
  return null;
}

/** Lists the local dates of a range. */
export function* listDates(
  { start, end }: TimeRange,
  timeZone: string,
): Generator<Temporal.PlainDate> {
  const last = toZonedDateTime(end - 1, timeZone).toPlainDate();
  let date = toZonedDateTime(start, timeZone).toPlainDate();
  while (Temporal.PlainDate.compare(date, last) <= 0) {
    yield date;
    date = date.add({ days: 1 });
  }
}

/** Lists opening and closing times of a date in minutes since midnight, in order. */
export function listOpeningHours(
  { hours }: OpeningCalendar,
  date: Temporal.PlainDate,
): [number, number][] {
  if (hours.length === 0) return [[0, DAY_MINUTES]];
  return hours
    .filter(({ weekday }) => weekday === date.dayOfWeek)
    .map(({ opensMinute, closesMinute }): [number, number] => [opensMinute, closesMinute])
    .toSorted(([a], [b]) => a - b);
}

function findClosureByDate({ closures }: OpeningCalendar, date: Temporal.PlainDate) {
  if (closures.length === 0) return undefined;
  const day = date.toString();
  return closures.find(({ startsOn, endsOn }) => startsOn <= day && day <= endsOn);
}

function toOpenRange(
  date: Temporal.PlainDate,
  [opens, closes]: [number, number],
  timeZone: string,
): TimeRange {
  return {
    start: toFirstInstant(toLocalTime(date, opens), timeZone),
    end:
      closes === DAY_MINUTES
        ? toStartOfDay(date.add({ days: 1 }), timeZone)
        : toLastInstant(toLocalTime(date, closes), timeZone),
  };
}

const toLocalTime = (date: Temporal.PlainDate, minute: number): Temporal.PlainDateTime =>
  date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });
