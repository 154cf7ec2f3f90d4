import { z } from 'zod';
import { uuid } from '../core/validation.ts';
import {
  BookingStatus,
  CheckInResult,
  CheckInSubject,
  DisplayKind,
  DisplayStatus,
  EventStatus,
  EventVisibility,
  MemberStatus,
  OrderStatus,
  PaymentProvider,
} from '../db/generated/enums.ts';

// The data of webhook messages, with the field names of the REST API. Fields that are not listed here are not sent. The
// enums are those of the database, so that this file imports no feature.

const instant = z.iso.datetime();
const idAndName = z.object({ id: uuid, name: z.string() });
const money = z.object({ amount: z.int(), currency: z.string() });
/** Payloads contain only issued tickets and day passes, not held or expired ones. */
const admissionStatus = z.enum(['valid', 'cancelled']);
const paymentStatus = z.enum(['pending', 'paid', 'partially_refunded', 'refunded', 'none']);
const person = z.object({ name: z.string(), email: z.string().nullable() });
const happenedAt = instant.meta({ description: 'When it happened' });

export const display = z.object({
  display: z.object({
    id: uuid,
    name: z.string(),
    kind: z.enum(DisplayKind),
    location: idAndName,
  }),
  was: z.enum(DisplayStatus).nullable().meta({ description: 'The status before, if it changed' }),
  at: happenedAt,
});

export const checkIn = z.object({
  check_in: z.object({
    id: uuid,
    result: z.enum(CheckInResult),
    unconfirmed: z.boolean().meta({
      description: 'Whether a client that is not a paired kiosk checked the person in by handle',
    }),
    label: z
      .string()
      .nullable()
      .meta({ description: 'The name of the guest; null if the code was not found' }),
    checked_in_at: instant.meta({ description: 'When the guest checked in, or tried to' }),
    checked_out_at: instant.nullable(),
    subject: z.object({ type: z.enum(CheckInSubject), title: z.string().nullable() }).nullable(),
    location: idAndName,
  }),
});

/** Does not contain the code, since it admits the member. */
export const member = z.object({
  member: z.object({
    id: uuid,
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    company: z.string().nullable(),
    status: z.enum(MemberStatus),
    created_at: instant,
  }),
});

export const booking = z.object({
  booking: z.object({
    id: uuid,
    status: z.enum(BookingStatus),
    title: z.string().nullable(),
    starts_at: instant,
    ends_at: instant,
    resource: idAndName,
    location: idAndName.extend({ time_zone: z.string() }),
    member: idAndName.nullable(),
    guest: z.object({ name: z.string(), email: z.string().nullable() }).nullable(),
    price: money,
    series_id: uuid.nullable(),
    cancellation: z
      .object({ cancelled_at: instant, reason: z.string().nullable(), fee: money })
      .nullable(),
    created_at: instant,
  }),
});

export const event = z.object({
  event: z.object({
    id: uuid,
    slug: z.string(),
    title: z.string(),
    summary: z.string().nullable(),
    status: z.enum(EventStatus),
    visibility: z.enum(EventVisibility),
    starts_at: instant,
    ends_at: instant,
    time_zone: z.string(),
    location: idAndName,
    resource: idAndName.nullable(),
    tags: z.array(z.string()),
    capacity: z.int().nullable(),
    created_at: instant,
  }),
});

/** The entry of the journal. `fields` are those that the journal stores. */
export const changePayload = (fields: z.ZodObject) =>
  z.object({
    change: z.object({
      id: uuid,
      position: z.int().meta({ description: 'Its place in the journal' }),
      subject_id: uuid.nullable().meta({ description: 'What changed; null for settings' }),
      location_id: uuid.nullable(),
      at: happenedAt,
      before: fields
        .partial()
        .nullable()
        .meta({ description: 'The values that changed; null if it was created' }),
      after: fields
        .partial()
        .nullable()
        .meta({ description: 'The new values; null if it was deleted' }),
    }),
  });

// Orders do not contain the secret link of the order, the codes of tickets or the payment URL.

const eventOfOrder = z.object({
  id: uuid,
  slug: z.string(),
  title: z.string(),
  starts_at: instant,
  ends_at: instant,
  time_zone: z.string(),
});

const ticketOfOrder = z.object({
  id: uuid,
  status: admissionStatus,
  attendee: person,
  ticket_type: idAndName,
  price: money,
});

const dayPassOfOrder = z.object({
  id: uuid,
  status: admissionStatus,
  valid_on: z.iso.date(),
  holder: person,
  day_pass_type: idAndName,
  location: idAndName.extend({ time_zone: z.string() }),
  price: money,
});

export const order = z.object({
  order: z.object({
    id: uuid,
    status: z.enum(OrderStatus),
    buyer: person,
    total: money,
    discount: z.object({ amount: money }),
    paid: money,
    refunded_amount: money.meta({ description: 'Refunded, including pending refunds' }),
    expires_at: instant.nullable().meta({
      description: 'When a pending order expires and releases its tickets; null for other orders',
    }),
    paid_at: instant.nullable(),
    cancelled_at: instant.nullable(),
    created_at: instant,
    event: eventOfOrder.nullable().meta({ description: 'Null for day passes' }),
    items: z.array(
      z.object({
        ticket_type: idAndName.nullable(),
        day_pass_type: idAndName.nullable(),
        valid_on: z.iso.date().nullable(),
        quantity: z.int(),
        unit_price: money,
      }),
    ),
    tickets: z.array(ticketOfOrder).meta({ description: 'The tickets issued' }),
    day_passes: z.array(dayPassOfOrder).meta({ description: 'The day passes issued' }),
    payment: z
      .object({ status: paymentStatus, provider: z.enum(PaymentProvider).nullable() })
      .nullable()
      .meta({ description: 'Null for a free order' }),
  }),
  at: happenedAt,
});

export const refund = order.extend({
  refund: z.object({ id: uuid, amount: money, reason: z.string().nullable() }),
});

export const ticket = z.object({
  ticket: ticketOfOrder.extend({ event: eventOfOrder, order_id: uuid }),
  at: happenedAt,
});

export const dayPass = z.object({
  day_pass: dayPassOfOrder.extend({ order_id: uuid }),
  at: happenedAt,
});
