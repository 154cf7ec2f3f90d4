import { z } from 'zod';
import { uuid } from '../../core/validation.ts';
import { showRestFields } from '../../rest/row-fields.ts';
import type { RestObject } from '../../rest/row-object.ts';
import {
  instantSchema,
  moneySchema,
  namedSchema,
  toSnakeCaseKeys,
  zonedLocationSchema,
} from '../../rest/serializers.ts';
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

const personJson = z.object({ name: z.string(), email: z.string().nullable() });

const eventOfTicket = z.object({
  id: uuid,
  slug: z.string(),
  title: z.string(),
  starts_at: instantSchema,
  ends_at: instantSchema,
  time_zone: z.string(),
});

const ticketJson = z.object({
  ...ticketFields.shape,
  code,
  attendee: personJson,
  ticket_type: namedSchema,
  event: eventOfTicket,
  price: moneySchema,
});

const dayPassJson = z.object({
  ...dayPassFields.shape,
  code,
  holder: personJson,
  day_pass_type: namedSchema,
  location: zonedLocationSchema,
  price: moneySchema,
});

/** What buyers and staff see of an order. Codes are null for those who cannot read them. */
export const orderShape = {
  ...orderFields.shape,
  code: z
    .string()
    .nullable()
    .meta({ description: `A short code for people; ${HIDDEN_CODE}` }),
  buyer: personJson,
  total: moneySchema,
  discount: z.object({ code: z.string().nullable(), amount: moneySchema }),
  paid: moneySchema,
  refunded_amount: moneySchema,
  event: eventOfTicket
    .extend({
      status: z.enum(EVENT_STATUSES),
      location: namedSchema.extend({ address: z.string().nullable() }),
      room_name: z.string().nullable(),
      refund_hours: z.int().nullable(),
      updated_at: instantSchema,
    })
    .nullable(),
  items: z.array(
    z.object({
      ticket_type: namedSchema.nullable(),
      day_pass_type: namedSchema.nullable(),
      valid_on: z.iso.date().nullable(),
      quantity: z.int(),
      unit_price: moneySchema,
    }),
  ),
  tickets: z.array(ticketJson),
  day_passes: z.array(dayPassJson),
  payment: z
    .object({ status: z.enum(PAYMENT_STATUSES), provider: z.string().nullable() })
    .nullable(),
  confirmation_required: z.boolean().meta({
    description:
      'Whether the buyer still has to confirm this free order with the link in the email. Its seats are held until expires_at.',
  }),
  may: z
    .object({
      pay: z.boolean(),
      confirm: z.boolean(),
      cancel: z.boolean(),
      refund_until: instantSchema.nullable(),
      change_attendees: z.boolean(),
    })
    .meta({ description: 'The actions that the buyer can still take' }),
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

/** An order for staff and programs: without the secret, and what contains it. */
export const orderObject: RestObject = {
  codeScope: 'orders:write',
  schema: z.object({ ...orderShape, member_id: memberId }).meta({ id: 'StaffOrder' }),
  find: async (ctx, ids, options) => {
    const orders = await findOrdersByIds(ctx, ids);
    return new Map(
      orders.map((order) => [
        order.id,
        { ...toOrderJson(order, options), member_id: order.memberId },
      ]),
    );
  },
};

const orderId = uuid.meta({ description: 'The order that it belongs to' });

export const ticketObject: RestObject = {
  codeScope: 'orders:write',
  schema: ticketJson.extend({ order_id: orderId }).meta({ id: 'Ticket' }),
  find: async (ctx, ids, options) => {
    const tickets = await ticketList.findByIds(ctx, ids);
    return new Map(
      tickets.map((ticket) => [
        ticket.id,
        { ...toTicketJson(ticket, options), order_id: ticket.orderId },
      ]),
    );
  },
};

export const dayPassObject: RestObject = {
  codeScope: 'orders:write',
  schema: dayPassJson.extend({ order_id: orderId }).meta({ id: 'DayPass' }),
  find: async (ctx, ids, options) => {
    const passes = await dayPassList.findByIds(ctx, ids);
    return new Map(
      passes.map((pass) => [pass.id, { ...toDayPassJson(pass, options), order_id: pass.orderId }]),
    );
  },
};
