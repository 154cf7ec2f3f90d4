import type { Ctx } from '../context.ts';
import { inBatches } from './batches.ts';
import { readCalendar } from './calendar/read.ts';
import type { Occurrence } from './calendar/series.ts';
import { type Placed, placesOf } from './events/places.ts';
import { slugsFor } from './events/slugs.ts';
import { labelOf, skippedProblems, unchanged } from './happening.ts';
import { importing } from './rehearsal.ts';
import {
  type ImportOptions,
  type ImportReport,
  type ImportRow,
  type OnProgress,
  reportOf,
  skipped,
} from './report.ts';

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
export async function importEvents(ctx: Ctx, input: EventImport): Promise<ImportReport> {
  const placeOf = placesOf(await ctx.db.location.findMany(), input.locationId);
  const zoneAt = (text: string | null) => placeOf(text)?.timeZone ?? 'UTC';
  const calendar = readCalendar(input.file, { now: ctx.now(), zoneAt });
  const labelled = (one: Occurrence) => ({
    line: one.line,
    what: labelOf(one, zoneAt(one.location)),
  });
  const events: Placed[] = [];
  const bad: ImportRow[] = [];
  for (const occurrence of calendar.occurrences) {
    const location = placeOf(occurrence.location);
    if (!location) bad.push(skipped(labelled(occurrence), noPlace(occurrence)));
    else if (!occurrence.title) bad.push(skipped(labelled(occurrence), 'It has no title.'));
    else events.push({ occurrence, location });
  }

  const dryRun = input.dryRun ?? false;
  return importing(ctx, dryRun, async ({ db }) => {
    const stored = await storedBefore(db, events);
    const fresh = events.filter(({ occurrence }) => !stored.has(occurrence.uid));
    const added = await add(db, fresh, input.onProgress);
    const rows = events.map(({ occurrence }): ImportRow => {
      const about = labelled(occurrence);
      const before = stored.get(occurrence.uid);
      if (before) return unchanged(occurrence, about.what, before);
      if (added.has(occurrence.uid)) return { ...about, outcome: 'imported' };
      return skipped(about, 'It could not be stored this time; import the file again.');
    });
    return reportOf(dryRun, [...skippedProblems(calendar.problems), ...bad, ...rows]);
  });
}

const noPlace = ({ location }: Occurrence) =>
  location ? `No location is called "${location}".` : 'It names no location.';

async function storedBefore(db: Ctx['db'], events: Placed[]) {
  const found = await inBatches(events, (batch) =>
    db.event.findMany({
      where: { importUid: { in: batch.map(({ occurrence }) => occurrence.uid) } },
      select: { importUid: true, startsAt: true, endsAt: true },
    }),
  );
  return new Map(found.map(({ importUid, ...span }) => [importUid, span]));
}

async function add(db: Ctx['db'], events: Placed[], onProgress?: OnProgress) {
  const slugs = await slugsFor(db, events);
  const write = (batch: Placed[]) =>
    db.event.createManyAndReturn({
      data: batch.map(({ occurrence, location }) => ({
        ...eventOf(occurrence),
        locationId: location.id,
        slug: slugs.get(occurrence.uid) ?? occurrence.uid,
      })),
      select: { importUid: true },
      skipDuplicates: true,
    });
  const added = await inBatches(events, write, onProgress);
  return new Set(added.map(({ importUid }) => importUid));
}

const eventOf = ({
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
