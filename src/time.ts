import { Temporal } from 'temporal-polyfill';

/** Whether the runtime knows it as an IANA time zone. Offsets such as +02:00 are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** What the clocks of a zone show at an instant, given in milliseconds since 1970. */
export const zonedAt = (instant: number, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);

/** "2026-03-16 09:00" as the clocks of a place show it. */
export const wallClock = (at: Date, timeZone: string): string =>
  zonedAt(at.getTime(), timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');
