import type { Entry } from './entry.ts';
import { attempt, EntryProblem, type Problem } from './problem.ts';
import type { Expand, Window } from './rule.ts';
import {
  type Occurrence,
  occurrencesOf,
  type Replacements,
  repeats,
  replacedKey,
  single,
} from './series.ts';

const MAX_OCCURRENCES = 100_000;

/** All that happens, one by one. What is left out goes to `problems`. */
export function timelineOf(
  entries: Entry[],
  window: Window,
  expand: Expand,
  problems: Problem[],
): Occurrence[] {
  const occurrences: Occurrence[] = [];
  for (const group of byUid(entries)) {
    const found = occurrencesIn(group, window, expand, problems);
    if (occurrences.length + found.length <= MAX_OCCURRENCES) occurrences.push(...found);
    else if (group[0])
      problems.push(problem(group[0], `The file holds more than ${MAX_OCCURRENCES} occurrences.`));
  }
  return occurrences;
}

function byUid(entries: Entry[]): Entry[][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.uid);
    if (group) group.push(entry);
    else groups.set(entry.uid, [entry]);
  }
  return [...groups.values()];
}

/** A series, or a single entry, and what replaces parts of it. */
function occurrencesIn(
  group: Entry[],
  window: Window,
  expand: Expand,
  problems: Problem[],
): Occurrence[] {
  const series = newest(
    group.filter(({ replaces }) => !replaces),
    problems,
  );
  const replacements = replacementsIn(group, series, problems);
  const isWithin = ({ startsAt }: Occurrence) =>
    startsAt.getTime() >= window.from.epochMilliseconds &&
    startsAt.getTime() <= window.to.epochMilliseconds;
  const happens = (entry: Entry, work: () => Occurrence[]): Occurrence[] =>
    attempt({ line: entry.line, what: titleOf(entry) }, problems, () => {
      if (entry.isCancelled) throw new EntryProblem('It is cancelled.');
      return work();
    }) ?? [];

  const changed = [...replacements.values()].flatMap((entry) =>
    happens(entry, () => [single(entry, series)].filter((one) => !series || isWithin(one))),
  );
  if (!series) return changed;
  const own = happens(series, () => {
    if (!repeats(series) && replacements.size === 0) return [single(series)];
    const found = occurrencesOf(series, replacements, expand).filter(isWithin);
    if (found.length + changed.length > 0) return found;
    throw new EntryProblem('None of its occurrences lies within a year before or after today.');
  });
  return [...own, ...changed];
}

function replacementsIn(
  group: Entry[],
  series: Entry | undefined,
  problems: Problem[],
): Replacements {
  const byKey = new Map<string, Entry[]>();
  for (const entry of group) {
    const key = replacedKey(entry, series);
    if (key) byKey.set(key, [...(byKey.get(key) ?? []), entry]);
  }
  const chosen = [...byKey].map(([key, entries]) => [key, newest(entries, problems)] as const);
  return new Map(chosen.flatMap(([key, entry]) => (entry ? [[key, entry]] : [])));
}

/** Merged exports hold an entry twice: the higher SEQUENCE counts, else the first. */
function newest(entries: Entry[], problems: Problem[]): Entry | undefined {
  const [first, ...others] = entries.toSorted((a, b) => b.sequence - a.sequence);
  if (first) {
    const reason = `It stands in the file twice; line ${first.line} has the one that counts.`;
    problems.push(...others.map((entry) => problem(entry, reason)));
  }
  return first;
}

const titleOf = ({ details, uid }: Entry) => details.title || uid;

const problem = (entry: Entry, reason: string): Problem => ({
  line: entry.line,
  what: titleOf(entry),
  reason,
});
