import { v7 } from 'uuid';
import { type Ctx, inTransaction } from '../../../context.ts';
import type { TicketType as Row } from '../../../db/generated/client.ts';
import { type Listing, readOne } from '../../../db/listing.ts';
import { isInUse } from '../../../db/refusals.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { isUuid, type Money } from '../../../values.ts';
import { offerFreed } from '../../orders/waitlist/offers.ts';
import { type Changes, differing, isBelowSold } from '../edit/changes.ts';
import { lockForChange } from '../edit/lock.ts';
import { clock, knows } from '../service.ts';
import { type TicketType, typeTree } from './ticket-type.ts';

/** What staff says of a ticket type. */
type TypeDetails = Pick<
  Row,
  | 'name'
  | 'description'
  | 'quantity'
  | 'salesStartAt'
  | 'salesEndAt'
  | 'maxPerOrder'
  | 'audience'
  | 'position'
> & { price: Money };

/**
 * Stands after the event's others unless its position is said. Throws NOT_FOUND for the event, CONFLICT, reason
 * EVENT_CANCELLED, VALIDATION, reason CURRENCY_MIXED or SALES_WINDOW_EMPTY.
 */
export const create = (
  ctx: Ctx,
  {
    eventId,
    price,
    ...input
  }: { eventId: string } & Pick<TypeDetails, 'name' | 'price'> & Changes<TypeDetails>,
): Promise<TicketType> =>
  inTransaction(ctx, async (tx) => {
    await lockForChange(tx, eventId);
    checkWindow(input);
    const id = v7();
    await checkCurrency(tx, { id, eventId }, price.currency);
    const position = input.position ?? (await nextPosition(tx, eventId));
    const at = { createdAt: ctx.now(), updatedAt: ctx.now() };
    const data = { ...input, ...columnsOf(price), id, eventId, position, ...at };
    await tx.db.ticketType.create({ data });
    return read(tx, id);
  });

/**
 * What is not named stays; what is ordered keeps its price. Throws as `create` does, NOT_FOUND, and CONFLICT, reason
 * QUANTITY_BELOW_SOLD.
 */
export const update = (
  ctx: Ctx,
  id: string,
  { price, ...changes }: Changes<TypeDetails & { active: boolean }>,
): Promise<TicketType> =>
  inTransaction(ctx, async (tx) => {
    const stored = await lockWithEvent(tx, id);
    const different = differing<Row>(stored, { ...changes, ...(price && columnsOf(price)) });
    if ('salesStartAt' in different || 'salesEndAt' in different)
      checkWindow({ ...stored, ...different });
    if (different.priceCurrency) await checkCurrency(tx, stored, different.priceCurrency);
    try {
      await tx.db.ticketType.update({
        where: { id },
        data: { ...different, updatedAt: ctx.now() },
      });
    } catch (error) {
      throw isBelowSold(error) ? belowSold(stored) : error;
    }
    await offerFreed(tx, [id]);
    return read(tx, id);
  });

/** Only while no ticket was ever made of it. Throws NOT_FOUND, CONFLICT, reason TICKET_TYPE_IN_USE or EVENT_CANCELLED. */
export const remove = (ctx: Ctx, id: string): Promise<TicketType> =>
  inTransaction(ctx, async (tx) => {
    await lockWithEvent(tx, id);
    const type = await read(tx, id);
    try {
      await tx.db.ticketType.delete({ where: { id } });
    } catch (error) {
      if (!isInUse(error)) throw error;
      throw new DomainError(
        'CONFLICT',
        'Tickets of this type were ordered. Stop its sale instead.',
        { reason: 'TICKET_TYPE_IN_USE' },
      );
    }
    return type;
  });

/** The event first, as everybody does. */
async function lockWithEvent(ctx: Ctx, id: string): Promise<Row> {
  const { db } = ctx;
  const found = isUuid(id) ? await db.ticketType.findUnique({ where: { id } }) : null;
  if (found === null) throw notFound('ticket type');
  await lockForChange(ctx, found.eventId);
  await db.$queryRaw`SELECT 1 FROM ticket_types WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const stored = await db.ticketType.findUnique({ where: { id } });
  if (stored === null) throw notFound('ticket type');
  return stored;
}

async function read(ctx: Ctx, id: string): Promise<TicketType> {
  const listing: Listing = {
    table: 'ticket_types',
    tree: typeTree('item', 'event', knows(ctx.viewer) ? 'knowing' : undefined),
    joins: (bind) => `JOIN events event ON event.id = item.event_id ${clock(ctx, bind)}`,
    where: () => [],
  };
  const found = await readOne<TicketType>(ctx.sql, listing, (bind) => `id = ${bind(id, 'uuid')}`);
  if (found === null) throw notFound('ticket type');
  return found;
}

/** An order is paid in one currency, whatever it holds. */
async function checkCurrency(
  { db }: Ctx,
  { id, eventId }: Pick<Row, 'id' | 'eventId'>,
  currency: string,
): Promise<void> {
  const other = await db.ticketType.findFirst({
    where: { eventId, id: { not: id }, priceCurrency: { not: currency } },
  });
  if (other === null) return;
  throw new DomainError(
    'VALIDATION',
    `price.currency: the event's other tickets are sold in ${other.priceCurrency}. Choose that for all of them.`,
    { reason: 'CURRENCY_MIXED' },
  );
}

function checkWindow({ salesStartAt, salesEndAt }: Changes<TypeDetails>): void {
  if (!salesStartAt || !salesEndAt || salesStartAt < salesEndAt) return;
  throw new DomainError('VALIDATION', 'The sale ends before it begins. Choose a later end.', {
    reason: 'SALES_WINDOW_EMPTY',
  });
}

async function nextPosition({ db }: Ctx, eventId: string): Promise<number> {
  const { _max } = await db.ticketType.aggregate({ where: { eventId }, _max: { position: true } });
  return (_max.position ?? -1) + 1;
}

const columnsOf = ({ amount, currency }: Money) => ({
  priceAmount: amount,
  priceCurrency: currency,
});

const belowSold = ({ reservedCount: taken }: Row) =>
  new DomainError(
    'CONFLICT',
    `${taken} of these tickets are sold or held. Choose a quantity of at least ${taken}.`,
    { reason: 'QUANTITY_BELOW_SOLD', taken },
  );
