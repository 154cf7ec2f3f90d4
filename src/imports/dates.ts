import { type CalendarDate, isCalendarDate } from '../core/time/calendar-date.ts';

/** Parses a date of a column. Null if it is empty; an error that says what is wrong. */
export type ParseDate = (text: string) => CalendarDate | Error | null;

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const DOTTED = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/**
 * Creates a parser of the dates of one column: 2026-03-01, 1.3.2026, and 01/03/2026 if another date of the column shows whether
 * the day or the month comes first.
 */
export function createDateParser(column: readonly string[]): ParseDate {
  const slashed = column.flatMap((text) => SLASHED.exec(text.trim()) ?? []);
  const hasParts = (part: number) =>
    column.some((text) => Number(SLASHED.exec(text.trim())?.[part] ?? 0) > 12);
  const isDayFirst = slashed.length > 0 && hasParts(1);
  const isMonthFirst = slashed.length > 0 && hasParts(2);
  return (text) => {
    const trimmed = text.trim();
    if (trimmed === '') return null;
    const iso = ISO.exec(trimmed);
    if (iso) return toDate(trimmed, iso[1], iso[2], iso[3]);
    const dotted = DOTTED.exec(trimmed);
    if (dotted) return toDate(trimmed, dotted[3], dotted[2], dotted[1]);
    const [, first, second, year] = SLASHED.exec(trimmed) ?? [];
    if (year === undefined) return invalid(trimmed);
    if (isDayFirst !== isMonthFirst)
      return isDayFirst
        ? toDate(trimmed, year, second, first)
        : toDate(trimmed, year, first, second);
    return new Error(`The date ${trimmed} can be read in two ways. Write it as ${year}-MM-DD.`);
  };
}

function toDate(text: string, year = '', month = '', day = ''): CalendarDate | Error {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : invalid(text);
}

const invalid = (text: string) =>
  new Error(`The start date ${text.slice(0, 30)} is not a date such as 2026-03-31.`);
