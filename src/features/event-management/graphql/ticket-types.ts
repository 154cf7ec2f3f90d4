import { addMutation } from '../../../graphql/mutation.ts';
import { TicketType } from '../../events/graphql/types.ts';
import { createTicketTypeInput, ticketTypeIdInput, updateTicketTypeInput } from '../inputs.ts';
import { createTicketType, deleteTicketType, updateTicketType } from '../service/ticket-types.ts';

addMutation('createTicketType', {
  description: 'Creates a ticket type. All types of an event have one currency.',
  access: 'events:write',
  input: createTicketTypeInput,
  payload: { ticketType: { type: TicketType, description: 'The new ticket type' } },
  resolve: async (input, { ctx }) => ({ ticketType: await createTicketType(ctx, input) }),
});

addMutation('updateTicketType', {
  description: 'Changes a ticket type',
  access: 'events:write',
  input: updateTicketTypeInput,
  takesVersion: true,
  payload: { ticketType: { type: TicketType, description: 'The changed ticket type' } },
  resolve: async ({ id, ...change }, { ctx }) => ({
    ticketType: await updateTicketType(ctx, id, change),
  }),
});

addMutation('deleteTicketType', {
  description: 'Deletes a ticket type without tickets',
  access: 'events:write',
  input: ticketTypeIdInput,
  payload: {
    deletedTicketTypeId: { type: 'ID', description: 'The id of the deleted ticket type' },
  },
  resolve: async ({ id }, { ctx }) => {
    await deleteTicketType(ctx, id);
    return { deletedTicketTypeId: id };
  },
});
