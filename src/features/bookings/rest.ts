import { z } from 'zod';
import { ignoreNull, uuid } from '../../core/validation.ts';
import { instantSchema, moneySchema } from '../../objects/schemas.ts';
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
import {
  availabilityArgs,
  bookingFilter,
  cancelBookingInput,
  createBookingInput,
} from './inputs.ts';
import { bookingObject, bookingSchema, toBookingJson } from './rest-object.ts';
import { EMPTY_REASONS } from './rules/empty-reason.ts';
import { findResourceAvailability } from './service/availability.ts';
import { cancelBooking } from './service/change-booking.ts';
import { createBooking } from './service/create-booking.ts';
import { bookingList, getBooking, listBookingsJson } from './service/list-bookings.ts';
import type { Booking } from './types.ts';

const slotSchema = z
  .object({
    starts_at: instantSchema.meta({ description: 'When the slot starts' }),
    ends_at: instantSchema.meta({ description: 'When the slot ends' }),
    price: moneySchema.meta({ description: 'What a booking of the slot costs' }),
  })
  .meta({ id: 'Slot', description: 'A time at which a resource can be booked' });

const bookingData = z.object({
  booking: bookingSchema.meta({ description: 'The booking, as it is now' }),
});

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/bookings',
    fastPath: true,
    access: 'bookings:read',
    summary: 'List bookings',
    description: 'Those that overlap the time between from and to, sorted by start.',
    query: toRestQuery(
      bookingFilter
        .pick({
          from: true,
          to: true,
          resourceId: true,
          locationId: true,
          memberId: true,
          status: true,
        })
        .extend({ ids: idsParameter, ...pageParameters }),
    ),
    data: z.object({
      bookings: z.array(bookingSchema).meta({ description: 'One page of the bookings' }),
      pagination: paginationSchema,
    }),
    handler: async (ctx, { query: { ids, limit, cursor, ...filter } }) => {
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
    data: bookingData,
    handler: async (ctx, { params: { id = '' } }) => toBookingResponse(await getBooking(ctx, id)),
  }),
  defineRoute({
    method: 'POST',
    path: '/bookings',
    access: 'bookings:write',
    summary: 'Book a resource for a member or a guest',
    description: 'Send either member_id or guest. Members book for themselves and send neither.',
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
      {
        resourceId: 'The resource to book',
        startsAt: 'When it starts',
        endsAt: 'When it ends',
        memberId: 'The member who books',
      },
    ),
    status: 201,
    data: bookingData,
    handler: async (ctx, { body }) => toBookingResponse(await createBooking(ctx, body)),
  }),
  defineRoute({
    method: 'POST',
    path: '/bookings/{id}/cancel',
    access: 'bookings:write',
    summary: 'Cancel a booking',
    description: 'After the deadline for free cancellation, the full price is charged.',
    query: emptyQuery,
    body: toRestSchema(cancelBookingInput.pick({ reason: true })),
    data: bookingData,
    handler: async (ctx, { params: { id = '' }, body }) =>
      toBookingResponse(await cancelBooking(ctx, id, body)),
  }),
  defineRoute({
    method: 'GET',
    path: '/resources/{id}/availability',
    access: 'spaces:read',
    summary: 'List the free slots of a resource',
    description: 'In a period of at most 31 days in its time zone.',
    query: toRestQuery(availabilityArgs.pick({ from: true, to: true, minutes: true }), {
      from: 'The start of the period. Default: now',
      to: 'The end of the period. Default: a week after from',
      minutes: 'The length of the slots. Default: the shortest booking',
    }),
    data: z.object({
      slots: z.array(slotSchema).meta({ description: 'The free slots, by start' }),
      empty_reason: z
        .enum(EMPTY_REASONS)
        .nullable()
        .meta({ description: 'Why there are no slots; null if there are some' }),
      next_free_on: z.iso.date().nullable().meta({
        description:
          'The first day after the period, in the time zone of the location, on which a booking of this length can start; null if the period has slots, or if there is none within 31 days',
      }),
    }),
    handler: async (ctx, { params: { id = '' }, query }) => {
      const availability = await findResourceAvailability(ctx, id, query);
      const slots = availability.slots();
      const isEmpty = slots.length === 0;
      return {
        data: {
          slots: slots.map(({ startsAt, endsAt, price }) => ({
            starts_at: startsAt,
            ends_at: endsAt,
            price,
          })),
          empty_reason: isEmpty ? availability.emptyReason() : null,
          next_free_on: isEmpty ? await availability.nextFreeOn() : null,
        },
      };
    },
  }),
];

const toBookingResponse = (booking: Booking) => ({ data: { booking: toBookingJson(booking) } });
