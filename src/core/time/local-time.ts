import type { Temporal } from 'temporal-polyfill';

/**
 * Every conversion of local times to instants, in milliseconds since 1970. When clocks change, they skip some local times and
 * show others twice. The server and the pages in the browser use these functions.
 */

/** Finds the instants at which clocks show a local time: none if they skip it, two if they show it twice. */
export function findInstants(local: Temporal.PlainDateTime, timeZone: string): number[] {
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (!earlier.toPlainDateTime().equals(local)) return [];
  const later = local.toZonedDateTime(timeZone, { disambiguation: 'later' });
  return [...new Set([earlier.epochMilliseconds, later.epochMilliseconds])];
}

/** Converts a local time. A time that clocks skip becomes the moment of the change, one that they show twice the first. */
export const toFirstInstant = (local: Temporal.PlainDateTime, timeZone: string): number =>
  findInstants(local, timeZone)[0] ?? findClockChange(local, timeZone);

/** Converts a local time. A time that clocks skip becomes the moment of the change, one that they show twice the second. */
export const toLastInstant = (local: Temporal.PlainDateTime, timeZone: string): number =>
  findInstants(local, timeZone).at(-1) ?? findClockChange(local, timeZone);

/**
 * Converts a local time as calendar files mean it (RFC 5545, 3.3.5): a time that clocks skip counts from the UTC offset before
 * the change, so that 02:30 becomes 03:30, one that they show twice is the first.
 */
export const toCalendarInstant = (local: Temporal.PlainDateTime, timeZone: string): number =>
  local.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds;

/** Returns the first instant of a date. Where clocks skip midnight, a day begins later. */
export const toStartOfDay = (date: Temporal.PlainDate, timeZone: string): number =>
  date.toZonedDateTime({ timeZone }).epochMilliseconds;

/** Finds the change in which clocks skip this local time. */
function findClockChange(skipped: Temporal.PlainDateTime, timeZone: string): number {
  const before = skipped.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  return (before.getTimeZoneTransition('next') ?? before).epochMilliseconds;
}
