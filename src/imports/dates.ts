import { type CalendarDate, isCalendarDate } from '../core/time/calendar-date.ts';
import { MINUTE_MS, toLocalDate } from '../core/time/time-zone.ts';

/** Whether dates such as 03/04/2024 begin with the day or the month. */
export type DateOrder = 'day_first' | 'month_first';

/** Parses a date of a column. Null if it is empty; an error that says what is wrong. */
export type ParseDate = (text: string, what?: 'start' | 'end') => CalendarDate | Error | null;

interface DateParserOptions {
  /** Null if it is not known: then a date such as 03/04/2024 is an error. */
  order: DateOrder | null;
  /** The zone of all locations; null if they have several. It says on which day a moment in UTC is. */
  timeZone: string | null;
}

/**
 * Creates a parser of the dates of one column as spreadsheets write them: 2026-03-01, 2026/3/1, 1.3.2026, 1.3.26, 1 March 2026, Mar 1, 2026,
 * also in German and French, and 01/03/2026 or 01-03-26 if it is known whether the day or the month comes first. A time of day after it
 * is left out. A moment in UTC is a day in the zone of the locations, and midnight in UTC is the day that is written.
 */
export const createDateParser =
  ({ order, timeZone }: DateParserOptions): ParseDate =>
  (text, what = 'start') => {
    const trimmed = text.trim();
    if (trimmed === '') return null;
    const shown = trimmed.slice(0, 40);
    if (/^\d{5}$/.test(trimmed))
      return new Error(
        `The ${what} date ${shown} is the number that a spreadsheet has for a day. Format the column as a date.`,
      );
    const invalid = () => new Error(`The ${what} date ${shown} is not a date such as 2026-03-31.`);
    const { day, time } = splitTime(trimmed);
    const { year, months } = splitDate(day) ?? {};
    if (!year || !months) return invalid();
    const known = months.length === 1 ? months[0] : order && months[order === 'day_first' ? 0 : 1];
    if (!known)
      return new Error(`The date ${shown} can be read in two ways. Write it as ${year}-MM-DD.`);
    const date = toDate(year, known);
    if (date === null) return invalid();
    if (!time?.isUtc || time.minutes === 0) return date;
    if (timeZone)
      return toLocalDate(Date.parse(`${date}T00:00Z`) + time.minutes * MINUTE_MS, timeZone);
    return new Error(
      `The ${what} date ${shown} is a time in UTC, which is another day at some locations. Write the day.`,
    );
  };

/** Finds the order that dates show, one after the other. */
export function createDateOrderFinder() {
  const highest = [0, 0];
  return {
    add: (text: string) => {
      const [dayFirst, monthFirst] = splitDate(splitTime(text.trim()).day)?.months ?? [];
      if (!dayFirst || !monthFirst) return;
      for (const [part, { day }] of [dayFirst, monthFirst].entries())
        highest[part] = Math.max(highest[part] ?? 0, day);
    },
    /** Null if none of the dates shows it, or they contradict each other. */
    find: (): DateOrder | null => {
      const [isDayFirst, isMonthFirst] = highest.map((value) => value > 12);
      if (isDayFirst === isMonthFirst) return null;
      return isDayFirst ? 'day_first' : 'month_first';
    },
  };
}

interface MonthAndDay {
  month: number;
  day: number;
}

/** What a date can mean: one month and day, or those of day first and of month first. */
interface DateParts {
  year: number;
  months: MonthAndDay[];
}

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-/.])\s?(\d{1,2})[-/.]\s?(\d{4}|\d{2})$/;

function splitDate(text: string): DateParts | null {
  const [, fullYear, month, day] = YEAR_FIRST.exec(text) ?? [];
  if (fullYear)
    return { year: Number(fullYear), months: [{ month: Number(month), day: Number(day) }] };
  const [, first, separator, second, year] = YEAR_LAST.exec(text) ?? [];
  if (!year) return splitNamedDate(text);
  const dayFirst = { day: Number(first), month: Number(second) };
  const monthFirst = { day: Number(second), month: Number(first) };
  return { year: toYear(year), months: separator === '.' ? [dayFirst] : [dayFirst, monthFirst] };
}

/** Spreadsheets take two digits up to 49 for this century. */
function toYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  return year < 50 ? 2000 + year : 1900 + year;
}

/** Splits "1 May 2024", "01-May-24", "1. März 2024", "1er août 2024" and "May 1st, 2024". */
function splitNamedDate(text: string): DateParts | null {
  if (!/^[\p{L}\d\s.,/-]{5,40}$/u.test(text)) return null;
  const tokens = text.match(/\p{L}+|\d+/gu) ?? [];
  const [a = '', b = '', c = '', ...rest] = tokens.filter(
    (token) => !/^(er|st|nd|rd|th)$/i.test(token),
  );
  if (rest.length > 0) return null;
  const isNumber = (token: string) => /^(\d{1,2}|\d{4})$/.test(token);
  if (isNumber(b) && isNumber(c)) return toNamedParts(c, a, b);
  if (!isNumber(a) || !isNumber(c)) return null;
  return a.length === 4 ? toNamedParts(a, b, c) : toNamedParts(c, b, a);
}

function toNamedParts(year: string, name: string, day: string): DateParts | null {
  const month = findMonth(name);
  return month && day.length <= 2
    ? { year: toYear(year), months: [{ month, day: Number(day) }] }
    : null;
}

/** The months in English, German and French, without accents. */
const MONTH_NAMES = [
  'january januar janner janvier',
  'february februar feber fevrier',
  'march marz mars mrz',
  'april avril',
  'may mai',
  'june juni juin',
  'july juli juillet',
  'august aout',
  'september septembre',
  'october oktober octobre',
  'november novembre',
  'december dezember decembre',
].map((names) => names.split(' '));

/** Finds a month by its name or the first letters of it. Null if that could be several. */
function findMonth(text: string): number | null {
  const word = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  if (word.length < 3) return null;
  const found = MONTH_NAMES.flatMap((names, index) =>
    names.some((name) => name.startsWith(word)) ? [index + 1] : [],
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

function toDate(year: number, { month, day }: MonthAndDay): CalendarDate | null {
  const [mm, dd] = [month, day].map((part) => String(part).padStart(2, '0'));
  const date = `${year}-${mm}-${dd}`;
  return isCalendarDate(date) ? date : null;
}

const TIME =
  /[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?: ?([AP])M)?(?: ?(Z|UTC|[+-]\d{2}:?\d{2}))?$/i;

interface TimeOfDay {
  /** Since midnight, with its seconds. */
  minutes: number;
  /** Otherwise it is the local time of whoever wrote it, with or without an offset. */
  isUtc: boolean;
}

/** Splits a date from the time of day that programs write after it. */
function splitTime(text: string): { day: string; time: TimeOfDay | null } {
  const found = text.length > 60 ? null : TIME.exec(text);
  if (!found) return { day: text, time: null };
  const [, hour, minute, second = 0, half, zone = ''] = found;
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0) : Number(hour);
  return {
    day: text.slice(0, found.index),
    time: {
      minutes: hours * 60 + Number(minute) + Number(second) / 60,
      isUtc: /^(Z|UTC|[+-]00:?00)$/i.test(zone),
    },
  };
}
