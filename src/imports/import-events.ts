import type { Context } from '../context.ts';
import { formatLocalDateTime } from '../core/time/format.ts';
import type { Location } from '../db/generated/client.ts';
import { notFound } from '../errors.ts';
import type { ImportedEventFields } from '../features/imports/service/change-events.ts';
import { runImport } from '../features/imports/service/run-import.ts';
import { mapInBatches } from './batches.ts';
import { type CalendarContents, readCalendar } from './calendar/read-calendar.ts';
import type { Occurrence } from './calendar/series.ts';
import {
  insertEvents,
  isEventTooLong,
  type LocatedOccurrence,
  normalizeLocationName,
  toImportedFields,
} from './insert-events.ts';
import {
  listAffectedUids,
  matchCancelled,
  toCancelledProblems,
  toChangeRecords,
  toKnownRow,
} from './known-entries.ts';
import { openImport, toCreated } from './record-import.ts';
import {
  buildReport,
  type CalendarImportOptions,
  formatOccurrence,
  type ImportReport,
  type ImportRow,
  toSkippedRow,
  toSkippedRows,
} from './report.ts';
import { noteShortened } from './truncate-to-field.ts';
import { updateKnownEvents } from './update-events.ts';

/** People can correct a draft, while a booking without an end is rejected: nobody knows how long the room is taken. */
const DEFAULT_EVENT_MINUTES = 60;

// Changes with this job are those of imports.
const EVENTS_JOB = 'events.import';

interface EventImport extends CalendarImportOptions {
  /** The location of events that name no known one. */
  locationId?: string | undefined;
  /** Publish the events at once. Otherwise they are drafts, for people to look at. */
  publish?: boolean | undefined;
}

/**
 * Imports a calendar as drafts of events, or as published ones. Private entries become visible to members only.
 * Drafts that were imported before change with the file, unless people changed them in Foyer: see `updateKnownEvents`.
 *
 * @throws NOT_FOUND for the location, BAD_REQUEST for an invalid file; VALIDATION, reason IMPORT_TOO_LARGE
 */
export async function importEvents(ctx: Context, input: EventImport): Promise<ImportReport> {
  const findLocation = createLocationFinder(await ctx.db.location.findMany(), input.locationId);
  const findZone = (text: string | null) => findLocation(text)?.timeZone ?? 'UTC';
  const { publish = false } = input;
  const options = { ...input, now: ctx.now(), findZone, defaultMinutes: DEFAULT_EVENT_MINUTES };
  const calendar = await readCalendar(input.file, options);
  const toLabel = (occurrence: Occurrence) => ({
    line: occurrence.line,
    what: formatOccurrence(occurrence, findZone(occurrence.location)),
  });
  const events: LocatedOccurrence[] = [];
  const skipped: ImportRow[] = [];
  for (const occurrence of calendar.occurrences) {
    const location = findLocation(occurrence.location);
    if (!location)
      skipped.push(toSkippedRow(toLabel(occurrence), formatMissingLocation(occurrence)));
    else if (!occurrence.title) skipped.push(toSkippedRow(toLabel(occurrence), 'It has no title.'));
    else events.push({ occurrence, location });
  }

  const dryRun = input.dryRun ?? false;
  return runImport({ ...ctx, job: EVENTS_JOB }, dryRun, async (ctx) => {
    const stored = await findImportedEvents(ctx, calendar);
    const cancelled = matchCancelled(calendar, stored.keys());
    const newEvents = events.filter(({ occurrence }) => !stored.has(occurrence.uid));
    const writer = dryRun ? null : await openImport(ctx, 'events', { ...input, update: true });
    const known = new Map<string, ImportedEventFields | null>();
    for (const { occurrence, location } of events) {
      const event = stored.get(occurrence.uid);
      if (event)
        known.set(event.id, { ...toImportedFields(occurrence, location), status: 'draft' });
    }
    for (const uid of cancelled.known.keys()) {
      const event = stored.get(uid);
      if (event) known.set(event.id, null);
    }
    const results = await updateKnownEvents(ctx, known);
    const added = await insertEvents(ctx, newEvents, { ...input, publish });

    const subjects = new Map<ImportRow, string>();
    const addSubject = (row: ImportRow, id: string) => {
      subjects.set(row, id);
      return row;
    };
    const rows = events.map(({ occurrence }): ImportRow => {
      const label = toLabel(occurrence);
      const event = stored.get(occurrence.uid);
      const result = event && results.get(event.id);
      if (result) return addSubject(toKnownRow(label, result), event.id);
      const id = added.get(occurrence.uid);
      if (id !== undefined) return addSubject({ ...label, outcome: 'imported' }, id);
      return toSkippedRow(label, 'It could not be saved this time. Import the file again.');
    });
    const cancelledRows = [...cancelled.known].flatMap(([uid, { line, what }]) => {
      const event = stored.get(uid);
      const result = event && results.get(event.id);
      if (!result) return [];
      const start = formatLocalDateTime(event.startsAt, event.location.timeZone);
      return [addSubject(toKnownRow({ line, what: `${what}, ${start}` }, result), event.id)];
    });
    const problems = [...calendar.problems, ...toCancelledProblems(cancelled.unknown)];
    const report = buildReport(
      dryRun,
      [...toSkippedRows(problems), ...skipped, ...rows, ...cancelledRows],
      [
        ...calendar.notes,
        ...noteShortened(events.filter(isEventTooLong).map(({ occurrence }) => occurrence)),
      ],
    );
    const created = [...added.values()].map((id) => toCreated('event', id));
    const changes = [...created, ...toChangeRecords('event', results)];
    return (await writer?.write(report, (row) => subjects.get(row), changes)) ?? report;
  });
}

