import { v7 } from 'uuid';
import { type Context, runInTransaction } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import type { Money } from '../../core/money.ts';
import { isForeignKeyViolation } from '../../db/constraint-errors.ts';
import type { TicketType as Row } from '../../db/generated/client.ts';
import { findRow, type ListQuery } from '../../db/list-query.ts';
import { DomainError, notFound } from '../../errors.ts';
import { offerReleasedTickets } from '../orders/service.ts';
import { canSeeAllEvents, toClockJoin } from './queries.ts';
import { type TicketType, toTicketTypeProjection } from './types.ts';
import {
  type Changes,
  isBelowSoldError,
  lockEditableEvent,
  pickChanged,
} from './validate-event.ts';

/** What staff says of a ticket type. */
type TicketTypeDetails = Pick<
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
export const createTicketType = (
  ctx: Context,
  {
    eventId,
    price,
    ...input
  }: { eventId: string } & Pick<TicketTypeDetails, 'name' | 'price'> & Changes<TicketTypeDetails>,
): Promise<TicketType> =>
  runInTransaction(ctx, async (tx) => {
    await lockEditableEvent(tx, eventId);
    validateSalesWindow(input);
    const id = v7();
    await validateCurrency(tx, { id, eventId }, price.currency);
    const position = input.position ?? (await findNextPosition(tx, eventId));
    const at = { createdAt: ctx.now(), updatedAt: ctx.now() };
    const data = { ...input, ...toTicketPriceColumns(price), id, eventId, position, ...at };
    await tx.db.ticketType.create({ data });
    return readTicketType(tx, id);
  });

/**
 * What is not named stays; what is ordered keeps its price. Throws as `create` does, NOT_FOUND, and CONFLICT, reason
 * QUANTITY_BELOW_SOLD.
 */
export const updateTicketType = (
  ctx: Context,
  id: string,
  { price, ...changes }: Changes<TicketTypeDetails & { active: boolean }>,
): Promise<TicketType> =>
  runInTransaction(ctx, async (tx) => {
    const stored = await lockTicketType(tx, id);
    const different = pickChanged<Row>(stored, {
      ...changes,
      ...(price && toTicketPriceColumns(price)),
    });
    if ('salesStartAt' in different || 'salesEndAt' in different)
      validateSalesWindow({ ...stored, ...different });
    if (different.priceCurrency) await validateCurrency(tx, stored, different.priceCurrency);
    try {
      await tx.db.ticketType.update({
        where: { id },
        data: { ...different, updatedAt: ctx.now() },
      });
    } catch (error) {
      throw isBelowSoldError(error) ? quantityBelowSold(stored) : error;
    }
    await offerReleasedTickets(tx, [id]);
    return readTicketType(tx, id);
  });

/** Only while no ticket was ever made of it. Throws NOT_FOUND, CONFLICT, reason TICKET_TYPE_IN_USE or EVENT_CANCELLED. */
export const deleteTicketType = (ctx: Context, id: string): Promise<TicketType> =>
  runInTransaction(ctx, async (tx) => {
    await lockTicketType(tx, id);
    const type = await readTicketType(tx, id);
    try {
      await tx.db.ticketType.delete({ where: { id } });
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      throw new DomainError(
        'CONFLICT',
        'Tickets of this type were ordered. Stop its sale instead.',
        { reason: 'TICKET_TYPE_IN_USE' },
      );
    }
    return type;
  });

/** The event first, as everybody does. */
async function lockTicketType(ctx: Context, id: string): Promise<Row> {
  const { db } = ctx;
  const found = isUuid(id) ? await db.ticketType.findUnique({ where: { id } }) : null;
  if (found === null) throw notFound('ticket type');
  await lockEditableEvent(ctx, found.eventId);
  await db.$queryRaw`SELECT 1 FROM ticket_types WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const stored = await db.ticketType.findUnique({ where: { id } });
  if (stored === null) throw notFound('ticket type');
  return stored;
}

async function readTicketType(ctx: Context, id: string): Promise<TicketType> {
  const listing: ListQuery = {
    table: 'ticket_types',
    projection: toTicketTypeProjection(
      'item',
      'event',
      canSeeAllEvents(ctx.viewer) ? 'knowing' : undefined,
    ),
    joins: (bind) => `JOIN events event ON event.id = item.event_id ${toClockJoin(ctx, bind)}`,
    where: () => [],
  };
  const found = await findRow<TicketType>(
    ctx.pipelinedSql,
    listing,
    (bind) => `id = ${bind(id, 'uuid')}`,
  );
  if (found === null) throw notFound('ticket type');
  return found;
}

/** An order is paid in one currency, whatever it holds. */
async function validateCurrency(
  { db }: Context,
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

function validateSalesWindow({ salesStartAt, salesEndAt }: Changes<TicketTypeDetails>): void {
  if (!salesStartAt || !salesEndAt || salesStartAt < salesEndAt) return;
  throw new DomainError('VALIDATION', 'The sale ends before it begins. Choose a later end.', {
    reason: 'SALES_WINDOW_EMPTY',
  });
}

async function findNextPosition({ db }: Context, eventId: string): Promise<number> {
  const { _max } = await db.ticketType.aggregate({ where: { eventId }, _max: { position: true } });
  return (_max.position ?? -1) + 1;
}

const toTicketPriceColumns = ({ amount, currency }: Money) => ({
  priceAmount: amount,
  priceCurrency: currency,
});

const quantityBelowSold = ({ reservedCount: taken }: Row) =>
  new DomainError(
    'CONFLICT',
    `${taken} of these tickets are sold or held. Choose a quantity of at least ${taken}.`,
    { reason: 'QUANTITY_BELOW_SOLD', taken },
  );
