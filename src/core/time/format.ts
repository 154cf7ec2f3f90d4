import { DAY_MS, formatWallClock, type Instant, toInstant, toZonedDateTime } from './time-zone.ts';

/** Formats the date of an instant, in milliseconds since 1970, in a zone: "2026-03-19". */
export const formatDay = (instant: number, timeZone: string) =>
  toZonedDateTime(instant, timeZone).toPlainDate().toString();

/** Formats a range: "2026-03-19 10:00 to 11:00 (Europe/Berlin)", with the end date if it differs. */
export function formatTimeRange(start: number, end: number, timeZone: string): string {
  const from = formatWallClock(new Date(start), timeZone);
  const to = formatWallClock(new Date(end), timeZone);
  const isSameDay = from.slice(0, 10) === to.slice(0, 10);
  return `${from} to ${isSameDay ? to.slice(11) : to} (${timeZone})`;
}

/** Formats a date for people: "Thursday, 19 March 2026". */
export function formatLongDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  const weekday = formatWeekday(new Date(`${date}T00:00Z`).getUTCDay() || 7);
  return `${weekday}, ${day} ${MONTH_NAMES[(month ?? 1) - 1]} ${year}`;
}

/** Formats an instant for people, in the local time of a zone: "Thursday, 19 March 2026, 10:00". */
export function formatLongTime(at: Date, timeZone: string): string {
  const [date, time] = splitAtFirstSpace(formatWallClock(at, timeZone));
  return `${formatLongDate(date)}, ${time}`;
}

/** Formats a range for people: "Thursday, 19 March 2026, 10:00 to 11:00 (Europe/Berlin)", with the end date if it differs. */
export function formatLongTimeRange(start: number, end: number, timeZone: string): string {
  const [startDate] = splitAtFirstSpace(formatWallClock(new Date(start), timeZone));
  const [endDate, endTime] = splitAtFirstSpace(formatWallClock(new Date(end), timeZone));
  const from = formatLongTime(new Date(start), timeZone);
  const to = startDate === endDate ? endTime : formatLongTime(new Date(end), timeZone);
  return `${from} to ${to} (${timeZone})`;
}

/** The date and the time, which can have an offset. */
function splitAtFirstSpace(wallClock: string): [date: string, time: string] {
  const space = wallClock.indexOf(' ');
  return [wallClock.slice(0, space), wallClock.slice(space + 1)];
}

const MONTH_NAMES = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** Returns the English name of an ISO weekday: 1 is Monday, 7 is Sunday. */
export const formatWeekday = (weekday: number): string => WEEKDAY_NAMES[weekday - 1] ?? '';

const WEEKDAY_NAMES = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
];

/** Formats minutes since midnight: "09:00". The end of a day is "24:00". */
export const formatClockTime = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** Parses what `formatClockTime` writes into minutes since midnight. */
export const parseClockTime = (time: string): number => {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
};

/** Formats instants, in milliseconds since 1970. */
export interface InstantFormatter {
  /** In UTC: 2026-03-29T01:00:00.000Z. */
  toUtc(instant: number): Instant;
  /** As local time with its UTC offset: 2026-03-29T03:00+02:00. */
  toLocal(instant: number): string;
}

/** Creates a formatter that formats each instant once. Slots of many resources begin and end at the same instants. */
export function createInstantFormatter(timeZone: string): InstantFormatter {
  return {
    toUtc: memoize((instant) => toInstant(new Date(instant))),
    toLocal: memoize(createOffsetFormatter(timeZone)),
  };
}

function memoize(format: (instant: number) => string): (instant: number) => string {
  const texts = new Map<number, string>();
  return (instant) => {
    const known = texts.get(instant);
    if (known !== undefined) return known;
    const text = format(instant);
    texts.set(instant, text);
    return text;
  };
}

/** Computes the offset once per day, except on days when it changes. */
function createOffsetFormatter(timeZone: string): (instant: number) => string {
  const days = new Map<number, UtcOffset | null>();
  return (instant) => {
    const day = Math.floor(instant / DAY_MS);
    let offset = days.get(day);
    if (offset === undefined) {
      offset = computeOffset(day * DAY_MS, timeZone);
      if (offset.millis !== computeOffset((day + 1) * DAY_MS, timeZone).millis) offset = null;
      days.set(day, offset);
    }
    const { millis, text } = offset ?? computeOffset(instant, timeZone);
    return new Date(instant + millis).toISOString().slice(0, 16) + text;
  };
}

interface UtcOffset {
  millis: number;
  /** Such as +02:00. */
  text: string;
}

function computeOffset(instant: number, timeZone: string): UtcOffset {
  const { offsetNanoseconds, offset } = toZonedDateTime(instant, timeZone);
  return { millis: offsetNanoseconds / 1e6, text: offset };
}
