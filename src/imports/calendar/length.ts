import ICAL from 'ical.js';
import type { Temporal } from 'temporal-polyfill';
import { instantOf, type Moment } from './moment.ts';
import { EntryProblem } from './problem.ts';
import type { Property } from './property.ts';

/** How long an entry takes: days by the calendar first, then seconds by the clock (RFC 5545, 3.3.6). */
export interface Length {
  days: number;
  seconds: number;
}

const TEN_YEARS = 10 * 366 * 86_400;

export const endOf = (start: Moment, { days, seconds }: Length): Temporal.Instant =>
  start.zone.instantOf(start.wall.add({ days })).add({ seconds });

/** From DTEND, else DURATION, else a day for a date. Throws EntryProblem where nothing is left of it. */
export function lengthOf(start: Moment, end: Moment | null, duration: Property | null): Length {
  const length = end
    ? lengthBetween(start, end)
    : duration
      ? lengthFrom(duration)
      : byDefault(start);
  const seconds = endOf(start, length).since(instantOf(start)).total('seconds');
  if (seconds < 0) throw new EntryProblem('It ends before it starts.');
  if (seconds > TEN_YEARS) throw new EntryProblem('It lasts longer than ten years.');
  if (seconds === 0) throw new EntryProblem('It has no length: it ends when it starts.');
  return length;
}

function lengthBetween(start: Moment, end: Moment): Length {
  if (start.isDate !== end.isDate) {
    throw new EntryProblem('One of its start and end is a date and the other a time.');
  }
  if (!start.isDate)
    return { days: 0, seconds: instantOf(end).since(instantOf(start)).total('seconds') };
  const days = start.wall.until(end.wall, { largestUnit: 'days' }).days;
  return { days: days === 0 ? 1 : days, seconds: 0 }; // ending on its own day is meant as that day
}

function lengthFrom({ value, line }: Property): Length {
  if (!/^[+-]?P(?=.)(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/i.test(value.trim())) {
    throw new EntryProblem(`DURATION "${value}" is not a length of time.`, line);
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

const byDefault = (start: Moment): Length => ({ days: start.isDate ? 1 : 0, seconds: 0 });
