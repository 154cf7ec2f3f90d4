import { formatLocalTime, formatLocalTimeRange } from '../components/format-local-time.ts';
import { addDays, toLocalDate } from '../components/wall-clock.ts';
import type { OpeningState } from './current-content.ts';

// People read displays while passing by, so dates are as short as possible.

const HALF_DAY_MS = 12 * 3_600_000;

const formatWeekday = (day: string) =>
  new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

const formatMonthDay = (day: string) =>
  new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** "Today", "Tomorrow", or "Monday, Nov 23". */
export function formatRelativeDay(day: string, today: string): string {
  if (day === today) return 'Today';
  return day === addDays(today, 1) ? 'Tomorrow' : `${formatWeekday(day)}, ${formatMonthDay(day)}`;
}

/** "3:00 PM", or "Tomorrow 3:00 PM" if the time alone would be ambiguous. */
export function formatShortTime(at: string | Date, now: Date, timeZone: string): string {
  const isNear = Math.abs(new Date(at).getTime() - now.getTime()) < HALF_DAY_MS;
  const [day, today] = [toLocalDate(at, timeZone), toLocalDate(now, timeZone)];
  const time = formatLocalTime(at, timeZone);
  return isNear || day === today ? time : `${formatRelativeDay(day, today)} ${time}`;
}

/** "Closed, opens 8:00 AM", or "" while the location is open. */
export function formatClosedNotice(
  { isOpen, opensAt }: OpeningState,
  now: Date,
  timeZone: string,
): string {
  if (isOpen) return '';
  return opensAt === null ? 'Closed' : `Closed, ${formatOpeningTime(opensAt, now, timeZone)}`;
}

/** "opens 8:00 AM", "opens tomorrow 8:00 AM", "opens Monday 8:00 AM", "opens Monday, Nov 23, 8:00 AM" */
export function formatOpeningTime(at: string, now: Date, timeZone: string): string {
  const [day, today] = [toLocalDate(at, timeZone), toLocalDate(now, timeZone)];
  const time = formatLocalTime(at, timeZone);
  if (day === today) return `opens ${time}`;
  if (day === addDays(today, 1)) return `opens tomorrow ${time}`;
  return day < addDays(today, 7)
    ? `opens ${formatWeekday(day)} ${time}`
    : `opens ${formatRelativeDay(day, today)}, ${time}`;
}

/** "11:00 PM – 1:00 AM". Short spans past midnight do not name the day. */
export const formatTimeSpan = (from: string, to: string, timeZone: string) =>
  new Date(to).getTime() - new Date(from).getTime() < HALF_DAY_MS
    ? `${formatLocalTime(from, timeZone)} – ${formatLocalTime(to, timeZone)}`
    : formatLocalTimeRange(from, to, timeZone);
