import type { Context } from '../../../context.ts';
import { toBatches } from '../../../core/batches.ts';
import { toSnakeCaseKeys } from '../../../core/letter-case.ts';
import type { Booking, Location, Resource } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError } from '../../../errors.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import { cancelLockedBookings } from '../../bookings/service/change-booking.ts';
import {
  openSlotPricer,
  type PriceColumns,
  pickPrice,
  type SlotToPrice,
} from '../../bookings/service/price-slots.ts';
import {
  findBookingsAround,
  findEventsAround,
  formatConflict,
  type OccupiedSlot,
} from './booking-conflicts.ts';
import {
  type BookingStart,
  extendBuffers,
  findBufferNeighbours,
  fitBuffers,
  removeBuffer,
  shortenBuffers,
} from './buffers.ts';
import { type Move, planMoves } from './plan-moves.ts';
import { tryLine } from './rejections.ts';

/** The fields of a booking that its calendar entry says. */
export type ImportedBookingFields = Pick<
  Booking,
  'startsAt' | 'endsAt' | 'occupiedUntil' | 'status' | 'title' | 'notes' | 'guestName'
>;

/** A live booking that an import changes, or its undo. */
export interface BookingRewrite {
  booking: Booking;
  fields: ImportedBookingFields;
  /** The price that the undo of a move gives back, if the plan still includes what it uses. */
  earlierPrice?: PriceColumns | undefined;
}

interface ChangeOptions {
  /** As it was read after `lockMembershipsOfSlots`. */
  resource: Resource & { location: Location };
  /** The lines of the file, by UID. */
  lines: Map<string, number>;
  /** Whether bookings without a price get one when they move to a time to come. Others always get a new one. */
  pricesAll?: boolean;
  dryRun?: boolean;
}

/** What became of the bookings, by their ids. */
interface ChangedBookings {
  /** Why bookings stay. */
  conflicts: Map<string, string>;
  /** The prices of those that moved, as far as they have one. */
  prices: Map<string, PriceColumns>;
}

/** Prisma splits a longer list by itself, and its later statements would run even after the time limit of the transaction. */
export const MAX_IDS_PER_STATEMENT = 1_000;

/**
 * Locks bookings until the transaction ends, in one statement, and reads them again. It also locks those whose buffers change when
 * bookings begin at `starts`, or no longer do. Every transaction locks bookings in the order of their ids and before memberships. A booking that
 * someone makes beside these from now on is locked out of order, and if that ends in a deadlock, the transaction runs again.
 */
