import { Temporal } from 'temporal-polyfill';
import { findInstants } from './local-time.ts';
import { DAY_MINUTES, toLocalDate, toZonedDateTime } from './time-zone.ts';

/**
 * Writes dates and times for people, with a 24-hour clock. Emails, tickets, messages of the APIs and pages all use these
 * functions. The long form is for sentences and for what people keep, the short form for tables and calendars. The `locale` is
 * a language such as "de". English has one form everywhere, and other languages that of `Intl`.
 */

const ENGLISH = 'en';

/** RFC 3339 text, milliseconds since 1970, or a Date. */
type Moment = string | number | Date;

/** Formats a date, YYYY-MM-DD: "Thursday, 19 March 2026". */
export function formatLongDate(date: string, locale = ENGLISH): string {
  if (locale !== ENGLISH) return formatByLocale(date, locale, 'long');
  const { dayOfWeek, day, month, year } = Temporal.PlainDate.from(date);
  return `${formatWeekday(dayOfWeek)}, ${day} ${MONTH_NAMES[month - 1]} ${year}`;
}

/** Formats a date, YYYY-MM-DD: "Thu, 19 Mar 2026". */
export function formatDate(date: string, locale = ENGLISH): string {
  if (locale !== ENGLISH) return formatByLocale(date, locale, 'short');
  const { dayOfWeek, day, month, year } = Temporal.PlainDate.from(date);
  return `${formatWeekday(dayOfWeek).slice(0, 3)}, ${day} ${MONTH_NAMES[month - 1]?.slice(0, 3)} ${year}`;
}

/** Formats a date that is near: "Thursday, 19 Mar". */
export function formatDateWithoutYear(date: string, locale = ENGLISH): string {
  if (locale !== ENGLISH) return formatByLocale(date, locale, 'withoutYear');
  const { dayOfWeek, day, month } = Temporal.PlainDate.from(date);
  return `${formatWeekday(dayOfWeek)}, ${day} ${MONTH_NAMES[month - 1]?.slice(0, 3)}`;
}

/** Formats the month of a date: "March 2026". */
export function formatMonth(date: string, locale = ENGLISH): string {
  if (locale !== ENGLISH) return formatByLocale(date, locale, 'month');
  const { month, year } = Temporal.PlainDate.from(date);
  return `${MONTH_NAMES[month - 1]} ${year}`;
}

/** Formats an instant in the local time of a zone: "Thursday, 19 March 2026, 10:00". */
export const formatLongTime = (at: Moment, timeZone: string, locale = ENGLISH): string =>
  `${formatLongDate(toLocalDate(at, timeZone), locale)}, ${formatLocalTime(at, timeZone)}`;

/** Formats instants, and each date once: "Thursday, 19 March 2026, 10:00, 11:00; Friday, 20 March 2026, 09:00". */
export function formatLongTimes(instants: Moment[], timeZone: string): string {
  const days = new Map<string, string[]>();
  for (const at of instants) {
    const day = toLocalDate(at, timeZone);
    days.set(day, [...(days.get(day) ?? [formatLongDate(day)]), formatLocalTime(at, timeZone)]);
  }
  return [...days.values()].map((parts) => parts.join(', ')).join('; ');
}

/** Formats a range: "Thursday, 19 March 2026, 10:00 to 11:00", with the end date if it differs. */
export const formatLongTimeSpan = (
  from: Moment,
  to: Moment,
  timeZone: string,
  locale = ENGLISH,
): string => {
  const end = formatEnd(from, to, timeZone, (date) => formatLongDate(date, locale));
  return `${formatLongTime(from, timeZone, locale)} ${locale === ENGLISH ? 'to' : '–'} ${end}`;
};

/** Formats a range and names the zone: "Thursday, 19 March 2026, 10:00 to 11:00 (Berlin time)". */
export const formatLongTimeRange = (
  from: Moment,
  to: Moment,
  timeZone: string,
  locale = ENGLISH,
): string =>
  `${formatLongTimeSpan(from, to, timeZone, locale)} (${formatTimeZone(timeZone, locale)})`;

/** Formats the date of an instant: "Thu, 19 Mar 2026". */
export const formatLocalDate = (at: Moment, timeZone: string, locale = ENGLISH): string =>
  formatDate(toLocalDate(at, timeZone), locale);

/** Formats the time of day: "09:00", or "02:30 (UTC+2)" if clocks show it twice, as on the day they go back. */
export function formatLocalTime(at: Moment, timeZone: string): string {
  const zoned = toZoned(at, timeZone);
  const local = zoned.toPlainDateTime();
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
  if (findInstants(local, timeZone).length < 2) return time;
  return `${time} (UTC${zoned.offset.replace(/^([+-])0/, '$1').replace(/:00$/, '')})`;
}

