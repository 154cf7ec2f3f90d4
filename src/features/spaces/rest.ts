import { z } from 'zod';
import { toRestQuery } from '../../rest/input-schema.ts';
import { idsParameter, readObjectsById } from '../../rest/read-objects.ts';
import {
  defineRoute,
  pageParameters,
  paginationSchema,
  toPaginatedObject,
} from '../../rest/route.ts';
import { resourceFilter } from './inputs.ts';
import { resourceObject, resourceSchema, toResourceJson } from './rest-object.ts';
import { listResources, resourceList } from './service/resources.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/resources',
    access: 'spaces:read',
    summary: 'List bookable resources',
    description: 'Rooms, desks and equipment, sorted by name.',
    query: toRestQuery(
      resourceFilter
        .pick({ locationId: true, type: true })
        .extend({ ids: idsParameter, ...pageParameters }),
    ),
    data: z.object({
      resources: z.array(resourceSchema).meta({ description: 'One page of the resources' }),
      pagination: paginationSchema,
    }),
    handler: async (ctx, { query: { ids, limit, cursor, ...filter } }) => {
      if (ids) {
        const source = { list: resourceList, object: resourceObject };
        const resources = await readObjectsById(ctx, source, ids, filter);
        return { data: { resources, pagination: { limit, next_cursor: null } } };
      }
      const page = await listResources(ctx, filter, { limit, cursor });
      return { data: toPaginatedObject('resources', page, { limit, serialize: toResourceJson }) };
    },
  }),
];
