import { z } from 'zod';
import { Json } from '../../rest/envelope.ts';
import { instantText, noQuery, pageQuery, paginated, pagination, route } from '../../rest/route.ts';
import { inSnakeCase, instant, money, named } from '../../rest/shapes.ts';
import { text } from '../../validation.ts';
import { EVENT_STATUSES, type ListedEvent, VISIBILITIES } from './event.ts';
import * as events from './service.ts';

const ticketType = z.object({
  id: z.uuid(),
  name: z.string(),
  price: money,
  left: z.int().nullable().meta({ description: 'What can be bought now; null where unlimited' }),
  sales_open: z.boolean(),
});

const event = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    summary: z.string().nullable(),
    description: z.string().nullable(),
    status: z.enum(EVENT_STATUSES),
    visibility: z.enum(VISIBILITIES),
    starts_at: instant,
    ends_at: instant,
    time_zone: z.string(),
    location: named.extend({ address: z.string().nullable() }),
    resource: named.nullable(),
    tags: z.array(z.string()),
    capacity: z.int().nullable(),
    ticket_types: z.array(ticketType),
    created_at: instant,
  })
  .meta({ id: 'Event' });

export const routes = [
  route({
    method: 'GET',
    path: '/public/events',
    access: 'public',
    summary: 'Published public events that are not yet over, soonest first',
    query: z.strictObject({
      from: instantText.optional(),
      to: instantText.optional(),
      location_id: z.uuid().optional(),
      tag: text(100).optional(),
      q: text(200).optional(),
      ...pageQuery,
    }),
    data: z.object({ events: z.array(event), pagination }),
    answer: async (ctx, { query: { limit, cursor, location_id: locationId, ...filter } }) => {
      const page = await events.listJson(ctx, { ...filter, locationId }, { limit, cursor });
      return { data: new Json(paginated('events', page, limit)) };
    },
  }),
  route({
    method: 'GET',
    path: '/public/events/{id_or_slug}',
    access: 'public',
    summary: 'One public event, also when it is over or was cancelled after it was published',
    query: noQuery,
    data: z.object({ event }),
    answer: async (ctx, { params: { id_or_slug: idOrSlug = '' } }) =>
      one(await events.getListed(ctx, idOrSlug)),
  }),
];

const one = ({ ticketTypes, ...event }: ListedEvent) => {
  const { created_at, ...shown } = inSnakeCase(event) as Record<string, unknown>;
  return { data: { event: { ...shown, ticket_types: ticketTypes.map(inSnakeCase), created_at } } };
};
