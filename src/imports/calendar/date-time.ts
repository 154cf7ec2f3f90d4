import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { EntryError } from './entry-error.ts';
import { findParameter, type Property } from './property.ts';
import { type CalendarZone, type ResolveZone, UTC_ZONE } from './time-zones.ts';

/** A date or local time with its zone, as in the file. A date is represented by its midnight. */
export interface CalendarDateTime {
  wall: Temporal.PlainDateTime;
  zone: CalendarZone;
  isDate: boolean;
}

/** The zones for the times of an entry. Floating times and dates are in the zone of the location. */
export interface ZoneContext {
  zones: ResolveZone;
  floating: CalendarZone;
}

const DATE_TIME_PATTERN = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?$/i;

export const toTemporalInstant = ({ wall, zone }: CalendarDateTime) => zone.toInstant(wall);

/**
 * Parses all times of a property; EXDATE and RDATE hold lists.
 *
 * @throws EntryError
 */
export function parseDateTimes(property: Property, context: ZoneContext): CalendarDateTime[] {
  const values = property.value.split(',').map((value) => value.trim());
  return values
    .filter((value) => value !== '')
    .map((value) => parseDateTimeValue(value, property, context));
}

export function parseDateTime(property: Property, context: ZoneContext): CalendarDateTime {
  return parseDateTimeValue(property.value.trim(), property, context);
}

/** A date of RDATE. A period has a duration of its own, instead of that of the entry. */
export interface AddedDate extends CalendarDateTime {
  duration?: EntryDuration;
}

/**
 * Parses the dates, times and periods of an RDATE.
 *
 * @throws EntryError
 */
export function parseAddedDates(property: Property, context: ZoneContext): AddedDate[] {
  const values = property.value.split(',').map((value) => value.trim());
  return values
    .filter((value) => value !== '')
    .map((value) => {
      const [from = '', until] = value.split('/', 2);
      const start = parseDateTimeValue(from, property, context);
      if (until === undefined) return start;
      const isEnd = DATE_TIME_PATTERN.test(until);
      const end = isEnd ? parseDateTimeValue(until, property, context) : null;
      return { ...start, duration: resolveDuration(start, end, { ...property, value: until }) };
    });
}

function parseDateTimeValue(
  value: string,
  property: Property,
  { zones, floating }: ZoneContext,
): CalendarDateTime {
  const [, year, month, day, hour, minute, second, utc] = DATE_TIME_PATTERN.exec(value) ?? [];
  if (!year) throw createInvalidTimeError(value, property);
  // Some programs write VALUE=DATE for a time, or a date without it, so only the value decides.
  const isDate = hour === undefined;
  const tzid = findParameter(property, 'tzid');
  const zone = utc ? UTC_ZONE : isDate || !tzid ? floating : zones(tzid);
  try {
    const fields = [year, month, day, hour ?? 0, minute ?? 0, Math.min(Number(second ?? 0), 59)];
    return { wall: toPlainDateTime(fields.map(Number)), zone, isDate };
  } catch {
    throw createInvalidTimeError(value, property);
  }
}

function toPlainDateTime([year = 0, month = 0, day = 0, hour, minute, second]: number[]) {
  if (year < 1900 || year > 2200) throw new RangeError('year out of range');
  return Temporal.PlainDateTime.from(
    { year, month, day, hour, minute, second },
    { overflow: 'reject' },
  );
}

const createInvalidTimeError = (value: string, { name, line }: Property) =>
  new EntryError(`${name.toUpperCase()} "${value}" is not a date or time.`, line);

/** The duration of an entry: calendar days first, then elapsed seconds (RFC 5545, 3.3.6). */
export interface EntryDuration {
  days: number;
  seconds: number;
}

const MAX_DURATION_SECONDS = 10 * 366 * 86_400;

export const addDuration = (
  start: CalendarDateTime,
  { days, seconds }: EntryDuration,
): Temporal.Instant => start.zone.toInstant(start.wall.add({ days })).add({ seconds });

/**
 * Resolves the duration from DTEND, otherwise from DURATION, otherwise a day for a date, and `defaultSeconds` for a time: such an entry
 * ends when it starts (RFC 5545, 3.6.1), which is of no use for bookings and events.
 *
 * @throws EntryError for a duration that is missing, zero, negative or too long
 */
export function resolveDuration(
  start: CalendarDateTime,
  end: CalendarDateTime | null,
  duration: Property | null,
  defaultSeconds = 0,
): EntryDuration {
  if (!end && !duration && !start.isDate && defaultSeconds === 0)
    throw new EntryError('It has no end. Give it one in the calendar program.');
  const resolved = end
    ? measureDuration(start, end)
    : duration
      ? parseDuration(duration)
      : { days: start.isDate ? 1 : 0, seconds: start.isDate ? 0 : defaultSeconds };
  const seconds = addDuration(start, resolved).since(toTemporalInstant(start)).total('seconds');
  if (seconds < 0) throw new EntryError('It ends before it starts.');
  if (seconds > MAX_DURATION_SECONDS) throw new EntryError('It lasts longer than ten years.');
  if (seconds === 0) throw new EntryError('It has no duration: it ends when it starts.');
  return resolved;
}

function measureDuration(start: CalendarDateTime, end: CalendarDateTime): EntryDuration {
  if (start.isDate !== end.isDate) {
    throw new EntryError('Its start and end must both be dates or both be times.');
  }
  if (!start.isDate)
    return {
      days: 0,
      seconds: toTemporalInstant(end).since(toTemporalInstant(start)).total('seconds'),
    };
  const days = start.wall.until(end.wall, { largestUnit: 'days' }).days;
  return { days: days === 0 ? 1 : days, seconds: 0 }; // some programs write the start date as the end of a one-day entry
}

function parseDuration({ name, value, line }: Property): EntryDuration {
  if (!/^[+-]?P(?=.)(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/i.test(value.trim())) {
    throw new EntryError(`${name.toUpperCase()} "${value}" is not a duration.`, line);
  }
  const { weeks, days, hours, minutes, seconds, isNegative } = ICAL.Duration.fromString(
    value.trim().toUpperCase(),
  );
  const sign = isNegative ? -1 : 1;
  return {
    days: sign * (weeks * 7 + days),
    seconds: sign * (hours * 3600 + minutes * 60 + seconds),
  };
}
