import type { Context } from '../context.ts';
import { formatMoney, formatNumber } from '../core/money.ts';
import { formatLocalDateTime } from '../core/time/format.ts';
import type { Booking } from '../db/generated/client.ts';
import { DomainError, notFound } from '../errors.ts';
import {
  lockMembershipsOfSlots,
  type PriceColumns,
} from '../features/bookings/service/price-slots.ts';
import { listPricedSlots } from '../features/imports/service/change-bookings.ts';
import { runImport } from '../features/imports/service/run-import.ts';
import { mapInBatches } from './batches.ts';
import { resolveGuestName } from './booker.ts';
import { type CalendarContents, readCalendar } from './calendar/read-calendar.ts';
import {
  insertBookings,
  isBookingTooLong,
  listNewSlots,
  type ResourceWithLocation,
  resolveBookers,
  toImportedFields,
} from './insert-bookings.ts';
import {
  type KnownResult,
  listAffectedUids,
  matchCancelled,
  toCancelledProblems,
  toChangeRecords,
  toKnownRow,
} from './known-entries.ts';
import { openImport, toCreated } from './record-import.ts';
import {
  type BookingPricing,
  buildReport,
  type CalendarImportOptions,
  formatOccurrence,
  type ImportPrices,
  type ImportReport,
  type ImportRow,
  toSkippedRow,
  toSkippedRows,
} from './report.ts';
import { noteShortened } from './truncate-to-field.ts';
import { type KnownBooking, lockKnownBookings, updateKnownBookings } from './update-bookings.ts';

interface BookingImport extends CalendarImportOptions {
  /** The resource to book. */
  resource: { id: string } | { slug: string };
  /** What the bookings cost. Default: none. */
  pricing?: BookingPricing | undefined;
}

// Imported bookings exist elsewhere already, so changes with this job send no emails.
const BOOKINGS_JOB = 'bookings.import';

/** A booking that was made elsewhere was agreed there: unless the caller says otherwise, nobody owes anything for it here. */
const FREE_OF_CHARGE = 'Imported bookings are free of charge, and use no included hours of a plan.';

/**
 * Imports a resource's calendar as bookings, tentative entries as requests. With prices by the rules, those that move are priced first,
 * and then the new ones that have not started, each in the order of their starts. An entry that conflicts with a booking
 * or event, or that blocks nothing, is skipped and reported; of two entries of the file the earlier one wins. Bookings that were
 * imported before change with the file, unless they have started or people changed them in Foyer: see `updateKnownBookings`. They are
 * cancelled if they block nothing by now.
 *
 * @throws NOT_FOUND for the resource, BAD_REQUEST for an invalid file; VALIDATION, reason IMPORT_TOO_LARGE; CONFLICT, reason
 *   TRY_AGAIN, if the time zone of the location changes meanwhile
 */
