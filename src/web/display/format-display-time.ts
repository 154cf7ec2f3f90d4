import { formatLocalTime } from '../../core/time/format.ts';
import { toLocalDate } from '../../core/time/time-zone.ts';
import { addDays, getWeekday } from '../components/wall-clock.ts';
import {
  formatDateWithoutYear,
  formatLocalTimeRange,
  formatWeekday,
} from '../language/page-dates.ts';
import { getText } from '../language/page-texts.ts';
import type { OpeningState } from './current-content.ts';

// People read displays while passing by, so dates are as short as possible.

const HALF_DAY_MS = 12 * 3_600_000;

/** "Today", "Tomorrow", or "Monday, 23 Nov". */
export function formatRelativeDay(day: string, today: string): string {
  if (day === today) return getText('display.today');
  return day === addDays(today, 1) ? getText('display.tomorrow') : formatDateWithoutYear(day);
}

/** "15:00", or "tomorrow 15:00" within a sentence, if the time alone would be ambiguous. */
export function formatShortTime(at: string | Date, now: Date, timeZone: string): string {
  const isNear = Math.abs(new Date(at).getTime() - now.getTime()) < HALF_DAY_MS;
  const [day, today] = [toLocalDate(at, timeZone), toLocalDate(now, timeZone)];
  const time = formatLocalTime(at, timeZone);
  if (isNear || day === today) return time;
  return day === addDays(today, 1)
    ? getText('display.tomorrowAt', { time })
    : `${formatRelativeDay(day, today)} ${time}`;
}

/** "Closed, opens 08:00", or "" while the location is open. */
export function formatClosedNotice(
  { isOpen, opensAt }: OpeningState,
  now: Date,
  timeZone: string,
): string {
  if (isOpen) return '';
  if (opensAt === null) return getText('display.closed');
  return getText('display.closedUntil', { opening: formatOpeningTime(opensAt, now, timeZone) });
}

/** "opens 08:00", "opens tomorrow 08:00", "opens Monday 08:00", "opens Monday, 23 Nov, 08:00" */
export function formatOpeningTime(at: string, now: Date, timeZone: string): string {
  const [day, today] = [toLocalDate(at, timeZone), toLocalDate(now, timeZone)];
  const time = formatLocalTime(at, timeZone);
  if (day === today) return getText('display.opensAt', { time });
  if (day === addDays(today, 1)) return getText('display.opensTomorrow', { time });
  return day < addDays(today, 7)
    ? getText('display.opensOnDay', { day: formatWeekday(getWeekday(day)), time })
    : getText('display.opensOnDate', { date: formatRelativeDay(day, today), time });
}

/** "23:00 – 01:00". Short spans past midnight do not name the day. */
export const formatTimeSpan = (from: string, to: string, timeZone: string) =>
  new Date(to).getTime() - new Date(from).getTime() < HALF_DAY_MS
    ? `${formatLocalTime(from, timeZone)} – ${formatLocalTime(to, timeZone)}`
    : formatLocalTimeRange(from, to, timeZone);

/** The room or desk, and where it is: "Blue room, second floor". Content that a display has stored can lack the area. */
export const formatPlace = ({ name, area }: { name: string; area?: string | null }): string =>
  [name, area].filter(Boolean).join(', ');
