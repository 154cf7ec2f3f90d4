import { type CalendarDate, isCalendarDate } from '../core/time/calendar-date.ts';

/** Whether dates such as 03/04/2024 begin with the day or the month. */
export type DateOrder = 'day_first' | 'month_first';

/** Parses a date of a column. Null if it is empty; an error that says what is wrong. */
export type ParseDate = (text: string, what?: 'start' | 'end') => CalendarDate | Error | null;

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const DOTTED = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/**
 * Creates a parser of the dates of one column: 2026-03-01, 1.3.2026, and 01/03/2026 if it is known whether the day or the month
 * comes first.
 */
export const createDateParser =
  (order: DateOrder | null): ParseDate =>
  (text, what = 'start') => {
    const trimmed = toDateText(text);
    const invalid = () =>
      new Error(`The ${what} date ${trimmed.slice(0, 30)} is not a date such as 2026-03-31.`);
    const toDate = (year = '', month = '', day = '') => {
      const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
      return isCalendarDate(date) ? date : invalid();
    };
    if (trimmed === '') return null;
    const iso = ISO.exec(trimmed);
    if (iso) return toDate(iso[1], iso[2], iso[3]);
    const dotted = DOTTED.exec(trimmed);
    if (dotted) return toDate(dotted[3], dotted[2], dotted[1]);
    const [, first, second, year] = SLASHED.exec(trimmed) ?? [];
    if (year === undefined) return invalid();
    if (order === 'day_first') return toDate(year, second, first);
    if (order === 'month_first') return toDate(year, first, second);
    return new Error(`The date ${trimmed} can be read in two ways. Write it as ${year}-MM-DD.`);
  };

/** Finds the order that dates show, one after the other. */
export function createDateOrderFinder() {
  const highest = [0, 0];
  return {
    add: (text: string) => {
      const [, first, second] = SLASHED.exec(toDateText(text)) ?? [];
      for (const [part, value] of [first, second].entries())
        highest[part] = Math.max(highest[part] ?? 0, Number(value ?? 0));
    },
    /** Null if none of the dates shows it, or they contradict each other. */
    find: (): DateOrder | null => {
      const [isDayFirst, isMonthFirst] = highest.map((value) => value > 12);
      if (isDayFirst === isMonthFirst) return null;
      return isDayFirst ? 'day_first' : 'month_first';
    },
  };
}

/** Without the time of day that programs write after a date. */
const toDateText = (text: string) =>
  text.trim().replace(/[T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AP]M|Z| UTC)?$/i, '');
