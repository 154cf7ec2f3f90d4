import { z } from 'zod';
import { uuid } from '../../core/validation.ts';
import { showRestFields } from '../../rest/row-fields.ts';
import {
  eventLocationSchema,
  instantSchema,
  moneySchema,
  namedSchema,
  personSchema,
  timeZoneSchema,
  zonedLocationSchema,
} from '../../rest/serializers.ts';
import { EVENT_STATUSES } from '../events/rows.ts';
import { dayPassRow, orderRow, ticketRow } from './rows.ts';
import { PAYMENT_STATUSES } from './types.ts';

export const orderFields = showRestFields(orderRow, { except: ['memberId'] });
export const ticketFields = showRestFields(ticketRow);
export const dayPassFields = showRestFields(dayPassRow);

const ticketTypeRef = namedSchema.meta({ id: 'TicketTypeRef', description: 'A ticket type' });
const dayPassTypeRef = namedSchema.meta({ id: 'DayPassTypeRef', description: 'A day pass type' });

const eventOfTicket = z.object({
  id: uuid.meta({ description: 'Identifies the event in both APIs' }),
  slug: z.string().meta({ description: 'The name in URLs' }),
  title: z.string().meta({ description: 'The title' }),
  starts_at: instantSchema.meta({ description: 'When it starts' }),
  ends_at: instantSchema.meta({ description: 'When it ends' }),
  time_zone: timeZoneSchema.meta({ description: 'The IANA time zone of its location' }),
});

const ticketJson = z
  .object({
    ...ticketFields.shape,
    code: z.string().meta({ description: 'The content of its QR code' }),
    attendee: personSchema.meta({ description: 'Whom it admits' }),
    ticket_type: ticketTypeRef.meta({ description: 'Its type' }),
    event: eventOfTicket.meta({
      id: 'EventRef',
      description: 'The event of a ticket or an order',
    }),
    price: moneySchema.meta({ description: 'What it cost, before discounts' }),
  })
  .meta({ id: 'Ticket', description: 'Admits one person to an event' });

const dayPassJson = z
  .object({
    ...dayPassFields.shape,
    code: z.string().meta({ description: 'The content of its QR code' }),
    holder: personSchema.meta({ description: 'Whom it admits' }),
    day_pass_type: dayPassTypeRef.meta({ description: 'Its type' }),
    location: zonedLocationSchema.meta({ description: 'Where it admits' }),
    price: moneySchema.meta({ description: 'What it cost, before discounts' }),
  })
  .meta({ id: 'DayPass', description: 'Admits one person on one date' });

const orderItemJson = z
  .object({
    ticket_type: ticketTypeRef.nullable().meta({ description: 'Null for day passes' }),
    day_pass_type: dayPassTypeRef.nullable().meta({ description: 'Null for tickets' }),
    valid_on: z.iso
      .date()
      .nullable()
      .meta({ description: 'The date of day passes; null for tickets' }),
    quantity: z.int().meta({ description: 'How many' }),
    unit_price: moneySchema.meta({ description: 'The price of one' }),
  })
  .meta({ id: 'OrderItem', description: 'Tickets or day passes of one type' });

export const orderJson = z
  .object({
    ...orderFields.shape,
    code: z.string().meta({ description: 'A short code for people' }),
    secret: z.string().meta({ description: 'Opens the order: store it' }),
    buyer: personSchema.meta({ description: 'Who ordered, and gets the emails' }),
    total: moneySchema.meta({ description: 'What it costs, after discounts' }),
    discount: z
      .object({
        code: z
          .string()
          .nullable()
          .meta({ description: 'The discount code; null if there is none' }),
        amount: moneySchema.meta({ description: 'What the code takes off the price' }),
      })
      .meta({ description: 'The discount' }),
    paid: moneySchema.meta({ description: 'What was paid' }),
    refunded_amount: moneySchema.meta({ description: 'What was refunded' }),
    event: eventOfTicket
      .extend({
        status: z.enum(EVENT_STATUSES).meta({ description: 'Whether it takes place' }),
        location: eventLocationSchema.meta({ description: 'Where it takes place' }),
        room_name: z.string().nullable().meta({ description: 'The room; null if it has none' }),
        refund_hours: z.int().nullable().meta({
          description: 'Until how many hours before the start buyers get a refund; null for never',
        }),
        updated_at: instantSchema.meta({ description: 'When it last changed' }),
      })
      .nullable()
      .meta({ description: 'The event of the tickets; null for day passes' }),
    items: z.array(orderItemJson).meta({ description: 'What was ordered' }),
    tickets: z.array(ticketJson).meta({ description: 'The tickets; none until it is confirmed' }),
    day_passes: z
      .array(dayPassJson)
      .meta({ description: 'The day passes; none until it is confirmed' }),
    payment: z
      .object({
        status: z.enum(PAYMENT_STATUSES).meta({ description: 'Whether it was paid or refunded' }),
        provider: z.string().nullable().meta({
          description: 'How it is paid; null until that is known',
        }),
        url: z.string().meta({ description: 'Where the buyer pays', format: 'uri' }),
      })
      .nullable()
      .meta({ description: 'Null for a free order' }),
    confirmation_required: z.boolean().meta({
      description:
        'Whether the buyer still has to confirm this free order with the link in the email. Its seats are held until expires_at.',
    }),
    may: z
      .object({
        pay: z.boolean().meta({ description: 'Pay it' }),
        confirm: z.boolean().meta({ description: 'Confirm it' }),
        cancel: z.boolean().meta({ description: 'Cancel it, or a part of it' }),
        refund_until: instantSchema.nullable().meta({
          description: 'Until when a cancellation is refunded; null if it is not',
        }),
        change_attendees: z.boolean().meta({ description: 'Change the names on tickets' }),
      })
      .meta({ description: 'The actions that the buyer can still take' }),
    portal_url: z.string().meta({ description: 'The page of the order', format: 'uri' }),
  })
  .meta({ id: 'Order', description: 'Tickets or day passes that someone ordered' });
