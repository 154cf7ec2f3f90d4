import { Temporal } from 'temporal-polyfill';

/** A point in time as RFC 3339 text in UTC, with milliseconds and Z. */
export type Instant = string;

export const toInstant = (date: Date): Instant => date.toISOString();

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const DAY_MINUTES = 24 * 60;
export const WEEK_MINUTES = 7 * DAY_MINUTES;

/** Whether this is an IANA time zone that Temporal supports. Offsets such as +02:00 are not zones. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    toZonedDateTime(0, name); // Intl accepts some names, such as PST, that Temporal rejects
    return true;
  } catch {
    return false;
  }
}

/** Returns the local date and time in a zone at an instant, given in milliseconds since 1970. */
export const toZonedDateTime = (instant: number, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);

/** Returns the date of an instant in a zone: YYYY-MM-DD. */
export const toLocalDate = (at: string | number | Date, timeZone: string): string =>
  toZonedDateTime(new Date(at).getTime(), timeZone).toPlainDate().toString();
