import { z } from 'zod';
import { ignoreNull, uuid } from '../../core/validation.ts';
import { RawJson } from '../../rest/envelope.ts';
import { toRestQuery, toRestSchema } from '../../rest/input-schema.ts';
import { idsParameter, readObjectsById } from '../../rest/read-objects.ts';
import {
  defineRoute,
  emptyQuery,
  pageParameters,
  paginationSchema,
  toPaginatedJson,
} from '../../rest/route.ts';
import { instantSchema, moneySchema } from '../../rest/serializers.ts';
import {
  availabilityArgs,
  bookingFilter,
  cancelBookingInput,
  createBookingInput,
} from './inputs.ts';
import { bookingObject, bookingSchema, toBookingJson } from './rest-object.ts';
import { BOOKING_STATUSES } from './rows.ts';
import { findResourceSlots } from './service/availability.ts';
import { cancelBooking } from './service/change-booking.ts';
import { createBooking } from './service/create-booking.ts';
import { bookingList, getBooking, listBookingsJson } from './service/list-bookings.ts';
import type { Booking } from './types.ts';

const slotSchema = z.object({
  starts_at: instantSchema,
  ends_at: instantSchema,
  price: moneySchema,
});

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/bookings',
    fastPath: true,
    access: 'bookings:read',
    summary: 'List bookings that overlap [from, to), sorted by start',
    query: toRestQuery(
      bookingFilter
        .pick({
          from: true,
          to: true,
          resourceId: true,
          locationId: true,
          memberId: true,
        })
        .extend({
          ids: idsParameter,
          status: z.enum(BOOKING_STATUSES).optional(),
          ...pageParameters,
        }),
    ),
    data: z.object({ bookings: z.array(bookingSchema), pagination: paginationSchema }),
    handler: async (ctx, { query: { ids, limit, cursor, status, ...others } }) => {
      const filter = { ...others, status: status && [status] };
      if (ids) {
        const source = { list: bookingList, object: bookingObject };
        const bookings = await readObjectsById(ctx, source, ids, filter);
        return { data: { bookings, pagination: { limit, next_cursor: null } } };
      }
      const page = await listBookingsJson(ctx, filter, { limit, cursor });
      return { data: new RawJson(toPaginatedJson('bookings', page, limit)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/bookings/{id}',
    access: 'bookings:read',
    summary: 'Get a booking',
    query: emptyQuery,
    data: z.object({ booking: bookingSchema }),
    handler: async (ctx, { params: { id = '' } }) => toBookingResponse(await getBooking(ctx, id)),
  }),
  defineRoute({
    method: 'POST',
    path: '/bookings',
    access: 'bookings:write',
    summary: 'Book a resource for a member or a guest. Members book for themselves.',
    query: emptyQuery,
    body: toRestSchema(
      createBookingInput
        .pick({
          resourceId: true,
          startsAt: true,
          endsAt: true,
          memberId: true,
          guest: true,
          title: true,
          notes: true,
        })
        .extend({ resourceId: uuid, memberId: ignoreNull(uuid) }),
    ),
    status: 201,
    data: z.object({ booking: bookingSchema }),
    handler: async (ctx, { body }) => toBookingResponse(await createBooking(ctx, body)),
  }),
  defineRoute({
    method: 'POST',
    path: '/bookings/{id}/cancel',
    access: 'bookings:write',
    summary: 'Cancel a booking. After the free cancellation deadline, the full price is charged.',
    query: emptyQuery,
    body: toRestSchema(cancelBookingInput.pick({ reason: true })),
    data: z.object({ booking: bookingSchema }),
    handler: async (ctx, { params: { id = '' }, body }) =>
      toBookingResponse(await cancelBooking(ctx, id, body)),
  }),
  defineRoute({
    method: 'GET',
    path: '/resources/{id}/availability',
    access: 'spaces:read',
    summary: 'List the free slots of a resource in a period of at most 31 days in its time zone',
    query: toRestQuery(availabilityArgs.pick({ from: true, to: true, minutes: true }), {
      from: 'Default: now',
      to: 'Default: a week after from',
      minutes: 'The length of the slots. Default: the shortest booking',
    }),
    data: z.object({ slots: z.array(slotSchema) }),
    handler: async (ctx, { params: { id = '' }, query }) => ({
      data: {
        slots: (await findResourceSlots(ctx, id, query)).map(({ startsAt, endsAt, price }) => ({
          starts_at: startsAt,
          ends_at: endsAt,
          price,
        })),
      },
    }),
  }),
];

const toBookingResponse = (booking: Booking) => ({ data: { booking: toBookingJson(booking) } });
