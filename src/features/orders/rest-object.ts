import { z } from 'zod';
import { toSnakeCaseKeys } from '../../core/letter-case.ts';
import { uuid } from '../../core/validation.ts';
import { showRestFields } from '../../objects/row-fields.ts';
import type { RestObject } from '../../objects/row-object.ts';
import {
  eventLocationSchema,
  instantSchema,
  moneySchema,
  namedSchema,
  personSchema,
  timeZoneSchema,
  zonedLocationSchema,
} from '../../objects/schemas.ts';
import { EVENT_STATUSES } from '../events/rows.ts';
import { dayPassRow, orderRow, ticketRow } from './rows.ts';
import { findOrdersByIds } from './service/find-orders.ts';
import { dayPassList, ticketList } from './service/list-admissions.ts';
import {
  type DayPass,
  type Order,
  type OrderItem,
  PAYMENT_STATUSES,
  type Ticket,
  toItemTypes,
} from './types.ts';

interface CodeOptions {
  showsCodes: boolean;
}

const orderFields = showRestFields(orderRow, { except: ['memberId'] });
const ticketFields = showRestFields(ticketRow);
const dayPassFields = showRestFields(dayPassRow);

export const CODE = { description: 'The content of its QR code' };
const HIDDEN_CODE = 'null without orders:write and check-ins:write';
const code = z
  .string()
  .nullable()
  .meta({ description: `${CODE.description}; ${HIDDEN_CODE}` });

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
    code,
    attendee: personSchema.meta({ description: 'Whom it admits' }),
    ticket_type: ticketTypeRef.meta({ description: 'Its type' }),
    event: eventOfTicket.meta({
      id: 'EventRef',
      description: 'The event of a ticket or an order',
    }),
    price: moneySchema.meta({ description: 'What it cost, before discounts' }),
  })
  .meta({ id: 'OrderedTicket', description: 'A ticket of an order' });

const dayPassJson = z
  .object({
    ...dayPassFields.shape,
    code,
    holder: personSchema.meta({ description: 'Whom it admits' }),
    day_pass_type: dayPassTypeRef.meta({ description: 'Its type' }),
    location: zonedLocationSchema.meta({ description: 'Where it admits' }),
    price: moneySchema.meta({ description: 'What it cost, before discounts' }),
  })
  .meta({ id: 'OrderedDayPass', description: 'A day pass of an order' });

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

/** What buyers and staff see of an order. Codes are null for those who cannot read them. */
export const orderShape = {
  ...orderFields.shape,
  code: z
    .string()
    .nullable()
    .meta({ description: `A short code for people; ${HIDDEN_CODE}` }),
  buyer: personSchema.meta({ description: 'Who ordered, and gets the emails' }),
  total: moneySchema.meta({ description: 'What it costs, after discounts' }),
  discount: z
    .object({
      code: z.string().nullable().meta({ description: 'The discount code; null if there is none' }),
      amount: moneySchema.meta({ description: 'What the code takes off the price' }),
    })
    .meta({ description: 'The discount' }),
  paid: moneySchema.meta({ description: 'What was paid' }),
  refunded_amount: moneySchema.meta({ description: 'What was refunded' }),
  event: eventOfTicket
    .extend({
      status: z.enum(EVENT_STATUSES).meta({ description: 'Whether it takes place' }),
      location: eventLocationSchema.meta({ description: 'Where it takes place' }),
      room_id: uuid.nullable().meta({ description: 'The room; null if it has none' }),
      room_name: z.string().nullable().meta({ description: 'The name of the room' }),
      refund_hours: z.int().nullable().meta({
        description: 'Until how many hours before the start buyers get a refund; null for never',
      }),
      updated_at: instantSchema.meta({ description: 'When it last changed' }),
    })
    .meta({ id: 'OrderedEvent', description: 'The event of the tickets of an order' })
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
    .meta({ id: 'OrderActions', description: 'The actions that the buyer can still take' }),
};

export const toOrderJson = (order: Order, options: CodeOptions) => ({
  ...orderFields.serialize(order),
  code: options.showsCodes ? order.code : null,
  buyer: order.buyer,
  total: order.total,
  discount: {
    code: options.showsCodes ? order.discount.code : null,
    amount: order.discount.amount,
  },
  paid: order.paid,
  refunded_amount: order.refunded,
  event: order.event && toSnakeCaseKeys(order.event),
  items: order.items.map(toItemJson),
  tickets: order.tickets.map((ticket) => toTicketJson(ticket, options)),
  day_passes: order.dayPasses.map((pass) => toDayPassJson(pass, options)),
  payment: order.payment && { status: order.payment.status, provider: order.payment.provider },
  confirmation_required: order.confirmationRequired,
  may: toSnakeCaseKeys(order.allowedActions),
});

const toItemJson = (item: OrderItem) => {
  const { validOn, quantity, unitPrice } = item;
  return toSnakeCaseKeys({ ...toItemTypes(item), validOn, quantity, unitPrice });
};

const toTicketJson = (ticket: Ticket, { showsCodes }: CodeOptions) => ({
  ...ticketFields.serialize(ticket),
  code: showsCodes ? ticket.code : null,
  attendee: ticket.attendee,
  ticket_type: ticket.ticketType,
  event: toSnakeCaseKeys(ticket.event),
  price: ticket.price,
});

const toDayPassJson = (pass: DayPass, { showsCodes }: CodeOptions) => ({
  ...dayPassFields.serialize(pass),
  code: showsCodes ? pass.code : null,
  holder: pass.holder,
  day_pass_type: pass.dayPassType,
  location: toSnakeCaseKeys(pass.location),
  price: pass.price,
});

const memberId = uuid
  .nullable()
  .meta({ description: 'The member who placed it while signed in; null if nobody was' });

export const toStaffOrderJson = (order: Order, options: CodeOptions) => ({
  ...toOrderJson(order, options),
  member_id: order.memberId,
});

/** An order for staff and programs: without the secret, and what contains it. */
export const orderObject: RestObject = {
  codeScope: 'orders:write',
  schema: z
    .object({ ...orderShape, member_id: memberId })
    .meta({ id: 'StaffOrder', description: 'An order, as staff see it' }),
  find: async (ctx, ids, options) => {
    const orders = await findOrdersByIds(ctx, ids);
    return new Map(orders.map((order) => [order.id, toStaffOrderJson(order, options)]));
  },
};

const orderId = uuid.meta({ description: 'The order that it belongs to' });

export const toStaffTicketJson = (ticket: Ticket, options: CodeOptions) => ({
  ...toTicketJson(ticket, options),
  order_id: ticket.orderId,
});

export const ticketObject: RestObject = {
  codeScope: 'orders:write',
  schema: ticketJson
    .extend({ order_id: orderId })
    .meta({ id: 'Ticket', description: 'Admits one person to an event' }),
  find: async (ctx, ids, options) => {
    const tickets = await ticketList.findByIds(ctx, ids);
    return new Map(tickets.map((ticket) => [ticket.id, toStaffTicketJson(ticket, options)]));
  },
};

export const dayPassObject: RestObject = {
  codeScope: 'orders:write',
  schema: dayPassJson
    .extend({ order_id: orderId })
    .meta({ id: 'DayPass', description: 'Admits one person on one date' }),
  find: async (ctx, ids, options) => {
    const passes = await dayPassList.findByIds(ctx, ids);
    return new Map(
      passes.map((pass) => [pass.id, { ...toDayPassJson(pass, options), order_id: pass.orderId }]),
    );
  },
};
