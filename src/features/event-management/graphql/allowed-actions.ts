import { addActions } from '../../../graphql/row-actions.ts';
import { Event, TicketType } from '../../events/graphql/types.ts';
import { eventActions, ticketTypeActions } from '../allowed-actions.ts';

addActions(Event, {
  type: 'EventActions',
  noun: 'an event',
  rules: eventActions,
  actions: {
    update: 'Change it with updateEvent',
    publish: 'Publish it with publishEvent, if its room is free',
    cancel: 'Cancel it with cancelEvent',
    delete: 'Delete it with deleteEvent',
    createTicketType: 'Add a ticket type with createTicketType',
  },
});

addActions(TicketType, {
  type: 'TicketTypeActions',
  noun: 'a ticket type',
  rules: ticketTypeActions,
  actions: {
    update: 'Change it with updateTicketType, also to start and stop its sale',
    delete: 'Delete it with deleteTicketType',
  },
});
