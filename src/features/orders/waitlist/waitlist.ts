import { v7 } from 'uuid';
import { createSecret, hashSecret, isWellFormedSecret } from '../../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import {
  orderByNewest,
  type Page,
  type PageRequest,
  toCreatedPosition,
  toPage,
  whereOlderThanCursor,
} from '../../../core/pagination.ts';
import type { WaitlistStatus } from '../../../db/generated/enums.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { enqueueEmail } from '../../../integrations/email/outbox.ts';
import { waitlistJoined } from '../emails/waitlist.ts';
import {
  findSeatLimits,
  findTypeCapacity,
  toTicketSale,
  toWaitlistLimits,
} from '../limits/seat-limits.ts';
import { returnSeats, takeSeats } from '../limits/seat-usage.ts';
import { waitlistUrl } from '../links.ts';
import { getOfferedEvent } from '../place/load-items.ts';
import { orderRejected, validateEventOnSale, validateItems } from '../place/validate-order.ts';
import { lockOrder } from '../queries.ts';
import { endPendingOrders } from '../stock.ts';

interface WaitlistInput {
  ticketTypeId: string;
  name: string;
  email: string;
  quantity: number;
}

/** A person on the waiting list of a ticket type. */
export interface WaitlistEntry {
  id: string;
  status: WaitlistStatus;
  name: string;
  email: string;
  quantity: number;
  ticketType: { id: string; name: string };
  eventId: string;
  createdAt: Date;
}

/**
 * Joins the waiting list of a ticket type. Returns the same for a person who is already on it.
 *
 * @throws NOT_FOUND for a ticket type of an event that the viewer cannot see
 * @throws CONFLICT if tickets are left (STILL_AVAILABLE) or the limit is reached (SEAT_LIMIT_REACHED)
 * @throws what `validateEventOnSale` and `validateItems` throw for an order of the same tickets
 */
export async function joinWaitlist(
  ctx: Context,
  input: WaitlistInput,
): Promise<Pick<WaitlistInput, 'ticketTypeId' | 'quantity'>> {
  const { ticketTypeId, quantity } = input;
  const type = await ctx.db.ticketType.findUnique({ where: { id: ticketTypeId } });
  if (type === null) throw notFound('ticket type');
  await runInTransaction(ctx, async (ctx) => {
    // Nobody releases tickets while the event is locked. Tickets that are released later find this entry.
    await ctx.db.$queryRaw`SELECT 1 FROM events WHERE id = ${type.eventId}::uuid FOR NO KEY UPDATE`;
    const { event } = await getOfferedEvent(ctx, type.eventId, undefined).catch((error) => {
      // The response must not reveal that the event exists.
      throw error instanceof DomainError && error.code === 'NOT_FOUND'
        ? notFound('ticket type')
        : error;
    });
    validateEventOnSale(ctx, event);
    const [requested] = validateItems(ctx, event, [{ ticketTypeId, quantity }]);
    const left = requested?.type.left ?? Number.POSITIVE_INFINITY;
    if (left >= quantity) {
      throw orderRejected(
        `${type.name} is not sold out. Order the tickets now.`,
        'STILL_AVAILABLE',
        'CONFLICT',
        { left: requested?.type.left ?? null },
      );
    }
    const limits = requested
      ? toWaitlistLimits(
          findSeatLimits(ctx, input.email, toTicketSale(event, [requested])),
          findTypeCapacity(event, requested),
        )
      : [];
    const seatKeys = limits.map(({ key }) => key);
    // Before the entry is written: the response must not reveal whether this email address is already on the list.
    await takeSeats(ctx, limits, { seats: quantity, windowHours: event.limits.limitWindowHours });
    const names = { typeName: type.name, eventTitle: event.title };
    if (!(await addWaitlistEntry(ctx, input, seatKeys, names)))
      await returnSeats(ctx, seatKeys, quantity);
  });
  return { ticketTypeId, quantity };
}

/** Adds an entry and queues its email. Returns false for a person who is already on the list. */
async function addWaitlistEntry(
  ctx: Context,
  { ticketTypeId, quantity, name, ...input }: WaitlistInput,
  seatKeys: string[],
  names: { typeName: string; eventTitle: string },
): Promise<boolean> {
  const email = input.email.toLowerCase();
  const secret = createSecret('waitlistLink');
  const { count } = await ctx.db.waitlistEntry.createMany({
    data: {
      id: v7(),
      ticketTypeId,
      quantity,
      name,
      email,
      hash: secret.hash,
      memberId: ctx.viewer.kind === 'member' ? ctx.viewer.id : null,
      seatKeys: seatKeys.map((key) => Buffer.from(key.slice(2), 'hex')),
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
    skipDuplicates: true,
  });
  if (count === 0) return false; // keeps the existing entry, without a second email
  const leaveUrl = waitlistUrl(ctx, secret.plainText);
  await enqueueEmail(ctx, waitlistJoined({ name, email, quantity, leaveUrl, ...names }));
  return true;
}

/** Leaves the waiting list and declines an open offer. A second call changes nothing. Throws NOT_FOUND for an unknown secret. */
export async function leaveWaitlist(ctx: Context, secret: string): Promise<true> {
  const where = { hash: hashSecret(secret) };
  const entry = isWellFormedSecret('waitlistLink', secret)
    ? await ctx.db.waitlistEntry.findUnique({ where })
    : null;
  if (entry === null) throw notFound('waiting-list entry');
  await runInTransaction(ctx, async (ctx) => {
    // Withdraw first, so that no offer is made meanwhile.
    await ctx.db.waitlistEntry.updateMany({
      where: { ...where, status: { in: ['waiting', 'expired'] } },
      data: { status: 'withdrawn', updatedAt: ctx.now() },
    });
    const { orderId, status } = await ctx.db.waitlistEntry.findUniqueOrThrow({ where });
    if (status !== 'offered' || orderId === null) return;
    // Orders are locked before their entries everywhere.
    if ((await lockOrder(ctx, orderId)).status !== 'pending') return;
    await endPendingOrders(ctx, [orderId], 'cancelled');
    await ctx.db.waitlistEntry.update({
      where,
      data: { status: 'withdrawn', updatedAt: ctx.now() },
    });
  });
  return true;
}

/** Lists waiting-list entries, newest first. The caller must have checked that the viewer can see every order. */
export async function listWaitlist(
  { db }: Context,
  filter: { eventId?: string | undefined; status?: WaitlistStatus | undefined },
  page: PageRequest,
): Promise<Page<WaitlistEntry>> {
  const rows = await db.waitlistEntry.findMany({
    where: {
      ...(filter.eventId ? { ticketType: { eventId: filter.eventId } } : {}),
      ...(filter.status ? { status: filter.status } : {}),
      AND: whereOlderThanCursor(page),
    },
    orderBy: orderByNewest,
    take: page.limit + 1,
    include: { ticketType: { select: { id: true, name: true, eventId: true } } },
  });
  const entries = rows.map(({ ticketType: { eventId, ...ticketType }, ...row }) => ({
    id: row.id,
    status: row.status,
    name: row.name,
    email: row.email,
    quantity: row.quantity,
    ticketType,
    eventId,
    createdAt: row.createdAt,
  }));
  return toPage(entries, page.limit, toCreatedPosition);
}
