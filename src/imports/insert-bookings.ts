import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../context.ts';
import { toSnakeCaseKeys } from '../core/letter-case.ts';
import type { Location, Resource } from '../db/generated/client.ts';
import { prepareStatement } from '../db/prepared-statement.ts';
import { DomainError } from '../errors.ts';
import { MAX_BOOKING_NOTES_LENGTH, MAX_BOOKING_TITLE_LENGTH } from '../features/bookings/rows.ts';
import {
  openSlotPricer,
  type PriceColumns,
  type SlotPricer,
  type SlotToPrice,
} from '../features/bookings/service/price-slots.ts';
import {
  findBookingsAround,
  findEventsAround,
  formatConflict,
  toImportSlot,
} from '../features/imports/service/booking-conflicts.ts';
import { fitBuffers, removeBuffer, shortenBuffers } from '../features/imports/service/buffers.ts';
import type { ImportedBookingFields } from '../features/imports/service/change-bookings.ts';
import { createSlotIndex } from '../features/imports/service/plan-moves.ts';
import { tryLine } from '../features/imports/service/rejections.ts';
import { recordCreated } from '../journal/record-changes.ts';
import { mapInBatches } from './batches.ts';
import { findMemberIdsByEmail, type ImportedBooker, resolveBooker } from './booker.ts';
import type { Occurrence } from './calendar/series.ts';
import type { OnProgress } from './report.ts';
import { truncateToField } from './truncate-to-field.ts';

export type ResourceWithLocation = Resource & { location: Location };

// One parameter for all rows: Prisma takes longer, and nobody else can use the embedded database meanwhile. DO NOTHING also
// covers the exclusion constraint, even between rows of one statement.
const INSERT_BOOKINGS = prepareStatement(`
  INSERT INTO bookings (id, resource_id, location_id, member_id, guest_name, guest_email, status, title, notes, starts_at,
    ends_at, occupied_until, price_amount, price_currency, membership_id, usage_month, included_minutes, clock_change_minutes,
    series_id, import_uid, import_revision, created_at, updated_at)
  SELECT r.id, r.resource_id, r.location_id, r.member_id, r.guest_name, r.guest_email, r.status, r.title, r.notes, r.starts_at,
    r.ends_at, r.occupied_until, coalesce(r.price_amount, 0), r.price_currency, r.membership_id, r.usage_month,
    coalesce(r.included_minutes, 0), coalesce(r.clock_change_minutes, 0), r.series_id, r.import_uid, 1, $2::timestamptz, $2::timestamptz
  FROM jsonb_to_recordset($1::jsonb) r (id uuid, resource_id uuid, location_id uuid, member_id uuid, guest_name text,
    guest_email text, status booking_status, title text, notes text, starts_at timestamptz, ends_at timestamptz,
    occupied_until timestamptz, price_amount int, price_currency text, membership_id uuid, usage_month date, included_minutes int,
    clock_change_minutes int, series_id uuid, import_uid text)
  ON CONFLICT DO NOTHING RETURNING id::text AS id, import_uid AS "importUid"`);

const SET_PRICES = prepareStatement(`
  UPDATE bookings b SET price_amount = r.price_amount, price_currency = r.price_currency, membership_id = r.membership_id,
    usage_month = r.usage_month, included_minutes = r.included_minutes, clock_change_minutes = r.clock_change_minutes,
    import_revision = b.import_revision + 1
  FROM jsonb_to_recordset($1::jsonb) r (id uuid, price_amount int, price_currency text, membership_id uuid, usage_month date,
    included_minutes int, clock_change_minutes int)
  WHERE b.id = r.id RETURNING 1 AS row`);

interface InsertOptions {
  /** The lines of the file, by UID. */
  lines: Map<string, number>;
  /** Whether they get the prices that `createBooking` would give them, if they have not started. Otherwise they are free of charge. */
  priced: boolean;
  dryRun: boolean;
  onProgress?: OnProgress | undefined;
}

/** An occurrence that becomes a booking. */
export interface NewBooking {
  occurrence: Occurrence;
  booker: ImportedBooker;
}

/** Finds out whose bookings these occurrences become. Returns them in the order of their starts. */
export async function resolveBookers(
  { db }: Context,
  occurrences: Occurrence[],
): Promise<NewBooking[]> {
  const memberIds = await findMemberIdsByEmail(db, occurrences);
  return occurrences
    .toSorted((a, b) => +a.startsAt - +b.startsAt || a.line - b.line)
    .map((occurrence) => ({ occurrence, booker: resolveBooker(occurrence, memberIds) }));
}

/** Lists the times of the bookings that get a price: those that have not started. */
export const listNewSlots = (ctx: Context, added: NewBooking[]): SlotToPrice[] =>
  added.flatMap(({ occurrence: { startsAt, endsAt }, booker: { memberId } }) =>
    startsAt > ctx.now() ? [{ memberId, startsAt, endsAt }] : [],
  );

/**
 * Inserts the bookings, which are in the order of their starts. Returns their ids, and the reasons for those that conflict or cost too
 * much, by UID, and the prices.
 */
