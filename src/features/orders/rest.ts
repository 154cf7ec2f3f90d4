import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { noQuery, route } from '../../rest/route.ts';
import { inSnakeCase, instant, money, named } from '../../rest/shapes.ts';
import { paymentUrl, portalUrl } from './addresses.ts';
import { cancelBySecret } from './changes/cancel.ts';
import { sendLinks } from './changes/links.ts';
import { confirmFree } from './changes/offers.ts';
import * as fields from './fields.ts';
import { ADMISSION_STATUSES, ORDER_STATUSES, type Order, PAYMENT_STATUSES } from './order.ts';
import { placePasses } from './place/passes.ts';
import { placeTickets } from './place/tickets.ts';
import { calendarFileOf } from './portal/calendar.ts';
import { qrOf } from './portal/qr.ts';
import { receiptOf } from './portal/receipt.ts';
import * as orders from './service.ts';

const person = z.object({ name: z.string(), email: z.string().nullable() });

const order = z
  .object({
    id: z.uuid(),
    code: z.string().meta({ description: 'Short, for people' }),
    secret: z.string().meta({ description: 'Opens the order: keep it' }),
    status: z.enum(ORDER_STATUSES),
    buyer: z.object({ name: z.string(), email: z.string() }),
    total: money,
    discount: z.object({ code: z.string().nullable(), amount: money }),
    paid: money,
    refunded_amount: money,
    expires_at: instant
      .nullable()
      .meta({ description: 'Until when a pending order holds its stock' }),
    paid_at: instant.nullable(),
    cancelled_at: instant.nullable(),
    created_at: instant,
    event: z
      .object({
        id: z.uuid(),
        slug: z.string(),
        title: z.string(),
        starts_at: instant,
        ends_at: instant,
      })
      .loose()
      .nullable(),
    items: z.array(
      z.object({
        ticket_type: named.nullable(),
        day_pass_type: named.nullable(),
        valid_on: z.string().nullable(),
        quantity: z.int(),
        unit_price: money,
      }),
    ),
    tickets: z.array(
      z.object({
        id: z.uuid(),
        code: z.string(),
        status: z.enum(ADMISSION_STATUSES),
        attendee: person,
        ticket_type: named,
        event: z.object({ id: z.uuid(), slug: z.string(), title: z.string() }).loose(),
        price: money,
      }),
    ),
    day_passes: z.array(
      z.object({
        id: z.uuid(),
        code: z.string(),
        status: z.enum(ADMISSION_STATUSES),
        valid_on: z.string(),
        holder: person,
        day_pass_type: named,
        location: named.loose(),
        price: money,
      }),
    ),
    payment: z
      .object({
        status: z.enum(PAYMENT_STATUSES),
        provider: z.string().nullable(),
        url: z.string(),
      })
      .nullable(),
    may: z
      .object({
        pay: z.boolean(),
        confirm: z.boolean(),
        cancel: z.boolean(),
        refund_until: instant.nullable(),
        change_attendees: z.boolean(),
      })
      .meta({ description: 'What may still be done' }),
    portal_url: z.string(),
  })
  .meta({ id: 'Order' });

const data = z.object({ order });

