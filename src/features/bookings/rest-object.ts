import { z } from 'zod';
import { showRestFields } from '../../rest/row-fields.ts';
import type { RestObject } from '../../rest/row-object.ts';
import {
  instantSchema,
  moneySchema,
  namedSchema,
  toSnakeCaseKeys,
  zonedLocationSchema,
} from '../../rest/serializers.ts';
import { bookingRow } from './rows.ts';
import { bookingList } from './service/list-bookings.ts';
import type { Booking } from './types.ts';

export const bookingSchema = z
  .object({
    ...showRestFields(bookingRow).shape,
    resource: namedSchema,
    location: zonedLocationSchema,
    member: namedSchema.nullable(),
    guest: z.object({ name: z.string(), email: z.string().nullable() }).nullable(),
    price: moneySchema,
    cancellation: z
      .object({
        cancelled_at: instantSchema,
        reason: z.string().nullable(),
        fee: moneySchema.meta({ description: 'The part of the price that is still charged' }),
      })
      .nullable(),
  })
  .meta({ id: 'Booking' });

export const toBookingJson = ({ updatedAt, payment, ...booking }: Booking) =>
  toSnakeCaseKeys(booking);

export const bookingObject: RestObject = {
  schema: bookingSchema,
  find: async (ctx, ids) => {
    const bookings = await bookingList.findByIds(ctx, ids);
    return new Map(bookings.map((booking) => [booking.id, toBookingJson(booking)]));
  },
};
