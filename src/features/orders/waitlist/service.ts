import { v7 } from 'uuid';
import { hashSecret, isWellFormed, makeSecret } from '../../../auth/secrets.ts';
import { type Ctx, inTransaction } from '../../../context.ts';
import type { WaitlistStatus } from '../../../db/generated/enums.ts';
import { DomainError, notFound } from '../../../errors.ts';
import * as outbox from '../../../mail/outbox.ts';
import {
  createdPosition,
  newestFirst,
  olderThan,
  type Page,
  type PageRequest,
  pageOf,
} from '../../../page.ts';
import { waitlistUrl } from '../addresses.ts';
import { joined } from '../letters/waitlist.ts';
import { findSeatLimits, toWaitlistLimits } from '../limits/subjects.ts';
import { findTypeCapacity, toTicketSale } from '../limits/ticket-sale.ts';
import { returnSeats, takeSeats } from '../limits/usage.ts';
import { lockOrder } from '../lock.ts';
import { basketOf } from '../place/basket.ts';
import { checkEvent, checkItems, refused } from '../place/check.ts';
import { endHolds } from '../stock/expire.ts';

interface WaitlistInput {
  ticketTypeId: string;
  name: string;
  email: string;
  quantity: number;
}

/** Somebody who waits for tickets that are sold out. */
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
 * Joins the waiting list of a ticket type; the answer is the same for who waits already. Throws NOT_FOUND; CONFLICT,
 * reason STILL_AVAILABLE, while there are tickets, SEAT_LIMIT_REACHED; and what an order of the same tickets would be refused for.
 */
export async function join(
  ctx: Ctx,
  input: WaitlistInput,
): Promise<Pick<WaitlistInput, 'ticketTypeId' | 'quantity'>> {
  const { ticketTypeId, quantity } = input;
  const type = await ctx.db.ticketType.findUnique({ where: { id: ticketTypeId } });
  if (type === null) throw notFound('ticket type');
  await inTransaction(ctx, async (ctx) => {
    // Nothing comes back meanwhile: what does so later, finds this place on the list.
    await ctx.db.$queryRaw`SELECT 1 FROM events WHERE id = ${type.eventId}::uuid FOR NO KEY UPDATE`;
    const { event } = await basketOf(ctx, type.eventId, undefined).catch((error) => {
      // As if it were not there at all.
      throw error instanceof DomainError && error.code === 'NOT_FOUND'
        ? notFound('ticket type')
        : error;
    });
    checkEvent(ctx, event);
    const [wanted] = checkItems(ctx, event, [{ ticketTypeId, quantity }]);
    const left = wanted?.type.left ?? Number.POSITIVE_INFINITY;
    if (left >= quantity) {
      throw refused(
        `There are tickets left of ${type.name}: order them right away.`,
        'STILL_AVAILABLE',
        'CONFLICT',
        { left: wanted?.type.left ?? null },
      );
    }
    const limits = wanted
      ? toWaitlistLimits(
          findSeatLimits(ctx, input.email, toTicketSale(event, [wanted])),
          findTypeCapacity(event, wanted),
        )
      : [];
    const seatKeys = limits.map(({ key }) => key);
    // First: whether somebody with this address waits already is nobody's business.
    await takeSeats(ctx, limits, { seats: quantity, windowHours: event.limits.limitWindowHours });
    const names = { typeName: type.name, eventTitle: event.title };
    if (!(await enter(ctx, input, seatKeys, names))) await returnSeats(ctx, seatKeys, quantity);
  });
  return { ticketTypeId, quantity };
}

/** Whether a place was added to the list. */
async function enter(
  ctx: Ctx,
  { ticketTypeId, quantity, name, ...input }: WaitlistInput,
  seatKeys: string[],
  names: { typeName: string; eventTitle: string },
): Promise<boolean> {
  const email = input.email.toLowerCase();
  const secret = makeSecret('waitlistLink');
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
  if (count === 0) return false; // who waits already keeps the place and gets no second mail
  const leaveUrl = waitlistUrl(ctx, secret.plainText);
  await outbox.send(ctx, joined({ name, email, quantity, leaveUrl, ...names }));
  return true;
}

/** Leaves the list, and gives up an offer that is open. Twice is once. Throws NOT_FOUND for an unknown secret. */
export async function leave(ctx: Ctx, secret: string): Promise<true> {
  const where = { hash: hashSecret(secret) };
  const entry = isWellFormed('waitlistLink', secret)
    ? await ctx.db.waitlistEntry.findUnique({ where })
    : null;
  if (entry === null) throw notFound('place on a waiting list');
  await inTransaction(ctx, async (ctx) => {
    // First: from now on nobody makes an offer of it.
    await ctx.db.waitlistEntry.updateMany({
      where: { ...where, status: { in: ['waiting', 'expired'] } },
      data: { status: 'withdrawn', updatedAt: ctx.now() },
    });
    const { orderId, status } = await ctx.db.waitlistEntry.findUniqueOrThrow({ where });
    if (status !== 'offered' || orderId === null) return;
    // The order first, as everywhere.
    if ((await lockOrder(ctx, orderId)).status !== 'pending') return;
    await endHolds(ctx, [orderId], 'cancelled');
    await ctx.db.waitlistEntry.update({
      where,
      data: { status: 'withdrawn', updatedAt: ctx.now() },
    });
  });
  return true;
}

/** Of one event, newest first. Callers see to it that these may see every order. */
export async function list(
  { db }: Ctx,
  filter: { eventId?: string | undefined; status?: WaitlistStatus | undefined },
  page: PageRequest,
): Promise<Page<WaitlistEntry>> {
  const rows = await db.waitlistEntry.findMany({
    where: {
      ...(filter.eventId ? { ticketType: { eventId: filter.eventId } } : {}),
      ...(filter.status ? { status: filter.status } : {}),
      AND: olderThan(page),
    },
    orderBy: newestFirst,
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
  return pageOf(entries, page.limit, createdPosition);
}
