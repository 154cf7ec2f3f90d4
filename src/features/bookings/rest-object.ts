import { z } from 'zod';
import { toSnakeCaseKeys } from '../../core/letter-case.ts';
import { showRestFields } from '../../objects/row-fields.ts';
import type { RestObject } from '../../objects/row-object.ts';
import {
  instantSchema,
  memberRefSchema,
  moneySchema,
  personSchema,
  resourceRefSchema,
  zonedLocationSchema,
} from '../../objects/schemas.ts';
import { bookingRow } from './rows.ts';
import { bookingList } from './service/list-bookings.ts';
import { BOOKING_PAYMENT_STATUSES, type Booking } from './types.ts';

export const bookingSchema = z
  .object({
    ...showRestFields(bookingRow).shape,
    resource: resourceRefSchema.meta({ description: 'What is booked' }),
    location: zonedLocationSchema.meta({ description: 'Where it is' }),
    member: memberRefSchema.nullable().meta({ description: 'Who booked; null for a guest' }),
    guest: personSchema.nullable().meta({ description: 'Who booked; null for a member' }),
    price: moneySchema.meta({ description: 'What it costs' }),
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
        cancelled_at: instantSchema.meta({ description: 'When it was cancelled' }),
        reason: z.string().nullable().meta({ description: 'Why; null if nobody gave a reason' }),
        fee: moneySchema.meta({ description: 'The part of the price that is still charged' }),
      })
      .nullable()
      .meta({ description: 'Null unless it is cancelled' }),
  })
  .meta({ id: 'Booking', description: 'A booking of a room, a desk or equipment' });

export const toBookingJson = ({ updatedAt, ...booking }: Booking) => toSnakeCaseKeys(booking);

export const bookingObject: RestObject = {
  schema: bookingSchema,
  find: async (ctx, ids) => {
    const bookings = await bookingList.findByIds(ctx, ids);
    return new Map(bookings.map((booking) => [booking.id, toBookingJson(booking)]));
  },
};
