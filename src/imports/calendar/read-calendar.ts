import { Temporal } from 'temporal-polyfill';
import type { Encoding } from '../source/encoding.ts';
import type { ImportNote } from '../source/note.ts';
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
  /** In the order of the file; the occurrences of a series by start. */
  occurrences: Occurrence[];
  problems: SkippedEntry[];
  /** What there is to say about the characters of the file. */
  notes: ImportNote[];
}

interface CalendarOptions {
  now: Date;
  /** Returns the IANA zone of floating times and dates for the text of LOCATION. */
  zoneAt: (location: string | null) => string;
  /** The encoding of a file that is not Unicode. Default: what it looks like. */
  encoding?: Encoding | undefined;
}

/**
 * Reads the occurrences of an iCalendar file.
 *
 * It returns what starts within a year before or after `now`, of single entries as of series. Entries that are invalid, cancelled,
 * outside of this time or repeat too often are skipped and listed in `problems`.
 *
 * @throws BAD_REQUEST, with the line, for a file that cannot be read at all
 */
export function readCalendar(
  file: Uint8Array,
  { now, zoneAt, encoding }: CalendarOptions,
): CalendarContents {
  const problems: SkippedEntry[] = [];
  const { lines, notes } = readLogicalLines(file, encoding);
  const entries = parseCalendars(lines).flatMap((calendar) => {
    const context = {
      zones: createZoneResolver(calendar),
      zoneAt: (location: string | null) => createIanaZone(zoneAt(location)),
      cancelsAll: calendar.lines.some(({ text }) => /^METHOD:\s*CANCEL\s*$/i.test(text)),
    };
    return parseEntries(calendar, context, problems);
  });
  const window = createImportWindow(now);
  return {
    occurrences: listOccurrences(entries, window, createRuleExpander(window), problems),
    problems,
    notes,
  };
}

function parseEntries(
  calendar: CalendarComponent,
  context: EntryContext,
  problems: SkippedEntry[],
): CalendarEntry[] {
  const entries: CalendarEntry[] = [];
  for (const component of calendar.children) {
    const label = { line: component.line, what: getComponentTitle(component) };
    if (component.name === 'VEVENT') {
      tryEntry(label, problems, () => entries.push(parseEntry(component, context)));
    } else if (component.name === 'VTODO' || component.name === 'VJOURNAL') {
      problems.push({ ...label, reason: `It is a ${component.name}, not an event.` });
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
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC');
  return {
    from: today.subtract({ years: 1 }).toInstant(),
    to: today.add({ years: 1 }).toInstant(),
  };
}

const MAX_OCCURRENCES_PER_FILE = 100_000;

/** Lists all occurrences and adds skipped entries to `problems`. */
function listOccurrences(
  entries: CalendarEntry[],
  window: ImportWindow,
  expand: ExpandRule,
  problems: SkippedEntry[],
): Occurrence[] {
  const occurrences: Occurrence[] = [];
  for (const group of groupByUid(entries)) {
    const expanded = expandGroup(group, window, expand, problems);
    if (occurrences.length + expanded.length <= MAX_OCCURRENCES_PER_FILE)
      occurrences.push(...expanded);
    else if (group[0])
      problems.push(
        toSkippedEntry(
          group[0],
          `The file contains more than ${MAX_OCCURRENCES_PER_FILE} occurrences.`,
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

/** Expands the entries with one UID: a series or single entry, and replacements of its occurrences. */
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
  const listUnlessCancelled = (entry: CalendarEntry, work: () => Occurrence[]): Occurrence[] =>
    tryEntry({ line: entry.line, what: getEntryTitle(entry) }, problems, () => {
      if (entry.isCancelled) throw new EntryError('It is cancelled.');
      return work();
    }) ?? [];

  const single = (entry: CalendarEntry): Occurrence[] => {
    const occurrence = toSingleOccurrence(entry, series);
    if (isWithin(occurrence)) return [occurrence];
    throw new EntryError('It starts more than a year before or after today.');
  };
  const changed = [...replacements.values()].flatMap((entry) =>
    listUnlessCancelled(entry, () =>
      series ? [toSingleOccurrence(entry, series)].filter(isWithin) : single(entry),
    ),
  );
  if (!series) return changed;
  const own = listUnlessCancelled(series, () => {
    if (!isRecurring(series) && replacements.size === 0) return single(series);
    const expanded = expandSeries(series, replacements, expand).filter(isWithin);
    if (expanded.length + changed.length > 0) return expanded;
    throw new EntryError('It has no occurrences within a year before or after today.');
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

/** Picks the entry with the highest SEQUENCE, otherwise the first. Merged exports contain entries twice. */
function pickNewest(entries: CalendarEntry[], problems: SkippedEntry[]): CalendarEntry | undefined {
  const [first, ...others] = entries.toSorted((a, b) => b.sequence - a.sequence);
  if (first) {
    const reason = `It is a duplicate of line ${first.line}.`;
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
