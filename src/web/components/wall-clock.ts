import { Temporal } from 'temporal-polyfill';
import { findInstants, toStartOfDay as toStartOfDate } from '../../core/time/local-time.ts';
import { toZonedDateTime as toZoned } from '../../core/time/time-zone.ts';
import { getText } from '../language/page-texts.ts';

/**
 * Converts between instants and what the clocks of a location show, including times that clocks skip or show twice.
 * Days are YYYY-MM-DD, times HH:MM, instants ISO 8601.
 */

/** The zone of pages that show no location's times. */
export const BROWSER_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const MINUTE_MS = 60_000;

const toZonedDateTime = (at: string | Date, timeZone: string) =>
  toZoned(new Date(at).getTime(), timeZone);

/** "09:00", as time inputs expect it. */
export const toLocalTime = (at: string | Date, timeZone: string) =>
  toZonedDateTime(at, timeZone).toPlainTime().toString({ smallestUnit: 'minute' });

/** Null if the time is invalid or skipped by the clocks. Of two possible instants, returns the first. */
export function parseWallClock(day: string, time: string, timeZone: string): string | null {
  if (!isCalendarDate(day) || !/^\d\d:\d\d$/.test(time)) return null;
  if (time === '24:00') return parseWallClock(addDays(day, 1), '00:00', timeZone);
  const [first] = findInstants(Temporal.PlainDateTime.from(`${day}T${time}`), timeZone);
  return first === undefined ? null : new Date(first).toISOString();
}

export const SKIPPED_TIME_MESSAGE = 'This time does not exist on that day because clocks change';

/** The first instant of a day. Where clocks skip midnight, a day starts later. */
export const toStartOfDay = (day: string, timeZone: string) =>
  new Date(toStartOfDate(Temporal.PlainDate.from(day), timeZone));

export const addDays = (day: string, days: number) =>
  Temporal.PlainDate.from(day).add({ days }).toString();

/** From 1, Monday, to 7, Sunday. */
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

const MIN_YEAR = 1900;

/** What is wrong with a date that someone typed, or null. An incomplete date is empty. */
export function findDateProblem(day: string, earliest = ''): string | null {
  const year = Number(day.split('-', 1)[0]);
  if (day !== '' && year < MIN_YEAR) return getText('page.yearTooShort', { year: String(year) });
  return day !== '' && day < earliest ? getText('page.dayPassed') : null;
}
