import { z } from 'zod';
import { RawJson } from '../../rest/envelope.ts';
import {
  defineRoute,
  emptyQuery,
  instantParameter,
  integerParameter,
  pageParameters,
  paginationSchema,
  toPaginatedJson,
} from '../../rest/route.ts';
import {
  instantSchema,
  moneySchema,
  namedSchema,
  toSnakeCaseKeys,
  zonedLocationSchema,
} from '../../rest/serializers.ts';
import {
  bookingNotesSchema,
  bookingTitleSchema,
  cancelReasonSchema,
  guestSchema,
} from './booking-input.ts';
import { cancelBooking } from './commands/change-booking.ts';
import { createBooking } from './commands/create-booking.ts';
import { findResourceSlots } from './queries/availability.ts';
import { getBooking, listBookingsJson } from './queries/list-bookings.ts';
import { BOOKING_STATUSES, type Booking } from './types.ts';

const bookingSchema = z
  .object({
    id: z.uuid(),
    status: z.enum(BOOKING_STATUSES),
    title: z.string().nullable(),
    notes: z.string().nullable(),
    starts_at: instantSchema,
    ends_at: instantSchema,
    resource: namedSchema,
    location: zonedLocationSchema,
    member: namedSchema.nullable(),
    guest: z.object({ name: z.string(), email: z.string().nullable() }).nullable(),
    price: moneySchema,
    series_id: z.uuid().nullable(),
    checked_in_at: instantSchema.nullable(),
    cancellation: z
      .object({
        cancelled_at: instantSchema,
        reason: z.string().nullable(),
        fee: moneySchema.meta({ description: 'The part of the price that stays due' }),
      })
      .nullable(),
    created_at: instantSchema,
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
    query: z.strictObject({
      from: instantParameter.optional(),
      to: instantParameter.optional(),
      resource_id: z.uuid().optional(),
      location_id: z.uuid().optional(),
      member_id: z.uuid().optional(),
      status: z.enum(BOOKING_STATUSES).optional(),
      ...pageParameters,
    }),
    data: z.object({ bookings: z.array(bookingSchema), pagination: paginationSchema }),
    handler: async (ctx, { query: { limit, cursor, from, to, status, ...ids } }) => {
      const filter = {
        from,
        to,
        status,
        resourceId: ids.resource_id,
        locationId: ids.location_id,
        memberId: ids.member_id,
      };
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
    body: z.strictObject({
      resource_id: z.uuid(),
      starts_at: instantParameter,
      ends_at: instantParameter,
      member_id: z.uuid().nullish(),
      guest: guestSchema.nullish(),
      title: bookingTitleSchema.nullish(),
      notes: bookingNotesSchema.nullish(),
    }),
    status: 201,
    data: z.object({ booking: bookingSchema }),
    handler: async (ctx, { body }) =>
      toBookingResponse(
        await createBooking(ctx, {
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
  defineRoute({
    method: 'POST',
    path: '/bookings/{id}/cancel',
    access: 'bookings:write',
    summary: 'Cancel a booking. After the free cancellation deadline its price stays due.',
    query: emptyQuery,
    body: z.strictObject({ reason: cancelReasonSchema.nullish() }),
    data: z.object({ booking: bookingSchema }),
    handler: async (ctx, { params: { id = '' }, body }) =>
      toBookingResponse(await cancelBooking(ctx, id, { reason: body.reason ?? undefined })),
  }),
  defineRoute({
    method: 'GET',
    path: '/resources/{id}/availability',
    access: 'spaces:read',
    summary: 'List the free slots of a resource in a period of at most 31 days',
    query: z.strictObject({
      from: instantParameter.optional().meta({ description: 'Default: now' }),
      to: instantParameter.optional().meta({ description: 'Default: a week after from' }),
      minutes: integerParameter(1, 44_640)
        .optional()
        .meta({ description: 'The length of the slots. Default: the shortest booking' }),
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

const toBookingResponse = (booking: Booking) => ({ data: { booking: toSnakeCaseKeys(booking) } });
