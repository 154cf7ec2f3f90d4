import { wallClock, zonedAt } from '../../../time.ts';
import { clockTime, weekdayName } from '../../spaces/opening-hours/words.ts';
import { type Calendar, hoursOn } from './opening.ts';

/** "is open on Mondays from 09:00 to 18:00", for the day of an instant. */
export function hoursInWords(calendar: Calendar, instant: number): string {
  const date = zonedAt(instant, calendar.timeZone).toPlainDate();
  const day = `${weekdayName(date.dayOfWeek)}s`;
  const spans = hoursOn(calendar, date);
  if (spans.length === 0) return `is not open on ${day}`;
  const words = spans.map(([opens, closes]) => `from ${clockTime(opens)} to ${clockTime(closes)}`);
  return `is open on ${day} ${words.join(' and ')}`;
}

export const onDay = (instant: number, timeZone: string) =>
  zonedAt(instant, timeZone).toPlainDate().toString();

/** "2026-03-19 10:00 to 11:00 (Europe/Berlin)", with the second day where it is another. */
export function stretch(start: number, end: number, timeZone: string): string {
  const [from, to] = [start, end].map((at) => wallClock(new Date(at), timeZone)) as [
    string,
    string,
  ];
  const until = from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to;
  return `${from} to ${until} (${timeZone})`;
}
