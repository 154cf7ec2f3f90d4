import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../context.ts';
import type { Location, Resource } from '../db/generated/client.ts';
import { notFound } from '../errors.ts';
import { runImport } from '../features/imports/service/run-import.ts';
import { toOccupiedRange } from '../features/spaces/types.ts';
import { recordCreated } from '../journal/record-changes.ts';
import { mapInBatches } from './batches.ts';
import {
  findBookingsAround,
  findEventsAround,
  formatConflict,
  type ImportSlot,
  isOverlapping,
} from './booking-conflicts.ts';
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

interface BookingImport extends CalendarImportOptions {
  /** The resource to book. */
  resource: { id: string } | { slug: string };
}

/** A booking that was made elsewhere was agreed there: nobody owes anything for it here. */
const FREE_OF_CHARGE = 'Imported bookings are free of charge, and use no included hours of a plan.';

/**
 * Imports a resource's calendar as bookings without a price, tentative entries as requests. An entry that conflicts with a booking
 * or event, or that blocks nothing, is skipped and reported; of two entries of the file the earlier one wins. Existing bookings do
 * not change.
 *
 * @throws NOT_FOUND for the resource, BAD_REQUEST for an invalid file; VALIDATION, reason IMPORT_TOO_LARGE
 */
export async function importBookings(ctx: Context, input: BookingImport): Promise<ImportReport> {
  const resource = await ctx.db.resource.findUnique({
    where: input.resource,
    include: { location: true },
  });
  if (!resource) throw notFound('resource');
  const { timeZone } = resource.location;
  const zoneAt = () => timeZone;
  const calendar = await readCalendar(input.file, { ...input, now: ctx.now(), zoneAt });
  const blocking = calendar.occurrences.filter(({ isTransparent }) => !isTransparent);
  const transparent = calendar.occurrences
    .filter(({ isTransparent }) => isTransparent)
    .map((occurrence) =>
      toSkippedRow(
        { line: occurrence.line, what: formatOccurrence(occurrence, timeZone) },
        'It is marked as free time, so it blocks nothing.',
      ),
    );
  const dryRun = input.dryRun ?? false;
  return runImport(ctx, dryRun, async (ctx) => {
    const stored = await findImportedBookings(ctx.db, resource, blocking);
    const newOccurrences = blocking.filter(({ uid }) => !stored.has(uid)).toSorted(compareByStart);
    const resourceId = resource.id;
    const writer = dryRun ? null : await openImport(ctx, 'bookings', { ...input, resourceId });
    const { reasons, ids } = await insertBookings(ctx, resource, newOccurrences, input.onProgress);
    const subjects = new Map<ImportRow, string>();
    const rows = blocking.map((occurrence): ImportRow => {
      const what = formatOccurrence(occurrence, timeZone);
      const existing = stored.get(occurrence.uid);
      const reason = reasons.get(occurrence.uid);
      if (reason) return toSkippedRow({ line: occurrence.line, what }, reason);
      const row: ImportRow = existing
        ? toUnchangedRow(occurrence, what, existing)
        : { line: occurrence.line, what, outcome: 'imported' };
      const id = existing?.id ?? ids.get(occurrence.uid);
      if (id !== undefined) subjects.set(row, id);
      return row;
    });
    const report = buildReport(
      dryRun,
      [...toSkippedRows(calendar.problems), ...transparent, ...rows],
      [{ line: null, text: FREE_OF_CHARGE }, ...calendar.notes],
    );
    const created = [...ids.values()].map((id) => toCreated('booking', id));
    return (await writer?.write(report, (row) => subjects.get(row), created)) ?? report;
  });
}

const compareByStart = (a: Occurrence, b: Occurrence) =>
  +a.startsAt - +b.startsAt || a.line - b.line;

type ResourceWithLocation = Resource & { location: Location };

async function findImportedBookings(
  db: Context['db'],
  { id }: ResourceWithLocation,
  occurrences: Occurrence[],
) {
  const rows = await mapInBatches(occurrences, (batch) =>
    db.booking.findMany({
      where: { resourceId: id, importUid: { in: batch.map(({ uid }) => uid) } },
      select: { id: true, importUid: true, startsAt: true, endsAt: true },
    }),
  );
  return new Map(rows.map(({ importUid, ...times }) => [importUid, times]));
}

