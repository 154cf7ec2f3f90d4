import { Temporal } from 'temporal-polyfill';
import { createTurnLimit } from '../../core/turn-limit.ts';
import { DomainError } from '../../errors.ts';
import type { Encoding } from '../source/encoding.ts';
import { type ImportNote, toSameNote } from '../source/note.ts';
import { type CalendarComponent, createCalendarParser } from './components.ts';
import { type CalendarEntry, type EntryContext, parseEntry } from './entry.ts';
import { EntryError, type SkippedEntry, tryEntry, tryEntryInSteps } from './entry-error.ts';
import { createLineReader } from './logical-lines.ts';
import { createOccurrenceUid } from './occurrence-ids.ts';
import { parsePropertyName, unescapeText } from './property.ts';
import { createRuleExpander, type ExpandRule, type ImportWindow } from './recurrence-rule.ts';
import {
  expandSeries,
  findReplacedKey,
  isRecurring,
  listExcludedUids,
  type Occurrence,
  type Replacements,
  toSingleOccurrence,
} from './series.ts';
import { createIanaZone, createZoneDefinitions, createZoneResolver } from './time-zones.ts';

/** What the file says about an entry as a whole, or about one occurrence. */
export interface ListedEntry {
  /** Its UID, with the original start of an occurrence. */
  uid: string;
  line: number;
  what: string;
}

/** An entry that the file cancels. */
export interface CancelledEntry extends ListedEntry {
  /** A whole entry with all its occurrences, one occurrence, or a date that a series leaves out. */
  kind: 'entry' | 'occurrence' | 'excluded_date';
}

export interface CalendarContents {
  /** In the order of the file; the occurrences of a series by start. */
  occurrences: Occurrence[];
  cancelled: CancelledEntry[];
  /** The entries without a problem: `occurrences` has all of theirs that start by `latestStart`. */
  complete: ListedEntry[];
  /** The end of the time that is imported. */
  latestStart: Date;
  problems: SkippedEntry[];
  /** What there is to say about the characters of the file. */
  notes: ImportNote[];
}

interface CalendarOptions {
  now: Date;
  /** Returns the IANA zone of floating times and dates for the text of LOCATION. */
  findZone: (location: string | null) => string;
  /** The encoding of a file that is not Unicode. Default: what it looks like. */
  encoding?: Encoding | undefined;
  /** How long an entry without an end lasts. Default: such entries are skipped. */
  defaultMinutes?: number | undefined;
  /** Default: 100,000, and what is beyond them is skipped. */
  maxOccurrences?: number | undefined;
}

// A step is the work on one entry, so a turn lasts a little longer.
const MAX_TURN_MS = 15;

/** Reads the occurrences of an iCalendar file: see `readCalendarInSteps`. It lets requests and timers go first in between. @throws also VALIDATION, reason IMPORT_TOO_LARGE */
export async function readCalendar(
  file: Uint8Array,
  options: CalendarOptions,
): Promise<CalendarContents> {
  const pause = createTurnLimit(MAX_TURN_MS);
  const steps = readCalendarInSteps(file, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return assertSize(step.value, options);
    await pause();
  }
}

function assertSize(calendar: CalendarContents, { maxOccurrences }: CalendarOptions) {
  const count = calendar.occurrences.length;
  if (maxOccurrences !== undefined && count > maxOccurrences)
    throw new DomainError(
      'VALIDATION',
      `The calendar has ${count} entries from a year ago to a year ahead; at most ${maxOccurrences} can be imported at once. Export a shorter time, or import the file on the command line.`,
      { reason: 'IMPORT_TOO_LARGE', fields: ['file'] },
    );
  return calendar;
}

/**
 * Reads the occurrences of an iCalendar file, and yields after each entry, because a large calendar takes seconds.
 *
 * It returns what starts within a year before or after `now`, of single entries as of series. Entries that are invalid, outside of
 * this time or repeat too often are skipped and listed in `problems`.
 *
 * @throws BAD_REQUEST, with the line, for a file that cannot be read at all
 */
