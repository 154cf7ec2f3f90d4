import type { Ctx } from '../context.ts';
import type { Location, Resource } from '../db/generated/client.ts';
import { notFound } from '../errors.ts';
import { MINUTE_MS } from '../time.ts';
import { inBatches } from './batches.ts';
import { collision, eventsAround, meets, type Slot, takenAround } from './bookings/collisions.ts';
import { type Holder, holderOf, membersAmong } from './bookings/holder.ts';
import { readCalendar } from './calendar/read.ts';
import type { Occurrence } from './calendar/series.ts';
import { labelOf, skippedProblems, unchanged } from './happening.ts';
import { importing } from './rehearsal.ts';
import {
  type ImportOptions,
  type ImportReport,
  type OnProgress,
  reportOf,
  skipped,
} from './report.ts';

interface BookingImport extends ImportOptions {
  /** An iCalendar file. */
  file: Uint8Array;
  /** Slug of the resource whose calendar it is. */
  resource: string;
}

/**
 * Adds what stands in a resource's calendar as confirmed bookings without a price. What collides with a booking
 * is skipped and told; between entries of the file the earlier start wins. Nothing that is there is changed.
 * Throws NOT_FOUND for the resource and BAD_REQUEST for a broken file.
 */
export async function importBookings(ctx: Ctx, input: BookingImport): Promise<ImportReport> {
  const resource = await ctx.db.resource.findUnique({
    where: { slug: input.resource },
    include: { location: true },
  });
  if (!resource) throw notFound('resource');
  const { timeZone } = resource.location;
  const calendar = readCalendar(input.file, { now: ctx.now(), zoneAt: () => timeZone });
  const dryRun = input.dryRun ?? false;
  return importing(ctx, dryRun, async ({ db }) => {
    const stored = await storedBefore(db, resource, calendar.occurrences);
    const fresh = calendar.occurrences.filter(({ uid }) => !stored.has(uid)).toSorted(byStart);
    const refused = await add(db, resource, fresh, input.onProgress);
    const rows = calendar.occurrences.map((occurrence) => {
      const what = labelOf(occurrence, timeZone);
      const before = stored.get(occurrence.uid);
      if (before) return unchanged(occurrence, what, before);
      const reason = refused.get(occurrence.uid);
      if (reason) return skipped({ line: occurrence.line, what }, reason);
      return { line: occurrence.line, what, outcome: 'imported' as const };
    });
    return reportOf(dryRun, [...skippedProblems(calendar.problems), ...rows]);
  });
}

const byStart = (a: Occurrence, b: Occurrence) => +a.startsAt - +b.startsAt || a.line - b.line;

type Place = Resource & { location: Location };

async function storedBefore(db: Ctx['db'], { id }: Place, occurrences: Occurrence[]) {
  const found = await inBatches(occurrences, (batch) =>
    db.booking.findMany({
      where: { resourceId: id, importUid: { in: batch.map(({ uid }) => uid) } },
      select: { importUid: true, startsAt: true, endsAt: true },
    }),
  );
  return new Map(found.map(({ importUid, ...span }) => [importUid, span]));
}

/** Answers with the reasons for those that the database refused, by UID. */
async function add(
  db: Ctx['db'],
  resource: Place,
  occurrences: Occurrence[],
  onProgress?: OnProgress,
) {
  const lines = new Map(occurrences.map(({ uid, line }) => [uid, line]));
  const memberIds = await membersAmong(db, occurrences);
  const write = async (batch: Occurrence[]) => {
    const data = batch.map((one) => bookingOf(one, resource, holderOf(one, memberIds)));
    const events = await eventsAround(db, resource, data);
    const free = data.filter((one) => !events.some((event) => meets(one, event)));
    const select = { importUid: true };
    // DO NOTHING covers the exclusion constraint too, also between rows of one statement.
    const added = await db.booking.createManyAndReturn({
      data: free,
      select,
      skipDuplicates: true,
    });
    const uids = new Set(added.map(({ importUid }) => importUid));
    const refused = data.filter(({ importUid }) => !uids.has(importUid));
    const taken = [...events, ...(await takenAround(db, resource.id, refused))];
    const { timeZone } = resource.location;
    return refused.map((one) => [one.importUid, collision(one, taken, lines, timeZone)] as const);
  };
  return new Map(await inBatches(occurrences, write, onProgress));
}

function bookingOf(occurrence: Occurrence, resource: Place, holder: Holder) {
  const { title, description, isPrivate } = occurrence;
  return {
    ...slotOf(occurrence, resource),
    ...holder,
    resourceId: resource.id,
    locationId: resource.locationId,
    // Titles are shown on the door, notes are not.
    title: isPrivate ? null : title || null,
    notes: (isPrivate ? [title, description].filter(Boolean).join('\n') : description) || null,
    priceCurrency: resource.currency,
    importUid: occurrence.uid,
  };
}

function slotOf({ startsAt, endsAt }: Occurrence, { bufferMinutes }: Place): Slot {
  return {
    startsAt,
    endsAt,
    occupiedUntil: new Date(endsAt.getTime() + bufferMinutes * MINUTE_MS),
  };
}
