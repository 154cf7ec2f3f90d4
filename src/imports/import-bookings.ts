import type { Context } from '../context.ts';
import { MINUTE_MS } from '../core/time/time-zone.ts';
import type { Location, Resource } from '../db/generated/client.ts';
import { notFound } from '../errors.ts';
import {
  findBookingsAround,
  findEventsAround,
  formatConflict,
  type ImportSlot,
  isOverlapping,
} from './booking-conflicts.ts';
import { readCalendar } from './calendar/read-calendar.ts';
import type { Occurrence } from './calendar/series.ts';
import {
  buildReport,
  formatOccurrence,
  type ImportOptions,
  type ImportReport,
  type OnProgress,
  toSkippedRow,
  toSkippedRows,
  toUnchangedRow,
} from './report.ts';
import { mapInBatches, runImport } from './run-import.ts';

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
export async function importBookings(ctx: Context, input: BookingImport): Promise<ImportReport> {
  const resource = await ctx.db.resource.findUnique({
    where: { slug: input.resource },
    include: { location: true },
  });
  if (!resource) throw notFound('resource');
  const { timeZone } = resource.location;
  const calendar = readCalendar(input.file, { now: ctx.now(), zoneAt: () => timeZone });
  const dryRun = input.dryRun ?? false;
  return runImport(ctx, dryRun, async ({ db }) => {
    const stored = await findImportedBookings(db, resource, calendar.occurrences);
    const fresh = calendar.occurrences
      .filter(({ uid }) => !stored.has(uid))
      .toSorted(compareByStart);
    const refused = await insertBookings(db, resource, fresh, input.onProgress);
    const rows = calendar.occurrences.map((occurrence) => {
      const what = formatOccurrence(occurrence, timeZone);
      const before = stored.get(occurrence.uid);
      if (before) return toUnchangedRow(occurrence, what, before);
      const reason = refused.get(occurrence.uid);
      if (reason) return toSkippedRow({ line: occurrence.line, what }, reason);
      return { line: occurrence.line, what, outcome: 'imported' as const };
    });
    return buildReport(dryRun, [...toSkippedRows(calendar.problems), ...rows]);
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
  const found = await mapInBatches(occurrences, (batch) =>
    db.booking.findMany({
      where: { resourceId: id, importUid: { in: batch.map(({ uid }) => uid) } },
      select: { importUid: true, startsAt: true, endsAt: true },
    }),
  );
  return new Map(found.map(({ importUid, ...span }) => [importUid, span]));
}

/** Answers with the reasons for those that the database refused, by UID. */
async function insertBookings(
  db: Context['db'],
  resource: ResourceWithLocation,
  occurrences: Occurrence[],
  onProgress?: OnProgress,
) {
  const lines = new Map(occurrences.map(({ uid, line }) => [uid, line]));
  const memberIds = await findMemberIdsByEmail(db, occurrences);
  const write = async (batch: Occurrence[]) => {
    const data = batch.map((one) =>
      toImportedBooking(one, resource, resolveBooker(one, memberIds)),
    );
    const events = await findEventsAround(db, resource, data);
    const free = data.filter((one) => !events.some((event) => isOverlapping(one, event)));
    const select = { importUid: true };
    // DO NOTHING covers the exclusion constraint too, also between rows of one statement.
    const added = await db.booking.createManyAndReturn({
      data: free,
      select,
      skipDuplicates: true,
    });
    const uids = new Set(added.map(({ importUid }) => importUid));
    const refused = data.filter(({ importUid }) => !uids.has(importUid));
    const taken = [...events, ...(await findBookingsAround(db, resource.id, refused))];
    const { timeZone } = resource.location;
    return refused.map(
      (one) => [one.importUid, formatConflict(one, taken, lines, timeZone)] as const,
    );
  };
  return new Map(await mapInBatches(occurrences, write, onProgress));
}

function toImportedBooking(
  occurrence: Occurrence,
  resource: ResourceWithLocation,
  holder: ImportedBooker,
) {
  const { title, description, isPrivate } = occurrence;
  return {
    ...toImportSlot(occurrence, resource),
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

function toImportSlot(
  { startsAt, endsAt }: Occurrence,
  { bufferMinutes }: ResourceWithLocation,
): ImportSlot {
  return {
    startsAt,
    endsAt,
    occupiedUntil: new Date(endsAt.getTime() + bufferMinutes * MINUTE_MS),
  };
}

/** Whose booking it is: exactly one of memberId and guestName is there. */
interface ImportedBooker {
  memberId: string | null;
  guestName: string | null;
  guestEmail: string | null;
}

/** The organizer's if that is a member, else of the first invited who is one, else a guest's. */
function resolveBooker(occurrence: Occurrence, memberIds: Map<string, string>): ImportedBooker {
  const people = listPeople(occurrence);
  for (const { email } of people) {
    const memberId = email && memberIds.get(email);
    if (memberId) return { memberId, guestName: null, guestEmail: null };
  }
  const [guest] = people;
  const shownTitle = occurrence.isPrivate ? '' : occurrence.title;
  return {
    memberId: null,
    guestName: guest?.name ?? guest?.email ?? (shownTitle || 'Guest'),
    guestEmail: guest?.email ?? null,
  };
}

/** The members among those who organize or attend, by their addresses. */
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