export function* readCalendarInSteps(
  file: Uint8Array,
  { now, findZone, encoding, defaultMinutes }: CalendarOptions,
): Generator<void, CalendarContents> {
  const problems: SkippedEntry[] = [];
  const reader = createLineReader(file, encoding);
  const parser = createCalendarParser();
  for (const lines of reader.read()) {
    parser.add(lines);
    yield;
  }
  const parsed = parser.end();
  const entries: CalendarEntry[] = [];
  const defineZone = createZoneDefinitions(now);
  for (const calendar of parsed.calendars) {
    const context = {
      zones: yield* createZoneResolver(calendar, defineZone),
      findZone: (location: string | null) => createIanaZone(findZone(location)),
      defaultSeconds: defaultMinutes && defaultMinutes * 60,
      cancelsAll: calendar.lines.some(({ text }) => /^METHOD:\s*CANCEL\s*$/i.test(text)),
    };
    yield* parseEntries(calendar, context, entries, problems);
  }
  const notes = [
    ...reader.listNotes(),
    ...parsed.notes,
    ...noteAssumedEnds(entries, defaultMinutes),
  ];
  const window = createImportWindow(now);
  const latestStart = new Date(window.to.epochMilliseconds);
  const contents = { occurrences: [], cancelled: [], complete: [], latestStart, problems, notes };
  yield* addOccurrences(entries, contents, { window, expand: createRuleExpander(window) });
  return contents;
}

/** Adds the entries of a calendar to `entries`, and those that are invalid to `problems`. */
function* parseEntries(
  calendar: CalendarComponent,
  context: EntryContext,
  entries: CalendarEntry[],
  problems: SkippedEntry[],
): Generator<void> {
  for (const component of calendar.children) {
    yield;
    const label = { line: component.line, what: getComponentTitle(component) };
    if (component.name === 'VEVENT') {
      tryEntry(label, problems, () => entries.push(parseEntry(component, context)));
    } else if (component.name === 'VTODO' || component.name === 'VJOURNAL') {
      problems.push({ ...label, reason: `It is a ${component.name}, not an event.` });
    }
  }
}