export async function lockBookings(
  ctx: Context,
  ids: string[],
  starts: BookingStart[],
): Promise<Booking[]> {
  const all = [...new Set([...ids, ...(await findBufferNeighbours(ctx, starts))])];
  if (all.length === 0) return [];
  await ctx.db.$queryRaw`
    SELECT 1 FROM bookings WHERE id = ANY (${all}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  return readBookings(ctx, ids);
}

/** Reads bookings by their ids. */
export async function readBookings({ db }: Context, ids: string[]): Promise<Booking[]> {
  const bookings: Booking[] = [];
  for (const batch of toBatches(ids.toSorted(), MAX_IDS_PER_STATEMENT))
    bookings.push(
      ...(await db.booking.findMany({ where: { id: { in: batch } }, orderBy: { id: 'asc' } })),
    );
  return bookings;
}

/**
 * Changes locked bookings of a resource, and says so in the journal. Bookings can take each other's slots. One whose new slot
 * is taken, or whose price would be too high, stays as it is. Those that move get the price that `rescheduleBooking` would give them, one
 * after the other by their new starts.
 */
export async function changeBookings(
  ctx: Context,
  rewrites: BookingRewrite[],
  { resource, lines, pricesAll = false, dryRun = false }: ChangeOptions,
): Promise<ChangedBookings> {
  const moves = rewrites.filter(isMove).map((rewrite) => ({
    ...rewrite,
    from: rewrite.booking,
    to: rewrite.fields,
  }));
  const { possible, conflicts, staying, prices, rejected } = await planPricedMoves(
    ctx,
    resource,
    moves,
    { pricesAll, dryRun },
  );
  if (possible.length > 0)
    await recordUpdated(ctx, 'booking.rescheduled', toIds(possible), async () => {
      await ctx.lockingSql(FREE_SLOTS, [toIds(possible)]);
      const slots = possible.map(({ fields }) => fields);
      await shortenBuffers(ctx, staying, slots);
      const fitted = fitBuffers(slots, staying);
      await save(
        ctx,
        possible.map((move, index) => ({ ...move, fields: fitted[index] ?? move.fields })),
        prices,
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
  const reasons = [...conflicts].map(
    ([{ booking, to }, slot]) =>
      [booking.id, formatConflict(to, slot, { lines, timeZone })] as const,
  );
  return { conflicts: new Map([...reasons, ...rejected]), prices };
}

/** Plans the moves again without those whose price would be too high: they can be in the way of others. */
async function planPricedMoves<M extends Move & BookingRewrite>(
  ctx: Context,
  resource: ChangeOptions['resource'],
  moves: M[],
  options: { pricesAll: boolean; dryRun: boolean },
) {
  const rejected = new Map<string, string>();
  for (;;) {
    const open = moves.filter(({ booking }) => !rejected.has(booking.id));
    const plan = await planWithOthers(ctx, resource, open);
    const toPrice = plan.possible.filter((move) => isPriced(ctx, move, options.pricesAll));
    const priced = await priceMoves(ctx, resource, toPrice, options);
    if (priced.rejected.size === 0) return { ...plan, prices: priced.prices, rejected };
    for (const [id, reason] of priced.rejected) rejected.set(id, reason);
  }
}

const isPriced = (
  ctx: Context,
  { booking, fields, earlierPrice }: BookingRewrite,
  pricesAll: boolean,
): boolean =>
  (pricesAll && fields.startsAt > ctx.now()) ||
  hasPrice(booking) ||
  (earlierPrice !== undefined && hasPrice(earlierPrice));

/** Lists the new times of the bookings that `changeBookings` prices, if they can move. */
export const listPricedSlots = (
  ctx: Context,
  rewrites: BookingRewrite[],
  pricesAll: boolean,
): SlotToPrice[] =>
  rewrites
    .filter((rewrite) => isMove(rewrite) && isPriced(ctx, rewrite, pricesAll))
    .map(toPricedSlot);

const toPricedSlot = ({ booking, fields }: BookingRewrite): SlotToPrice => ({
  memberId: booking.memberId,
  startsAt: fields.startsAt,
  endsAt: fields.endsAt,
});

const hasPrice = ({ priceAmount, membershipId }: PriceColumns) =>
  priceAmount > 0 || membershipId !== null;

/** Prices moves one after the other by their new starts, while those after it still use what they used before. Returns the results by id. */
async function priceMoves(
  ctx: Context,
  resource: ChangeOptions['resource'],
  moves: BookingRewrite[],
  options: { dryRun: boolean },
): Promise<{ prices: Map<string, PriceColumns>; rejected: Map<string, string> }> {
  const prices = new Map<string, PriceColumns>();
  const rejected = new Map<string, string>();
  if (moves.length === 0) return { prices, rejected };
  const sorted = moves
    .map((move) => ({ ...move, slot: toPricedSlot(move) }))
    .toSorted((a, b) => +a.slot.startsAt - +b.slot.startsAt);
  const pricer = await openSlotPricer(
    ctx,
    resource,
    sorted.map(({ slot }) => slot),
    options,
  );
  const undone = sorted.filter(({ earlierPrice }) => earlierPrice);
  for (const { booking } of undone) pricer.release(booking);
  for (const { booking, earlierPrice, slot } of sorted) {
    if (!earlierPrice) pricer.release(booking);
    const kept = earlierPrice && pricer.keep(slot, earlierPrice);
    const price = kept ?? tryLine(() => pricer.price(slot));
    if (price instanceof DomainError) rejected.set(booking.id, price.message);
    else prices.set(booking.id, price);
  }
  return { prices, rejected };
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
    price_amount = r.price_amount, price_currency = r.price_currency, membership_id = r.membership_id,
    usage_month = r.usage_month, included_minutes = r.included_minutes, clock_change_minutes = r.clock_change_minutes,
    import_revision = b.import_revision + 1
  FROM jsonb_to_recordset($1::jsonb) r (id uuid, starts_at timestamptz, ends_at timestamptz, occupied_until timestamptz,
    status booking_status, title text, notes text, guest_name text, price_amount int, price_currency text, membership_id uuid,
    usage_month date, included_minutes int, clock_change_minutes int)
  WHERE b.id = r.id RETURNING 1 AS row`);

/** Saves bookings, with their prices if they get new ones. */
async function save(
  ctx: Context,
  rewrites: BookingRewrite[],
  prices?: Map<string, PriceColumns>,
): Promise<void> {
  const rows = rewrites.map(({ booking, fields }) => {
    const { startsAt, endsAt, occupiedUntil, status, title, notes, guestName } = fields;
    return toSnakeCaseKeys({
      id: booking.id,
      startsAt,
      endsAt,
      occupiedUntil,
      status,
      title,
      notes,
      guestName,
      ...(prices?.get(booking.id) ?? pickPrice(booking)),
    });
  });
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
