import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import { formatWallClock } from '../core/time/time-zone.ts';
import type { Location } from '../db/generated/client.ts';
import { notFound } from '../errors.ts';
import { readCalendar } from './calendar/read-calendar.ts';
import type { Occurrence } from './calendar/series.ts';
import {
  buildReport,
  formatOccurrence,
  type ImportOptions,
  type ImportReport,
  type ImportRow,
  type OnProgress,
  toSkippedRow,
  toSkippedRows,
  toUnchangedRow,
} from './report.ts';
import { mapInBatches, runImport } from './run-import.ts';

interface EventImport extends ImportOptions {
  /** An iCalendar file. */
  file: Uint8Array;
  /** Where what names no known location takes place. */
  locationId?: string | undefined;
}

/**
 * Adds what stands in a calendar as published events; what is private there is for members only. Nothing that
 * is there is changed. Throws NOT_FOUND for the location and BAD_REQUEST for a broken file.
 */
export async function importEvents(ctx: Context, input: EventImport): Promise<ImportReport> {
  const placeOf = createLocationFinder(await ctx.db.location.findMany(), input.locationId);
  const zoneAt = (text: string | null) => placeOf(text)?.timeZone ?? 'UTC';
  const calendar = readCalendar(input.file, { now: ctx.now(), zoneAt });
  const labelled = (one: Occurrence) => ({
    line: one.line,
    what: formatOccurrence(one, zoneAt(one.location)),
  });
  const events: LocatedOccurrence[] = [];
  const bad: ImportRow[] = [];
  for (const occurrence of calendar.occurrences) {
    const location = placeOf(occurrence.location);
    if (!location) bad.push(toSkippedRow(labelled(occurrence), formatMissingLocation(occurrence)));
    else if (!occurrence.title) bad.push(toSkippedRow(labelled(occurrence), 'It has no title.'));
    else events.push({ occurrence, location });
  }

  const dryRun = input.dryRun ?? false;
  return runImport(ctx, dryRun, async ({ db }) => {
    const stored = await findImportedEvents(db, events);
    const fresh = events.filter(({ occurrence }) => !stored.has(occurrence.uid));
    const added = await insertEvents(db, fresh, input.onProgress);
    const rows = events.map(({ occurrence }): ImportRow => {
      const about = labelled(occurrence);
      const before = stored.get(occurrence.uid);
      if (before) return toUnchangedRow(occurrence, about.what, before);
      if (added.has(occurrence.uid)) return { ...about, outcome: 'imported' };
      return toSkippedRow(about, 'It could not be stored this time; import the file again.');
    });
    return buildReport(dryRun, [...toSkippedRows(calendar.problems), ...bad, ...rows]);
  });
}

const formatMissingLocation = ({ location }: Occurrence) =>
  location ? `No location is called "${location}".` : 'It names no location.';

async function findImportedEvents(db: Context['db'], events: LocatedOccurrence[]) {
  const found = await mapInBatches(events, (batch) =>
    db.event.findMany({
      where: { importUid: { in: batch.map(({ occurrence }) => occurrence.uid) } },
      select: { importUid: true, startsAt: true, endsAt: true },
    }),
  );
  return new Map(found.map(({ importUid, ...span }) => [importUid, span]));
}

async function insertEvents(
  db: Context['db'],
  events: LocatedOccurrence[],
  onProgress?: OnProgress,
) {
  const slugs = await assignSlugs(db, events);
  const write = (batch: LocatedOccurrence[]) =>
    db.event.createManyAndReturn({
      data: batch.map(({ occurrence, location }) => ({
        ...toImportedEvent(occurrence),
        locationId: location.id,
        slug: slugs.get(occurrence.uid) ?? occurrence.uid,
      })),
      select: { importUid: true },
      skipDuplicates: true,
    });
  const added = await mapInBatches(events, write, onProgress);
  return new Set(added.map(({ importUid }) => importUid));
}

const toImportedEvent = ({
  uid,
  title,
  description,
  categories,
  isPrivate,
  startsAt,
  endsAt,
}: Occurrence) => ({
  title,
  description,
  startsAt,
  endsAt,
  status: 'published' as const,
  visibility: isPrivate ? ('members' as const) : ('public' as const),
  tags: [...new Set(categories.map((category) => category.toLowerCase()))],
  importUid: uid,
});

/** An occurrence with the location that its text means. */
interface LocatedOccurrence {
  occurrence: Occurrence;
  location: Location;
}

/** Finds the location that LOCATION means, or null. */
type FindLocation = (text: string | null) => Location | null;

/**
 * By name or slug, also where an address follows the name. Without a match the default, or the only location
 * there is. Throws NOT_FOUND for a default that does not exist.
 */
function createLocationFinder(locations: Location[], defaultId?: string): FindLocation {
  const byName = new Map(
    locations.flatMap(
      (one) =>
        [
          [normalizeLocationName(one.name), one],
          [normalizeLocationName(one.slug), one],
        ] as const,
    ),
  );
  const only = locations.length === 1 ? locations[0] : undefined;
  const other = defaultId ? locations.find(({ id }) => id === defaultId) : only;
  if (defaultId && !other) throw notFound('location');
  return (text) => {
    const [name = ''] = (text ?? '').split(/[,;\n]| - /);
    return (
      byName.get(normalizeLocationName(text ?? '')) ??
      byName.get(normalizeLocationName(name)) ??
      other ??
      null
    );
  };
}

const normalizeLocationName = (text: string) => text.trim().toLowerCase();

const MAX_TITLE_LENGTH = 60;

/** An address for each event, by its UID, that no other event has. */
async function assignSlugs(
  db: Context['db'],
  events: LocatedOccurrence[],
): Promise<Map<string, string>> {
  const wanted = events.map(({ occurrence: { uid, title, startsAt }, location }) => ({
    uid,
    slug: `${slugifyTitle(title)}-${formatWallClock(startsAt, location.timeZone).slice(0, 10)}`,
  }));
  const found = await mapInBatches(wanted, (batch) =>
    db.event.findMany({
      where: { slug: { in: batch.map(({ slug }) => slug) } },
      select: { slug: true },
    }),
  );
  const taken = new Set(found.map(({ slug }) => slug));
  const slugs = new Map<string, string>();
  for (const { uid, slug } of wanted) {
    const free = taken.has(slug) ? addUidSuffix(slug, uid) : slug;
    taken.add(free);
    slugs.set(uid, free);
  }
  return slugs;
}

/** "Yoga für alle!" is "yoga-fur-alle". */
function slugifyTitle(title: string): string {
  const plain = title
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_TITLE_LENGTH)
    .replace(/^-+|-+$/g, '');
  return plain || 'event';
}

/** By its UID, so that it does not depend on what came first. */
const addUidSuffix = (slug: string, uid: string) =>
  `${slug}-${createHash('sha256').update(uid).digest('hex').slice(0, 8)}`;
