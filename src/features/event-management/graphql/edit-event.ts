import { addMutation } from '../../../graphql/mutation.ts';
import { Event } from '../../events/graphql/types.ts';
import { eventList } from '../../events/service/list-events.ts';
import { cancelEventInput, createEventInput, eventIdInput, updateEventInput } from '../inputs.ts';
import {
  cancelEvent,
  createEvent,
  deleteEvent,
  publishEvent,
  updateEvent,
} from '../service/edit-event.ts';

addMutation('createEvent', {
  description: 'Creates a draft, which only callers with events:read see',
  access: 'events:write',
  input: createEventInput,
  payload: { event: { type: Event, description: 'The new draft' } },
  creates: { event: eventList },
  resolve: async (input, { ctx }) => ({ event: await createEvent(ctx, input) }),
});

addMutation('updateEvent', {
  description: 'Changes an event',
  access: 'events:write',
  input: updateEventInput,
  takesVersion: true,
  payload: { event: { type: Event, description: 'The changed event' } },
  resolve: async ({ id, ...change }, { ctx }) => ({ event: await updateEvent(ctx, id, change) }),
});

addMutation('publishEvent', {
  description: 'Publishes a draft. A published event stays as it is.',
  access: 'events:write',
  input: eventIdInput,
  payload: { event: { type: Event, description: 'The published event' } },
  resolve: async ({ id }, { ctx }) => ({ event: await publishEvent(ctx, id) }),
});

addMutation('cancelEvent', {
  description:
    'Cancels an event, refunds its orders and emails the buyers. A cancelled event stays as it is.',
  access: 'events:write',
  input: cancelEventInput,
  payload: { event: { type: Event, description: 'The cancelled event' } },
  resolve: async ({ id, reason = null }, { ctx }) => ({
    event: await cancelEvent(ctx, id, reason),
  }),
});

addMutation('deleteEvent', {
  description: 'Deletes a draft without orders',
  access: 'events:write',
  input: eventIdInput,
  payload: { deletedEventId: { type: 'ID', description: 'The id of the deleted draft' } },
  resolve: async ({ id }, { ctx }) => {
    await deleteEvent(ctx, id);
    return { deletedEventId: id };
  },
});
