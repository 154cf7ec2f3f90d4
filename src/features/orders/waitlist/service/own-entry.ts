import { hashSecret, isWellFormedSecret } from '../../../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../../../context.ts';
import type { Money } from '../../../../core/money.ts';
import type { WaitlistEntry } from '../../../../db/generated/client.ts';
import type { WaitlistStatus } from '../../../../db/generated/enums.ts';
import { DomainError, notFound } from '../../../../errors.ts';
import { requireChargeableTotal } from '../../../../integrations/payments/require-chargeable.ts';
import { recordUpdated } from '../../../../journal/record-changes.ts';
import {
  findMaxEntrySize,
  findSeatLimits,
  parseSeatKey,
  toSeatKeys,
  toWaitlistLimits,
} from '../../limits/seat-limits.ts';
import { moveSeats } from '../../limits/seat-usage.ts';
import {
  findTypeCapacity,
  getOfferedEvent,
  type OfferedEvent,
  toTicketSale,
} from '../../place/load-items.ts';
import {
  orderRejected,
  type RequestedTickets,
  validateEventOnSale,
  validateItems,
} from '../../place/validate-order.ts';

/** What a person can do with an entry now. */
export interface OwnEntryActions {
  change: boolean;
  leave: boolean;
}

/** A waiting-list entry as its person sees it, without the name and the address. */
export interface OwnWaitlistEntry {
  status: WaitlistStatus;
  /** How many tickets the person still waits for, including those of an open offer. */
  quantity: number;
  acceptsFewer: boolean;
  /** How many tickets are held by the open offer, and until when. Null without one. */
  offeredQuantity: number | null;
  offeredUntil: Date | null;
  /** The most tickets that one entry can want. The order limits can allow fewer. */
  maxQuantity: number;
  allowedActions: OwnEntryActions;
  ticketTypeName: string;
  eventTitle: string;
  eventStartsAt: Date;
  timeZone: string;
}

/** The statuses of entries that have not ended. An address has at most one for each ticket type. */
export const OPEN_STATUSES: WaitlistStatus[] = ['waiting', 'offered'];

const decideEntryActions = (status: WaitlistStatus): OwnEntryActions => ({
  change: status === 'waiting',
  leave: OPEN_STATUSES.includes(status),
});

/**
 * Finds the entry of a secret that was emailed, or the last one that the address has had for the same ticket type since: a person who
 * joins again within a day gets no other link.
 * @throws NOT_FOUND for an unknown secret.
 */