const formatMissingLocation = ({ location }: Occurrence) =>
  location ? `There is no location named "${location}".` : 'It has no location.';

/** Finds the events of entries of the calendar that were imported before, also of those that it cancels, by UID. */
async function findImportedEvents(
  { db, now }: Context,
  calendar: CalendarContents,
): Promise<Map<string, StoredEvent>> {
  const coming = await db.event.findMany({
    where: { importUid: { not: null }, startsAt: { gt: now() } },
    select: { importUid: true, startsAt: true, status: true },
  });
  const rows = await mapInBatches(listAffectedUids(calendar, coming), (batch) =>
    db.event.findMany({
      where: { importUid: { in: batch } },
      select: {
        id: true,
        importUid: true,
        startsAt: true,
        location: { select: { timeZone: true } },
      },
    }),
  );
  return new Map(rows.map(({ importUid, ...event }) => [importUid ?? '', event]));
}

interface StoredEvent {
  id: string;
  startsAt: Date;
  location: { timeZone: string };
}

/** Finds the location that the text of LOCATION names; null if there is none. */
type FindLocation = (text: string | null) => Location | null;

/**
 * Creates a lookup of locations by name or slug, even if an address follows the name. Without a match it finds the
 * default, or the only location.
 *
 * @throws NOT_FOUND for a default that does not exist
 */
function createLocationFinder(locations: Location[], defaultId?: string): FindLocation {
  const byName = new Map(
    locations.flatMap(
      (location) =>
        [
          [normalizeLocationName(location.name), location],
          [normalizeLocationName(location.slug), location],
        ] as const,
    ),
  );
  const only = locations.length === 1 ? locations[0] : undefined;
  const fallback = defaultId ? locations.find(({ id }) => id === defaultId) : only;
  if (defaultId && !fallback) throw notFound('location');
  return (text) => {
    const [name = ''] = (text ?? '').split(/[,;\n]| - /);
    return (
      byName.get(normalizeLocationName(text ?? '')) ??
      byName.get(normalizeLocationName(name)) ??
      fallback ??
      null
    );
  };
}
