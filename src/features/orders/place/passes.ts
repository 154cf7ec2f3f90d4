import type { Ctx } from '../../../context.ts';
import { DomainError, notFound, Overtaken } from '../../../errors.ts';
import * as outbox from '../../../mail/outbox.ts';
import { turns } from '../../../turns.ts';
import { stockDay } from '../../day-passes/days.ts';
import { type DayPassType, dayPassTypesOn } from '../../day-passes/service.ts';
import { passOccasion } from '../letters/words.ts';
import { toPassSale } from '../limits/pass-sale.ts';
import { requiresConfirmation } from '../limits/settings.ts';
import { findSeatLimits } from '../limits/subjects.ts';
import { seatLimitReached } from '../limits/usage.ts';
import type { Order } from '../order.ts';
import { read } from '../service.ts';
import { giveBackExpired } from '../stock/expire.ts';
import { discountNamed } from './basket.ts';
import { billFor } from './bill.ts';
import { checkDiscount, discountUsedUp, refused } from './check.ts';
import { canRequireConfirmation, placedLetter } from './letter.ts';
import type { Attendee, DayPassOrderInput } from './request.ts';
import { newOrder } from './row.ts';
import { insertPassOrder } from './statement.ts';

const inTurn = turns();
const ATTEMPTS = 4;

/**
 * Orders day passes for one date. What is free is confirmed as tickets are; else the passes are held for a quarter of an
 * hour. Throws NOT_FOUND for the type; VALIDATION and CONFLICT, with a reason, for what cannot be had: DATE_PAST,
 * TOO_FAR_AHEAD, CLOSED, SOLD_OUT, DISCOUNT_USED_UP, SEAT_LIMIT_REACHED ...
 */
export async function placePasses(ctx: Ctx, input: DayPassOrderInput): Promise<Order> {
  for (let attempt = 1; ; attempt += 1) {
    const { type, seats, row, secret, units, mail } = await prepare(ctx, input);
    const place = () => insertPassOrder(ctx, row, units, mail);
    const verdict = await (ctx.atomic ? place() : inTurn(`${type.id} ${input.validOn}`, place));
    if (verdict === 'PLACED') {
      if (mail) await ctx.wake?.(ctx, 'mail.deliver');
      return read(ctx, row.id, secret);
    }
    if (verdict === 'SEAT_LIMIT_REACHED') throw await seatLimitReached(ctx, seats);
    if (verdict === 'CHANGED') {
      if (attempt === ATTEMPTS)
        throw new Overtaken(
          { reason: 'TRY_AGAIN' },
          'Too many order here at this very moment. Try again.',
        );
    } else if (attempt === ATTEMPTS || (await giveBackExpired(ctx)) === 0) {
      throw verdict === 'SOLD_OUT' ? soldOut(type, input.validOn) : discountUsedUp();
    }
  }
}

async function prepare(ctx: Ctx, { buyer, validOn, holders, ...input }: DayPassOrderInput) {
  const type = await offeredOn(ctx, input.dayPassTypeId, validOn);
  const { amount: unitPrice, currency } = type.price;
  const discount =
    input.discountCode === undefined
      ? null
      : checkDiscount(ctx, input.discountCode, await discountNamed(ctx, input.discountCode), {
          eventId: null,
          currency,
        });
  const people: Attendee[] = holders && holders.length > 0 ? holders : [buyer];
  const wanted = people.map((person) => ({ typeId: type.id, validOn, unitPrice, person }));
  const bill = billFor(wanted, discount, currency);
  const sale = toPassSale(type, validOn);
  const seats = {
    limits: findSeatLimits(ctx, buyer.email, sale),
    windowHours: sale.limits.limitWindowHours,
    left: sale.left,
  };
  const { row, secret, mailSecret } = newOrder(ctx, bill, {
    buyer,
    eventId: null,
    discountCodeId: discount?.id,
    seats,
    requiresConfirmation:
      canRequireConfirmation(ctx) && requiresConfirmation(sale.limits, sale.capacity),
  });
  await stockDay(ctx, type.id, validOn);
  const letter = placedLetter(
    ctx,
    { row, secret, mailSecret },
    {
      occasion: passOccasion({ name: type.name, validOn, place: type.location.name }),
      admissions: bill.units,
    },
  );
  return { type, seats, row, secret, units: bill.units, mail: letter && outbox.rowOf(letter, ctx) };
}

async function offeredOn(ctx: Ctx, id: string, date: string): Promise<DayPassType> {
  const [type] = await dayPassTypesOn(ctx, { ids: [id], date });
  if (type === undefined) throw notFound('day pass type');
  const place = type.location.name;
  switch (type.reason) {
    case 'INACTIVE':
      throw refused(`${type.name} is not sold any more.`, 'INACTIVE', 'CONFLICT');
    case 'DATE_PAST':
      throw refused(
        `valid_on: ${date} is over at ${place}. Choose today or a later day.`,
        'DATE_PAST',
      );
    case 'TOO_FAR_AHEAD':
      throw refused(`valid_on: ${date} is too far ahead. Choose an earlier day.`, 'TOO_FAR_AHEAD');
    case 'CLOSED':
      throw refused(
        `valid_on: ${place} is closed on ${date}, or has closed for that day. Choose another day.`,
        'CLOSED',
      );
    default:
      return type; // SOLD_OUT is decided when it is placed: holds may have run out
  }
}

const soldOut = ({ name, location }: DayPassType, date: string) =>
  new DomainError(
    'CONFLICT',
    `There are not enough passes left (${name} at ${location.name} on ${date}). Choose another day, or fewer.`,
    { reason: 'SOLD_OUT' },
  );