export async function getEntryBySecret({ db }: Pick<Context, 'db'>, secret: string) {
  const hash = hashSecret(secret);
  const entry = isWellFormedSecret('waitlistLink', secret)
    ? await db.waitlistEntry.findFirst({ where: { OR: [{ hash }, { resentHash: hash }] } })
    : null;
  if (entry === null) throw notFound('waiting-list entry');
  const { ticketTypeId, email } = entry;
  const last = await db.waitlistEntry.findFirst({
    where: { ticketTypeId, email },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return last ?? entry;
}

/** Gets an entry for whoever has its secret. @throws NOT_FOUND for an unknown secret. */
export async function getOwnWaitlistEntry(ctx: Context, secret: string): Promise<OwnWaitlistEntry> {
  const { id } = await getEntryBySecret(ctx, secret);
  const { ticketType, order, ...entry } = await ctx.db.waitlistEntry.findUniqueOrThrow({
    where: { id },
    include: {
      ticketType: { include: { event: { include: { location: true } } } },
      order: { include: { tickets: { select: { id: true } } } },
    },
  });
  const { event } = ticketType;
  const isOffered = entry.status === 'offered' && order !== null;
  const capacity = findTypeCapacity(event, { type: ticketType });
  return {
    status: entry.status,
    quantity: entry.quantity,
    acceptsFewer: entry.acceptsFewer,
    offeredQuantity: isOffered ? order.tickets.length : null,
    offeredUntil: isOffered ? order.expiresAt : null,
    maxQuantity: Math.max(
      entry.quantity,
      Math.min(ticketType.maxPerOrder, findMaxEntrySize(capacity)),
    ),
    allowedActions: decideEntryActions(entry.status),
    ticketTypeName: ticketType.name,
    eventTitle: event.title,
    eventStartsAt: event.startsAt,
    timeZone: event.location.timeZone,
  };
}

/**
 * Changes how many tickets a person waits for, and whether an offer can be for fewer. The entry keeps its place, with one exception:
 * whoever did not accept an offer for some of the tickets, and accepts fewer again, goes to the end. Otherwise one person could hold
 * the same tickets again and again. More tickets count against the order limits.
 *
 * @throws NOT_FOUND for an unknown secret
 * @throws CONFLICT if the entry does not wait (NOT_WAITING), would get tickets that everybody can order (STILL_AVAILABLE), or the limit
 *   is reached (SEAT_LIMIT_REACHED)
 * @throws VALIDATION (TOO_MANY) for more tickets than one entry can want, and as `validateItems` for more tickets than before
 */
export async function changeWaitlistEntry(
  ctx: Context,
  { secret, ...changes }: { secret: string; quantity?: number; acceptsFewer?: boolean },
): Promise<OwnWaitlistEntry> {
  const { id, ticketTypeId } = await getEntryBySecret(ctx, secret);
  await runInTransaction(ctx, async (ctx) => {
    const type = await ctx.db.ticketType.findUniqueOrThrow({ where: { id: ticketTypeId } });
    const { eventId } = type;
    // No offer can be made while the event is locked.
    await ctx.db.$queryRaw`SELECT 1 FROM events WHERE id = ${eventId}::uuid FOR NO KEY UPDATE`;
    await ctx.db.$queryRaw`
      SELECT 1 FROM waitlist_entries WHERE id = ${id}::uuid AND status = 'waiting' FOR NO KEY UPDATE`;
    const entry = await ctx.db.waitlistEntry.findUniqueOrThrow({
      where: { id },
      include: { order: { select: { status: true } } },
    });
    if (!decideEntryActions(entry.status).change) throw notWaiting(entry.status);
    const { quantity = entry.quantity, acceptsFewer = entry.acceptsFewer } = changes;
    if (quantity === entry.quantity && acceptsFewer === entry.acceptsFewer) return;
    validateNotOnSale(await findTicketsLeft(ctx, ticketTypeId), { quantity, acceptsFewer });
    if (quantity !== entry.quantity) requireChargeableTotal(ctx, toOfferTotal(type, quantity));
    const seatKeys =
      quantity > entry.quantity
        ? await claimMoreTickets(ctx, { ...entry, eventId }, quantity)
        : entry.seatKeys;
    const hasDeclined = entry.order?.status === 'expired' || entry.order?.status === 'cancelled';
    const goesToEnd = hasDeclined && acceptsFewer && !entry.acceptsFewer;
    const now = ctx.now();
    await recordUpdated(ctx, 'waitlist_entry.updated', [id], () =>
      ctx.db.waitlistEntry.update({
        where: { id },
        data: {
          ...{ quantity, acceptsFewer, seatKeys, updatedAt: now },
          ...(goesToEnd ? { createdAt: now } : {}),
        },
      }),
    );
  });
  return getOwnWaitlistEntry(ctx, secret);
}

/** What an offer of so many tickets costs. Discount codes do not apply to offers. */
export const toOfferTotal = (
  { priceAmount, priceCurrency: currency }: { priceAmount: number; priceCurrency: string },
  quantity: number,
): Money => ({ amount: priceAmount * quantity, currency });

/** Finds how many tickets of a type everybody can order. Call it in a transaction that has locked the event. */
async function findTicketsLeft({ db, now }: Context, ticketTypeId: string): Promise<TicketsLeft> {
  const type = await db.ticketType.findUniqueOrThrow({
    where: { id: ticketTypeId },
    include: { event: true },
  });
  const { name, quantity, reservedCount, event } = type;
  const isOnSale =
    type.active &&
    event.status === 'published' &&
    now() < event.endsAt &&
    (type.salesStartAt === null || now() >= type.salesStartAt) &&
    (type.salesEndAt === null || now() < type.salesEndAt);
  if (event.offersPending || !isOnSale) return { name, left: 0 };
  const counts = [
    ...(quantity === null ? [] : [quantity - reservedCount]),
    ...(event.capacity === null ? [] : [event.capacity - event.reservedCount]),
  ];
  return { name, left: counts.length === 0 ? null : Math.min(...counts) };
}

interface TicketsLeft {
  /** The name of the ticket type. */
  name: string;
  /** Null if unlimited. */
  left: number | null;
}

/**
 * Checks that an entry would not get tickets that everybody can order now. An offer holds tickets for longer than an order does.
 * @throws CONFLICT (STILL_AVAILABLE)
 */
export function validateNotOnSale(
  { name, left }: TicketsLeft,
  { quantity, acceptsFewer }: { quantity: number; acceptsFewer: boolean },
): void {
  const isEnough = left === null || left >= quantity;
  if (!isEnough && !(acceptsFewer && left > 0)) return;
  throw orderRejected(
    isEnough
      ? `${name} is not sold out. Order the tickets now.`
      : `${name}: ${left} left. Order now, or wait for all ${quantity} together.`,
    'STILL_AVAILABLE',
    'CONFLICT',
    { left },
  );
}

/**
 * Checks that a person can order this many tickets, and counts all of them against the order limits of who changes the entry. Returns
 * the keys of the counters.
 */
async function claimMoreTickets(
  ctx: Context,
  entry: Pick<WaitlistEntry, 'ticketTypeId' | 'email' | 'quantity' | 'seatKeys'> & {
    eventId: string;
  },
  quantity: number,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { status } = await ctx.db.event.findUniqueOrThrow({ where: { id: entry.eventId } });
  const { event } = await getOfferedEvent(ctx, entry.eventId, undefined).catch((error) => {
    // The holder of the link knows the event. Only members see some of the published ones.
    throw error instanceof DomainError && error.code === 'NOT_FOUND' && status === 'published'
      ? orderRejected('Sign in as a member to wait for more tickets.', 'MEMBERS_ONLY')
      : error;
  });
  validateEventOnSale(ctx, event);
  const { ticketTypeId } = entry;
  const [requested] = validateItems(ctx, event, [{ ticketTypeId, quantity }], (_, name) => name);
  if (requested === undefined) return entry.seatKeys;
  validateEntrySize(event, requested);
  const limits = toWaitlistLimits(
    findSeatLimits(ctx, entry.email, toTicketSale(event, [requested])),
    findTypeCapacity(event, requested),
  );
  const previous = { keys: entry.seatKeys.map(parseSeatKey), seats: entry.quantity };
  const { limitWindowHours: windowHours } = event.limits;
  await moveSeats(ctx, previous, limits, { seats: quantity, windowHours });
  return toSeatKeys(limits);
}

/** @throws VALIDATION (TOO_MANY) if the event or the type is too small for that many tickets. */
export function validateEntrySize(event: OfferedEvent, requested: RequestedTickets): void {
  const maxSize = findMaxEntrySize(findTypeCapacity(event, requested));
  if (requested.quantity <= maxSize) return;
  throw orderRejected(
    `You can wait for at most ${maxSize} of ${requested.type.name}. Choose a lower quantity.`,
    'TOO_MANY',
    'VALIDATION',
    { perOrder: maxSize, fields: ['quantity'] },
  );
}

const notWaiting = (status: WaitlistStatus) =>
  new DomainError(
    'CONFLICT',
    status === 'offered'
      ? 'Tickets are held for you. Accept or decline the offer in the email first.'
      : 'You are no longer on this waiting list. Join it again if you still want tickets.',
    { reason: 'NOT_WAITING' },
  );
