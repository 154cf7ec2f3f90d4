import { Temporal } from 'temporal-polyfill';

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;
export const DAY_MINUTES = 24 * 60;

/** Whether it is a time zone by which wall clocks can be reckoned. Offsets such as +02:00 are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    toZonedDateTime(0, name); // Node formats by some names, PST for one, that Temporal cannot reckon by
    return true;
  } catch {
    return false;
  }
}

/** What the clocks of a zone show at an instant, given in milliseconds since 1970. */
export const toZonedDateTime = (instant: number, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);

/** "2026-03-16 09:00" as the clocks of a place show it. */
export const formatWallClock = (at: Date, timeZone: string): string =>
  toZonedDateTime(at.getTime(), timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');
