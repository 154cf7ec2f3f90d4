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
import { RESOURCE_TYPES } from './rows.ts';
import { listResources, resourceList } from './service/resources.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/resources',
    access: 'spaces:read',
    summary: 'List bookable resources, sorted by name',
    query: toRestQuery(
      resourceFilter.pick({ locationId: true }).extend({
        ids: idsParameter,
        type: z.enum(RESOURCE_TYPES).optional(),
        ...pageParameters,
      }),
    ),
    data: z.object({ resources: z.array(resourceSchema), pagination: paginationSchema }),
    handler: async (ctx, { query: { ids, limit, cursor, locationId, type } }) => {
      const filter = { locationId, type: type && [type] };
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
