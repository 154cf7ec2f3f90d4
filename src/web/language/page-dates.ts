import * as dates from '../../core/time/format.ts';
import { getPageLanguage } from './page-texts.ts';

// Dates in the language of the page. Times of day are the same in every language.

type Moment = string | number | Date;

export const formatLongDate = (date: string) => dates.formatLongDate(date, getPageLanguage());

export const formatDateWithoutYear = (date: string) =>
  dates.formatDateWithoutYear(date, getPageLanguage());

export const formatWeekday = (weekday: number) => dates.formatWeekday(weekday, getPageLanguage());

export const formatLocalDate = (at: Moment, timeZone: string) =>
  dates.formatLocalDate(at, timeZone, getPageLanguage());

export const formatLocalTimeRange = (from: Moment, to: Moment, timeZone: string) =>
  dates.formatLocalTimeRange(from, to, timeZone, getPageLanguage());
