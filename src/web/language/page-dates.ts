import * as dates from '../../core/time/format.ts';
import { getPageLanguage, getText } from './page-texts.ts';

// Dates in the language of the page. Times of day are the same in every language.

type Moment = string | number | Date;

export const formatLongDate = (date: string) => dates.formatLongDate(date, getPageLanguage());

export const formatDate = (date: string) => dates.formatDate(date, getPageLanguage());

export const formatDateWithoutYear = (date: string) =>
  dates.formatDateWithoutYear(date, getPageLanguage());

export const formatMonth = (date: string) => dates.formatMonth(date, getPageLanguage());

export const formatWeekday = (weekday: number) => dates.formatWeekday(weekday, getPageLanguage());

export const formatShortWeekday = (weekday: number) =>
  dates.formatShortWeekday(weekday, getPageLanguage());

export const formatTimeZone = (timeZone: string) =>
  dates.formatTimeZone(timeZone, getPageLanguage());

export const formatLocalDate = (at: Moment, timeZone: string) =>
  dates.formatLocalDate(at, timeZone, getPageLanguage());

export const formatLocalDateTime = (at: Moment, timeZone: string) =>
  dates.formatLocalDateTime(at, timeZone, getPageLanguage());

export const formatLocalTimeRange = (from: Moment, to: Moment, timeZone: string) =>
  dates.formatLocalTimeRange(from, to, timeZone, getPageLanguage());

export const formatLocalDateTimeRange = (from: Moment, to: Moment, timeZone: string) =>
  dates.formatLocalDateTimeRange(from, to, timeZone, getPageLanguage());

export const formatLongTime = (at: Moment, timeZone: string) =>
  dates.formatLongTime(at, timeZone, getPageLanguage());

export const formatLongTimeSpan = (from: Moment, to: Moment, timeZone: string) =>
  dates.formatLongTimeSpan(from, to, timeZone, getPageLanguage());

export const formatLongTimeRange = (from: Moment, to: Moment, timeZone: string) =>
  dates.formatLongTimeRange(from, to, timeZone, getPageLanguage());

/** Formats a date with its opening times. Null times are those of a location that is always open. */
export function formatOpenDay(date: string, times: dates.OpeningTime[] | null): string {
  const day = formatLongDate(date);
  if (times === null) return day;
  if (times.length === 0) return getText('date.closed', { day });
  return getText('date.open', {
    day,
    times: times.map((span) => getText('date.span', { ...span })).join(', '),
  });
}
