import { Temporal } from 'temporal-polyfill';
import { EntryProblem } from './problem.ts';
import { type Property, parameter } from './property.ts';
import { UTC, type Zone } from './zone.ts';
import type { Zones } from './zones.ts';

/** A date or a time as the file says it; a date is its midnight. */
export interface Moment {
  wall: Temporal.PlainDateTime;
  zone: Zone;
  isDate: boolean;
}

/** What the words of an entry are read by. Floating times and dates are the place's. */
export interface Clocks {
  zones: Zones;
  floating: Zone;
}

const WRITTEN = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?$/i;

export const instantOf = ({ wall, zone }: Moment) => zone.instantOf(wall);

/** All moments of a property (EXDATE and RDATE hold lists). Throws EntryProblem. */
export function moments(property: Property, clocks: Clocks): Moment[] {
  const values = property.value.split(',').map((value) => value.trim());
  return values.filter((value) => value !== '').map((value) => moment(value, property, clocks));
}

export function onlyMoment(property: Property, clocks: Clocks): Moment {
  return moment(property.value.trim(), property, clocks);
}

function moment(value: string, property: Property, { zones, floating }: Clocks): Moment {
  const [, year, month, day, hour, minute, second, utc] = WRITTEN.exec(value) ?? [];
  if (!year) throw unreadableTime(value, property);
  // Some programs write VALUE=DATE beside a time, or a bare date without it: what is written counts.
  const isDate = hour === undefined;
  const tzid = parameter(property, 'tzid');
  const zone = utc ? UTC : isDate || !tzid ? floating : zones(tzid);
  try {
    const fields = [year, month, day, hour ?? 0, minute ?? 0, Math.min(Number(second ?? 0), 59)];
    return { wall: plainDateTime(fields.map(Number)), zone, isDate };
  } catch {
    throw unreadableTime(value, property);
  }
}

function plainDateTime([year = 0, month = 0, day = 0, hour, minute, second]: number[]) {
  if (year < 1900 || year > 2200) throw new RangeError('beyond what a calendar means');
  return Temporal.PlainDateTime.from(
    { year, month, day, hour, minute, second },
    { overflow: 'reject' },
  );
}

const unreadableTime = (value: string, { name, line }: Property) =>
  new EntryProblem(`${name.toUpperCase()} "${value}" is not a date or time.`, line);