export const routes = [
  route({
    method: 'POST',
    path: '/public/events/{id_or_slug}/orders',
    access: 'public',
    summary:
      'Order tickets: free ones are confirmed at once, the others are held until they are paid',
    query: noQuery,
    body: z.strictObject({
      buyer: fields.person,
      items: z
        .array(
          z.strictObject({
            ticket_type_id: z.uuid(),
            quantity: fields.quantity,
            attendees: fields.attendees.optional(),
          }),
        )
        .min(1)
        .max(fields.MOST_ITEMS),
      discount_code: fields.discountCode.nullish(),
    }),
    status: 201,
    data,
    answer: async (ctx, { params: { id_or_slug: event = '' }, body }) =>
      one(
        ctx,
        await placeTickets(ctx, {
          event,
          buyer: body.buyer,
          items: body.items.map(({ ticket_type_id: ticketTypeId, ...item }) => ({
            ticketTypeId,
            ...item,
          })),
          discountCode: body.discount_code ?? undefined,
        }),
      ),
  }),
  route({
    method: 'POST',
    path: '/public/day-passes/orders',
    access: 'public',
    summary: 'Order day passes for one date, one for each holder, or one for the buyer',
    query: noQuery,
    body: z.strictObject({
      buyer: fields.person,
      day_pass_type_id: z.uuid(),
      valid_on: fields.day,
      holders: fields.attendees.optional(),
      discount_code: fields.discountCode.nullish(),
    }),
    status: 201,
    data,
    answer: async (ctx, { body }) =>
      one(
        ctx,
        await placePasses(ctx, {
          buyer: body.buyer,
          dayPassTypeId: body.day_pass_type_id,
          validOn: body.valid_on,
          holders: body.holders,
          discountCode: body.discount_code ?? undefined,
        }),
      ),
  }),
  route({
    method: 'GET',
    path: '/public/orders/{secret}',
    access: 'public',
    summary: 'An order for whoever holds its secret',
    query: noQuery,
    data,
    answer: async (ctx, { params: { secret = '' } }) =>
      one(ctx, await orders.bySecret(ctx, secret)),
  }),
  route({
    method: 'POST',
    path: '/public/orders/{secret}/cancel',
    access: 'public',
    summary: 'Cancel an order, or some tickets or day passes of it, within the refund policy',
    query: noQuery,
    body: z.strictObject({ ticket_ids: fields.ids.nullish() }),
    data,
    answer: async (ctx, { params: { secret = '' }, body }) =>
      one(ctx, await cancelBySecret(ctx, secret, body.ticket_ids ?? undefined)),
  }),
  route({
    method: 'POST',
    path: '/public/orders/{secret}/confirm',
    access: 'public',
    summary: 'Take an offer from the waiting list for which nothing is to be paid',
    query: noQuery,
    body: z.strictObject({}),
    data,
    answer: async (ctx, { params: { secret = '' } }) => one(ctx, await confirmFree(ctx, secret)),
  }),
  route({
    method: 'POST',
    path: '/public/orders/find',
    access: 'public',
    summary:
      'Have the links of all orders of an address mailed to it; the answer does not say whether there are such',
    query: noQuery,
    body: fields.person.pick({ email: true }).strict(),
    data: z.object({ sent: z.literal(true) }),
    admit: ({ body: { email }, throttles, address }) =>
      throttles.orderThrottle.attempt({ address, email }),
    answer: async (ctx, { body: { email } }) => {
      await sendLinks(ctx, email);
      return { data: { sent: true } };
    },
  }),
  route({
    method: 'GET',
    path: '/public/orders/{secret}/calendar.ics',
    access: 'public',
    summary: 'What the order is for, for a calendar program',
    query: noQuery,
    data: z.string(),
    mediaType: 'text/calendar',
    answer: async (ctx, { params: { secret = '' }, baseUrl }) => {
      const found = await orders.bySecret(ctx, secret);
      const { host } = new URL(baseUrl);
      return versioned(calendarFileOf(found, { host, url: portalUrl(ctx, secret) }));
    },
  }),
  route({
    method: 'GET',
    path: '/public/orders/{secret}/receipt',
    access: 'public',
    summary: 'What was bought, paid and given back, as a page to print',
    query: noQuery,
    data: z.string(),
    mediaType: 'text/html',
    answer: async (ctx, { params: { secret = '' } }) =>
      versioned(receiptOf(await orders.bySecret(ctx, secret))),
  }),
  route({
    method: 'GET',
    path: '/public/orders/{secret}/codes/{id}',
    access: 'public',
    summary: 'The QR code of a ticket or a day pass of the order, as SVG',
    query: noQuery,
    data: z.string(),
    mediaType: 'image/svg+xml',
    answer: async (ctx, { params: { secret = '', id } }) => {
      const { tickets, dayPasses } = await orders.bySecret(ctx, secret);
      const found = [...tickets, ...dayPasses].find((one) => one.id === id);
      if (!found) throw notFound('ticket');
      return versioned(await qrOf(found.code));
    },
  }),
];

/** Whoever has it already, such as a calendar program, is told that it is still the same. */
const versioned = (data: string) => ({
  data,
  etag: createHash('sha256').update(data).digest('base64url'),
});

/** An order with its secret, in the wire's words. */
const one = (
  ctx: Ctx,
  { memberId: _, placeName: __, refunded, items, tickets, dayPasses, payment, ...order }: Order,
) => ({
  data: {
    order: {
      ...inSnakeCase({ ...order, refundedAmount: refunded }),
      items: items.map(inSnakeCase),
      tickets: tickets.map(inSnakeCase),
      day_passes: dayPasses.map(inSnakeCase),
      payment: payment && { ...payment, url: paymentUrl(ctx, order.secret ?? '') },
      portal_url: portalUrl(ctx, order.secret ?? ''),
    },
  },
});
