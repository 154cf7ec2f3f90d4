import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type RateLimits, toSecretGuess } from '../../auth/rate-limits.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { defineRoute, emptyQuery } from '../../rest/route.ts';
import {
  instantSchema,
  moneySchema,
  namedSchema,
  toSnakeCaseKeys,
} from '../../rest/serializers.ts';
import { cancelOrderBySecret } from './commands/cancel-order.ts';
import { confirmFreeOrder } from './commands/confirm-order.ts';
import { MIN_FIND_ORDERS_RESPONSE_MS, sendOrderLinks } from './commands/resend-links.ts';
import {
  admissionIdsSchema,
  attendeesSchema,
  dateSchema,
  discountCodeSchema,
  MAX_ORDER_ITEMS,
  personSchema,
  quantitySchema,
  toDiscountGuess,
} from './input-schemas.ts';
import { paymentUrl, portalUrl } from './links.ts';
import { placeDayPassOrder } from './place/place-day-pass-order.ts';
import { placeTicketOrder } from './place/place-ticket-order.ts';
import { renderQrCode, toCalendarFile } from './portal.ts';
import { getOrderBySecret } from './queries.ts';
import { renderReceipt } from './receipt.ts';
import { ADMISSION_STATUSES, ORDER_STATUSES, type Order, PAYMENT_STATUSES } from './types.ts';

const personJson = z.object({ name: z.string(), email: z.string().nullable() });

const orderJson = z
  .object({
    id: z.uuid(),
    code: z.string().meta({ description: 'A short code for people' }),
    secret: z.string().meta({ description: 'Opens the order: store it' }),
    status: z.enum(ORDER_STATUSES),
    buyer: z.object({ name: z.string(), email: z.string() }),
    total: moneySchema,
    discount: z.object({ code: z.string().nullable(), amount: moneySchema }),
    paid: moneySchema,
    refunded_amount: moneySchema,
    expires_at: instantSchema
      .nullable()
      .meta({ description: 'When a pending order releases its stock' }),
    paid_at: instantSchema.nullable(),
    cancelled_at: instantSchema.nullable(),
    created_at: instantSchema,
    event: z
      .object({
        id: z.uuid(),
        slug: z.string(),
        title: z.string(),
        starts_at: instantSchema,
        ends_at: instantSchema,
      })
      .loose()
      .nullable(),
    items: z.array(
      z.object({
        ticket_type: namedSchema.nullable(),
        day_pass_type: namedSchema.nullable(),
        valid_on: z.string().nullable(),
        quantity: z.int(),
        unit_price: moneySchema,
      }),
    ),
    tickets: z.array(
      z.object({
        id: z.uuid(),
        code: z.string(),
        status: z.enum(ADMISSION_STATUSES),
        attendee: personJson,
        ticket_type: namedSchema,
        event: z.object({ id: z.uuid(), slug: z.string(), title: z.string() }).loose(),
        price: moneySchema,
      }),
    ),
    day_passes: z.array(
      z.object({
        id: z.uuid(),
        code: z.string(),
        status: z.enum(ADMISSION_STATUSES),
        valid_on: z.string(),
        holder: personJson,
        day_pass_type: namedSchema,
        location: namedSchema.loose(),
        price: moneySchema,
      }),
    ),
    payment: z
      .object({
        status: z.enum(PAYMENT_STATUSES),
        provider: z.string().nullable(),
        url: z.string(),
      })
      .nullable(),
    confirmation_required: z.boolean().meta({
      description:
        'Whether this free order still waits for the buyer to open the link in the email. It holds its places until expires_at.',
    }),
    may: z
      .object({
        pay: z.boolean(),
        confirm: z.boolean(),
        cancel: z.boolean(),
        refund_until: instantSchema.nullable(),
        change_attendees: z.boolean(),
      })
      .meta({ description: 'What the buyer can still do' }),
    portal_url: z.string(),
  })
  .meta({ id: 'Order' });

const orderData = z.object({ order: orderJson });

/** Counts wrong guesses of an order's secret, for every route that takes one. */
const toPathSecretGuess = (input: {
  params: Record<string, string>;
  rateLimits: RateLimits;
  address: string;
}) => toSecretGuess(input.rateLimits, input.address, 'orderLink', input.params.secret ?? '');

export const orderRoutes = [
  defineRoute({
    method: 'GET',
    path: '/public/orders/{secret}',
    access: 'public',
    summary: 'Get an order by its secret',
    query: emptyQuery,
    data: orderData,
    guess: toPathSecretGuess,
    handler: async (ctx, { params: { secret = '' } }) =>
      toOrderResponse(ctx, await getOrderBySecret(ctx, secret)),
  }),
];

/** An order with its secret, in the names of the REST API. */
const toOrderResponse = (
  ctx: Context,
  {
    memberId: _,
    locationName: __,
    refunded,
    items,
    tickets,
    dayPasses,
    payment,
    allowedActions: may,
    ...order
  }: Order,
) => ({
  data: {
    order: {
      ...toSnakeCaseKeys({ ...order, may, refundedAmount: refunded }),
      items: items.map(toSnakeCaseKeys),
      tickets: tickets.map(toSnakeCaseKeys),
      day_passes: dayPasses.map(toSnakeCaseKeys),
      payment: payment && { ...payment, url: paymentUrl(ctx, order.secret ?? '') },
      portal_url: portalUrl(ctx, order.secret ?? ''),
    },
  },
});