function noteAssumedEnds(entries: CalendarEntry[], minutes: number | undefined): ImportNote[] {
  const [first, ...others] = entries.filter(({ isEndAssumed }) => isEndAssumed);
  if (!first) return [];
  const more = toSameNote(others.length, 'entry', 'entries');
  const text = `The entry has no end, so Foyer uses ${minutes} minutes.${more}`;
  return [{ line: first.line, text }];
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

interface Expansion {
  window: ImportWindow;
  expand: ExpandRule;
}

/** Adds all occurrences, and what is cancelled or skipped. */
function* addOccurrences(
  entries: CalendarEntry[],
  contents: CalendarContents,
  expansion: Expansion,
): Generator<void> {
  const { occurrences, complete, problems } = contents;
  for (const group of groupByUid(entries)) {
    yield;
    const problemCount = problems.length;
    const expanded = yield* expandGroup(group, contents, expansion);
    if (occurrences.length + expanded.length <= MAX_OCCURRENCES_PER_FILE) {
      for (const occurrence of expanded) occurrences.push(occurrence);
      const entry = group.find(({ replaces }) => !replaces);
      if (entry && !entry.isCancelled && problems.length === problemCount)
        complete.push(toListedEntry(entry));
    } else if (group[0])
      problems.push(
        toSkippedEntry(
          group[0],
          `The file contains more than ${MAX_OCCURRENCES_PER_FILE} occurrences.`,
        ),
      );
  }
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
function* expandGroup(
  group: CalendarEntry[],
  { cancelled, problems }: CalendarContents,
  { window, expand }: Expansion,
): Generator<void, Occurrence[]> {
  const series = pickNewest(
    group.filter(({ replaces }) => !replaces),
    problems,
  );
  const replacements = collectReplacements(group, series, problems);
  const isWithin = ({ startsAt }: Occurrence) =>
    startsAt.getTime() >= window.from.epochMilliseconds &&
    startsAt.getTime() <= window.to.epochMilliseconds;
  const addCancelled = (entry: CalendarEntry) => cancelled.push(toCancelledEntry(entry, series));
  const toLabel = (entry: CalendarEntry) => ({ line: entry.line, what: getEntryTitle(entry) });

  const single = (entry: CalendarEntry): Occurrence[] => {
    const occurrence = toSingleOccurrence(entry, series);
    if (isWithin(occurrence)) return [occurrence];
    throw new EntryError('It starts more than a year before or after today.');
  };
  const changed: Occurrence[] = [];
  for (const entry of replacements.values()) {
    if (entry.isCancelled) addCancelled(entry);
    else
      tryEntry(toLabel(entry), problems, () => {
        const found = series ? [toSingleOccurrence(entry, series)].filter(isWithin) : single(entry);
        changed.push(...found);
      });
  }
  if (!series) return changed;
  if (series.isCancelled) {
    addCancelled(series);
    return changed;
  }
  const own = yield* tryEntryInSteps(toLabel(series), problems, function* () {
    if (!isRecurring(series) && replacements.size === 0) return single(series);
    const expanded = (yield* expandSeries(series, replacements, expand)).filter(isWithin);
    for (const uid of listExcludedUids(series, replacements))
      cancelled.push({ ...toListedEntry(series), uid, kind: 'excluded_date' });
    if (expanded.length + changed.length > 0) return expanded;
    throw new EntryError('It has no occurrences within a year before or after today.');
  });
  return [...(own ?? []), ...changed];
}

const toListedEntry = (entry: CalendarEntry, series?: CalendarEntry): ListedEntry => ({
  uid: createOccurrenceUid(entry.uid, findReplacedKey(entry, series)),
  line: entry.line,
  what: getEntryTitle(entry),
});

const toCancelledEntry = (entry: CalendarEntry, series?: CalendarEntry): CancelledEntry => ({
  ...toListedEntry(entry, series),
  kind: entry.replaces ? 'occurrence' : 'entry',
});

function collectReplacements(
  group: CalendarEntry[],
  series: CalendarEntry | undefined,
  problems: SkippedEntry[],
): Replacements {
  const byKey = new Map<string, CalendarEntry[]>();
  for (const entry of group) {
    const key = findReplacedKey(entry, series);
    if (key === null) continue;
    const entries = byKey.get(key) ?? [];
    entries.push(entry);
    byKey.set(key, entries);
  }
  const chosen = [...byKey].map(([key, entries]) => [key, pickNewest(entries, problems)] as const);
  return new Map(chosen.flatMap(([key, entry]) => (entry ? [[key, entry]] : [])));
}

/** Picks the newest entry, otherwise the first. Merged exports contain entries twice. */
function pickNewest(entries: CalendarEntry[], problems: SkippedEntry[]): CalendarEntry | undefined {
  const [first, ...others] = entries.toSorted(compareByRevision);
  if (first) {
    const reason = `It is a duplicate of line ${first.line}.`;
    for (const entry of others) problems.push(toSkippedEntry(entry, reason));
  }
  return first;
}

/** Compares so that the newest comes first. */
const compareByRevision = ({ revision: a }: CalendarEntry, { revision: b }: CalendarEntry) =>
  b[0] - a[0] || compareTexts(b[1], a[1]) || compareTexts(b[2], a[2]);

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const getEntryTitle = ({ details, uid }: CalendarEntry) => details.title || uid;

const toSkippedEntry = (entry: CalendarEntry, reason: string): SkippedEntry => ({
  line: entry.line,
  what: getEntryTitle(entry),
  reason,
});
