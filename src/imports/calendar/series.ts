import type { Temporal } from 'temporal-polyfill';
import type { Details } from './details.ts';
import type { Entry } from './entry.ts';
import { endOf } from './length.ts';
import { instantOf, type Moment } from './moment.ts';
import type { Expand } from './rule.ts';
import { occurrenceKey, occurrenceUid } from './uid.ts';

/** One thing that happens once. */
export interface Occurrence extends Details {
  /** UID, and for one of a series its original start: the same in every export. */
  uid: string;
  line: number;
  startsAt: Date;
  endsAt: Date;
  allDay: boolean;
}

/** What replaces occurrences of a series, by the key of the first that it replaces. */
export type Replacements = Map<string, Entry>;

export const repeats = ({ rules, added }: Entry) => rules.length + added.length > 0;

/** An entry on its own: one that does not repeat, or what replaces an occurrence, whether its series is known or not. */
export const single = (entry: Entry, series?: Entry): Occurrence =>
  occurrence(entry, entry.start, replacedKey(entry, series));

/** The key of the occurrence that an entry replaces, or null. */
export const replacedKey = ({ replaces }: Entry, series?: Entry): string | null =>
  replaces && occurrenceKey(replaces.moment, series?.start ?? replaces.moment);

/** The occurrences of a series but those that are excluded or replaced, in order. Throws EntryProblem. */
export function occurrencesOf(
  series: Entry,
  replacements: Replacements,
  expand: Expand,
): Occurrence[] {
  const key = (moment: Moment) => occurrenceKey(moment, series.start);
  const following = [...replacements.values()].filter(({ replaces }) => replaces?.andFollowing);
  const left = new Set(
    [...series.excluded, ...startsBy(series.exclusionRules, series, expand)].map(key),
  );
  const starts = new Map(
    [...startsBy(series.rules, series, expand), ...series.added, series.start].map((start) => [
      key(start),
      start,
    ]),
  );
  return [...starts]
    .filter(([name]) => !left.has(name) && !replacements.has(name))
    .map(([name, start]) => moved(series, start, name, following))
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
}

const startsBy = (rules: Entry['rules'], { start }: Entry, expand: Expand): Moment[] =>
  rules.flatMap((rule) => expand(rule, start)).map((wall) => ({ ...start, wall }));

/** The last THISANDFUTURE before an occurrence says how it is and shifts it by what it shifted its own first. */
function moved(series: Entry, start: Moment, key: string, following: Entry[]): Occurrence {
  const change = following.findLast(
    ({ replaces }) => replaces && !isBefore(start, replaces.moment),
  );
  if (!change?.replaces) return occurrence(series, start, key);
  const original = change.start.zone.wallAt(instantOf(change.replaces.moment));
  const shift = original.until(change.start.wall, { largestUnit: 'days' });
  const wall = change.start.zone.wallAt(instantOf(start)).add(shift);
  return occurrence(change, { ...change.start, wall }, key, series.uid);
}

const isBefore = (a: Moment, b: Moment) =>
  instantOf(a).epochMilliseconds < instantOf(b).epochMilliseconds;

function occurrence(entry: Entry, start: Moment, key: string | null, uid = entry.uid): Occurrence {
  return {
    uid: occurrenceUid(uid, key),
    line: entry.line,
    ...entry.details,
    startsAt: toDate(instantOf(start)),
    endsAt: toDate(endOf(start, entry.length)),
    allDay: start.isDate,
  };
}

const toDate = (instant: Temporal.Instant) => new Date(instant.epochMilliseconds);
