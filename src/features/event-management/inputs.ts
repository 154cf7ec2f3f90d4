import { z } from 'zod';
import { anyId, boundedText, type InputOf, moneyInput } from '../../core/validation.ts';
import { describeChanges, toChangeShape, toCreationShape } from '../../rows/inputs.ts';
import { eventRow, ticketTypeRow } from '../events/rows.ts';

const eventId = anyId.meta({ description: 'The id of the event' });
const newEvent = z.object(toCreationShape(eventRow));
export type NewEvent = InputOf<typeof newEvent>;

export const createEventInput = newEvent.extend({
  visibility: eventRow.columns.visibility.schema
    .default('public')
    .meta({ description: eventRow.columns.visibility.description }),
});

export const updateEventInput = z
  .object({ id: eventId, ...toChangeShape(eventRow) })
  .meta({ description: describeChanges(eventRow) });

export const eventIdInput = z.object({ id: eventId });

export const cancelEventInput = z.object({
  id: eventId,
  reason: boundedText(500)
    .optional()
    .meta({ description: 'Part of the email to the buyers. It needs mailings:write' }),
});

const ticketTypeId = anyId.meta({ description: 'The id of the ticket type' });
const { maxPerOrder, audience } = ticketTypeRow.columns;

const newTicketType = z.object({
  ...toCreationShape(ticketTypeRow),
  price: moneyInput.meta({ description: '0 for a free registration' }),
});
export type NewTicketType = InputOf<typeof newTicketType>;

export const createTicketTypeInput = newTicketType.extend({
  maxPerOrder: maxPerOrder.schema.default(10).meta({ description: maxPerOrder.description }),
  audience: audience.schema.default('public').meta({ description: audience.description }),
});

export const ticketTypeIdInput = z.object({ id: ticketTypeId });

export const updateTicketTypeInput = z
  .object({
    id: ticketTypeId,
    ...toChangeShape(ticketTypeRow),
    price: moneyInput.optional().meta({ description: 'Ordered tickets keep their price' }),
  })
  .meta({ description: describeChanges(ticketTypeRow) });
