import type { Context } from '../../../context.ts';
import { createKeyedQueue } from '../../../core/keyed-queue.ts';
import { DomainError, RetryableConflict } from '../../../errors.ts';
import { toEmailRow } from '../../../integrations/email/outbox.ts';
import { requiresConfirmation } from '../../order-limits/types.ts';
import { toEventSubject } from '../emails/format.ts';
import {
  findMinCapacity,
  findSeatLimits,
  type SeatClaim,
  toTicketSale,
} from '../limits/seat-limits.ts';
import { seatLimitReached } from '../limits/seat-usage.ts';
import { loadOrder } from '../queries.ts';
import { expireOrders } from '../stock.ts';
import type { Order } from '../types.ts';
import {
  buildOrder,
  buildPlacedOrderEmail,
  canRequireConfirmation,
  priceOrder,
  toOrderUnits,
} from './build-order.ts';
import { insertTicketOrder, type PlaceOrderOutcome } from './insert-order.ts';
import { getOfferedEvent, type OfferedEvent } from './load-items.ts';
import {
  discountUsedUp,
  type RequestedTickets,
  type TicketOrderInput,
  validateDiscount,
  validateEventOnSale,
  validateItems,
} from './validate-order.ts';

/** Orders for one event wait for its row in the database: so many keep it busy, and the rest wait here. */
const runInEventQueue = createKeyedQueue(4);
const MAX_TICKET_ORDER_ATTEMPTS = 8;

/**
 * Orders tickets of one event. What is free is confirmed at once, or held for half an hour until an anonymous buyer
 * confirms it by mail, where the event wants that; else the tickets are held for a quarter of an hour. Throws NOT_FOUND
 * for an event that the viewer may not see; VALIDATION and CONFLICT, with a reason, for what cannot be had: SOLD_OUT,
 * SALE_CLOSED, TOO_MANY, DISCOUNT_USED_UP, SEAT_LIMIT_REACHED ...
 */
export async function placeTicketOrder(ctx: Context, input: TicketOrderInput): Promise<Order> {
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepareTicketOrder(ctx, input);
    const { event, row, seats, secret, wanted } = prepared;
    const place = () => insertTicketOrder(ctx, row, prepared.units, prepared.mail);
    const verdict = await (ctx.isInTransaction ? place() : runInEventQueue(event.id, place));
    if (verdict === 'PLACED') {
      if (prepared.mail) await ctx.triggerJob?.(ctx, 'mail.deliver');
      return loadOrder(ctx, row.id, secret);
    }
    await retryOrThrow(ctx, verdict, { attempt, event, wanted, seats });
  }
}

async function prepareTicketOrder(ctx: Context, input: TicketOrderInput) {
  const { event, discount: named } = await getOfferedEvent(ctx, input.event, input.discountCode);
  validateEventOnSale(ctx, event);
  const wanted = validateItems(ctx, event, input.items);
  const currency = wanted[0]?.type.currency ?? 'EUR';
  const discount =
    input.discountCode === undefined
      ? null
      : validateDiscount(ctx, input.discountCode, named, { eventId: event.id, currency });
  const bill = priceOrder(toOrderUnits(wanted, input.buyer), discount, currency);
  const sale = toTicketSale(event, wanted);
  const seats = {
    limits: findSeatLimits(ctx, input.buyer.email, sale),
    windowHours: event.limits.limitWindowHours,
    left: sale.left,
  };
  const { row, secret, emailSecret } = buildOrder(ctx, bill, {
    buyer: input.buyer,
    eventId: event.id,
    discountCodeId: discount?.id,
    seats,
    requiresConfirmation:
      canRequireConfirmation(ctx) &&
      requiresConfirmation(event.limits, findMinCapacity(event, wanted)),
  });
  const letter = buildPlacedOrderEmail(
    ctx,
    { row, secret, emailSecret },
    {
      orderSubject: toEventSubject(event),
      admissions: bill.units,
    },
  );
  return {
    event,
    wanted,
    seats,
    row,
    secret,
    units: bill.units,
    mail: letter && toEmailRow(letter, ctx),
  };
}

/** Where it is worth another attempt, returns; else throws why the order cannot be had. */
async function retryOrThrow(
  ctx: Context,
  verdict: Exclude<PlaceOrderOutcome, 'PLACED'>,
  {
    attempt,
    event,
    wanted,
    seats,
  }: { attempt: number; event: OfferedEvent; wanted: RequestedTickets[]; seats: SeatClaim },
): Promise<void> {
  if (verdict === 'SEAT_LIMIT_REACHED') throw await seatLimitReached(ctx, seats);
  if (verdict === 'CHANGED') {
    if (attempt === MAX_TICKET_ORDER_ATTEMPTS)
      throw new RetryableConflict(
        { reason: 'TRY_AGAIN' },
        'Too many order here at this very moment. Try again.',
      );
    return;
  }
  // What others held and did not pay for is to be had, whether timed work has come by or not.
  const where = verdict === 'SOLD_OUT' ? { eventId: event.id } : {};
  if (attempt < MAX_TICKET_ORDER_ATTEMPTS && (await expireOrders(ctx, where)) > 0) return;
  throw verdict === 'SOLD_OUT' ? await ticketsSoldOut(ctx, event, wanted) : discountUsedUp();
}

async function ticketsSoldOut(
  ctx: Context,
  event: OfferedEvent,
  wanted: RequestedTickets[],
): Promise<DomainError> {
  const { event: current } = await getOfferedEvent(ctx, event.id, undefined);
  const left = wanted.map(({ type: { id, name } }) => ({
    ticketTypeId: id,
    name,
    left: current.types.find((type) => type.id === id)?.left ?? null,
  }));
  const words = left
    .filter((one) => one.left !== null)
    .map((one) => `${one.name}: ${one.left === 0 ? 'none' : one.left} left`);
  return new DomainError(
    'CONFLICT',
    `There are not enough tickets left (${words.join('; ')}). Order fewer, or wait for some to come back.`,
    { reason: 'SOLD_OUT', left },
  );
}
