import { createHash } from 'node:crypto';
import { type CalendarDateTime, toTemporalInstant } from './date-time.ts';
import type { Property } from './property.ts';

// PostgreSQL cannot index a much longer text, and one such row would make the whole import fail.
const MAX_UID_LENGTH = 500;

/** Creates an id for an occurrence that is the same for every import of the file. Without a key it is that of the entry. */
export function createOccurrenceUid(uid: string, key: string | null): string {
  const entryUid = uid.length > MAX_UID_LENGTH ? `sha256:${hashText(uid)}` : uid;
  return key ? `${entryUid}/${key}` : entryUid;
}

const OCCURRENCE_KEY = /\/\d{8}(T\d{6}Z)?$/;

/**
 * Returns the UID of the entry that an occurrence belongs to. It takes a single entry for an occurrence if its UID ends as one, such as
 * "https://example.org/events/20260401". That only matters if another entry has the first part as its UID.
 */
export const toEntryUid = (uid: string): string => uid.replace(OCCURRENCE_KEY, '');

/** Derives a UID from the content of an entry, for exporters that omit it. */
export function deriveUid(properties: Property[]): string {
  const identifyingNames = ['dtstart', 'dtend', 'duration', 'summary', 'location', 'rrule'];
  const content = properties
    .filter(({ name }) => identifyingNames.includes(name))
    .map(({ name, value }) => `${name}:${value}`);
  return `derived:${hashText(content.toSorted().join('\n')).slice(0, 32)}`;
}

/**
 * Identifies an occurrence of a series by its original start. EXDATE and RECURRENCE-ID match it in any time zone, and also
 * if one is a date and the other a time.
 */
export function createOccurrenceKey(start: CalendarDateTime, series: CalendarDateTime): string {
  if (series.isDate) return toOriginalDate(start, series);
  const timed = start.isDate
    ? { ...series, wall: start.wall.withPlainTime(series.wall.toPlainTime()) }
    : start;
  return toBasicFormat(toTemporalInstant(timed).toString({ smallestUnit: 'second' }));
}

function toOriginalDate(start: CalendarDateTime, series: CalendarDateTime): string {
  const isMidnight = start.wall.hour === 0 && start.wall.minute === 0;
  const wall = isMidnight ? start.wall : series.zone.toWallTime(toTemporalInstant(start));
  return toBasicFormat(wall.toPlainDate().toString());
}

const toBasicFormat = (iso: string) => iso.replace(/[-:]/g, '');
const hashText = (text: string) => createHash('sha256').update(text).digest('hex');
