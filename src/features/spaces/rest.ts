import { z } from 'zod';
import { toRestQuery } from '../../rest/input-schema.ts';
import {
  defineRoute,
  pageParameters,
  paginationSchema,
  toPaginatedObject,
} from '../../rest/route.ts';
import { resourceFilter } from './inputs.ts';
import { fields, resourceSchema } from './rest-object.ts';
import { listResources, type Resource } from './service/resources.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/resources',
    access: 'spaces:read',
    summary: 'List bookable resources',
    description: 'Rooms, desks and equipment, sorted by name.',
    query: toRestQuery(
      resourceFilter.pick({ locationId: true, type: true }).extend(pageParameters),
    ),
    data: z.object({
      resources: z.array(resourceSchema).meta({ description: 'One page of the resources' }),
      pagination: paginationSchema,
    }),
    handler: async (ctx, { query: { limit, cursor, ...filter } }) => {
      const page = await listResources(ctx, filter, { limit, cursor });
      return { data: toPaginatedObject('resources', page, { limit, serialize: toResourceJson }) };
    },
  }),
];

const toResourceJson = ({ location: { id, name, timeZone }, ...resource }: Resource) => ({
  ...fields.serialize(resource),
  location: { id, name, time_zone: timeZone },
  price_per_hour: resource.pricePerHour,
});
