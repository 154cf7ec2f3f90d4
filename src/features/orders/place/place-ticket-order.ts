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

/** Orders for one event wait for its row in the database. Four at a time keep it busy; the rest wait here. */
const runInEventQueue = createKeyedQueue(4);
const MAX_TICKET_ORDER_ATTEMPTS = 8;

/**
 * Orders tickets of one event. Free orders are confirmed at once; if the event requires it, anonymous buyers have 30
 * minutes to confirm them by email. The others hold their tickets for 15 minutes.
 *
 * @throws NOT_FOUND for an event that the viewer cannot see
 * @throws VALIDATION (SALE_NOT_OPEN, SALE_CLOSED, TOO_MANY, MEMBERS_ONLY, TICKET_TYPE_UNKNOWN, TOO_EXPENSIVE, a
 *   DISCOUNT_ reason and others of `validateItems`)
 * @throws CONFLICT (SOLD_OUT, EVENT_CANCELLED, EVENT_OVER, DISCOUNT_USED_UP, SEAT_LIMIT_REACHED or TRY_AGAIN)
 */
export async function placeTicketOrder(ctx: Context, input: TicketOrderInput): Promise<Order> {
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepareTicketOrder(ctx, input);
    const { event, row, seats, secret, requested } = prepared;
    const place = () => insertTicketOrder(ctx, row, prepared.units, prepared.email);
    const outcome = await (ctx.isInTransaction ? place() : runInEventQueue(event.id, place));
    if (outcome === 'PLACED') {
      if (prepared.email) await ctx.triggerJob?.(ctx, 'mail.deliver');
      return loadOrder(ctx, row.id, secret);
    }
    await retryOrThrow(ctx, outcome, { attempt, event, requested, seats });
  }
}

async function prepareTicketOrder(ctx: Context, input: TicketOrderInput) {
  const { event, discount: offered } = await getOfferedEvent(ctx, input.event, input.discountCode);
  validateEventOnSale(ctx, event);
  const requested = validateItems(ctx, event, input.items);
  const currency = requested[0]?.type.currency ?? 'EUR';
  const discount =
    input.discountCode === undefined
      ? null
      : validateDiscount(ctx, input.discountCode, offered, { eventId: event.id, currency });
  const pricing = priceOrder(toOrderUnits(requested, input.buyer), discount, currency);
  const sale = toTicketSale(event, requested);
  const seats = {
    limits: findSeatLimits(ctx, input.buyer.email, sale),
    windowHours: event.limits.limitWindowHours,
    left: sale.left,
  };
  const { row, secret, emailSecret } = buildOrder(ctx, pricing, {
    buyer: input.buyer,
    eventId: event.id,
    discountCodeId: discount?.id,
    seats,
    requiresConfirmation:
      canRequireConfirmation(ctx) &&
      requiresConfirmation(event.limits, findMinCapacity(event, requested)),
  });
  const email = buildPlacedOrderEmail(
    ctx,
    { row, secret, emailSecret },
    {
      orderSubject: toEventSubject(event),
      admissions: pricing.units,
    },
  );
  return {
    event,
    requested,
    seats,
    row,
    secret,
    units: pricing.units,
    email: email && toEmailRow(email, ctx),
  };
}

/** Returns if another attempt can succeed; else throws why the order was rejected. */
async function retryOrThrow(
  ctx: Context,
  outcome: Exclude<PlaceOrderOutcome, 'PLACED'>,
  {
    attempt,
    event,
    requested,
    seats,
  }: { attempt: number; event: OfferedEvent; requested: RequestedTickets[]; seats: SeatClaim },
): Promise<void> {
  if (outcome === 'SEAT_LIMIT_REACHED') throw await seatLimitReached(ctx, seats);
  if (outcome === 'CHANGED') {
    if (attempt === MAX_TICKET_ORDER_ATTEMPTS)
      throw new RetryableConflict(
        { reason: 'TRY_AGAIN' },
        'Many people are ordering at this moment. Try again.',
      );
    return;
  }
  // Release expired holds now rather than wait for the job.
  const where = outcome === 'SOLD_OUT' ? { eventId: event.id } : {};
  if (attempt < MAX_TICKET_ORDER_ATTEMPTS && (await expireOrders(ctx, where)) > 0) return;
  throw outcome === 'SOLD_OUT' ? await ticketsSoldOut(ctx, event, requested) : discountUsedUp();
}

async function ticketsSoldOut(
  ctx: Context,
  event: OfferedEvent,
  requested: RequestedTickets[],
): Promise<DomainError> {
  const { event: current } = await getOfferedEvent(ctx, event.id, undefined);
  const left = requested.map(({ type: { id, name } }) => ({
    ticketTypeId: id,
    name,
    left: current.types.find((type) => type.id === id)?.left ?? null,
  }));
  const counts = left
    .filter((type) => type.left !== null)
    .map((type) => `${type.name}: ${type.left === 0 ? 'none' : type.left} left`);
  return new DomainError(
    'CONFLICT',
    `There are not enough tickets left (${counts.join('; ')}). Order fewer, or join the waiting list.`,
    { reason: 'SOLD_OUT', left },
  );
}
