import { z } from 'zod';
import { ignoreNull, uuid } from '../../core/validation.ts';
import { RawJson } from '../../rest/envelope.ts';
import { toRestQuery, toRestSchema } from '../../rest/input-schema.ts';
import {
  defineRoute,
  emptyQuery,
  pageParameters,
  paginationSchema,
  toPaginatedJson,
} from '../../rest/route.ts';
import { showRestFields } from '../../rest/row-fields.ts';
import {
  instantSchema,
  moneySchema,
  namedSchema,
  toSnakeCaseKeys,
  zonedLocationSchema,
} from '../../rest/serializers.ts';
import {
  availabilityArgs,
  bookingFilter,
  cancelBookingInput,
  createBookingInput,
} from './inputs.ts';
import { BOOKING_STATUSES, bookingRow } from './rows.ts';
import { findResourceSlots } from './service/availability.ts';
import { cancelBooking } from './service/change-booking.ts';
import { createBooking } from './service/create-booking.ts';
import { getBooking, listBookingsJson } from './service/list-bookings.ts';
import { BOOKING_PAYMENT_STATUSES, type Booking } from './types.ts';

const bookingSchema = z
  .object({
    ...showRestFields(bookingRow).shape,
    resource: namedSchema,
    location: zonedLocationSchema,
    member: namedSchema.nullable(),
    guest: z.object({ name: z.string(), email: z.string().nullable() }).nullable(),
    price: moneySchema,
    payment: z
      .object({
        status: z.enum(BOOKING_PAYMENT_STATUSES).meta({
          description:
            'not_due: nothing to pay. overpaid: return the surplus. not_recorded: it ended before payments were recorded',
        }),
        due: moneySchema.meta({
          description: 'What it costs now: the price, or the fee after a cancellation',
        }),
        paid: moneySchema.meta({ description: 'What was paid of it, without what was returned' }),
        open: moneySchema.meta({ description: 'What is still to be paid' }),
        surplus: moneySchema.meta({ description: 'What was paid too much, and is to be returned' }),
      })
      .meta({ description: 'Whether it is paid' }),
    cancellation: z
      .object({
        cancelled_at: instantSchema,
        reason: z.string().nullable(),
        fee: moneySchema.meta({ description: 'The part of the price that is still charged' }),
      })
      .nullable(),
  })
  .meta({ id: 'Booking' });

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
        .extend({ status: z.enum(BOOKING_STATUSES).optional(), ...pageParameters }),
    ),
    data: z.object({ bookings: z.array(bookingSchema), pagination: paginationSchema }),
    handler: async (ctx, { query: { limit, cursor, status, ...filter } }) => {
      const page = await listBookingsJson(
        ctx,
        { ...filter, status: status && [status] },
        { limit, cursor },
      );
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

const toBookingResponse = ({ updatedAt, ...booking }: Booking) => ({
  data: { booking: toSnakeCaseKeys(booking) },
});
