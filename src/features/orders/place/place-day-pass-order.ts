import type { Context } from '../../../context.ts';
import { createKeyedQueue } from '../../../core/keyed-queue.ts';
import { DomainError, notFound, RetryableConflict } from '../../../errors.ts';
import { toEmailRow } from '../../../integrations/email/outbox.ts';
import { type DayPassType, ensureDailyStock, listDayPassTypes } from '../../day-passes/service.ts';
import { requiresConfirmation } from '../../order-limits/types.ts';
import { toDayPassSubject } from '../emails/format.ts';
import { findSeatLimits, type LimitedSale } from '../limits/seat-limits.ts';
import { seatLimitReached } from '../limits/seat-usage.ts';
import { loadOrder } from '../queries.ts';
import { expireOrders } from '../stock.ts';
import type { Order } from '../types.ts';
import {
  buildOrder,
  buildPlacedOrderEmail,
  canRequireConfirmation,
  priceOrder,
} from './build-order.ts';
import { insertDayPassOrder } from './insert-order.ts';
import { findDiscount } from './load-items.ts';
import {
  type Attendee,
  type DayPassOrderInput,
  discountUsedUp,
  orderRejected,
  validateDiscount,
} from './validate-order.ts';

const runInDayQueue = createKeyedQueue();
const MAX_DAY_PASS_ORDER_ATTEMPTS = 4;

/**
 * Orders day passes for one date. Free orders are confirmed as for tickets; the others hold their passes for 15 minutes.
 *
 * @throws NOT_FOUND for an unknown day pass type
 * @throws VALIDATION (DATE_PAST, TOO_FAR_AHEAD, CLOSED, TOO_EXPENSIVE or a DISCOUNT_ reason)
 * @throws CONFLICT (INACTIVE, SOLD_OUT, DISCOUNT_USED_UP, SEAT_LIMIT_REACHED or TRY_AGAIN)
 */
export async function placeDayPassOrder(ctx: Context, input: DayPassOrderInput): Promise<Order> {
  for (let attempt = 1; ; attempt += 1) {
    const { type, seats, row, secret, units, email } = await prepareDayPassOrder(ctx, input);
    const place = () => insertDayPassOrder(ctx, row, units, email);
    const outcome = await (ctx.isInTransaction
      ? place()
      : runInDayQueue(`${type.id} ${input.validOn}`, place));
    if (outcome === 'PLACED') {
      if (email) await ctx.triggerJob?.(ctx, 'mail.deliver');
      return loadOrder(ctx, row.id, secret);
    }
    if (outcome === 'SEAT_LIMIT_REACHED') throw await seatLimitReached(ctx, seats);
    if (outcome === 'CHANGED') {
      if (attempt === MAX_DAY_PASS_ORDER_ATTEMPTS)
        throw new RetryableConflict(
          { reason: 'TRY_AGAIN' },
          'Many people are ordering at this moment. Try again.',
        );
    } else if (attempt === MAX_DAY_PASS_ORDER_ATTEMPTS || (await expireOrders(ctx)) === 0) {
      throw outcome === 'SOLD_OUT' ? dayPassesSoldOut(type, input.validOn) : discountUsedUp();
    }
  }
}

async function prepareDayPassOrder(
  ctx: Context,
  { buyer, validOn, holders, ...input }: DayPassOrderInput,
) {
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
  const requested = people.map((person) => ({ typeId: type.id, validOn, unitPrice, person }));
  const pricing = priceOrder(requested, discount, currency);
  const sale = toDayPassSale(type, validOn);
  const seats = {
    limits: findSeatLimits(ctx, buyer.email, sale),
    windowHours: sale.limits.limitWindowHours,
    left: sale.left,
  };
  const { row, secret, emailSecret } = buildOrder(ctx, pricing, {
    buyer,
    eventId: null,
    discountCodeId: discount?.id,
    seats,
    requiresConfirmation:
      canRequireConfirmation(ctx) && requiresConfirmation(sale.limits, sale.capacity),
  });
  await ensureDailyStock(ctx, type.id, validOn);
  const email = buildPlacedOrderEmail(
    ctx,
    { row, secret, emailSecret },
    {
      orderSubject: toDayPassSubject({
        name: type.name,
        validOn,
        locationName: type.location.name,
      }),
      admissions: pricing.units,
    },
  );
  return { type, seats, row, secret, units: pricing.units, email: email && toEmailRow(email, ctx) };
}

async function getSellableDayPassType(
  ctx: Context,
  id: string,
  date: string,
): Promise<DayPassType> {
  const [type] = await listDayPassTypes(ctx, { ids: [id], date });
  if (type === undefined) throw notFound('day pass type');
  const locationName = type.location.name;
  switch (type.reason) {
    case 'INACTIVE':
      throw orderRejected(
        `${type.name} is no longer for sale. Choose another day pass.`,
        'INACTIVE',
        'CONFLICT',
      );
    case 'DATE_PAST':
      throw orderRejected(
        `valid_on: ${date} is in the past at ${locationName}. Choose today or a later date.`,
        'DATE_PAST',
      );
    case 'TOO_FAR_AHEAD':
      throw orderRejected(
        `valid_on: Day passes for ${date} are not on sale yet. Choose an earlier date.`,
        'TOO_FAR_AHEAD',
      );
    case 'CLOSED':
      throw orderRejected(
        `valid_on: ${locationName} is closed on ${date}, or has already closed for the day. Choose another date.`,
        'CLOSED',
      );
    default:
      return type; // placing the order decides about SOLD_OUT, after it has released expired holds
  }
}

const dayPassesSoldOut = ({ name, location }: DayPassType, date: string) =>
  new DomainError(
    'CONFLICT',
    `There are not enough day passes left (${name} at ${location.name} on ${date}). Choose another date, or fewer passes.`,
    { reason: 'SOLD_OUT' },
  );

/** Assumed for the default limits, because day pass types have no limit for one order. */
const DEFAULT_MAX_DAY_PASSES_PER_ORDER = 10;

/** The order limits count day passes separately for each type and date. */
const toDayPassSale = (type: DayPassType, validOn: string): LimitedSale => ({
  target: `${type.id} ${validOn}`,
  limits: type.limits,
  capacity: type.dailyCapacity,
  left: type.left,
  maxPerOrder: DEFAULT_MAX_DAY_PASSES_PER_ORDER,
});
