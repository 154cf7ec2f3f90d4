import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import { toSlug } from '../core/slug.ts';
import { toLocalDate } from '../core/time/time-zone.ts';
import type { Location } from '../db/generated/client.ts';
import { notFound } from '../errors.ts';
import { runImport } from '../features/imports/service/run-import.ts';
import { recordCreated } from '../journal/record-changes.ts';
import { mapInBatches } from './batches.ts';
import { readCalendar } from './calendar/read-calendar.ts';
import type { Occurrence } from './calendar/series.ts';
import { openImport, toCreated } from './record-import.ts';
import {
  buildReport,
  type CalendarImportOptions,
  formatOccurrence,
  type ImportReport,
  type ImportRow,
  type OnProgress,
  toSkippedRow,
  toSkippedRows,
  toUnchangedRow,
} from './report.ts';

interface EventImport extends CalendarImportOptions {
  /** The location of events that name no known one. */
  locationId?: string | undefined;
  /** Publish the events at once. Otherwise they are drafts, for people to look at. */
  publish?: boolean | undefined;
}

/**
 * Imports a calendar as drafts of events, or as published ones. Private entries become visible to members only. Existing events do not change.
 *
 * @throws NOT_FOUND for the location, BAD_REQUEST for an invalid file; VALIDATION, reason IMPORT_TOO_LARGE
 */
export async function importEvents(ctx: Context, input: EventImport): Promise<ImportReport> {
  const findLocation = createLocationFinder(await ctx.db.location.findMany(), input.locationId);
  const zoneAt = (text: string | null) => findLocation(text)?.timeZone ?? 'UTC';
  const { publish = false } = input;
  const calendar = await readCalendar(input.file, { ...input, now: ctx.now(), zoneAt });
  const toLabel = (occurrence: Occurrence) => ({
    line: occurrence.line,
    what: formatOccurrence(occurrence, zoneAt(occurrence.location)),
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
  return runImport(ctx, dryRun, async (ctx) => {
    const stored = await findImportedEvents(ctx.db, events);
    const newEvents = events.filter(({ occurrence }) => !stored.has(occurrence.uid));
    const writer = dryRun ? null : await openImport(ctx, 'events', input);
    const added = await insertEvents(ctx, newEvents, { ...input, publish });
    const subjects = new Map<ImportRow, string>();
    const rows = events.map(({ occurrence }): ImportRow => {
      const label = toLabel(occurrence);
      const existing = stored.get(occurrence.uid);
      const id = existing?.id ?? added.get(occurrence.uid);
      const row: ImportRow = existing
        ? toUnchangedRow(occurrence, label.what, existing)
        : { ...label, outcome: 'imported' };
      if (id !== undefined) subjects.set(row, id);
      return id !== undefined
        ? row
        : toSkippedRow(label, 'It could not be saved this time. Import the file again.');
    });
    const report = buildReport(
      dryRun,
      [...toSkippedRows(calendar.problems), ...skipped, ...rows],
      calendar.notes,
    );
    const created = [...added.values()].map((id) => toCreated('event', id));
    return (await writer?.write(report, (row) => subjects.get(row), created)) ?? report;
  });
}

const formatMissingLocation = ({ location }: Occurrence) =>
  location ? `There is no location named "${location}".` : 'It has no location.';

async function findImportedEvents(db: Context['db'], events: LocatedOccurrence[]) {
  const rows = await mapInBatches(events, (batch) =>
    db.event.findMany({
      where: { importUid: { in: batch.map(({ occurrence }) => occurrence.uid) } },
      select: { id: true, importUid: true, startsAt: true, endsAt: true },
    }),
  );
  return new Map(rows.map(({ importUid, ...times }) => [importUid, times]));
}

async function insertEvents(
  ctx: Context,
  events: LocatedOccurrence[],
  { publish, onProgress }: { publish: boolean; onProgress?: OnProgress | undefined },
) {
  const slugs = await assignSlugs(ctx.db, events);
  const write = async (batch: LocatedOccurrence[]) => {
    const added = await ctx.db.event.createManyAndReturn({
      data: batch.map(({ occurrence, location }) => ({
        ...toImportedEvent(occurrence, location),
        ...(publish && { status: 'published' as const, publishedAt: ctx.now() }),
        locationId: location.id,
        slug: slugs.get(occurrence.uid) ?? occurrence.uid,
      })),
      select: { id: true, importUid: true },
      skipDuplicates: true,
    });
    const ids = added.map(({ id }) => id);
    await recordCreated(ctx, 'event.created', ids);
    return added;
  };
  const added = await mapInBatches(events, write, onProgress);
  return new Map(added.map(({ id, importUid }) => [importUid, id]));
}

const toImportedEvent = (occurrence: Occurrence, location: Location) => {
  const { uid, title, categories, isPrivate, startsAt, endsAt } = occurrence;
  return {
    title,
    description: formatDescription(occurrence, location),
    startsAt,
    endsAt,
    visibility: isPrivate ? ('members' as const) : ('public' as const),
    tags: [...new Set(categories.map((category) => category.toLowerCase()))],
    importUid: uid,
  };
};

/** The description with the web page and, unless it is the name of the location, the place. */
function formatDescription({ description, url, location: place }: Occurrence, { name }: Location) {
  const isNamed = place === null || normalizeLocationName(place) === normalizeLocationName(name);
  const parts = [
    description,
    isNamed ? null : place,
    description?.includes(url ?? '\0') ? null : url,
  ];
  return parts.filter(Boolean).join('\n\n') || null;
}

/** An occurrence with the location that its text names. */
interface LocatedOccurrence {
  occurrence: Occurrence;
  location: Location;
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

const normalizeLocationName = (text: string) => text.trim().toLowerCase();

const MAX_TITLE_LENGTH = 60;

/** Assigns a unique slug to each event, by its UID. */
async function assignSlugs(
  db: Context['db'],
  events: LocatedOccurrence[],
): Promise<Map<string, string>> {
  const candidates = events.map(({ occurrence: { uid, title, startsAt }, location }) => ({
    uid,
    slug: `${slugifyTitle(title)}-${toLocalDate(startsAt, location.timeZone)}`,
  }));
  const rows = await mapInBatches(candidates, (batch) =>
    db.event.findMany({
      where: { slug: { in: batch.map(({ slug }) => slug) } },
      select: { slug: true },
    }),
  );
  const usedSlugs = new Set(rows.map(({ slug }) => slug));
  const slugs = new Map<string, string>();
  for (const { uid, slug } of candidates) {
    const uniqueSlug = usedSlugs.has(slug) ? addUidSuffix(slug, uid) : slug;
    usedSlugs.add(uniqueSlug);
    slugs.set(uid, uniqueSlug);
  }
  return slugs;
}

const slugifyTitle = (title: string) => toSlug(title, MAX_TITLE_LENGTH) || 'event';

/** The suffix depends only on the UID, so that the order of imports does not matter. */
const addUidSuffix = (slug: string, uid: string) =>
  `${slug}-${createHash('sha256').update(uid).digest('hex').slice(0, 8)}`;
