import { z } from 'zod';
import { Json } from '../../rest/envelope.ts';
import { instantQuery, pageQuery, paginated, pagination, route } from '../../rest/route.ts';
import { instant, money, named, zonedLocation } from '../../rest/shapes.ts';
import { BOOKING_STATUSES } from './booking.ts';
import * as bookings from './service.ts';

const booking = z
  .object({
    id: z.uuid(),
    status: z.enum(BOOKING_STATUSES),
    title: z.string().nullable(),
    notes: z.string().nullable(),
    starts_at: instant,
    ends_at: instant,
    resource: named,
    location: zonedLocation,
    member: named.nullable(),
    guest: z.object({ name: z.string(), email: z.string().nullable() }).nullable(),
    price: money,
    created_at: instant,
  })
  .meta({ id: 'Booking' });

export const routes = [
  route({
    method: 'GET',
    path: '/bookings',
    access: 'bookings:read',
    summary: 'Bookings that overlap [from, to), by start',
    query: z.strictObject({
      from: instantQuery.optional(),
      to: instantQuery.optional(),
      resource_id: z.uuid().optional(),
      location_id: z.uuid().optional(),
      member_id: z.uuid().optional(),
      status: z.enum(BOOKING_STATUSES).optional(),
      ...pageQuery,
    }),
    data: z.object({ bookings: z.array(booking), pagination }),
    answer: async (ctx, { query: { limit, cursor, from, to, status, ...ids } }) => {
      const filter = {
        from,
        to,
        status,
        resourceId: ids.resource_id,
        locationId: ids.location_id,
        memberId: ids.member_id,
      };
      const page = await bookings.listJson(ctx, filter, { limit, cursor });
      return { data: new Json(paginated('bookings', page, limit)) };
    },
  }),
];