/** Formats an instant: "Thu, 19 Mar 2026, 10:00". */
export const formatLocalDateTime = (at: Moment, timeZone: string, locale = ENGLISH): string =>
  `${formatLocalDate(at, timeZone, locale)}, ${formatLocalTime(at, timeZone)}`;

/** Formats the times of a range: "10:00 – 11:00", with the end date if it differs. */
export const formatLocalTimeRange = (
  from: Moment,
  to: Moment,
  timeZone: string,
  locale = ENGLISH,
): string =>
  `${formatLocalTime(from, timeZone)} – ${formatEnd(from, to, timeZone, (date) => formatDate(date, locale))}`;

/** Formats a range: "Thu, 19 Mar 2026, 10:00 – 11:00", with the end date if it differs. */
export const formatLocalDateTimeRange = (
  from: Moment,
  to: Moment,
  timeZone: string,
  locale = ENGLISH,
): string =>
  `${formatLocalDate(from, timeZone, locale)}, ${formatLocalTimeRange(from, to, timeZone, locale)}`;

/** Formats an instant for programs, with the offset of a zone: "2026-03-19T10:00:00+01:00". */
export const toLocalTimestamp = (at: Moment, timeZone: string): string =>
  toZoned(at, timeZone).toString({ smallestUnit: 'second', timeZoneName: 'never' });

/** The name of a zone depends on its rules at the time: without daylight saving time, as in 1970, Berlin has another one. */
const TODAY_RULES = Date.UTC(2026, 0);

/** Formats a zone: "Europe/Berlin" becomes "Berlin time", and in German "Mitteleuropäische Zeit". */
export function formatTimeZone(timeZone: string, locale = ENGLISH): string {
  if (timeZone === 'UTC') return 'UTC';
  if (locale === ENGLISH)
    return `${timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')} time`;
  const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' });
  return (
    format.formatToParts(TODAY_RULES).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
  );
}

/** Formats a length: "45 min", "2 h", "1 h 30 min". */
export function formatDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

const MONTH_NAMES = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** Returns the name of an ISO weekday: 1 is Monday, 7 is Sunday. */
export const formatWeekday = (weekday: number, locale = ENGLISH): string =>
  locale === ENGLISH
    ? (WEEKDAY_NAMES[weekday - 1] ?? '')
    : formatByLocale(`2024-01-0${weekday}`, locale, 'weekday'); // the first of January 2024 was a Monday

/** Returns the short name of an ISO weekday: "Mon". */
export const formatShortWeekday = (weekday: number, locale = ENGLISH): string =>
  locale === ENGLISH
    ? formatWeekday(weekday).slice(0, 3)
    : formatByLocale(`2024-01-0${weekday}`, locale, 'shortWeekday');

const WEEKDAY_NAMES = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
];

/** One period in which a location is open on a day, as HH:MM. 24:00 is the end of the day. */
export interface OpeningTime {
  opens: string;
  closes: string;
}

/** Formats minutes since midnight: "09:00". The end of a day is "24:00". */
export const formatClockTime = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** Parses what `formatClockTime` writes into minutes since midnight. */
export const parseClockTime = (time: string): number => {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
};

/** The end of a range. A range that ends at midnight ends at 24:00 of the day before. */
function formatEnd(
  from: Moment,
  to: Moment,
  timeZone: string,
  formatDay: (date: string) => string,
): string {
  const end = toZoned(to, timeZone);
  const endsAtMidnight = end.hour === 0 && end.minute === 0 && new Date(to) > new Date(from);
  const day = endsAtMidnight ? end.toPlainDate().subtract({ days: 1 }) : end.toPlainDate();
  const time = endsAtMidnight ? formatClockTime(DAY_MINUTES) : formatLocalTime(to, timeZone);
  return day.toString() === toLocalDate(from, timeZone)
    ? time
    : `${formatDay(day.toString())}, ${time}`;
}

const STYLES = {
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  short: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  withoutYear: { weekday: 'long', day: 'numeric', month: 'short' },
  month: { month: 'long', year: 'numeric' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Creating a format takes much longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatByLocale(date: string, locale: string, style: keyof typeof STYLES): string {
  const key = `${locale} ${style}`;
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone: 'UTC' });
  formats.set(key, format);
  return format.format(Date.parse(date));
}

const toZoned = (at: Moment, timeZone: string) => toZonedDateTime(new Date(at).getTime(), timeZone);
