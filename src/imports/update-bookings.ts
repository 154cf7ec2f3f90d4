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

/** The bookings that an import changes, locked until the transaction ends. */
export interface LockedBookings {
  /** The results of all known bookings, by id. */
  results: Map<string, KnownResult>;
  changes: Map<string, FieldChange>;
  cancelledIds: string[];
  rewrites: BookingRewrite[];
}

/**
 * Decides which bookings that were imported before change to what the file says, and which it cancels, and locks them. Those that have
 * started or that people changed in Foyer stay.
 *
 * @param newStarts when the bookings begin that the import adds
 */
export async function lockKnownBookings(
  ctx: Context,
  known: KnownBooking[],
  { resourceId, newStarts }: { resourceId: string; newStarts: Date[] },
): Promise<LockedBookings> {
  const byId = new Map(known.map((one) => [one.booking.id, one]));
  const getFields = (id: string) => byId.get(id)?.fields ?? null;
  const { results, changing } = await lockChanging(
    known.map(({ booking }) => booking),
    {
      findChange: (booking) => findChange(booking, getFields(booking.id)),
      explainKept: (booking) => explainKept(ctx, booking),
      lock: (ids) => {
        const starts = ids.flatMap((id) => {
          const { booking, fields } = byId.get(id) ?? {};
          return [booking, fields].flatMap((one) => one?.startsAt ?? []);
        });
        return lockBookings(
          ctx,
          ids,
          [...starts, ...newStarts].map((startsAt) => ({ resourceId, startsAt })),
        );
      },
    },
  );
  const rewrites = changing.flatMap(({ row: booking }): BookingRewrite[] => {
    const fields = getFields(booking.id);
    return fields ? [{ booking, fields: keepBuffer(booking, fields) }] : [];
  });
  const rewritten = new Set(rewrites.map(({ booking }) => booking.id));
  const ids = changing.map(({ row }) => row.id);
  return {
    results,
    changes: new Map(changing.map(({ row, change }) => [row.id, change])),
    cancelledIds: ids.filter((id) => !rewritten.has(id)),
    rewrites,
  };
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

/** Changes bookings to what the file says, and cancels those that it cancels. */
export async function updateKnownBookings(
  ctx: Context,
  locked: LockedBookings,
  options: UpdateOptions,
): Promise<UpdatedBookings> {
  await cancelImportedBookings(ctx, locked.cancelledIds);
  const { conflicts, prices } = await changeBookings(ctx, locked.rewrites, options);
  const results = new Map(locked.results);
  for (const { booking } of locked.rewrites) {
    const { id } = booking;
    const change = locked.changes.get(id);
    if (change === undefined) continue;
    const text = conflicts.get(id);
    if (text !== undefined) results.set(id, toKeptResult(change, { outcome: 'skipped', text }));
    const price = prices.get(id);
    const repriced = price && findFieldChange(booking, price);
    if (repriced) results.set(id, toUpdated(mergeChanges(change, repriced)));
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
