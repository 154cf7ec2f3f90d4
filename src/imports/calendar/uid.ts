import { createHash } from 'node:crypto';
import { instantOf, type Moment } from './moment.ts';
import type { Property } from './property.ts';

// PostgreSQL refuses to index a text that is much longer, and one row must not spoil the file.
const LONGEST = 500;

/** A name for an occurrence that is the same whenever the file is read. */
export function occurrenceUid(uid: string, key: string | null): string {
  const whole = key ? `${uid}/${key}` : uid;
  return whole.length > LONGEST ? `sha256:${hash(whole)}` : whole;
}

/** For an entry that has no UID, as some exporters forget it: by what it says. */
export function derivedUid(properties: Property[]): string {
  const telling = ['dtstart', 'dtend', 'duration', 'summary', 'location', 'rrule'];
  const said = properties
    .filter(({ name }) => telling.includes(name))
    .map(({ name, value }) => `${name}:${value}`);
  return `derived:${hash(said.toSorted().join('\n')).slice(0, 32)}`;
}

/**
 * Names an occurrence within its series by its original start: EXDATE and RECURRENCE-ID meet it whatever zone
 * they are written in, and also where one says a date and the other a time.
 */
export function occurrenceKey(moment: Moment, series: Moment): string {
  if (series.isDate) return dateIn(moment, series);
  const timed = moment.isDate
    ? { ...series, wall: moment.wall.withPlainTime(series.wall.toPlainTime()) }
    : moment;
  return compact(instantOf(timed).toString({ smallestUnit: 'second' }));
}

function dateIn(moment: Moment, series: Moment): string {
  const isMidnight = moment.wall.hour === 0 && moment.wall.minute === 0;
  const wall = isMidnight ? moment.wall : series.zone.wallAt(instantOf(moment));
  return compact(wall.toPlainDate().toString());
}

const compact = (iso: string) => iso.replace(/[-:]/g, '');
const hash = (text: string) => createHash('sha256').update(text).digest('hex');
