import { z } from 'zod';
import { toRestQuery } from '../../rest/input-schema.ts';
import {
  defineRoute,
  pageParameters,
  paginationSchema,
  toPaginatedObject,
} from '../../rest/route.ts';
import { moneySchema, zonedLocationSchema } from '../../rest/serializers.ts';
import { resourceFilter } from './inputs.ts';
import { listResources, RESOURCE_TYPES, type Resource } from './resources.ts';

const resourceSchema = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    type: z.enum(RESOURCE_TYPES),
    capacity: z.int(),
    location: zonedLocationSchema,
    price_per_hour: moneySchema,
    min_minutes: z.int(),
    max_minutes: z.int(),
    buffer_minutes: z.int().meta({ description: 'Minutes that are kept free after each booking' }),
    grid_minutes: z.int().meta({
      description:
        'Bookings start at multiples of this interval, counted from midnight in the time zone of the location, and last a multiple of it',
    }),
    notice_minutes: z
      .int()
      .meta({ description: 'How many minutes in advance a booking must be made' }),
    days_ahead: z.int().meta({ description: 'How many days in advance bookings can start' }),
    free_cancellation_hours: z.int().meta({
      description:
        'Bookings can be cancelled free of charge until this many hours before the start. After that, the full price is charged.',
    }),
    no_show_minutes: z.int().nullable().meta({
      description:
        'Bookings without a check-in are released this many minutes after the start. null: never.',
    }),
    requires_approval: z
      .boolean()
      .meta({ description: 'Bookings by members need approval by staff' }),
    amenities: z.array(z.string()),
    active: z.boolean(),
  })
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

const toResourceJson = (resource: Resource) => ({
  id: resource.id,
  slug: resource.slug,
  name: resource.name,
  type: resource.type,
  capacity: resource.capacity,
  location: {
    id: resource.location.id,
    name: resource.location.name,
    time_zone: resource.location.timeZone,
  },
  price_per_hour: resource.pricePerHour,
  min_minutes: resource.minMinutes,
  max_minutes: resource.maxMinutes,
  buffer_minutes: resource.bufferMinutes,
  grid_minutes: resource.slotIntervalMinutes,
  notice_minutes: resource.minNoticeMinutes,
  days_ahead: resource.maxAdvanceDays,
  free_cancellation_hours: resource.freeCancellationHours,
  no_show_minutes: resource.noShowMinutes,
  requires_approval: resource.requiresApproval,
  amenities: resource.amenities,
  active: resource.active,
});
