import { z } from 'zod';
import { RawJson } from '../../rest/envelope.ts';
import { toRestQuery } from '../../rest/input-schema.ts';
import {
  defineRoute,
  emptyQuery,
  pageParameters,
  paginationSchema,
  toPaginatedJson,
} from '../../rest/route.ts';
import { toSnakeCaseKeys } from '../../rest/serializers.ts';
import { eventFilter } from './inputs.ts';
import { eventJson } from './rest-object.ts';
import { getListedEvent, listEventsAsJson } from './service/get-event.ts';
import type { ListedEvent } from './types.ts';

export const eventRoutes = [
  defineRoute({
    method: 'GET',
    path: '/public/events',
    fastPath: true,
    access: 'public',
    summary: 'List published public events that are not over yet, soonest first',
    query: toRestQuery(
      eventFilter
        .pick({ from: true, to: true, locationId: true, tag: true, q: true })
        .extend(pageParameters),
    ),
    data: z.object({ events: z.array(eventJson), pagination: paginationSchema }),
    handler: async (ctx, { query: { limit, cursor, ...filter } }) => {
      const page = await listEventsAsJson(ctx, filter, { limit, cursor });
      return { data: new RawJson(toPaginatedJson('events', page, limit)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/public/events/{id_or_slug}',
    access: 'public',
    summary: 'Get a public event, also if it is over or was cancelled after it was published',
    query: emptyQuery,
    data: z.object({ event: eventJson }),
    handler: async (ctx, { params: { id_or_slug: idOrSlug = '' } }) =>
      toEventResponse(await getListedEvent(ctx, idOrSlug)),
  }),
];

const toEventResponse = ({ ticketTypes, ...event }: ListedEvent) => ({
  data: {
    event: { ...toSnakeCaseKeys(event), ticket_types: ticketTypes.map(toSnakeCaseKeys) },
  },
});