export const placeOrderRoutes = [
  defineRoute({
    method: 'POST',
    path: '/public/events/{id_or_slug}/orders',
    access: 'public',
    summary:
      'Order tickets. Free orders are confirmed at once or by a link in an email; others are held until they are paid',
    query: emptyQuery,
    body: z.strictObject({
      buyer: personSchema,
      items: z
        .array(
          z.strictObject({
            ticket_type_id: z.uuid(),
            quantity: quantitySchema,
            attendees: attendeesSchema.optional(),
          }),
        )
        .min(1)
        .max(MAX_ORDER_ITEMS),
      discount_code: discountCodeSchema.nullish(),
    }),
    status: 201,
    data: orderData,
    guess: ({ body, rateLimits, address }) =>
      toDiscountGuess(rateLimits, address, body.discount_code),
    handler: async (ctx, { params: { id_or_slug: event = '' }, body }) =>
      toOrderResponse(
        ctx,
        await placeTicketOrder(ctx, {
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
  defineRoute({
    method: 'POST',
    path: '/public/day-passes/orders',
    access: 'public',
    summary: 'Order day passes for one date: one for each holder, or one for the buyer',
    query: emptyQuery,
    body: z.strictObject({
      buyer: personSchema,
      day_pass_type_id: z.uuid(),
      valid_on: dateSchema,
      holders: attendeesSchema.min(1).optional(),
      discount_code: discountCodeSchema.nullish(),
    }),
    status: 201,
    data: orderData,
    guess: ({ body, rateLimits, address }) =>
      toDiscountGuess(rateLimits, address, body.discount_code),
    handler: async (ctx, { body }) =>
      toOrderResponse(
        ctx,
        await placeDayPassOrder(ctx, {
          buyer: body.buyer,
          dayPassTypeId: body.day_pass_type_id,
          validOn: body.valid_on,
          holders: body.holders,
          discountCode: body.discount_code ?? undefined,
        }),
      ),
  }),
];

export const changeOrderRoutes = [
  defineRoute({
    method: 'POST',
    path: '/public/orders/{secret}/cancel',
    access: 'public',
    summary: 'Cancel an order, or some tickets or day passes of it, within the refund policy',
    query: emptyQuery,
    body: z.strictObject({ ticket_ids: admissionIdsSchema.nullish() }),
    data: orderData,
    guess: toPathSecretGuess,
    handler: async (ctx, { params: { secret = '' }, body }) =>
      toOrderResponse(ctx, await cancelOrderBySecret(ctx, secret, body.ticket_ids ?? undefined)),
  }),
  defineRoute({
    method: 'POST',
    path: '/public/orders/{secret}/confirm',
    access: 'public',
    summary:
      'Confirm a free order or a free offer from the waiting list. Needs the secret of the emailed link',
    query: emptyQuery,
    body: z.strictObject({}),
    data: orderData,
    guess: toPathSecretGuess,
    handler: async (ctx, { params: { secret = '' } }) =>
      toOrderResponse(ctx, await confirmFreeOrder(ctx, secret)),
  }),
  defineRoute({
    method: 'POST',
    path: '/public/orders/find',
    access: 'public',
    summary:
      'Send the links of all orders of an email address to it. The response is the same if there are none',
    query: emptyQuery,
    body: personSchema.pick({ email: true }).strict(),
    data: z.object({ sent: z.literal(true) }),
    minResponseMs: MIN_FIND_ORDERS_RESPONSE_MS,
    rateLimit: ({ body: { email }, rateLimits, address }) =>
      rateLimits.orderLinks.consume({ address, account: email }),
    handler: async (ctx, { body: { email } }) => {
      await sendOrderLinks(ctx, email);
      return { data: { sent: true } };
    },
  }),
];

export const orderDocumentRoutes = [
  defineRoute({
    method: 'GET',
    path: '/public/orders/{secret}/calendar.ics',
    access: 'public',
    summary: 'Get the event or the days of an order as a calendar file',
    query: emptyQuery,
    data: z.string(),
    guess: toPathSecretGuess,
    mediaType: 'text/calendar',
    handler: async (ctx, { params: { secret = '' }, baseUrl }) => {
      const order = await getOrderBySecret(ctx, secret);
      const { host } = new URL(baseUrl);
      return withEtag(toCalendarFile(order, { host, baseUrl }));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/public/orders/{secret}/receipt',
    access: 'public',
    summary: 'Get a receipt as an HTML page to print',
    query: emptyQuery,
    data: z.string(),
    guess: toPathSecretGuess,
    mediaType: 'text/html',
    handler: async (ctx, { params: { secret = '' } }) =>
      withEtag(renderReceipt(await getOrderBySecret(ctx, secret))),
  }),
  defineRoute({
    method: 'GET',
    path: '/public/orders/{secret}/codes/{id}',
    access: 'public',
    summary: 'Get the QR code of a ticket or a day pass of the order, as SVG',
    query: emptyQuery,
    data: z.string(),
    guess: toPathSecretGuess,
    mediaType: 'image/svg+xml',
    handler: async (ctx, { params: { secret = '', id } }) => {
      const { tickets, dayPasses } = await getOrderBySecret(ctx, secret);
      const admission = [...tickets, ...dayPasses].find((candidate) => candidate.id === id);
      if (!admission) throw notFound('ticket');
      return withEtag(await renderQrCode(admission.code));
    },
  }),
];

/** Lets clients that poll, such as calendars, get a 304 while nothing has changed. */
const withEtag = (data: string) => ({
  data,
  etag: createHash('sha256').update(data).digest('base64url'),
});
