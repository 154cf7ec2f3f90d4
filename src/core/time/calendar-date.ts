import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { toStartOfDay } from './local-time.ts';

/** A calendar date, YYYY-MM-DD, without a zone. Dates sort as strings. */
export type CalendarDate = string;

const isoDate = z.iso.date();
const isoInstant = z.iso.datetime({ offset: true });
/** A + in a URL stands for a space. */
const LOST_PLUS = /^(\S{10,40}) (\d\d:\d\d)$/;

/** Whether this is a real date in the years 1900 to 2999, which every database and calendar supports. */
export const isCalendarDate = (text: unknown): text is CalendarDate =>
  isoDate.safeParse(text).success && /^(19|2\d)/.test(String(text));

/** Says what is wrong with a text that should be an RFC 3339 time, so that it can follow the field's name. */
export function describeInvalidInstant(text: unknown): string {
  const [, before, offset] = (typeof text === 'string' && LOST_PLUS.exec(text)) || [];
  if (before !== undefined && isoInstant.safeParse(`${before}+${offset}`).success)
    return `must have + encoded as %2B in a URL, such as ${before}%2B${offset}`;
  const [, date, rest = ''] =
    (typeof text === 'string' && /^(\d{4}-\d{2}-\d{2})([Tt].{1,40})$/.exec(text)) || [];
  const hasValidTime = isoInstant.safeParse(`2000-01-01${rest.toUpperCase()}`).success;
  return date !== undefined && hasValidTime
    ? `must be a date that exists: ${date} does not`
    : 'must be an RFC 3339 time such as 2026-01-31T09:00:00Z';
}

/** Converts a date to the Date that Prisma reads and writes for a DATE column. */
export const toDateColumn = (day: CalendarDate): Date => new Date(`${day}T00:00:00.000Z`);
export const parseDateColumn = (date: Date): CalendarDate => date.toISOString().slice(0, 10);

/** Returns the date of an instant in UTC. */
export const getUtcDate = (now: Date): CalendarDate => parseDateColumn(now);

/** Returns the instants at which the first date begins and the last one ends in a zone: a half-open range. */
export function toInstantBounds(
  first: CalendarDate,
  last: CalendarDate,
  timeZone: string,
): { from: Date; to: Date } {
  return {
    from: new Date(toStartOfDay(Temporal.PlainDate.from(first), timeZone)),
    to: new Date(toStartOfDay(Temporal.PlainDate.from(last).add({ days: 1 }), timeZone)),
  };
}
