import { parseClockTime } from '../../../core/time/format.ts';
import { findOpenRanges, type OpeningCalendar } from '../../../core/time/opening-hours.ts';
import { subtractRanges, type TimeRange } from '../../../core/time/time-range.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { WEEKDAYS } from '../../components/opening-hours.ts';
import { addDays, getWeekday, toLocalTime, toStartOfDay } from '../../components/wall-clock.ts';
import type {
  BookableResource,
  BookingDay,
  BookingLocation,
  LocationOption,
} from './day-queries.ts';

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

/** Lists the resources of a day: those that can be booked, and others that have a booking or an event. */
export function listResourcesOfDay({
  resources,
  bookings,
  events,
}: BookingDay): BookableResource[] {
  const used = new Set([...bookings, ...events].map(({ resource }) => resource?.id));
  return resources.filter(({ id, active }) => active || used.has(id));
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
/** What a day shows on which the location is always open or does not open. */
const DEFAULT_HOURS = { opensMinute: 8 * 60, closesMinute: 20 * 60 };

/** Covers the opening hours and every given span, rounded to full hours. */
export function toDayRange(day: string, location: BookingLocation, spans: TimeSpan[]): DayRange {
  const { timeZone } = location;
  const { start: first, end: last } = toDay(day, timeZone);
  const open = findOpenRanges(toVisibleCalendar(day, location), { start: first, end: last });
  const starts = open.map(({ start }) => start);
  const ends = open.map(({ end }) => end);
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
export const findClosedRanges = (location: BookingLocation, { from, to }: DayRange) => {
  const range = { start: from, end: to };
  return subtractRanges([range], findOpenRanges(toCalendar(location), range));
};

export const findClosure = (day: string, { closures }: BookingLocation) =>
  closures.find(({ startsOn, endsOn }) => startsOn <= day && day <= endsOn);

export const findOpeningHours = (day: string, { openingHours }: BookingLocation) =>
  openingHours.filter(({ weekday }) => weekday === WEEKDAYS[getWeekday(day) - 1]?.value);

/** Whether the location opens at all on that day. Without opening hours it is always open. */
export const isOpenOn = (day: string, location: BookingLocation) =>
  findOpenRanges(toCalendar(location), toDay(day, location.timeZone)).length > 0;

const toDay = (day: string, timeZone: string): TimeRange => ({
  start: toStartOfDay(day, timeZone).getTime(),
  end: toStartOfDay(addDays(day, 1), timeZone).getTime(),
});

const toCalendar = ({ timeZone, openingHours, closures }: BookingLocation): OpeningCalendar => ({
  timeZone,
  closures,
  hours: openingHours.map(({ weekday, opens, closes }) => ({
    weekday: WEEKDAYS.findIndex(({ value }) => value === weekday) + 1,
    opensMinute: parseClockTime(opens),
    closesMinute: parseClockTime(closes),
  })),
});

/** The hours to show on a day: its opening hours, even if it is closed exceptionally. */
function toVisibleCalendar(day: string, location: BookingLocation): OpeningCalendar {
  const calendar = { ...toCalendar(location), closures: [] };
  if (findOpeningHours(day, location).length > 0) return calendar;
  return { ...calendar, hours: [{ weekday: getWeekday(day), ...DEFAULT_HOURS }] };
}

const roundToHour = (at: number, timeZone: string, up: number) => {
  const past = Number(toLocalTime(new Date(at), timeZone).slice(3)) * 60_000 + (at % 60_000);
  return past === 0 ? at : at - past + up;
};
