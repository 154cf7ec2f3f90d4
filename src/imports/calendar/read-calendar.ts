import { Temporal } from 'temporal-polyfill';
import { type CalendarComponent, parseCalendars, readLogicalLines } from './components.ts';
import { type CalendarEntry, type EntryContext, parseEntry } from './entry.ts';
import { EntryError, type SkippedEntry, tryEntry } from './entry-error.ts';
import { parsePropertyName, unescapeText } from './property.ts';
import { createRuleExpander, type ExpandRule, type ImportWindow } from './recurrence-rule.ts';
import {
  expandSeries,
  findReplacedKey,
  isRecurring,
  type Occurrence,
  type Replacements,
  toSingleOccurrence,
} from './series.ts';
import { createIanaZone, createZoneResolver } from './time-zones.ts';

export interface CalendarContents {
  /** In the order of the file, those of a series by their start. */
  occurrences: Occurrence[];
  problems: SkippedEntry[];
}

interface CalendarOptions {
  now: Date;
  /** The IANA zone of floating times and whole days, by what LOCATION says. */
  zoneAt: (location: string | null) => string;
}

/**
 * Reads an iCalendar file of any of the usual programs into what happens when.
 *
 * Series are expanded from their own start, and of them only what starts within a year before or after `now`
 * is given; entries that happen once are given whenever they are. What cannot be read, is cancelled or repeats
 * beyond measure is left out and listed. Throws BAD_REQUEST, with the line, for a file that is broken as a whole.
 */
export function readCalendar(file: Uint8Array, { now, zoneAt }: CalendarOptions): CalendarContents {
  const problems: SkippedEntry[] = [];
  const entries = parseCalendars(readLogicalLines(file)).flatMap((calendar) => {
    const surroundings = {
      zones: createZoneResolver(calendar),
      zoneAt: (location: string | null) => createIanaZone(zoneAt(location)),
      cancelsAll: calendar.lines.some(({ text }) => /^METHOD:\s*CANCEL\s*$/i.test(text)),
    };
    return parseEntries(calendar, surroundings, problems);
  });
  const window = createImportWindow(now);
  return {
    occurrences: listOccurrences(entries, window, createRuleExpander(window), problems),
    problems,
  };
}

function parseEntries(
  calendar: CalendarComponent,
  surroundings: EntryContext,
  problems: SkippedEntry[],
): CalendarEntry[] {
  const entries: CalendarEntry[] = [];
  for (const component of calendar.children) {
    const about = { line: component.line, what: getComponentTitle(component) };
    if (component.name === 'VEVENT') {
      tryEntry(about, problems, () => entries.push(parseEntry(component, surroundings)));
    } else if (component.name === 'VTODO' || component.name === 'VJOURNAL') {
      problems.push({ ...about, reason: `It is a ${component.name}, not an event.` });
    }
  }
  return entries;
}

function getComponentTitle({ lines }: CalendarComponent): string {
  const value = (name: string) => {
    const text = lines.find((line) => parsePropertyName(line) === name)?.text ?? '';
    return unescapeText(text.slice(text.indexOf(':') + 1)).replace(/\s+/g, ' ');
  };
  return value('summary') || value('uid') || 'an entry without a title';
}

function createImportWindow(now: Date): ImportWindow {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC');
  return { from: here.subtract({ years: 1 }).toInstant(), to: here.add({ years: 1 }).toInstant() };
}

const MAX_OCCURRENCES_PER_FILE = 100_000;

/** All that happens, one by one. What is left out goes to `problems`. */
function listOccurrences(
  entries: CalendarEntry[],
  window: ImportWindow,
  expand: ExpandRule,
  problems: SkippedEntry[],
): Occurrence[] {
  const occurrences: Occurrence[] = [];
  for (const group of groupByUid(entries)) {
    const found = expandGroup(group, window, expand, problems);
    if (occurrences.length + found.length <= MAX_OCCURRENCES_PER_FILE) occurrences.push(...found);
    else if (group[0])
      problems.push(
        toSkippedEntry(
          group[0],
          `The file holds more than ${MAX_OCCURRENCES_PER_FILE} occurrences.`,
        ),
      );
  }
  return occurrences;
}

function groupByUid(entries: CalendarEntry[]): CalendarEntry[][] {
  const groups = new Map<string, CalendarEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.uid);
    if (group) group.push(entry);
    else groups.set(entry.uid, [entry]);
  }
  return [...groups.values()];
}

/** A series, or a single entry, and what replaces parts of it. */
function expandGroup(
  group: CalendarEntry[],
  window: ImportWindow,
  expand: ExpandRule,
  problems: SkippedEntry[],
): Occurrence[] {
  const series = pickNewest(
    group.filter(({ replaces }) => !replaces),
    problems,
  );
  const replacements = collectReplacements(group, series, problems);
  const isWithin = ({ startsAt }: Occurrence) =>
    startsAt.getTime() >= window.from.epochMilliseconds &&
    startsAt.getTime() <= window.to.epochMilliseconds;
  const happens = (entry: CalendarEntry, work: () => Occurrence[]): Occurrence[] =>
    tryEntry({ line: entry.line, what: getEntryTitle(entry) }, problems, () => {
      if (entry.isCancelled) throw new EntryError('It is cancelled.');
      return work();
    }) ?? [];

  const changed = [...replacements.values()].flatMap((entry) =>
    happens(entry, () =>
      [toSingleOccurrence(entry, series)].filter((one) => !series || isWithin(one)),
    ),
  );
  if (!series) return changed;
  const own = happens(series, () => {
    if (!isRecurring(series) && replacements.size === 0) return [toSingleOccurrence(series)];
    const found = expandSeries(series, replacements, expand).filter(isWithin);
    if (found.length + changed.length > 0) return found;
    throw new EntryError('None of its occurrences lies within a year before or after today.');
  });
  return [...own, ...changed];
}

function collectReplacements(
  group: CalendarEntry[],
  series: CalendarEntry | undefined,
  problems: SkippedEntry[],
): Replacements {
  const byKey = new Map<string, CalendarEntry[]>();
  for (const entry of group) {
    const key = findReplacedKey(entry, series);
    if (key) byKey.set(key, [...(byKey.get(key) ?? []), entry]);
  }
  const chosen = [...byKey].map(([key, entries]) => [key, pickNewest(entries, problems)] as const);
  return new Map(chosen.flatMap(([key, entry]) => (entry ? [[key, entry]] : [])));
}

/** Merged exports hold an entry twice: the higher SEQUENCE counts, else the first. */
function pickNewest(entries: CalendarEntry[], problems: SkippedEntry[]): CalendarEntry | undefined {
  const [first, ...others] = entries.toSorted((a, b) => b.sequence - a.sequence);
  if (first) {
    const reason = `It stands in the file twice; line ${first.line} has the one that counts.`;
    problems.push(...others.map((entry) => toSkippedEntry(entry, reason)));
  }
  return first;
}

const getEntryTitle = ({ details, uid }: CalendarEntry) => details.title || uid;

const toSkippedEntry = (entry: CalendarEntry, reason: string): SkippedEntry => ({
  line: entry.line,
  what: getEntryTitle(entry),
  reason,
});
