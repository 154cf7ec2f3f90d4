import { z } from 'zod';
import { boundedText } from '../../core/validation.ts';
import { listRows } from '../../lists/read-list.ts';
import { defineTool, pageInput, toToolObject, toToolPage } from '../../mcp/tool.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { eventFilter } from './inputs.ts';
import { getEvent } from './service/get-event.ts';
import { eventList } from './service/list-events.ts';
import type { CommunityEvent } from './types.ts';

export const tools = [
  defineTool({
    name: 'list_events',
    description: 'List events, also drafts, soonest first, with ticket types and what is left.',
    access: 'events:read',
    effect: 'read',
    input: toRestSchema(eventFilter.omit({ resourceId: true }).extend(pageInput), {
      from: 'Default: now',
      q: 'Words in title or summary',
    }),
    handler: async (ctx, { limit, cursor, ...filter }) =>
      toToolPage(
        'events',
        await listRows(ctx, eventList, filter, { limit, cursor }),
        toEventSummary,
      ),
  }),
  defineTool({
    name: 'get_event',
    description: 'Get an event with its description and sales.',
    access: 'events:read',
    effect: 'read',
    input: toRestSchema(z.object({ id: boundedText(100) }), { id: 'Or slug' }),
    handler: async (ctx, { id }) => toToolObject({ event: await getEvent(ctx, id) }),
  }),
];

const toEventSummary = (event: CommunityEvent) =>
  toToolObject({
    id: event.id,
    slug: event.slug,
    title: event.title,
    summary: event.summary,
    status: event.status,
    visibility: event.visibility,
    startsAt: event.startsAt,
    endsAt: event.endsAt,
    timeZone: event.timeZone,
    location: { id: event.location.id, name: event.location.name },
    resource: event.resource,
    tags: event.tags,
    capacity: event.capacity,
    ticketTypes: event.ticketTypes.map(({ id, name, price, left, salesOpen }) => ({
      id,
      name,
      price,
      left,
      salesOpen,
    })),
  });
