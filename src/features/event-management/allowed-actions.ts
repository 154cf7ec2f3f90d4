import { defineRowActions } from '../../lists/row-actions.ts';

// The rules of the commands in `service/edit-event.ts` and `service/ticket-types.ts`, which a test compares.

const isLive = (event: string) => `${event}.status <> 'cancelled'`;

export const eventActions = defineRowActions({
  table: 'events',
  access: 'events:write',
  toConditions: (row) => ({
    update: isLive(row),
    publish: `(${row}.status = 'draft' AND ${row}.ends_at > clock.now)`,
    cancel: isLive(row),
    delete: `(${row}.status = 'draft' AND NOT EXISTS (SELECT FROM orders o WHERE o.event_id = ${row}.id))`,
    createTicketType: isLive(row),
  }),
});

const isOfLiveEvent = (type: string) =>
  `EXISTS (SELECT FROM events e WHERE e.id = ${type}.event_id AND ${isLive('e')})`;

export const ticketTypeActions = defineRowActions({
  table: 'ticket_types',
  access: 'events:write',
  toConditions: (row) => ({
    update: isOfLiveEvent(row),
    delete: `(${isOfLiveEvent(row)} AND NOT EXISTS (SELECT FROM tickets t WHERE t.ticket_type_id = ${row}.id))`,
  }),
});
