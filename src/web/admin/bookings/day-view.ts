import {
  addDays,
  getWeekday,
  parseWallClock,
  toLocalDate,
  toLocalTime,
  toStartOfDay,
} from '../../components/wall-clock.ts';
import { WEEKDAYS } from '../spaces/opening-hours.ts';
import type { BookingLocation, LocationOption } from './day-queries.ts';

/** How far ahead to search for an open day. */
const MAX_DAYS_AHEAD = 60;

/**
 * Picks the location to show first: the last one used, otherwise one that is open today, otherwise the one that opens soonest.
 * Locations without resources come last.
 */
export function findDefaultLocation(
  locations: [LocationOption, ...LocationOption[]],
  lastUsedId: string | null,
  now: Date,
): LocationOption {
  const lastUsed = locations.find(({ id }) => id === lastUsedId);
  if (lastUsed) return lastUsed;
  const candidates = locations
    .map((location) => ({
      location,
      daysAhead: Math.min(countDaysUntilOpen(location, now), MAX_DAYS_AHEAD + 1),
    }))
    .toSorted(
      (a, b) =>
        Number(b.location.hasResources) - Number(a.location.hasResources) ||
        a.daysAhead - b.daysAhead,
    );
  return candidates[0]?.location ?? locations[0];
}

/** Picks the day to show first: today if the location is open, otherwise its next open day, otherwise today. */
export function findDefaultDay(location: BookingLocation, now: Date): string {
  const daysAhead = countDaysUntilOpen(location, now);
  const today = toLocalDate(now, location.timeZone);
  return Number.isFinite(daysAhead) ? addDays(today, daysAhead) : today;
}

function countDaysUntilOpen(location: BookingLocation, now: Date): number {
  const today = toLocalDate(now, location.timeZone);
  for (let daysAhead = 0; daysAhead <= MAX_DAYS_AHEAD; daysAhead += 1) {
    if (isOpenOn(addDays(today, daysAhead), location)) return daysAhead;
  }
  return Number.POSITIVE_INFINITY;
}

interface TimeSpan {
  startsAt: string;
  endsAt: string;
}

/** The visible part of a day, hour by hour. A day on which clocks change has 23 or 25 hours. */
export interface DayRange {
  from: number;
  to: number;
  hours: number[];
}

const HOUR_MS = 3_600_000;
const DEFAULT_HOURS = { opens: '08:00', closes: '20:00' };

/** Covers the opening hours and every given span, rounded to full hours. */
export function toDayRange(day: string, location: BookingLocation, spans: TimeSpan[]): DayRange {
  const { timeZone } = location;
  const open = getVisibleHours(day, location);
  const [first, last] = [toStartOfDay(day, timeZone), toStartOfDay(addDays(day, 1), timeZone)].map(
    (at) => at.getTime(),
  ) as [number, number];
  const starts = open.map(({ opens }) => toEpochMs(day, opens, timeZone));
  const ends = open.map(({ closes }) => toEpochMs(day, closes, timeZone));
  for (const { startsAt, endsAt } of spans) {
    starts.push(Math.max(first, new Date(startsAt).getTime()));
    ends.push(Math.min(last, new Date(endsAt).getTime()));
  }
  const from = Math.max(first, roundToHour(Math.min(...starts), timeZone, 0));
  const to = Math.min(last, roundToHour(Math.max(...ends), timeZone, HOUR_MS));
  const hours: number[] = [];
  for (let at = from; at < to; at += HOUR_MS) hours.push(at);
  return { from, to, hours };
}

/** The closed parts of the range. */
export function findClosedRanges(
  day: string,
  location: BookingLocation,
  { from, to }: DayRange,
): [number, number][] {
  if (findClosure(day, location)) return [[from, to]];
  if (location.openingHours.length === 0) return [];
  const closed: [number, number][] = [];
  let at = from;
  for (const { opens, closes } of findOpeningHours(day, location)) {
    const start = toEpochMs(day, opens, location.timeZone);
    if (start > at) closed.push([at, start]);
    at = Math.max(at, toEpochMs(day, closes, location.timeZone));
  }
  if (at < to) closed.push([at, to]);
  return closed;
}

export const findClosure = (day: string, { closures }: BookingLocation) =>
  closures.find(({ startsOn, endsOn }) => startsOn <= day && day <= endsOn);

export const findOpeningHours = (day: string, { openingHours }: BookingLocation) =>
  openingHours.filter(({ weekday }) => weekday === WEEKDAYS[getWeekday(day) - 1]?.value);

/** Whether the location opens at all on that day. Without opening hours it is always open. */
export const isOpenOn = (day: string, location: BookingLocation) =>
  findClosure(day, location) === undefined &&
  (location.openingHours.length === 0 || findOpeningHours(day, location).length > 0);

function getVisibleHours(day: string, location: BookingLocation) {
  const open = findOpeningHours(day, location);
  return open.length === 0 ? [DEFAULT_HOURS] : open;
}

/** A time that clocks skip becomes the end of the gap. */
const toEpochMs = (day: string, time: string, timeZone: string): number => {
  const at = parseWallClock(day, time, timeZone) ?? parseWallClock(day, '03:00', timeZone);
  return (at === null ? toStartOfDay(day, timeZone) : new Date(at)).getTime();
};

const roundToHour = (at: number, timeZone: string, up: number) => {
  const past = Number(toLocalTime(new Date(at), timeZone).slice(3)) * 60_000 + (at % 60_000);
  return past === 0 ? at : at - past + up;
};
