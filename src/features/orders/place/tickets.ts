import type { Ctx } from '../../../context.ts';
import { DomainError, Overtaken } from '../../../errors.ts';
import * as outbox from '../../../mail/outbox.ts';
import { turns } from '../../../turns.ts';
import { eventOccasion } from '../letters/words.ts';
import { requiresConfirmation } from '../limits/settings.ts';
import { findSeatLimits, type SeatClaim } from '../limits/subjects.ts';
import { findLeastCapacity, toTicketSale } from '../limits/ticket-sale.ts';
import { seatLimitReached } from '../limits/usage.ts';
import type { Order } from '../order.ts';
import { read } from '../service.ts';
import { giveBackExpired } from '../stock/expire.ts';
import { basketOf, type OfferedEvent } from './basket.ts';
import { billFor, unitsOf } from './bill.ts';
import { checkDiscount, checkEvent, checkItems, discountUsedUp, type Wanted } from './check.ts';
import { canRequireConfirmation, placedLetter } from './letter.ts';
import type { TicketOrderInput } from './request.ts';
import { newOrder } from './row.ts';
import { insertTicketOrder, type Verdict } from './statement.ts';

/** Orders for one event wait for its row in the database: so many keep it busy, and the rest wait here. */
const inTurn = turns(4);
const ATTEMPTS = 8;

/**
 * Orders tickets of one event. What is free is confirmed at once, or held for half an hour until an anonymous buyer
 * confirms it by mail, where the event wants that; else the tickets are held for a quarter of an hour. Throws NOT_FOUND
 * for an event that the viewer may not see; VALIDATION and CONFLICT, with a reason, for what cannot be had: SOLD_OUT,
 * SALE_CLOSED, TOO_MANY, DISCOUNT_USED_UP, SEAT_LIMIT_REACHED ...
 */
export async function placeTickets(ctx: Ctx, input: TicketOrderInput): Promise<Order> {
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepare(ctx, input);
    const { event, row, seats, secret, wanted } = prepared;
    const place = () => insertTicketOrder(ctx, row, prepared.units, prepared.mail);
    const verdict = await (ctx.atomic ? place() : inTurn(event.id, place));
    if (verdict === 'PLACED') {
      if (prepared.mail) await ctx.wake?.(ctx, 'mail.deliver');
      return read(ctx, row.id, secret);
    }
    await beforeTryingAgain(ctx, verdict, { attempt, event, wanted, seats });
  }
}

async function prepare(ctx: Ctx, input: TicketOrderInput) {
  const { event, discount: named } = await basketOf(ctx, input.event, input.discountCode);
  checkEvent(ctx, event);
  const wanted = checkItems(ctx, event, input.items);
  const currency = wanted[0]?.type.currency ?? 'EUR';
  const discount =
    input.discountCode === undefined
      ? null
      : checkDiscount(ctx, input.discountCode, named, { eventId: event.id, currency });
  const bill = billFor(unitsOf(wanted, input.buyer), discount, currency);
  const sale = toTicketSale(event, wanted);
  const seats = {
    limits: findSeatLimits(ctx, input.buyer.email, sale),
    windowHours: event.limits.limitWindowHours,
    left: sale.left,
  };
  const { row, secret, mailSecret } = newOrder(ctx, bill, {
    buyer: input.buyer,
    eventId: event.id,
    discountCodeId: discount?.id,
    seats,
    requiresConfirmation:
      canRequireConfirmation(ctx) &&
      requiresConfirmation(event.limits, findLeastCapacity(event, wanted)),
  });
  const letter = placedLetter(
    ctx,
    { row, secret, mailSecret },
    {
      occasion: eventOccasion(event),
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
    mail: letter && outbox.rowOf(letter, ctx),
  };
}

/** Where it is worth another attempt, returns; else throws why the order cannot be had. */
async function beforeTryingAgain(
  ctx: Ctx,
  verdict: Exclude<Verdict, 'PLACED'>,
  {
    attempt,
    event,
    wanted,
    seats,
  }: { attempt: number; event: OfferedEvent; wanted: Wanted[]; seats: SeatClaim },
): Promise<void> {
  if (verdict === 'SEAT_LIMIT_REACHED') throw await seatLimitReached(ctx, seats);
  if (verdict === 'CHANGED') {
    if (attempt === ATTEMPTS)
      throw new Overtaken(
        { reason: 'TRY_AGAIN' },
        'Too many order here at this very moment. Try again.',
      );
    return;
  }
  // What others held and did not pay for is to be had, whether timed work has come by or not.
  const where = verdict === 'SOLD_OUT' ? { eventId: event.id } : {};
  if (attempt < ATTEMPTS && (await giveBackExpired(ctx, where)) > 0) return;
  throw verdict === 'SOLD_OUT' ? await soldOut(ctx, event, wanted) : discountUsedUp();
}

async function soldOut(ctx: Ctx, event: OfferedEvent, wanted: Wanted[]): Promise<DomainError> {
  const { event: current } = await basketOf(ctx, event.id, undefined);
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
