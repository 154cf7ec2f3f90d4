import { zonedAt } from '../../../time.ts';
import { type Calendar, hoursOn } from './opening.ts';

const WEEKDAYS = [
  'Mondays',
  'Tuesdays',
  'Wednesdays',
  'Thursdays',
  'Fridays',
  'Saturdays',
  'Sundays',
] as const;

/** "is open on Mondays from 09:00 to 18:00", for the day of an instant. */
export function hoursInWords(calendar: Calendar, instant: number): string {
  const date = zonedAt(instant, calendar.timeZone).toPlainDate();
  const day = WEEKDAYS[date.dayOfWeek - 1];
  const spans = hoursOn(calendar, date);
  if (spans.length === 0) return `is not open on ${day}`;
  const words = spans.map(([opens, closes]) => `from ${clock(opens)} to ${clock(closes)}`);
  return `is open on ${day} ${words.join(' and ')}`;
}

export const onDay = (instant: number, timeZone: string) =>
  zonedAt(instant, timeZone).toPlainDate().toString();

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
