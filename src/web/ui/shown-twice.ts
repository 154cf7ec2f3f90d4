import { Temporal } from 'temporal-polyfill';
import { clockIn, dayIn } from './place-words.ts';

/** On the day on which clocks go back they show some times twice; only the offset from UTC tells those apart. */
function isShownTwice(at: string | Date, timeZone: string): boolean {
  const wall = zoned(at, timeZone).toPlainDateTime();
  const [first, second] = (['earlier', 'later'] as const).map(
    (disambiguation) => wall.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds,
  );
  return first !== second;
}

/** "9:00 AM", and "2:30 AM (UTC+2)" where the clocks show it twice. */
export const exactClockIn = (at: string | Date, timeZone: string) =>
  isShownTwice(at, timeZone)
    ? `${clockIn(at, timeZone)} (${offsetWords(at, timeZone)})`
    : clockIn(at, timeZone);

/** "Fri, Nov 20, 2026, 9:00 AM – 10:00 AM" */
export function exactSpanIn(from: string, to: string, timeZone: string): string {
  const end = new Date(new Date(to).getTime() - 1);
  const isOneDay = dayIn(from, timeZone) === dayIn(end, timeZone);
  const until = exactClockIn(to, timeZone);
  return `${exactMomentIn(from, timeZone)} – ${isOneDay ? until : `${dayIn(to, timeZone)}, ${until}`}`;
}

/** "Fri, Nov 20, 2026, 9:00 AM" */
export const exactMomentIn = (at: string | Date, timeZone: string) =>
  `${dayIn(at, timeZone)}, ${exactClockIn(at, timeZone)}`;

const offsetWords = (at: string | Date, timeZone: string) =>
  `UTC${zoned(at, timeZone)
    .offset.replace(/^([+-])0/, '$1')
    .replace(/:00$/, '')}`;

const zoned = (at: string | Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(new Date(at).getTime()).toZonedDateTimeISO(timeZone);
