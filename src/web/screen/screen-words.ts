import { clockIn, timesIn } from '../ui/place-words.ts';
import { dayAt, nextDay } from '../ui/wall-clock.ts';
import type { House } from './opening.ts';

// Read in passing: no more of a date than is needed.

const HALF_A_DAY_MS = 12 * 3_600_000;

const weekday = (day: string) =>
  new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

const monthDay = (day: string) =>
  new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** "Today", "Tomorrow", or "Monday, Nov 23". */
export function dayFrom(day: string, today: string): string {
  if (day === today) return 'Today';
  return day === nextDay(today, 1) ? 'Tomorrow' : `${weekday(day)}, ${monthDay(day)}`;
}

/** "3:00 PM"; with its day where the clock alone could be mistaken. */
export function momentFrom(at: string | Date, now: Date, timeZone: string): string {
  const isNear = Math.abs(new Date(at).getTime() - now.getTime()) < HALF_A_DAY_MS;
  const [day, today] = [dayAt(at, timeZone), dayAt(now, timeZone)];
  const time = clockIn(at, timeZone);
  return isNear || day === today ? time : `${dayFrom(day, today)} ${time}`;
}

/** "Closed, opens 8:00 AM", with the day where it is not today; nothing while it is open. */
export function closedWords({ isOpen, opensAt }: House, now: Date, timeZone: string): string {
  if (isOpen) return '';
  return opensAt === null ? 'Closed' : `Closed, ${opensWords(opensAt, now, timeZone)}`;
}

/** "opens 8:00 AM", "opens tomorrow 8:00 AM", "opens Monday 8:00 AM", "opens Monday, Nov 23, 8:00 AM" */
export function opensWords(at: string, now: Date, timeZone: string): string {
  const [day, today] = [dayAt(at, timeZone), dayAt(now, timeZone)];
  const time = clockIn(at, timeZone);
  if (day === today) return `opens ${time}`;
  if (day === nextDay(today, 1)) return `opens tomorrow ${time}`;
  return day < nextDay(today, 7)
    ? `opens ${weekday(day)} ${time}`
    : `opens ${dayFrom(day, today)}, ${time}`;
}

/** "11:00 PM – 1:00 AM", also past midnight. */
export const spanOf = (from: string, to: string, timeZone: string) =>
  new Date(to).getTime() - new Date(from).getTime() < HALF_A_DAY_MS
    ? `${clockIn(from, timeZone)} – ${clockIn(to, timeZone)}`
    : timesIn(from, to, timeZone);
