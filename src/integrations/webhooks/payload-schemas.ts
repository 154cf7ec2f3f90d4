import { z } from 'zod';
import { BOOKING_STATUSES } from '../../features/bookings/types.ts';
import { CHECK_IN_RESULTS, CHECK_IN_SUBJECTS } from '../../features/check-ins/types.ts';
import { DISPLAY_KINDS, DISPLAY_STATUSES } from '../../features/displays/display.ts';
import { EVENT_STATUSES, EVENT_VISIBILITIES } from '../../features/events/types.ts';
import { MEMBER_STATUSES } from '../../features/members/types.ts';
import {
  ADMISSION_STATUSES,
  ORDER_STATUSES,
  PAYMENT_STATUSES,
} from '../../features/orders/types.ts';
import { PROVIDER_NAMES } from '../payments/provider.ts';

// What is told of each noun, in the words of the REST door. What a service answers with besides stays here.

const instant = z.iso.datetime();
const idAndName = z.object({ id: z.uuid(), name: z.string() });
const money = z.object({ amount: z.int(), currency: z.string() });
const person = z.object({ name: z.string(), email: z.string().nullable() });
const happenedAt = instant.meta({ description: 'When it happened' });

export const displayChange = z.object({
  display: z.object({
    id: z.uuid(),
    name: z.string(),
    kind: z.enum(DISPLAY_KINDS),
    location: idAndName,
  }),
  was: z.enum(DISPLAY_STATUSES),
  at: happenedAt,
});

export const checkIn = z.object({
  check_in: z.object({
    id: z.uuid(),
    result: z.enum(CHECK_IN_RESULTS),
    label: z.string().nullable().meta({ description: 'Who it was; null where nothing was found' }),
    checked_in_at: instant.meta({ description: 'When they came, or tried to' }),
    checked_out_at: instant.nullable(),
    subject: z.object({ type: z.enum(CHECK_IN_SUBJECTS), title: z.string().nullable() }).nullable(),
    location: idAndName,
  }),
});

/** Without the code: it opens doors. */
export const member = z.object({
  member: z.object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    company: z.string().nullable(),
    status: z.enum(MEMBER_STATUSES),
    created_at: instant,
  }),
});

export const booking = z.object({
  booking: z.object({
    id: z.uuid(),
    status: z.enum(BOOKING_STATUSES),
    title: z.string().nullable(),
    starts_at: instant,
    ends_at: instant,
    resource: idAndName,
    location: idAndName.extend({ time_zone: z.string() }),
    member: idAndName.nullable(),
    guest: z.object({ name: z.string(), email: z.string().nullable() }).nullable(),
    price: money,
    series_id: z.uuid().nullable(),
    cancellation: z
      .object({ cancelled_at: instant, reason: z.string().nullable(), fee: money })
      .nullable(),
    created_at: instant,
  }),
});

export const event = z.object({
  event: z.object({
    id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    summary: z.string().nullable(),
    status: z.enum(EVENT_STATUSES),
    visibility: z.enum(EVENT_VISIBILITIES),
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

// Orders and what they are for, as they are when it is told, some seconds later; `at` says when it happened. Without
// what opens doors: the secret, the codes, and where to pay.

const eventOfOrder = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  starts_at: instant,
  ends_at: instant,
  time_zone: z.string(),
});

const ticketOfOrder = z.object({
  id: z.uuid(),
  status: z.enum(ADMISSION_STATUSES),
  attendee: person,
  ticket_type: idAndName,
  price: money,
});

const dayPassOfOrder = z.object({
  id: z.uuid(),
  status: z.enum(ADMISSION_STATUSES),
  valid_on: z.iso.date(),
  holder: person,
  day_pass_type: idAndName,
  location: idAndName.extend({ time_zone: z.string() }),
  price: money,
});

export const order = z.object({
  order: z.object({
    id: z.uuid(),
    status: z.enum(ORDER_STATUSES),
    buyer: z.object({ name: z.string(), email: z.string() }),
    total: money,
    discount: z.object({ amount: money }),
    paid: money,
    refunded_amount: money.meta({ description: 'Given back, or about to be' }),
    expires_at: instant
      .nullable()
      .meta({ description: 'Until when a pending order holds its stock' }),
    paid_at: instant.nullable(),
    cancelled_at: instant.nullable(),
    created_at: instant,
    event: eventOfOrder.nullable().meta({ description: 'Null where it is for day passes' }),
    items: z.array(
      z.object({
        ticket_type: idAndName.nullable(),
        day_pass_type: idAndName.nullable(),
        valid_on: z.iso.date().nullable(),
        quantity: z.int(),
        unit_price: money,
      }),
    ),
    tickets: z.array(ticketOfOrder).meta({ description: 'What has been issued' }),
    day_passes: z.array(dayPassOfOrder).meta({ description: 'What has been issued' }),
    payment: z
      .object({ status: z.enum(PAYMENT_STATUSES), provider: z.enum(PROVIDER_NAMES).nullable() })
      .nullable()
      .meta({ description: 'Null where there is nothing to pay' }),
  }),
  at: happenedAt,
});

export const refund = order.extend({
  refund: z.object({ id: z.uuid(), amount: money, reason: z.string().nullable() }),
});

export const ticket = z.object({
  ticket: ticketOfOrder.extend({ event: eventOfOrder, order_id: z.uuid() }),
  at: happenedAt,
});

export const dayPass = z.object({
  day_pass: dayPassOfOrder.extend({ order_id: z.uuid() }),
  at: happenedAt,
});
