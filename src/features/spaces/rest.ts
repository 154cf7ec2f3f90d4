import { z } from 'zod';
import {
  defineRoute,
  pageParameters,
  paginationSchema,
  toPaginatedObject,
} from '../../rest/route.ts';
import { moneySchema, zonedLocationSchema } from '../../rest/serializers.ts';
import { listResources, type Resource } from './service.ts';
import { RESOURCE_TYPES } from './types.ts';

const resource = z
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
    buffer_minutes: z.int().meta({ description: 'Kept free after a booking' }),
    grid_minutes: z.int().meta({
      description:
        'Bookings begin on it, by the wall clock of the location, and last multiples of it',
    }),
    notice_minutes: z.int().meta({ description: 'Booked at least so long before' }),
    days_ahead: z.int().meta({ description: 'Booked at most so long before' }),
    free_cancellation_hours: z.int().meta({
      description: 'Before the start; later the price stays due',
    }),
    no_show_minutes: z.int().nullable().meta({
      description: 'Who has not arrived by then loses the booking; null: nobody does',
    }),
    requires_approval: z.boolean().meta({ description: "Members' bookings wait for staff" }),
    amenities: z.array(z.string()),
    active: z.boolean(),
  })
  .meta({ id: 'Resource' });

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/resources',
    access: 'spaces:read',
    summary: 'What can be booked, by name',
    query: z.strictObject({
      location_id: z.uuid().optional(),
      type: z.enum(RESOURCE_TYPES).optional(),
      ...pageParameters,
    }),
    data: z.object({ resources: z.array(resource), pagination: paginationSchema }),
    handler: async (ctx, { query: { limit, cursor, location_id: locationId, type } }) => {
      const page = await listResources(ctx, { locationId, type }, { limit, cursor });
      return { data: toPaginatedObject('resources', page, { limit, serialize: toResourceJson }) };
    },
  }),
];

const toResourceJson = (it: Resource) => ({
  id: it.id,
  slug: it.slug,
  name: it.name,
  type: it.type,
  capacity: it.capacity,
  location: { id: it.location.id, name: it.location.name, time_zone: it.location.timeZone },
  price_per_hour: it.pricePerHour,
  min_minutes: it.minMinutes,
  max_minutes: it.maxMinutes,
  buffer_minutes: it.bufferMinutes,
  grid_minutes: it.slotIntervalMinutes,
  notice_minutes: it.minNoticeMinutes,
  days_ahead: it.maxAdvanceDays,
  free_cancellation_hours: it.freeCancellationHours,
  no_show_minutes: it.noShowMinutes,
  requires_approval: it.requiresApproval,
  amenities: it.amenities,
  active: it.active,
});