export async function insertBookings(
  ctx: Context,
  resource: ResourceWithLocation,
  newBookings: NewBooking[],
  { lines, priced, dryRun, onProgress }: InsertOptions,
) {
  const { db } = ctx;
  const occurrences = newBookings.map(({ occurrence }) => occurrence);
  const seriesIds = await createSeries(ctx, resource.id, occurrences);
  const ids = new Map<string, string>();
  const prices: PriceColumns[] = [];
  const slots = listNewSlots(ctx, newBookings);
  const pricer = priced ? await openSlotPricer(ctx, resource, slots, { dryRun }) : null;
  const write = async (batch: NewBooking[]) => {
    const data = batch.map(({ occurrence, booker }) => ({
      ...toImportedBooking(occurrence, resource, booker),
      seriesId: (occurrence.series && seriesIds.get(occurrence.series.uid)) ?? null,
    }));
    const events = await findEventsAround(db, resource, data);
    const bookings = await findBookingsAround(db, resource.id, data);
    const occupied = createSlotIndex([...events, ...bookings].map(removeBuffer), (slot) => slot);
    const free = data
      .filter((slot) => !occupied.find(removeBuffer(slot)))
      .map((row) => ({ id: uuidv7(), ...row }));
    const priced = priceRows(ctx, free, pricer);
    const possible = free.filter(({ id }) => !priced.rejected.has(id));
    await shortenBuffers(ctx, bookings, possible);
    const fitted = fitBuffers(possible, [...events, ...bookings]);
    const { added, ...more } = await insertRows(ctx, fitted, { pricer, ...priced });
    prices.push(...more.prices);
    await recordCreated(
      ctx,
      'booking.created',
      added.map(({ id }) => id),
    );
    for (const { id, importUid } of added) ids.set(importUid, id);
    const rejected = free.flatMap(({ id, importUid }) => {
      const reason = priced.rejected.get(id);
      return reason === undefined ? [] : [[importUid, reason] as const];
    });
    const uids = new Set([...added.map(({ importUid }) => importUid), ...new Map(rejected).keys()]);
    const conflicting = data.filter(({ importUid }) => !uids.has(importUid)).map(removeBuffer);
    const others = [...events, ...(await findBookingsAround(db, resource.id, conflicting))];
    const inTheWay = createSlotIndex(others.map(removeBuffer), (slot) => slot);
    const { timeZone } = resource.location;
    const conflicts = conflicting.map(
      (slot) =>
        [slot.importUid, formatConflict(slot, inTheWay.find(slot), { lines, timeZone })] as const,
    );
    return [...rejected, ...conflicts];
  };
  const reasons = new Map(await mapInBatches(newBookings, write, onProgress));
  return { reasons, ids, prices };
}

type BookingRow = ReturnType<typeof toImportedBooking> & { id: string };

interface PricedRows {
  prices: Map<string, PriceColumns>;
  /** Why some can have no price. */
  rejected: Map<string, string>;
}

/** Prices the bookings that have not started, one after the other. Returns the results by their ids. */
function priceRows(ctx: Context, rows: BookingRow[], pricer: SlotPricer | null): PricedRows {
  const priced: PricedRows = { prices: new Map(), rejected: new Map() };
  for (const row of rows) {
    if (pricer === null || row.startsAt <= ctx.now()) continue;
    const price = tryLine(() => pricer.price(row));
    if (price instanceof DomainError) priced.rejected.set(row.id, price.message);
    else priced.prices.set(row.id, price);
  }
  return priced;
}

interface PricedInsert {
  pricer: SlotPricer | null;
  /** By the ids of the bookings. */
  prices: Map<string, PriceColumns>;
}

/** Inserts bookings with their prices. One that conflicts is not inserted, and uses no included hours. */
async function insertRows(ctx: Context, rows: BookingRow[], { pricer, prices }: PricedInsert) {
  const added = await ctx.lockingSql<{ id: string; importUid: string }>(INSERT_BOOKINGS, [
    JSON.stringify(rows.map((row) => toSnakeCaseKeys({ ...row, ...prices.get(row.id) }))),
    ctx.now(),
  ]);
  if (prices.size === 0 || added.length === rows.length)
    return { added, prices: [...prices.values()] };
  for (const { id, memberId } of rows) {
    const price = prices.get(id);
    if (price) pricer?.release({ memberId, ...price });
  }
  const ids = new Set(added.map(({ id }) => id));
  // With the hours of the others, none costs more than before.
  const { prices: final } = priceRows(
    ctx,
    rows.filter(({ id }) => ids.has(id)),
    pricer,
  );
  const changed = [...final].map(([id, price]) => toSnakeCaseKeys({ id, ...price }));
  if (changed.length > 0) await ctx.lockingSql(SET_PRICES, [JSON.stringify(changed)]);
  return { added, prices: [...final.values()] };
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

const toImportedBooking = (
  occurrence: Occurrence,
  resource: ResourceWithLocation,
  booker: ImportedBooker,
) => ({
  ...toImportedFields(occurrence, resource),
  ...booker,
  resourceId: resource.id,
  locationId: resource.locationId,
  priceCurrency: resource.currency,
  importUid: occurrence.uid,
});

/** What a booking gets from its entry. */
export function toImportedFields(
  occurrence: Occurrence,
  resource: ResourceWithLocation,
): Omit<ImportedBookingFields, 'guestName'> {
  const { title, isPrivate, isTentative } = occurrence;
  return {
    ...toImportSlot(occurrence, resource),
    status: isTentative ? 'pending' : 'confirmed',
    // Displays show titles but not notes.
    title: isPrivate ? null : truncateToField(title, MAX_BOOKING_TITLE_LENGTH) || null,
    notes: truncateToField(formatNotes(occurrence), MAX_BOOKING_NOTES_LENGTH) || null,
  };
}

export const isBookingTooLong = (occurrence: Occurrence): boolean =>
  occurrence.title.length > MAX_BOOKING_TITLE_LENGTH ||
  formatNotes(occurrence).length > MAX_BOOKING_NOTES_LENGTH;

const formatNotes = (occurrence: Occurrence): string =>
  [occurrence.isPrivate ? occurrence.title : '', formatDetails(occurrence)]
    .filter(Boolean)
    .join('\n');

/** The description with what a booking has no field for. */
const formatDetails = ({ description, location, url }: Occurrence) =>
  [description, location, url && !description?.includes(url) ? url : null]
    .filter(Boolean)
    .join('\n');
