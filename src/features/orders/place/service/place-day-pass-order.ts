import type { Context } from '../../../../context.ts';
import { formatLongDate } from '../../../../core/time/format.ts';
import { findEndOfOpenDay } from '../../../../core/time/opening-hours.ts';
import { DomainError, notFound } from '../../../../errors.ts';
import {
  findAmountStep,
  requireChargeableTotal,
} from '../../../../integrations/payments/require-chargeable.ts';
import { ensureDailyStock } from '../../../day-passes/service/availability.ts';
import {
  listOfferedDayPassTypes,
  type OfferedDayPassType,
} from '../../../day-passes/service/day-pass-types.ts';
import { requiresConfirmation } from '../../../order-limits/types.ts';
import { findSeatLimits, type LimitedSale } from '../../limits/seat-limits.ts';
import type { Attendee, Order } from '../../types.ts';
import {
  buildOrder,
  canRequireConfirmation,
  isPaidAtFrontDesk,
  priceOrder,
} from '../build-order.ts';
import { findFrontDeskHold } from '../front-desk-hold.ts';
import { findDiscount } from '../load-items.ts';
import { type PreparedOrder, placeOrder } from '../place-order.ts';
import {
  type DayPassOrderInput,
  findDiscountUsedUp,
  orderRejected,
  validateDiscount,
} from '../validate-order.ts';

const MAX_DAY_PASS_ORDER_ATTEMPTS = 4;

/**
 * Orders day passes for one date. Free orders are confirmed as in `placeTicketOrder`. Others hold their passes as in
 * `findFrontDeskHold`, or for 15 minutes if they are paid online. `toResult` is as in `placeTicketOrder`.
 *
 * @throws NOT_FOUND for an unknown day pass type
 * @throws VALIDATION (DATE_PAST, TOO_FAR_AHEAD, CLOSED, TOO_EXPENSIVE, BELOW_MINIMUM_CHARGE,
 *   AMOUNT_NOT_CHARGEABLE or a DISCOUNT_ reason)
 * @throws CONFLICT (INACTIVE, SOLD_OUT, DISCOUNT_USED_UP, SEAT_LIMIT_REACHED or TRY_AGAIN)
 *
 * @example
 * const order = await placeDayPassOrder(ctx, { buyer, dayPassTypeId, validOn: '2026-03-20' });
 */
export const placeDayPassOrder = <Result = Order>(
  ctx: Context,
  input: DayPassOrderInput,
  toResult?: (order: Order) => Result,
): Promise<Result> =>
  placeOrder(ctx, {
    prepare: () => prepareDayPassOrder(ctx, input),
    toResult,
    maxAttempts: MAX_DAY_PASS_ORDER_ATTEMPTS,
  });

async function prepareDayPassOrder(
  ctx: Context,
  { buyer, validOn, holders, ...input }: DayPassOrderInput,
): Promise<PreparedOrder> {
  const type = await getSellableDayPassType(ctx, input.dayPassTypeId, validOn);
  const { amount: unitPrice, currency } = type.price;
  const discount =
    input.discountCode === undefined
      ? null
      : validateDiscount(ctx, input.discountCode, await findDiscount(ctx, input.discountCode), {
          eventId: null,
          currency,
        });
  const people: Attendee[] = holders && holders.length > 0 ? holders : [buyer];
  const requested = people.map((person) => ({ itemId: type.id, unitPrice, person }));
  const pricing = priceOrder(requested, discount, currency, findAmountStep(ctx, currency));
  requireChargeableTotal(ctx, { amount: pricing.totalAmount, currency });
  const sale = toDayPassSale(type, validOn);
  const seats = {
    limits: findSeatLimits(ctx, buyer.email, sale),
    windowHours: sale.limits.limitWindowHours,
    left: sale.left,
  };
  const { row, secret } = buildOrder(ctx, pricing, {
    buyer,
    eventId: null,
    discountCodeId: discount?.id,
    seatKeys: seats.limits.map(({ key }) => key),
    requiresConfirmation:
      canRequireConfirmation(ctx) && requiresConfirmation(sale.limits, sale.capacity),
    frontDeskHold: isPaidAtFrontDesk(ctx, pricing)
      ? await findFrontDeskHold(ctx, {
          ...{ locationId: type.location.id, limits: type.limits },
          findLatest: (desk) => findEndOfOpenDay(desk, validOn),
        })
      : null,
  });
  await ensureDailyStock(ctx, type.id, validOn);
  return {
    order: { row, units: pricing.units, seats },
    secret,
    shared: { date: validOn },
    seats,
    competing: {},
    findSoldOutError: () => findDayPassesSoldOut(ctx, type, validOn, requested.length),
    findUsedUpError: () => findDiscountUsedUp(ctx, discount),
  };
}

const DATE_FIELD = { fields: ['validOn'] };

async function getSellableDayPassType(
  ctx: Context,
  id: string,
  date: string,
): Promise<OfferedDayPassType> {
  const [type] = await listOfferedDayPassTypes(ctx, { ids: [id], date });
  if (type === undefined) throw notFound('day pass type');
  const locationName = type.location.name;
  const day = formatLongDate(date);
  switch (type.reason) {
    case 'INACTIVE':
      throw orderRejected(
        `${type.name} is no longer for sale. Choose another day pass.`,
        'INACTIVE',
        'CONFLICT',
      );
    case 'DATE_PAST':
      throw orderRejected(
        `${day} is in the past at ${locationName}. Choose today or a later date.`,
        'DATE_PAST',
        'VALIDATION',
        DATE_FIELD,
      );
    case 'TOO_FAR_AHEAD':
      throw orderRejected(
        `Day passes for ${day} are not on sale yet. Choose an earlier date.`,
        'TOO_FAR_AHEAD',
        'VALIDATION',
        DATE_FIELD,
      );
    case 'CLOSED':
      throw orderRejected(
        `${locationName} is closed on ${day}, or has already closed for the day. Choose another date.`,
        'CLOSED',
        'VALIDATION',
        DATE_FIELD,
      );
    default:
      return type; // SOLD_OUT is decided when the order is placed, after expired holds are released
  }
}

/** Returns null if there are enough now. */
async function findDayPassesSoldOut(
  ctx: Context,
  { id, name, location }: OfferedDayPassType,
  date: string,
  quantity: number,
): Promise<DomainError | null> {
  const [current] = await listOfferedDayPassTypes(ctx, { ids: [id], date });
  if (current && (current.left ?? Number.POSITIVE_INFINITY) >= quantity) return null;
  return new DomainError(
    'CONFLICT',
    `There are not enough day passes left (${name} at ${location.name} on ${formatLongDate(date)}). Choose another date, or fewer passes.`,
    { reason: 'SOLD_OUT' },
  );
}

/** Used for the default limits, since day pass types have no limit per order. */
const DEFAULT_MAX_DAY_PASSES_PER_ORDER = 10;

/** The order limits count day passes separately for each type and date. */
const toDayPassSale = (type: OfferedDayPassType, validOn: string): LimitedSale => ({
  target: `${type.id} ${validOn}`,
  limits: type.limits,
  capacity: type.dailyCapacity,
  left: type.left,
  maxPerOrder: DEFAULT_MAX_DAY_PASSES_PER_ORDER,
});
