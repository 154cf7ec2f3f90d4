import { Temporal } from 'temporal-polyfill';

/** Days are YYYY-MM-DD, times HH:MM, instants ISO 8601; zones are those of a location, never the browser's. */

const MINUTE_MS = 60_000;

const toZonedDateTime = (at: string | Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(new Date(at).getTime()).toZonedDateTimeISO(timeZone);

/** The local date in a zone. */
export const toLocalDate = (at: string | Date, timeZone: string) =>
  toZonedDateTime(at, timeZone).toPlainDate().toString();

/** The local time in a zone, as an input value. */
export const toLocalTime = (at: string | Date, timeZone: string) =>
  toZonedDateTime(at, timeZone).toPlainTime().toString({ smallestUnit: 'minute' });

/** Null if invalid or skipped by the clocks. Uses the first of two instants if ambiguous. */
export function parseWallClock(day: string, time: string, timeZone: string): string | null {
  if (!isCalendarDate(day) || !/^\d\d:\d\d$/.test(time)) return null;
  if (time === '24:00') return parseWallClock(addDays(day, 1), '00:00', timeZone);
  const wall = Temporal.PlainDateTime.from(`${day}T${time}`);
  const at = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (!at.toPlainDateTime().equals(wall)) return null;
  return new Date(at.epochMilliseconds).toISOString();
}

/** The first instant of a day. Some days start after midnight. */
export const toStartOfDay = (day: string, timeZone: string) =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime({ timeZone }).epochMilliseconds);

export const addDays = (day: string, days: number) =>
  Temporal.PlainDate.from(day).add({ days }).toString();

/** 1 is Monday. */
export const getWeekday = (day: string) => Temporal.PlainDate.from(day).dayOfWeek;

export const countMinutesBetween = (from: string | Date, to: string | Date) =>
  (new Date(to).getTime() - new Date(from).getTime()) / MINUTE_MS;

export const addMinutes = (at: string, minutes: number) =>
  new Date(new Date(at).getTime() + minutes * MINUTE_MS).toISOString();

export function isCalendarDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}
