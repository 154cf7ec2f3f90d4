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
 * Orders day passes for one date. What is free is confirmed as tickets are; else the passes are held for a quarter of an
 * hour. Throws NOT_FOUND for the type; VALIDATION and CONFLICT, with a reason, for what cannot be had: DATE_PAST,
 * TOO_FAR_AHEAD, CLOSED, SOLD_OUT, DISCOUNT_USED_UP, SEAT_LIMIT_REACHED ...
 */
export async function placeDayPassOrder(ctx: Context, input: DayPassOrderInput): Promise<Order> {
  for (let attempt = 1; ; attempt += 1) {
    const { type, seats, row, secret, units, mail } = await prepareDayPassOrder(ctx, input);
    const place = () => insertDayPassOrder(ctx, row, units, mail);
    const verdict = await (ctx.isInTransaction
      ? place()
      : runInDayQueue(`${type.id} ${input.validOn}`, place));
    if (verdict === 'PLACED') {
      if (mail) await ctx.triggerJob?.(ctx, 'mail.deliver');
      return loadOrder(ctx, row.id, secret);
    }
    if (verdict === 'SEAT_LIMIT_REACHED') throw await seatLimitReached(ctx, seats);
    if (verdict === 'CHANGED') {
      if (attempt === MAX_DAY_PASS_ORDER_ATTEMPTS)
        throw new RetryableConflict(
          { reason: 'TRY_AGAIN' },
          'Too many order here at this very moment. Try again.',
        );
    } else if (attempt === MAX_DAY_PASS_ORDER_ATTEMPTS || (await expireOrders(ctx)) === 0) {
      throw verdict === 'SOLD_OUT' ? dayPassesSoldOut(type, input.validOn) : discountUsedUp();
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
  const wanted = people.map((person) => ({ typeId: type.id, validOn, unitPrice, person }));
  const bill = priceOrder(wanted, discount, currency);
  const sale = toDayPassSale(type, validOn);
  const seats = {
    limits: findSeatLimits(ctx, buyer.email, sale),
    windowHours: sale.limits.limitWindowHours,
    left: sale.left,
  };
  const { row, secret, emailSecret } = buildOrder(ctx, bill, {
    buyer,
    eventId: null,
    discountCodeId: discount?.id,
    seats,
    requiresConfirmation:
      canRequireConfirmation(ctx) && requiresConfirmation(sale.limits, sale.capacity),
  });
  await ensureDailyStock(ctx, type.id, validOn);
  const letter = buildPlacedOrderEmail(
    ctx,
    { row, secret, emailSecret },
    {
      orderSubject: toDayPassSubject({ name: type.name, validOn, place: type.location.name }),
      admissions: bill.units,
    },
  );
  return { type, seats, row, secret, units: bill.units, mail: letter && toEmailRow(letter, ctx) };
}

async function getSellableDayPassType(
  ctx: Context,
  id: string,
  date: string,
): Promise<DayPassType> {
  const [type] = await listDayPassTypes(ctx, { ids: [id], date });
  if (type === undefined) throw notFound('day pass type');
  const place = type.location.name;
  switch (type.reason) {
    case 'INACTIVE':
      throw orderRejected(`${type.name} is not sold any more.`, 'INACTIVE', 'CONFLICT');
    case 'DATE_PAST':
      throw orderRejected(
        `valid_on: ${date} is over at ${place}. Choose today or a later day.`,
        'DATE_PAST',
      );
    case 'TOO_FAR_AHEAD':
      throw orderRejected(
        `valid_on: ${date} is too far ahead. Choose an earlier day.`,
        'TOO_FAR_AHEAD',
      );
    case 'CLOSED':
      throw orderRejected(
        `valid_on: ${place} is closed on ${date}, or has closed for that day. Choose another day.`,
        'CLOSED',
      );
    default:
      return type; // SOLD_OUT is decided when it is placed: holds may have run out
  }
}

const dayPassesSoldOut = ({ name, location }: DayPassType, date: string) =>
  new DomainError(
    'CONFLICT',
    `There are not enough passes left (${name} at ${location.name} on ${date}). Choose another day, or fewer.`,
    { reason: 'SOLD_OUT' },
  );

/** As many as one person orders for a group. */
const DEFAULT_MAX_DAY_PASSES_PER_ORDER = 10;

/** Day passes of a type are counted for each date by itself. */
const toDayPassSale = (type: DayPassType, validOn: string): LimitedSale => ({
  target: `${type.id} ${validOn}`,
  limits: type.limits,
  capacity: type.dailyCapacity,
  left: type.left,
  maxPerOrder: DEFAULT_MAX_DAY_PASSES_PER_ORDER,
});