export async function importBookings(ctx: Context, input: BookingImport): Promise<ImportReport> {
  const { timeZone } = (await getResource(ctx, input.resource)).location;
  const findZone = () => timeZone;
  const calendar = await readCalendar(input.file, { ...input, now: ctx.now(), findZone });
  const { occurrences } = calendar;
  const byUid = new Map(occurrences.map((occurrence) => [occurrence.uid, occurrence]));
  const { dryRun = false, pricing = 'none', onProgress } = input;
  const priced = pricing === 'by_rules';
  return runImport({ ...ctx, job: BOOKINGS_JOB }, dryRun, async (ctx) => {
    // Again: it can change while another import runs, for which this one waits.
    const found = await getResourceInZone(ctx, input.resource, timeZone);
    const stored = await findImportedBookings(ctx, found, calendar);
    const cancelled = matchCancelled(calendar, stored.keys());
    const resourceId = found.id;
    const writer = dryRun
      ? null
      : await openImport(ctx, 'bookings', { ...input, resourceId, update: true });
    const lines = new Map(occurrences.map(({ uid, line }) => [uid, line]));
    const known = [...stored.values()].flatMap((booking): KnownBooking[] => {
      const uid = booking.importUid ?? '';
      const occurrence = byUid.get(uid);
      if (!occurrence) return cancelled.known.has(uid) ? [{ booking, fields: null }] : [];
      if (occurrence.isTransparent) return [{ booking, fields: null }];
      const guestName = resolveGuestName(occurrence, booking);
      return [{ booking, fields: { ...toImportedFields(occurrence, found), guestName } }];
    });
    const newOccurrences = occurrences.filter(
      ({ uid, isTransparent }) => !isTransparent && !stored.has(uid),
    );
    const newBookings = await resolveBookers(ctx, newOccurrences);
    const newStarts = newOccurrences.map(({ startsAt }) => startsAt);
    const locked = await lockKnownBookings(ctx, known, { resourceId, newStarts });
    // All at once, after the bookings: in this order they are locked when a booking is moved.
    if (!dryRun)
      await lockMembershipsOfSlots(ctx, found, [
        ...listPricedSlots(ctx, locked.rewrites, priced),
        ...(priced ? listNewSlots(ctx, newBookings) : []),
      ]);
    const resource = await getResourceInZone(ctx, { id: resourceId }, timeZone);
    const updated = await updateKnownBookings(ctx, locked, {
      resource,
      lines,
      pricesAll: priced,
      dryRun,
    });
    const { results } = updated;
    const options = { lines, priced, dryRun, onProgress };
    const { reasons, ids, prices } = await insertBookings(ctx, resource, newBookings, options);
    const total = sumPrices([...updated.prices, ...prices], resource.currency);

    const subjects = new Map<ImportRow, string>();
    const addSubject = (row: ImportRow, id: string | undefined) => {
      if (id !== undefined) subjects.set(row, id);
      return row;
    };
    const rows = occurrences.map((occurrence): ImportRow => {
      const label = { line: occurrence.line, what: formatOccurrence(occurrence, timeZone) };
      const id = stored.get(occurrence.uid)?.id;
      const result = id === undefined ? undefined : results.get(id);
      const { isTransparent } = occurrence;
      if (result)
        return addSubject(toKnownRow(label, isTransparent ? toFreeTime(result) : result), id);
      if (isTransparent) return toSkippedRow(label, FREE_TIME);
      const reason = reasons.get(occurrence.uid);
      if (reason) return toSkippedRow(label, reason);
      return addSubject({ ...label, outcome: 'imported' }, ids.get(occurrence.uid));
    });
    const cancelledRows = known.flatMap(({ booking, fields }) => {
      const entry = cancelled.known.get(booking.importUid ?? '');
      const result = results.get(booking.id);
      if (fields !== null || !entry || !result) return [];
      const what = `${entry.what}, ${formatLocalDateTime(booking.startsAt, timeZone)}`;
      return [addSubject(toKnownRow({ line: entry.line, what }, result), booking.id)];
    });
    const skipped = [...calendar.problems, ...toCancelledProblems(cancelled.unknown)];
    const report: ImportReport = {
      ...buildReport(
        dryRun,
        [...toSkippedRows(skipped), ...rows, ...cancelledRows],
        [
          ...(priced ? [] : [{ line: null, text: FREE_OF_CHARGE }]),
          ...(total.bookings > 0 ? [{ line: null, text: formatPrices(total) }] : []),
          ...calendar.notes,
          ...noteShortened(occurrences.filter(isBookingTooLong)),
        ],
      ),
      prices: total,
    };
    const created = [...ids.values()].map((id) => toCreated('booking', id));
    const changes = [...created, ...toChangeRecords('booking', results)];
    return (await writer?.write(report, (row) => subjects.get(row), changes)) ?? report;
  });
}

async function getResource(
  { db }: Context,
  where: BookingImport['resource'],
): Promise<ResourceWithLocation> {
  const resource = await db.resource.findUnique({ where, include: { location: true } });
  if (!resource) throw notFound('resource');
  return resource;
}

/** Gets the resource, if its location still has the time zone in which the file was read. */
async function getResourceInZone(
  ctx: Context,
  where: BookingImport['resource'],
  timeZone: string,
): Promise<ResourceWithLocation> {
  const resource = await getResource(ctx, where);
  if (resource.location.timeZone !== timeZone) throw zoneChanged();
  return resource;
}

const zoneChanged = () =>
  new DomainError(
    'CONFLICT',
    'The time zone of the location was changed while the import waited. Import the file again.',
    { reason: 'TRY_AGAIN' },
  );

const sumPrices = (prices: PriceColumns[], currency: string): ImportPrices => ({
  bookings: prices.length,
  total: { amount: prices.reduce((sum, price) => sum + price.priceAmount, 0), currency },
  includedMinutes: prices.reduce((sum, price) => sum + price.includedMinutes, 0),
});

function formatPrices({ bookings, total, includedMinutes }: ImportPrices): string {
  const subject = bookings === 1 ? '1 booking gets a price' : `${bookings} bookings get prices`;
  const hours = formatNumber(includedMinutes / 60, includedMinutes % 60 === 0 ? 0 : 2, 'en');
  const included = includedMinutes === 0 ? '' : `, with ${hours} included hours of plans`;
  return `${subject}, ${formatMoney(total)} in total${included}.`;
}

const FREE_TIME = 'It is marked as free time, so it blocks nothing.';

/** The result for a booking whose entry is free time by now, so that it is cancelled. */
const toFreeTime = ({ reason, ...result }: KnownResult): KnownResult => ({
  ...result,
  reason: [FREE_TIME, reason].filter(Boolean).join(' '),
});

/** Finds the bookings of entries of the calendar that were imported before, also of those that it cancels, by UID. */
async function findImportedBookings(
  { db, now }: Context,
  { id: resourceId }: ResourceWithLocation,
  calendar: CalendarContents,
): Promise<Map<string, Booking>> {
  const coming = await db.booking.findMany({
    where: { resourceId, importUid: { not: null }, startsAt: { gt: now() } },
    select: { importUid: true, startsAt: true, status: true },
  });
  const rows = await mapInBatches(listAffectedUids(calendar, coming), (batch) =>
    db.booking.findMany({ where: { resourceId, importUid: { in: batch } } }),
  );
  return new Map(rows.map((booking) => [booking.importUid ?? '', booking]));
}
