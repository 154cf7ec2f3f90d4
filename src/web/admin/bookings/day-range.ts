import {
  addDays,
  getWeekday,
  parseWallClock,
  toLocalTime,
  toStartOfDay,
} from '../../components/wall-clock.ts';
import { WEEKDAYS } from '../spaces/opening-hours.ts';
import type { BookingLocation } from './queries.ts';

interface TimeSpan {
  startsAt: string;
  endsAt: string;
}

/** The part of a day that is shown, hour by hour; a day on which the clocks change has 23 hours or 25. */
export interface DayRange {
  from: number;
  to: number;
  hours: number[];
}

const HOUR_MS = 3_600_000;
const DEFAULT_HOURS = { opens: '08:00', closes: '20:00' };

/** From before the first thing of the day until after the last, opening hours included. */
export function toDayRange(day: string, place: BookingLocation, spans: TimeSpan[]): DayRange {
  const { timeZone } = place;
  const open = getShownHours(day, place);
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

/** When it is not open, within the frame. */
export function findClosedRanges(
  day: string,
  place: BookingLocation,
  { from, to }: DayRange,
): [number, number][] {
  if (findClosure(day, place)) return [[from, to]];
  if (place.openingHours.length === 0) return [];
  const shut: [number, number][] = [];
  let at = from;
  for (const { opens, closes } of findOpeningHours(day, place)) {
    const start = toEpochMs(day, opens, place.timeZone);
    if (start > at) shut.push([at, start]);
    at = Math.max(at, toEpochMs(day, closes, place.timeZone));
  }
  if (at < to) shut.push([at, to]);
  return shut;
}

export const findClosure = (day: string, { closures }: BookingLocation) =>
  closures.find(({ startsOn, endsOn }) => startsOn <= day && day <= endsOn);

export const findOpeningHours = (day: string, { openingHours }: BookingLocation) =>
  openingHours.filter(({ weekday }) => weekday === WEEKDAYS[getWeekday(day) - 1]?.value);

function getShownHours(day: string, place: BookingLocation) {
  const open = findOpeningHours(day, place);
  return open.length === 0 ? [DEFAULT_HOURS] : open;
}

/** The clocks may skip that time: then it is the moment at which they go on. */
const toEpochMs = (day: string, time: string, timeZone: string): number => {
  const at = parseWallClock(day, time, timeZone) ?? parseWallClock(day, '03:00', timeZone);
  return (at === null ? toStartOfDay(day, timeZone) : new Date(at)).getTime();
};

const roundToHour = (at: number, timeZone: string, up: number) => {
  const past = Number(toLocalTime(new Date(at), timeZone).slice(3)) * 60_000 + (at % 60_000);
  return past === 0 ? at : at - past + up;
};
