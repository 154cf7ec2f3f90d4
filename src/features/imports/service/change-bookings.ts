import type { Context } from '../../../context.ts';
import { toBatches } from '../../../core/batches.ts';
import type { Booking, Location, Resource } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import { cancelLockedBookings } from '../../bookings/service/change-booking.ts';
import {
  findBookingsAround,
  findEventsAround,
  formatConflict,
  type OccupiedSlot,
} from './booking-conflicts.ts';
import { extendBuffers, fitBuffers, removeBuffer, shortenBuffers } from './buffers.ts';
import { type Move, planMoves } from './plan-moves.ts';

/** The fields of a booking that its calendar entry says. */
export type ImportedBookingFields = Pick<
  Booking,
  'startsAt' | 'endsAt' | 'occupiedUntil' | 'status' | 'title' | 'notes' | 'guestName'
>;

/** A live booking that an import changes, or its undo. */
export interface BookingRewrite {
  booking: Booking;
  fields: ImportedBookingFields;
}

interface ChangeOptions {
  resource: Resource & { location: Location };
  /** The lines of the file, by UID. */
  lines: Map<string, number>;
}

/** Prisma splits a longer list by itself, and its later statements would run even after the time limit of the transaction. */
export const MAX_IDS_PER_STATEMENT = 1_000;

/** Locks bookings until the transaction ends, in this order as every transaction does, and reads them again. */
export async function lockBookings({ db }: Context, ids: string[]): Promise<Booking[]> {
  if (ids.length === 0) return [];
  await db.$queryRaw`
    SELECT 1 FROM bookings WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  const bookings: Booking[] = [];
  for (const batch of toBatches(ids.toSorted(), MAX_IDS_PER_STATEMENT))
    bookings.push(
      ...(await db.booking.findMany({ where: { id: { in: batch } }, orderBy: { id: 'asc' } })),
    );
  return bookings;
}

/**
 * Changes locked bookings of a resource, and says so in the journal. Bookings can take each other's slots. One whose new slot
 * is taken stays as it is.
 *
 * @returns why bookings stay, by their ids
 */
export async function changeBookings(
  ctx: Context,
  rewrites: BookingRewrite[],
  { resource, lines }: ChangeOptions,
): Promise<Map<string, string>> {
  const moves = rewrites.filter(isMove).map((rewrite) => ({
    ...rewrite,
    from: rewrite.booking,
    to: rewrite.fields,
  }));
  const { possible, conflicts, staying } = await planWithOthers(ctx, resource, moves);
  if (possible.length > 0)
    await recordUpdated(ctx, 'booking.rescheduled', toIds(possible), async () => {
      await ctx.lockingSql(FREE_SLOTS, [toIds(possible)]);
      const slots = possible.map(({ fields }) => fields);
      await shortenBuffers(ctx, staying, slots);
      const fitted = fitBuffers(slots, staying);
      await save(
        ctx,
        possible.map((move, index) => ({ ...move, fields: fitted[index] ?? move.fields })),
      );
      await extendBuffers(
        ctx,
        possible.map(({ booking }) => booking),
      );
    });
  const others = rewrites.filter((rewrite) => !isMove(rewrite));
  for (const type of ['booking.confirmed', 'booking.updated'] as const) {
    const group = others.filter(
      (rewrite) => (type === 'booking.confirmed') === isApproval(rewrite),
    );
    if (group.length > 0) await recordUpdated(ctx, type, toIds(group), () => save(ctx, group));
  }
  const { timeZone } = resource.location;
  return new Map(
    [...conflicts].map(([{ booking, to }, slot]) => [
      booking.id,
      formatConflict(to, slot, { lines, timeZone }),
    ]),
  );
}

async function planWithOthers<M extends Move & BookingRewrite>(
  { db }: Context,
  resource: Resource,
  moves: M[],
) {
  const slots = moves.map(({ to }) => to);
  const moving = new Set(toIds(moves));
  const isStaying = ({ id }: OccupiedSlot) => id === null || !moving.has(id);
  const occupied = [
    ...(await findBookingsAround(db, resource.id, slots)).filter(isStaying),
    ...(await findEventsAround(db, resource, slots)),
  ];
  const plan = planMoves(
    moves.map((move) => ({ ...move, from: removeBuffer(move.from), to: removeBuffer(move.to) })),
    occupied.map(removeBuffer),
  );
  const notMoving = [...plan.conflicts.keys()].map(({ booking }) => booking);
  return { ...plan, staying: [...occupied, ...notMoving] };
}

const toIds = (rewrites: BookingRewrite[]) => rewrites.map(({ booking }) => booking.id);

const isMove = ({ booking, fields }: BookingRewrite) =>
  +booking.startsAt !== +fields.startsAt || +booking.endsAt !== +fields.endsAt;

const isApproval = ({ booking, fields }: BookingRewrite) =>
  booking.status === 'pending' && fields.status === 'confirmed';

// All old slots first, since a booking can move to one that another still occupies.
const FREE_SLOTS = prepareStatement(`
  UPDATE bookings SET status = 'cancelled', import_revision = import_revision + 1
  WHERE id = ANY ($1::uuid[]) RETURNING 1 AS row`);

// A booking that stays where it is keeps its buffer, which one that moves next to it may have shortened just now.
const SAVE = prepareStatement(`
  UPDATE bookings b SET starts_at = r.starts_at, ends_at = r.ends_at, occupied_until =
      CASE WHEN (b.starts_at, b.ends_at) = (r.starts_at, r.ends_at) THEN b.occupied_until ELSE r.occupied_until END,
    status = r.status, title = r.title, notes = r.notes, guest_name = r.guest_name, updated_at = $2::timestamptz,
    import_revision = b.import_revision + 1
  FROM jsonb_to_recordset($1::jsonb) r (id uuid, starts_at timestamptz, ends_at timestamptz, occupied_until timestamptz,
    status booking_status, title text, notes text, guest_name text)
  WHERE b.id = r.id RETURNING 1 AS row`);

async function save(ctx: Context, rewrites: BookingRewrite[]): Promise<void> {
  const rows = rewrites.map(
    ({ booking, fields: { startsAt, endsAt, occupiedUntil, guestName, ...fields } }) => ({
      ...fields,
      guest_name: guestName,
      ...{ id: booking.id, starts_at: startsAt, ends_at: endsAt, occupied_until: occupiedUntil },
    }),
  );
  await ctx.lockingSql(SAVE, [JSON.stringify(rows), ctx.now()]);
}

/** Cancels locked bookings without a fee. They lose the UID of their entry, so that it can be imported again. */
export async function cancelImportedBookings(ctx: Context, ids: string[]): Promise<void> {
  await cancelLockedBookings(ctx, ids, { waiveFee: true });
  const freed = await ctx.db.$queryRaw<{ resourceId: string; startsAt: Date }[]>`
    UPDATE bookings SET import_uid = NULL WHERE id = ANY (${ids}::uuid[])
    RETURNING resource_id AS "resourceId", starts_at AS "startsAt"`;
  await extendBuffers(ctx, freed);
}
