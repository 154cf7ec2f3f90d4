import { z } from 'zod';
import { Json } from '../../rest/envelope.ts';
import {
  instantText,
  noQuery,
  pageQuery,
  paginated,
  pagination,
  route,
  wholeNumber,
} from '../../rest/route.ts';
import { inSnakeCase, instant, money, named, zonedLocation } from '../../rest/shapes.ts';
import { slots } from './availability/service.ts';
import { BOOKING_STATUSES, type Booking } from './booking.ts';
import { cancel } from './changes/cancel.ts';
import { create } from './create.ts';
import { cancelReason, guest, notes, title } from './fields.ts';
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
    series_id: z.uuid().nullable(),
    checked_in_at: instant.nullable(),
    cancellation: z
      .object({
        cancelled_at: instant,
        reason: z.string().nullable(),
        fee: money.meta({ description: 'What stays due of the price' }),
      })
      .nullable(),
    created_at: instant,
  })
  .meta({ id: 'Booking' });

const slot = z.object({ starts_at: instant, ends_at: instant, price: money });

export const routes = [
  route({
    method: 'GET',
    path: '/bookings',
    access: 'bookings:read',
    summary: 'Bookings that overlap [from, to), by start',
    query: z.strictObject({
      from: instantText.optional(),
      to: instantText.optional(),
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
  route({
    method: 'GET',
    path: '/bookings/{id}',
    access: 'bookings:read',
    summary: 'One booking',
    query: noQuery,
    data: z.object({ booking }),
    answer: async (ctx, { params: { id = '' } }) => one(await bookings.get(ctx, id)),
  }),
  route({
    method: 'POST',
    path: '/bookings',
    access: 'bookings:write',
    summary: 'Books a resource for a member or a guest; members book for themselves',
    query: noQuery,
    body: z.strictObject({
      resource_id: z.uuid(),
      starts_at: instantText,
      ends_at: instantText,
      member_id: z.uuid().nullish(),
      guest: guest.nullish(),
      title: title.nullish(),
      notes: notes.nullish(),
    }),
    status: 201,
    data: z.object({ booking }),
    answer: async (ctx, { body }) =>
      one(
        await create(ctx, {
          resourceId: body.resource_id,
          startsAt: body.starts_at,
          endsAt: body.ends_at,
          memberId: body.member_id ?? undefined,
          guest: body.guest ?? undefined,
          title: body.title ?? undefined,
          notes: body.notes ?? undefined,
        }),
      ),
  }),
  route({
    method: 'POST',
    path: '/bookings/{id}/cancel',
    access: 'bookings:write',
    summary: 'Sets the slot of a booking free; late, its price stays due',
    query: noQuery,
    body: z.strictObject({ reason: cancelReason.nullish() }),
    data: z.object({ booking }),
    answer: async (ctx, { params: { id = '' }, body }) =>
      one(await cancel(ctx, id, { reason: body.reason ?? undefined })),
  }),
  route({
    method: 'GET',
    path: '/resources/{id}/availability',
    access: 'spaces:read',
    summary: 'The slots of a resource that are free between two instants, at most 31 days apart',
    query: z.strictObject({
      from: instantText.optional().meta({ description: 'Now, if left out' }),
      to: instantText.optional().meta({ description: 'A week after from, if left out' }),
      minutes: wholeNumber(1, 44_640)
        .optional()
        .meta({ description: 'The length of the slots; the shortest booking, if left out' }),
    }),
    data: z.object({ slots: z.array(slot) }),
    answer: async (ctx, { params: { id = '' }, query }) => ({
      data: {
        slots: (await slots(ctx, id, query)).map(({ startsAt, endsAt, price }) => ({
          starts_at: startsAt,
          ends_at: endsAt,
          price,
        })),
      },
    }),
  }),
];

const one = (it: Booking) => ({ data: { booking: inSnakeCase(it) } });