/** Inserts the bookings. Returns their ids, and the reasons for those that conflict, by UID. */
async function insertBookings(
  ctx: Context,
  resource: ResourceWithLocation,
  occurrences: Occurrence[],
  onProgress?: OnProgress,
) {
  const { db } = ctx;
  const lines = new Map(occurrences.map(({ uid, line }) => [uid, line]));
  const memberIds = await findMemberIdsByEmail(db, occurrences);
  const seriesIds = await createSeries(ctx, resource.id, occurrences);
  const ids = new Map<string, string>();
  const write = async (batch: Occurrence[]) => {
    const data = batch.map((occurrence) => ({
      ...toImportedBooking(occurrence, resource, resolveBooker(occurrence, memberIds)),
      seriesId: (occurrence.series && seriesIds.get(occurrence.series.uid)) ?? null,
    }));
    const events = await findEventsAround(db, resource, data);
    const free = data.filter((slot) => !events.some((event) => isOverlapping(slot, event)));
    const select = { id: true, importUid: true };
    // DO NOTHING also covers the exclusion constraint, even between rows of one statement.
    const added = await db.booking.createManyAndReturn({
      data: free,
      select,
      skipDuplicates: true,
    });
    await recordCreated(
      ctx,
      'booking.created',
      added.map(({ id }) => id),
    );
    for (const { id, importUid } of added) ids.set(importUid ?? '', id);
    const uids = new Set(added.map(({ importUid }) => importUid));
    const rejected = data.filter(({ importUid }) => !uids.has(importUid));
    const occupied = [...events, ...(await findBookingsAround(db, resource.id, rejected))];
    const { timeZone } = resource.location;
    return rejected.map(
      (slot) => [slot.importUid, formatConflict(slot, occupied, lines, timeZone)] as const,
    );
  };
  return { reasons: new Map(await mapInBatches(occurrences, write, onProgress)), ids };
}

/** Creates the series of these occurrences, by UID. A series that was imported before goes on. */
async function createSeries(
  { db, now }: Context,
  resourceId: string,
  occurrences: Occurrence[],
): Promise<Map<string, string>> {
  const byUid = new Map(
    occurrences.flatMap(({ series }) => (series ? [[series.uid, series]] : [])),
  );
  if (byUid.size === 0) return new Map();
  const stored = await db.$queryRaw<{ uid: string; id: string }[]>`
    SELECT DISTINCT ON (uid) uid, b.series_id AS id
    FROM unnest(${[...byUid.keys()]}::text[]) uid
    JOIN bookings b ON b.resource_id = ${resourceId}::uuid AND starts_with(b.import_uid, uid || '/')
    WHERE b.series_id IS NOT NULL
    ORDER BY uid, b.starts_at`;
  const ids = new Map(stored.map(({ uid, id }) => [uid, id]));
  const added = [...byUid.values()]
    .filter(({ uid }) => !ids.has(uid))
    .map(({ uid, ...series }) => ({ uid, row: { id: uuidv7(), ...series, createdAt: now() } }));
  await mapInBatches(added, async (batch) => {
    await db.bookingSeries.createMany({ data: batch.map(({ row }) => row) });
    return [];
  });
  return new Map([...ids, ...added.map(({ uid, row }) => [uid, row.id] as const)]);
}

function toImportedBooking(
  occurrence: Occurrence,
  resource: ResourceWithLocation,
  booker: ImportedBooker,
) {
  const { title, isPrivate, isTentative } = occurrence;
  const details = formatDetails(occurrence);
  return {
    status: isTentative ? ('pending' as const) : ('confirmed' as const),
    ...toImportSlot(occurrence, resource),
    ...booker,
    resourceId: resource.id,
    locationId: resource.locationId,
    // Displays show titles but not notes.
    title: isPrivate ? null : title || null,
    notes: (isPrivate ? [title, details].filter(Boolean).join('\n') : details) || null,
    priceCurrency: resource.currency,
    importUid: occurrence.uid,
  };
}

/** The description with what a booking has no field for. */
const formatDetails = ({ description, location, url }: Occurrence) =>
  [description, location, url && !description?.includes(url) ? url : null]
    .filter(Boolean)
    .join('\n');

function toImportSlot(
  { startsAt, endsAt }: Occurrence,
  resource: ResourceWithLocation,
): ImportSlot {
  return {
    startsAt,
    endsAt,
    occupiedUntil: new Date(toOccupiedRange(resource, { start: +startsAt, end: +endsAt }).end),
  };
}

/** Who the booking belongs to: either memberId or guestName is set. */
interface ImportedBooker {
  memberId: string | null;
  guestName: string | null;
  guestEmail: string | null;
}

/**
 * Resolves the booker. The meeting belongs to its organizer: if that is no member, it belongs to a guest, even if it invites members.
 * Without an organizer it belongs to the first attendee who is a member.
 */
function resolveBooker(occurrence: Occurrence, memberIds: Map<string, string>): ImportedBooker {
  const { organizer, attendees } = occurrence;
  for (const { email } of organizer ? [organizer] : attendees) {
    const memberId = email && memberIds.get(email);
    if (memberId) return { memberId, guestName: null, guestEmail: null };
  }
  const guest = organizer ?? attendees[0];
  const visibleTitle = occurrence.isPrivate ? '' : occurrence.title;
  return {
    memberId: null,
    guestName: guest?.name ?? guest?.email ?? (visibleTitle || 'Guest'),
    guestEmail: guest?.email ?? null,
  };
}

/** Finds the members among organizers and attendees, by email address. */
async function findMemberIdsByEmail(
  db: Context['db'],
  occurrences: Occurrence[],
): Promise<Map<string, string>> {
  const emails = new Set(occurrences.flatMap(listPeople).flatMap(({ email }) => email ?? []));
  const members = await mapInBatches([...emails], (batch) =>
    db.member.findMany({ where: { email: { in: batch } }, select: { id: true, email: true } }),
  );
  return new Map(members.map(({ id, email }) => [email, id]));
}

const listPeople = ({ organizer, attendees }: Occurrence) =>
  organizer ? [organizer, ...attendees] : attendees;
