import type { Context } from '../context.ts';
import type { Booking, Location, Resource } from '../db/generated/client.ts';
import type { PriceColumns } from '../features/bookings/service/price-slots.ts';
import {
  type BookingRewrite,
  cancelImportedBookings,
  changeBookings,
  type ImportedBookingFields,
  lockBookings,
} from '../features/imports/service/change-bookings.ts';
import { type FieldChange, findFieldChange } from '../features/imports/service/changed-fields.ts';
import {
  CHANGED_IN_FOYER,
  type KeptReason,
  type KnownResult,
  toCancellation,
  toKeptResult,
  toUpdated,
} from './known-entries.ts';
import { lockChanging } from './lock-changing.ts';

/** A booking that was imported before, and what its entry says now. */
export interface KnownBooking {
  booking: Booking;
  /** Null if the entry is cancelled. */
  fields: ImportedBookingFields | null;
}

interface UpdateOptions {
  resource: Resource & { location: Location };
  /** The lines of the file, by UID. */
  lines: Map<string, number>;
  /** Whether bookings without a price get one when they move. */
  pricesAll: boolean;
  dryRun: boolean;
}

interface UpdatedBookings {
  /** The results by the ids of the bookings. */
  results: Map<string, KnownResult>;
  /** The prices of those that moved, as far as they have one. */
  prices: PriceColumns[];
}

/**
 * Changes bookings that were imported before to what the file says, and cancels those that it cancels. Those that have started
 * or that people changed in Foyer stay.
 */
export async function updateKnownBookings(
  ctx: Context,
  known: KnownBooking[],
  options: UpdateOptions,
): Promise<UpdatedBookings> {
  const fieldsById = new Map(known.map(({ booking, fields }) => [booking.id, fields]));
  const { results, changing } = await lockChanging(
    known.map(({ booking }) => booking),
    {
      findChange: (booking) => findChange(booking, fieldsById.get(booking.id) ?? null),
      explainKept: (booking) => explainKept(ctx, booking),
      lock: (ids) => lockBookings(ctx, ids),
    },
  );
  const cancelled: string[] = [];
  const rewrites: BookingRewrite[] = [];
  for (const { row: booking } of changing) {
    const fields = fieldsById.get(booking.id);
    if (fields) rewrites.push({ booking, fields: keepBuffer(booking, fields) });
    else cancelled.push(booking.id);
  }
  await cancelImportedBookings(ctx, cancelled);
  const { conflicts, prices } = await changeBookings(ctx, rewrites, options);
  for (const { row, change } of changing) {
    const text = conflicts.get(row.id);
    if (text !== undefined) results.set(row.id, toKeptResult(change, { outcome: 'skipped', text }));
    const price = prices.get(row.id);
    const repriced = price && findFieldChange(row, price);
    if (repriced) results.set(row.id, toUpdated(mergeChanges(change, repriced)));
  }
  return { results, prices: [...prices.values()] };
}

function findChange(booking: Booking, fields: ImportedBookingFields | null): FieldChange | null {
  if (fields === null)
    return booking.status === 'cancelled' ? null : toCancellation(booking.status);
  const { guestName, ...others } = keepBuffer(booking, fields);
  // The name of a guest is not recorded with a title that it does not follow.
  return findFieldChange(
    booking,
    guestName === booking.guestName ? others : { ...others, guestName },
  );
}

const mergeChanges = (one: FieldChange, other: FieldChange): FieldChange => ({
  before: { ...one.before, ...other.before },
  after: { ...one.after, ...other.after },
});

/** A booking at the same time keeps its buffer: the resource can have another one by now. */
const keepBuffer = (booking: Booking, fields: ImportedBookingFields): ImportedBookingFields =>
  +booking.startsAt === +fields.startsAt && +booking.endsAt === +fields.endsAt
    ? { ...fields, occupiedUntil: booking.occupiedUntil }
    : fields;

function explainKept(
  ctx: Context,
  { startsAt, checkedInAt, importRevision }: Booking,
): KeptReason | null {
  if (startsAt <= ctx.now())
    return { outcome: 'unchanged', text: 'It has started, so it stays as it is.' };
  if (checkedInAt !== null)
    return { outcome: 'unchanged', text: 'Someone has checked in, so it stays as it is.' };
  return importRevision === null ? CHANGED_IN_FOYER : null;
}
