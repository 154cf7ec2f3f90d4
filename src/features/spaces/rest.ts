import { z } from 'zod';
import { toRestQuery } from '../../rest/input-schema.ts';
import {
  defineRoute,
  pageParameters,
  paginationSchema,
  toPaginatedObject,
} from '../../rest/route.ts';
import { showRestFields } from '../../rest/row-fields.ts';
import { moneySchema, zonedLocationSchema } from '../../rest/serializers.ts';
import { resourceFilter } from './inputs.ts';
import { RESOURCE_TYPES, resourceRow } from './rows.ts';
import { listResources, type Resource } from './service/resources.ts';

const fields = showRestFields(resourceRow, { except: ['createdAt'] });

const resourceSchema = z
  .object({ ...fields.shape, location: zonedLocationSchema, price_per_hour: moneySchema })
  .meta({ id: 'Resource' });

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/resources',
    access: 'spaces:read',
    summary: 'List bookable resources, sorted by name',
    query: toRestQuery(
      resourceFilter
        .pick({ locationId: true })
        .extend({ type: z.enum(RESOURCE_TYPES).optional(), ...pageParameters }),
    ),
    data: z.object({ resources: z.array(resourceSchema), pagination: paginationSchema }),
    handler: async (ctx, { query: { limit, cursor, locationId, type } }) => {
      const filter = { locationId, type: type && [type] };
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
