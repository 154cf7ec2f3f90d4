import type { Context } from '../context.ts';
import type { Booking, Location, Resource } from '../db/generated/client.ts';
import {
  cancelImportedBookings,
  changeBookings,
  type ImportedBookingFields,
  lockBookings,
} from '../features/imports/service/change-bookings.ts';
import { type FieldChange, findFieldChange } from '../features/imports/service/changed-fields.ts';
import {
  CHANGED_IN_FOYER,
  DELETED_MEANWHILE,
  type KeptReason,
  type KnownResult,
  toCancellation,
  toKeptResult,
  toUpdated,
  UNCHANGED,
} from './known-entries.ts';

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
}

/**
 * Changes bookings that were imported before to what the file says, and cancels those that it cancels. Those that have started
 * or that people changed in Foyer stay.
 *
 * @returns the results by the ids of the bookings
 */
export async function updateKnownBookings(
  ctx: Context,
  known: KnownBooking[],
  options: UpdateOptions,
): Promise<Map<string, KnownResult>> {
  const results = new Map<string, KnownResult>();
  const fieldsById = new Map(known.map(({ booking, fields }) => [booking.id, fields]));
  const changing = new Map<string, FieldChange>();
  const decide = (booking: Booking) => {
    const change = findChange(booking, fieldsById.get(booking.id) ?? null);
    const kept = change && explainKept(ctx, booking);
    if (change === null) results.set(booking.id, UNCHANGED);
    else if (kept !== null) results.set(booking.id, toKeptResult(change, kept));
    else changing.set(booking.id, change);
  };
  for (const { booking } of known) decide(booking);
  // People can have changed some of them meanwhile.
  const locked = await lockBookings(ctx, [...changing.keys()]);
  for (const [id, change] of changing) results.set(id, toKeptResult(change, DELETED_MEANWHILE));
  changing.clear();
  for (const booking of locked) decide(booking);

  const cancelled = [...changing.keys()].filter((id) => fieldsById.get(id) === null);
  await cancelImportedBookings(ctx, cancelled);
  const rewrites = locked.flatMap((booking) => {
    const fields = fieldsById.get(booking.id);
    if (!fields || !changing.has(booking.id)) return [];
    return [{ booking, fields: keepBuffer(booking, fields) }];
  });
  const conflicts = await changeBookings(ctx, rewrites, options);
  for (const [id, change] of changing) {
    const text = conflicts.get(id);
    results.set(
      id,
      text === undefined ? toUpdated(change) : toKeptResult(change, { outcome: 'skipped', text }),
    );
  }
  return results;
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
    return { outcome: 'unchanged', text: 'Somebody has checked in, so it stays as it is.' };
  return importRevision === null ? CHANGED_IN_FOYER : null;
}
