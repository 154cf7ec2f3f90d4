import { createHash } from 'node:crypto';
import { type CalendarDateTime, toTemporalInstant } from './date-time.ts';
import type { Property } from './property.ts';

// PostgreSQL refuses to index a text that is much longer, and one row must not spoil the file.
const MAX_UID_LENGTH = 500;

/** A name for an occurrence that is the same whenever the file is read. */
export function createOccurrenceUid(uid: string, key: string | null): string {
  const whole = key ? `${uid}/${key}` : uid;
  return whole.length > MAX_UID_LENGTH ? `sha256:${hashText(whole)}` : whole;
}

/** For an entry that has no UID, as some exporters forget it: by what it says. */
export function deriveUid(properties: Property[]): string {
  const telling = ['dtstart', 'dtend', 'duration', 'summary', 'location', 'rrule'];
  const said = properties
    .filter(({ name }) => telling.includes(name))
    .map(({ name, value }) => `${name}:${value}`);
  return `derived:${hashText(said.toSorted().join('\n')).slice(0, 32)}`;
}

/**
 * Names an occurrence within its series by its original start: EXDATE and RECURRENCE-ID meet it whatever zone
 * they are written in, and also where one says a date and the other a time.
 */
export function createOccurrenceKey(moment: CalendarDateTime, series: CalendarDateTime): string {
  if (series.isDate) return toOriginalDate(moment, series);
  const timed = moment.isDate
    ? { ...series, wall: moment.wall.withPlainTime(series.wall.toPlainTime()) }
    : moment;
  return toBasicFormat(toTemporalInstant(timed).toString({ smallestUnit: 'second' }));
}

function toOriginalDate(moment: CalendarDateTime, series: CalendarDateTime): string {
  const isMidnight = moment.wall.hour === 0 && moment.wall.minute === 0;
  const wall = isMidnight ? moment.wall : series.zone.toWallTime(toTemporalInstant(moment));
  return toBasicFormat(wall.toPlainDate().toString());
}

const toBasicFormat = (iso: string) => iso.replace(/[-:]/g, '');
const hashText = (text: string) => createHash('sha256').update(text).digest('hex');
