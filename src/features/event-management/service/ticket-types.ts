import { v7 } from 'uuid';
import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Money } from '../../../core/money.ts';
import type { InputOf } from '../../../core/validation.ts';
import { isForeignKeyViolation } from '../../../db/constraint-errors.ts';
import type { TicketType as Row } from '../../../db/generated/client.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { requireChargeablePrice } from '../../../integrations/payments/require-chargeable.ts';
import { recordCreated, recordDeleted, recordUpdated } from '../../../journal/record-changes.ts';
import { findRows } from '../../../lists/read-list.ts';
import { ticketTypeRows } from '../../events/service/list-events.ts';
import type { TicketType } from '../../events/types.ts';
import { offerReleasedTickets } from '../../orders/waitlist/service/offer-tickets.ts';
import type { NewTicketType, updateTicketTypeInput } from '../inputs.ts';
import {
  type Changes,
  isBelowSoldError,
  lockEditableEvent,
  pickChanged,
} from '../validate-event.ts';

/**
 * Creates a ticket type, after the others of the event unless `position` is given.
 *
 * @throws NOT_FOUND for an unknown event
 * @throws VALIDATION (CURRENCY_MIXED, SALES_WINDOW_EMPTY or AMOUNT_NOT_CHARGEABLE)
 * @throws CONFLICT (EVENT_CANCELLED)
 *
 * @example
 * await createTicketType(ctx, {
 *   ...{ eventId: event.id, name: 'Regular', quantity: 40 },
 *   price: { amount: 1_000, currency: 'EUR' },
 * });
 */
export const createTicketType = (
  ctx: Context,
  { eventId, price, ...input }: NewTicketType,
): Promise<TicketType> =>
  runInTransaction(ctx, async (tx) => {
    await lockEditableEvent(tx, eventId);
    validateSalesWindow(input);
    requireChargeablePrice(ctx, price);
    const id = v7();
    await validateCurrency(tx, { id, eventId }, price.currency);
    const position = input.position ?? (await findNextPosition(tx, eventId));
    const timestamps = { createdAt: ctx.now(), updatedAt: ctx.now() };
    const data = { ...input, ...toTicketPriceColumns(price), id, eventId, position, ...timestamps };
    await tx.db.ticketType.create({ data });
    await recordCreated(tx, 'ticket_type.created', [id]);
    return readTicketType(tx, id);
  });

/**
 * Updates the given fields of a ticket type. Ordered tickets keep their price. New stock is offered to the waiting list
 * first.
 *
 * @throws NOT_FOUND for an unknown ticket type, CONFLICT (QUANTITY_BELOW_SOLD), and as `createTicketType`
 */
export const updateTicketType = (
  ctx: Context,
  id: string,
  { price, ...changes }: Omit<InputOf<typeof updateTicketTypeInput>, 'id'>,
): Promise<TicketType> =>
  runInTransaction(ctx, async (tx) => {
    const stored = await lockTicketType(tx, id);
    requireChargeablePrice(ctx, price);
    const changed = pickChanged<Row>(stored, {
      ...changes,
      ...(price && toTicketPriceColumns(price)),
    });
    if ('salesStartAt' in changed || 'salesEndAt' in changed)
      validateSalesWindow({ ...stored, ...changed });
    if (changed.priceCurrency) await validateCurrency(tx, stored, changed.priceCurrency);
    try {
      const data = { ...changed, updatedAt: ctx.now() };
      await recordUpdated(tx, 'ticket_type.updated', [id], () =>
        tx.db.ticketType.update({ where: { id }, data }),
      );
    } catch (error) {
      throw isBelowSoldError(error) ? quantityBelowSold(stored) : error;
    }
    await offerReleasedTickets(tx, [id]);
    return readTicketType(tx, id);
  });

/**
 * Deletes a ticket type without tickets, and returns it.
 *
 * @throws NOT_FOUND for an unknown ticket type
 * @throws CONFLICT (TICKET_TYPE_IN_USE or EVENT_CANCELLED)
 */
export const deleteTicketType = (ctx: Context, id: string): Promise<TicketType> =>
  runInTransaction(ctx, async (tx) => {
    await lockTicketType(tx, id);
    const type = await readTicketType(tx, id);
    try {
      await recordDeleted(tx, 'ticket_type.deleted', [id]);
      await tx.db.ticketType.delete({ where: { id } });
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      throw new DomainError('CONFLICT', 'This ticket type has orders. Stop its sales instead.', {
        reason: 'TICKET_TYPE_IN_USE',
      });
    }
    return type;
  });

/** Locks the event before the ticket type, as every transaction does, to prevent deadlocks. */
async function lockTicketType(ctx: Context, id: string): Promise<Row> {
  const { db } = ctx;
  const type = isUuid(id) ? await db.ticketType.findUnique({ where: { id } }) : null;
  if (type === null) throw notFound('ticket type');
  await lockEditableEvent(ctx, type.eventId);
  await db.$queryRaw`SELECT 1 FROM ticket_types WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const stored = await db.ticketType.findUnique({ where: { id } });
  if (stored === null) throw notFound('ticket type');
  return stored;
}

async function readTicketType(ctx: Context, id: string): Promise<TicketType> {
  const [type] = await findRows<TicketType>(ctx, ticketTypeRows, [id]);
  if (type === undefined) throw notFound('ticket type');
  return type;
}

/** All ticket types of an event have one currency, since an order is paid in one. @throws VALIDATION (CURRENCY_MIXED) */
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
    `price.currency: The other tickets of this event are sold in ${other.priceCurrency}. Use ${other.priceCurrency}.`,
    { reason: 'CURRENCY_MIXED', fields: ['price.currency'] },
  );
}

function validateSalesWindow({
  salesStartAt,
  salesEndAt,
}: Changes<Pick<Row, 'salesStartAt' | 'salesEndAt'>>): void {
  if (!salesStartAt || !salesEndAt || salesStartAt < salesEndAt) return;
  throw new DomainError('VALIDATION', 'Sales end before they start. Choose a later end.', {
    reason: 'SALES_WINDOW_EMPTY',
    fields: ['salesEndAt'],
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

const quantityBelowSold = ({ reservedCount }: Row) =>
  new DomainError(
    'CONFLICT',
    `${reservedCount} of these tickets are sold or held. Choose a quantity of at least ${reservedCount}.`,
    { reason: 'QUANTITY_BELOW_SOLD', fields: ['quantity'], taken: reservedCount },
  );
