import type { Context } from '../../../../context.ts';
import { DomainError } from '../../../../errors.ts';
import {
  findAmountStep,
  requireChargeableTotal,
} from '../../../../integrations/payments/require-chargeable.ts';
import { requiresConfirmation } from '../../../order-limits/types.ts';
import { findSeatLimits } from '../../limits/seat-limits.ts';
import type { Order } from '../../types.ts';
import {
  buildOrder,
  canRequireConfirmation,
  isPaidAtFrontDesk,
  priceOrder,
  toOrderUnits,
} from '../build-order.ts';
import { findFrontDeskHold } from '../front-desk-hold.ts';
import {
  findMinCapacity,
  getOfferedEvent,
  type OfferedEvent,
  toTicketSale,
} from '../load-items.ts';
import { type PreparedOrder, placeOrder } from '../place-order.ts';
import {
  findDiscountUsedUp,
  type RequestedTickets,
  type TicketOrderInput,
  validateDiscount,
  validateEventOnSale,
  validateItems,
} from '../validate-order.ts';

const MAX_TICKET_ORDER_ATTEMPTS = 8;

/**
 * Orders tickets of one event. Free orders are confirmed immediately, unless the event requires anonymous buyers to
 * confirm them by email within 30 minutes. Orders with a price hold their tickets as in `findFrontDeskHold`, or for 15 minutes if
 * they are paid online. `toResult` converts the order to what the API returns: with an idempotency key, the transaction that places
 * the order also stores the response.
 *
 * @throws NOT_FOUND for an event that the viewer cannot see
 * @throws VALIDATION (SALE_NOT_OPEN, SALE_CLOSED, TOO_MANY, MEMBERS_ONLY, TICKET_TYPE_UNKNOWN, TOO_EXPENSIVE,
 *   BELOW_MINIMUM_CHARGE, AMOUNT_NOT_CHARGEABLE, a DISCOUNT_ reason and others of `validateItems`)
 * @throws CONFLICT (SOLD_OUT, EVENT_CANCELLED, EVENT_OVER, DISCOUNT_USED_UP, SEAT_LIMIT_REACHED or TRY_AGAIN)
 *
 * @example
 * const order = await placeTicketOrder(ctx, {
 *   ...{ event: 'open-house', buyer: { name: 'Nora Lind', email: 'nora@example.org' } },
 *   items: [{ ticketTypeId, quantity: 2 }],
 * });
 */
export const placeTicketOrder = <Result = Order>(
  ctx: Context,
  input: TicketOrderInput,
  toResult?: (order: Order) => Result,
): Promise<Result> =>
  placeOrder(ctx, {
    prepare: () => prepareTicketOrder(ctx, input),
    toResult,
    maxAttempts: MAX_TICKET_ORDER_ATTEMPTS,
  });

async function prepareTicketOrder(ctx: Context, input: TicketOrderInput): Promise<PreparedOrder> {
  const { event, discount: offered } = await getOfferedEvent(ctx, input.event, input.discountCode);
  validateEventOnSale(ctx, event);
  const requested = validateItems(ctx, event, input.items);
  const currency = requested[0]?.type.currency ?? 'EUR';
  const discount =
    input.discountCode === undefined
      ? null
      : validateDiscount(ctx, input.discountCode, offered, { eventId: event.id, currency });
  const units = toOrderUnits(requested, input.buyer);
  const pricing = priceOrder(units, discount, currency, findAmountStep(ctx, currency));
  requireChargeableTotal(ctx, { amount: pricing.totalAmount, currency });
  const sale = toTicketSale(event, requested);
  const seats = {
    limits: findSeatLimits(ctx, input.buyer.email, sale),
    windowHours: event.limits.limitWindowHours,
    left: sale.left,
  };
  const { row, secret } = buildOrder(ctx, pricing, {
    buyer: input.buyer,
    eventId: event.id,
    discountCodeId: discount?.id,
    seatKeys: seats.limits.map(({ key }) => key),
    requiresConfirmation:
      canRequireConfirmation(ctx) &&
      requiresConfirmation(event.limits, findMinCapacity(event, requested)),
    frontDeskHold: isPaidAtFrontDesk(ctx, pricing)
      ? await findFrontDeskHold(ctx, { ...event, findLatest: () => Date.parse(event.startsAt) })
      : null,
  });
  return {
    order: { row, units: pricing.units, seats, startsAt: event.startsAt },
    secret,
    shared: { eventId: event.id },
    seats,
    competing: { eventId: event.id },
    findSoldOutError: () => findTicketsSoldOut(ctx, event, requested),
    findUsedUpError: () => findDiscountUsedUp(ctx, discount),
  };
}

/** Returns the error with the numbers that are left, or null if there are enough. */
async function findTicketsSoldOut(
  ctx: Context,
  event: OfferedEvent,
  requested: RequestedTickets[],
): Promise<DomainError | null> {
  const { event: current } = await getOfferedEvent(ctx, event.id, undefined);
  if (hasEnoughTickets(current, requested)) return null;
  const left = requested.map(({ type: { id, name } }) => ({
    ticketTypeId: id,
    name,
    left: current.types.find((type) => type.id === id)?.left ?? null,
  }));
  const counts = left
    .filter((type) => type.left !== null)
    .map((type) => `${type.name}: ${type.left === 0 ? 'none' : type.left} left`);
  const isAnyLeft = left.some(({ left }) => left !== 0);
  return new DomainError(
    'CONFLICT',
    `There are not enough tickets left (${counts.join('; ')}). ${isAnyLeft ? 'Order fewer, or join' : 'Join'} the waiting list.`,
    { reason: 'SOLD_OUT', left },
  );
}

function hasEnoughTickets({ left, types }: OfferedEvent, requested: RequestedTickets[]): boolean {
  const isEnough = (left: number | null | undefined, quantity: number) =>
    (left ?? Number.POSITIVE_INFINITY) >= quantity;
  const total = requested.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    isEnough(left, total) &&
    requested.every(({ type: { id }, quantity }) =>
      isEnough(types.find((type) => type.id === id)?.left, quantity),
    )
  );
}
