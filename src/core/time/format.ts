import { listOpeningHours, type OpeningCalendar } from './opening-hours.ts';
import { formatWallClock, toZonedDateTime } from './time-zone.ts';

/** Formats the opening hours of an instant's day: "is open on Mondays from 09:00 to 18:00". */
export function formatOpeningHours(calendar: OpeningCalendar, instant: number): string {
  const date = toZonedDateTime(instant, calendar.timeZone).toPlainDate();
  const day = `${formatWeekday(date.dayOfWeek)}s`;
  const spans = listOpeningHours(calendar, date);
  if (spans.length === 0) return `is not open on ${day}`;
  const words = spans.map(
    ([opens, closes]) => `from ${formatClockTime(opens)} to ${formatClockTime(closes)}`,
  );
  return `is open on ${day} ${words.join(' and ')}`;
}

export const formatDay = (instant: number, timeZone: string) =>
  toZonedDateTime(instant, timeZone).toPlainDate().toString();

/** Formats a range: "2026-03-19 10:00 to 11:00 (Europe/Berlin)", with the end date if it differs. */
export function formatTimeRange(start: number, end: number, timeZone: string): string {
  const [from, to] = [start, end].map((at) => formatWallClock(new Date(at), timeZone)) as [
    string,
    string,
  ];
  const until = from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to;
  return `${from} to ${until} (${timeZone})`;
}

/** ISO weekday: 1 is Monday, 7 is Sunday. */
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
