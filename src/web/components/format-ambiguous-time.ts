import { Temporal } from 'temporal-polyfill';
import { formatLocalDate, formatLocalTime } from './format-local-time.ts';

/** Whether clocks show this time twice on the day they go back. Only the UTC offset then tells the two apart. */
function isAmbiguousTime(at: string | Date, timeZone: string): boolean {
  const wall = toZonedDateTime(at, timeZone).toPlainDateTime();
  const [first, second] = (['earlier', 'later'] as const).map(
    (disambiguation) => wall.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds,
  );
  return first !== second;
}

/** "9:00 AM", or "2:30 AM (UTC+2)" if the clocks show it twice. */
export const formatExactTime = (at: string | Date, timeZone: string) =>
  isAmbiguousTime(at, timeZone)
    ? `${formatLocalTime(at, timeZone)} (${formatUtcOffset(at, timeZone)})`
    : formatLocalTime(at, timeZone);

/** "Fri, Nov 20, 2026, 9:00 AM – 10:00 AM" */
export function formatExactDateTimeRange(from: string, to: string, timeZone: string): string {
  const end = new Date(new Date(to).getTime() - 1);
  const isOneDay = formatLocalDate(from, timeZone) === formatLocalDate(end, timeZone);
  const until = formatExactTime(to, timeZone);
  return `${formatExactDateTime(from, timeZone)} – ${isOneDay ? until : `${formatLocalDate(to, timeZone)}, ${until}`}`;
}

/** "Fri, Nov 20, 2026, 9:00 AM" */
export const formatExactDateTime = (at: string | Date, timeZone: string) =>
  `${formatLocalDate(at, timeZone)}, ${formatExactTime(at, timeZone)}`;

const formatUtcOffset = (at: string | Date, timeZone: string) =>
  `UTC${toZonedDateTime(at, timeZone)
    .offset.replace(/^([+-])0/, '$1')
    .replace(/:00$/, '')}`;

const toZonedDateTime = (at: string | Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(new Date(at).getTime()).toZonedDateTimeISO(timeZone);
