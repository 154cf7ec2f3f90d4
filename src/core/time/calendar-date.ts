import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';

/** A day of the calendar, YYYY-MM-DD, without a zone. They sort as texts do. */
export type CalendarDate = string;

const isoDate = z.iso.date();

/** A real day of the years 1900 to 2999: every database and every calendar can reckon with those. */
export const isCalendarDate = (text: unknown): text is CalendarDate =>
  isoDate.safeParse(text).success && /^(19|2\d)/.test(String(text));

/** As Prisma reads and writes a DATE. */
export const toDateColumn = (day: CalendarDate): Date => new Date(`${day}T00:00:00.000Z`);
export const parseDateColumn = (date: Date): CalendarDate => date.toISOString().slice(0, 10);

/** What day it is in UTC. */
export const getUtcDate = (now: Date): CalendarDate => parseDateColumn(now);

/** The instants at which the days from the first to the last one begin and are over, by the clocks of a zone. */
export function toInstantBounds(
  first: CalendarDate,
  last: CalendarDate,
  timeZone: string,
): { from: Date; to: Date } {
  const midnight = (day: Temporal.PlainDate) =>
    new Date(day.toZonedDateTime({ timeZone }).epochMilliseconds);
  return {
    from: midnight(Temporal.PlainDate.from(first)),
    to: midnight(Temporal.PlainDate.from(last).add({ days: 1 })),
  };
}
