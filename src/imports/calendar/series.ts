import type { Temporal } from 'temporal-polyfill';
import { MINUTE_MS } from '../../core/time/time-zone.ts';
import {
  type AddedDate,
  addDuration,
  type CalendarDateTime,
  toTemporalInstant,
} from './date-time.ts';
import type { CalendarEntry, EntryDetails } from './entry.ts';
import { EntryError } from './entry-error.ts';
import { createOccurrenceKey, createOccurrenceUid } from './occurrence-ids.ts';
import { type ExpandRule, readRule } from './recurrence-rule.ts';

/** One occurrence of an entry. */
export interface Occurrence extends EntryDetails {
  /** The UID of the entry, for a series with the original start: the same in every export. */
  uid: string;
  line: number;
  startsAt: Date;
  endsAt: Date;
  allDay: boolean;
  /** The series that it belongs to; null for a single entry. */
  series: OccurrenceSeries | null;
}

/** What the occurrences of a series share. */
export interface OccurrenceSeries {
  /** The UID of its entry, as the UIDs of its occurrences begin. */
  uid: string;
  /** The RRULE, as in RFC 5545. */
  rule: string;
  startsAt: Date;
  minutes: number;
}

/** Each occurrence is compared with each of them. */
const MAX_FOLLOWING_CHANGES = 200;

/** The replacements of occurrences of a series, by the key of the (first) replaced one. */
export type Replacements = Map<string, CalendarEntry>;

export const isRecurring = ({ rules, added }: CalendarEntry) => rules.length + added.length > 0;

/** Converts an entry that does not repeat, or a replacement. The series of a replacement may be missing from the file. */
export const toSingleOccurrence = (entry: CalendarEntry, series?: CalendarEntry): Occurrence => ({
  ...toOccurrence(entry, entry.start, findReplacedKey(entry, series)),
  series: series ? toSeries(series) : null,
});

/** Finds the key of the occurrence that an entry replaces; null if it replaces none. */
export const findReplacedKey = (
  { replaces }: CalendarEntry,
  series?: CalendarEntry,
): string | null =>
  replaces && createOccurrenceKey(replaces.start, series?.start ?? replaces.start);

/** How many occurrences are converted at once. */
const OCCURRENCES_PER_STEP = 100;

/**
 * Expands a series into its occurrences by start, without those that are excluded or replaced. It yields after each part of the work.
 *
 * @throws EntryError
 */
export function* expandSeries(
  series: CalendarEntry,
  replacements: Replacements,
  expand: ExpandRule,
): Generator<void, Occurrence[]> {
  const key = (start: CalendarDateTime) => createOccurrenceKey(start, series.start);
  const following = listFollowingChanges(replacements);
  const tooMany = following[MAX_FOLLOWING_CHANGES];
  if (tooMany)
    throw new EntryError(
      `It has more than ${MAX_FOLLOWING_CHANGES} changes with RANGE=THISANDFUTURE.`,
      tooMany.line,
    );
  const excluded = new Set(series.excluded.map(key));
  for (const [name] of yield* expandRules(series.exclusionRules, series, expand))
    excluded.add(name);
  const periods = series.added.filter(({ duration }) => duration);
  const starts = new Map<string, AddedDate>(yield* expandRules(series.rules, series, expand));
  // One at the start of the entry has its own duration.
  for (const start of [...series.added, series.start, ...periods]) starts.set(key(start), start);
  const shared = toSeries(series);
  const occurrences: Occurrence[] = [];
  for (const [name, start] of starts) {
    if (excluded.has(name) || replacements.has(name)) continue;
    if (occurrences.length % OCCURRENCES_PER_STEP === 0) yield;
    const occurrence = applyFollowingChange(series, start, name, following);
    occurrences.push({ ...occurrence, series: shared });
  }
  return occurrences.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
}

/** Lists the THISANDFUTURE changes by the occurrence with which they begin, since files have them in any order. */
function listFollowingChanges(replacements: Replacements): CalendarEntry[] {
  const toMs = ({ replaces }: CalendarEntry) =>
    replaces ? toTemporalInstant(replaces.start).epochMilliseconds : 0;
  return [...replacements.values()]
    .filter(({ replaces }) => replaces?.andFollowing)
    .map((change) => ({ change, at: toMs(change) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ change }) => change);
}

/** Lists the ids of the occurrences that a series leaves out on single dates, which nothing replaces. */
export function listExcludedUids(series: CalendarEntry, replacements: Replacements): string[] {
  const keys = new Set(series.excluded.map((start) => createOccurrenceKey(start, series.start)));
  return [...keys]
    .filter((key) => !replacements.has(key))
    .map((key) => createOccurrenceUid(series.uid, key));
}

/** Null for entries that repeat on listed days only, or by several rules: they are bookings of their own. */
function toSeries({ uid, rules, start, duration }: CalendarEntry): OccurrenceSeries | null {
  const [rule] = rules;
  if (!rule || rules.length > 1) return null;
  const [startsAt, endsAt] = [
    toDate(toTemporalInstant(start)),
    toDate(addDuration(start, duration)),
  ];
  return {
    uid: createOccurrenceUid(uid, null),
    rule: readRule(rule),
    startsAt,
    minutes: Math.round((+endsAt - +startsAt) / MINUTE_MS),
  };
}

/** Lists the occurrences of rules, with their keys. */
function* expandRules(
  rules: CalendarEntry['rules'],
  { start }: CalendarEntry,
  expand: ExpandRule,
): Generator<void, [key: string, CalendarDateTime][]> {
  const starts: [string, CalendarDateTime][] = [];
  for (const rule of rules)
    for (const wall of yield* expand(rule, start)) {
      if (starts.length % OCCURRENCES_PER_STEP === 0) yield;
      const occurrence = { ...start, wall };
      starts.push([createOccurrenceKey(occurrence, start), occurrence]);
    }
  return starts;
}

/** Applies the last THISANDFUTURE change before an occurrence: its details, and the same shift as its first occurrence. */
function applyFollowingChange(
  series: CalendarEntry,
  start: AddedDate,
  key: string,
  following: CalendarEntry[],
): Occurrence {
  const change = following.findLast(({ replaces }) => replaces && !isBefore(start, replaces.start));
  if (!change?.replaces) return toOccurrence(series, start, key);
  const original = toWallTime(change.replaces.start, change.start);
  const shift = original.until(change.start.wall, { largestUnit: 'days' });
  const wall = toWallTime(start, change.start).add(shift);
  return toOccurrence(change, { ...change.start, wall }, key, series.uid);
}

/** The local time in the zone of another start. In the same zone it is as written, also if clocks skip it on this day. */
const toWallTime = (start: CalendarDateTime, { zone }: CalendarDateTime) =>
  start.zone === zone ? start.wall : zone.toWallTime(toTemporalInstant(start));

const isBefore = (a: CalendarDateTime, b: CalendarDateTime) =>
  toTemporalInstant(a).epochMilliseconds < toTemporalInstant(b).epochMilliseconds;

function toOccurrence(
  entry: CalendarEntry,
  start: AddedDate,
  key: string | null,
  uid = entry.uid,
): Occurrence {
  return {
    uid: createOccurrenceUid(uid, key),
    line: entry.line,
    ...entry.details,
    startsAt: toDate(toTemporalInstant(start)),
    endsAt: toDate(addDuration(start, start.duration ?? entry.duration)),
    allDay: start.isDate,
    series: null,
  };
}

const toDate = (instant: Temporal.Instant) => new Date(instant.epochMilliseconds);
