import { defineTool, toToolObject } from '../../mcp/tool.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import type { CommunityEvent } from '../events/types.ts';
import {
  cancelEventInput,
  createEventInput,
  createTicketTypeInput,
  eventIdInput,
  updateEventInput,
} from './inputs.ts';
import { cancelEvent, createEvent, publishEvent, updateEvent } from './service/edit-event.ts';
import { createTicketType } from './service/ticket-types.ts';

/** Agents leave the rarer fields to people. */
const EDITED_FIELDS = {
  title: true,
  summary: true,
  description: true,
  visibility: true,
  locationId: true,
  resourceId: true,
  startsAt: true,
  endsAt: true,
  tags: true,
  capacity: true,
  refundHours: true,
} as const;

const DESCRIPTIONS = { resourceId: 'Room', refundHours: 'Before the start; null: no refunds' };

export const tools = [
  defineTool({
    name: 'create_event',
    description: 'Create a draft. Then add ticket types and publish it.',
    access: 'events:write',
    effect: 'write',
    input: toRestSchema(createEventInput.pick(EDITED_FIELDS), DESCRIPTIONS),
    handler: async (ctx, input) => toEventResult(await createEvent(ctx, input)),
  }),
  defineTool({
    name: 'update_event',
    description:
      'Change an event. Omitted fields stay; null clears. Buyers get an email if it moves.',
    access: 'events:write',
    effect: 'destructive',
    input: toRestSchema(updateEventInput.pick({ id: true, ...EDITED_FIELDS })),
    handler: async (ctx, { id, ...change }) => toEventResult(await updateEvent(ctx, id, change)),
  }),
  defineTool({
    name: 'create_ticket_type',
    description: 'Add a ticket type to an event. Price 0 is a free registration.',
    access: 'events:write',
    effect: 'write',
    input: toRestSchema(
      createTicketTypeInput.pick({
        eventId: true,
        name: true,
        price: true,
        quantity: true,
        salesStartAt: true,
        salesEndAt: true,
        maxPerOrder: true,
        audience: true,
      }),
    ),
    handler: async (ctx, input) => toToolObject({ ticketType: await createTicketType(ctx, input) }),
  }),
  defineTool({
    name: 'publish_event',
    description: 'Publish a draft: people can see it and order tickets.',
    access: 'events:write',
    effect: 'write',
    input: toRestSchema(eventIdInput),
    handler: async (ctx, { id }) => toEventResult(await publishEvent(ctx, id)),
  }),
  defineTool({
    name: 'cancel_event',
    description: 'Cancel an event: refunds all orders and emails the buyers. Cannot be undone.',
    access: 'events:write',
    effect: 'destructive',
    input: toRestSchema(cancelEventInput, { reason: 'In the email; needs mailings:write' }),
    handler: async (ctx, { id, reason = null }) =>
      toEventResult(await cancelEvent(ctx, id, reason)),
  }),
];

const toEventResult = (event: CommunityEvent) => toToolObject({ event });
