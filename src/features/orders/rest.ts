import { createHash } from 'node:crypto';
import { z } from 'zod';
import { toSecretGuess } from '../../auth/guesses.ts';
import type { RateLimits } from '../../auth/rate-limits.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { defineRoute, emptyQuery } from '../../rest/route.ts';
import { MIN_FIND_ORDERS_RESPONSE_MS, sendOrderLinks } from './emails/service/resend-links.ts';
import {
  cancelOrderInput,
  findOrdersInput,
  orderDayPassesInput,
  orderItemInput,
  placeOrderInput,
  quantity,
  toDiscountGuess,
  toOrderItems,
} from './inputs.ts';
import { placeDayPassOrder } from './place/service/place-day-pass-order.ts';
import { placeTicketOrder } from './place/service/place-ticket-order.ts';
import { CODE, orderShape, toOrderJson } from './rest-object.ts';
import { cancelOrderBySecret } from './service/cancel-order.ts';
import { confirmOrder } from './service/confirm-order.ts';
import { getOrderBySecret } from './service/find-orders.ts';
import { paymentUrl, portalUrl } from './service/links.ts';
import { renderQrCode, toCalendarFile } from './service/portal.ts';
import { RECEIPT_HEADERS, renderReceipt } from './service/receipt.ts';
import { printTickets, printTicketsBySecret } from './tickets-pdf/service.ts';
import type { Order } from './types.ts';

const orderJson = z
  .object({
    ...orderShape,
    code: z.string().meta({ description: 'A short code for people' }),
    secret: z.string().meta({ description: 'Opens the order: store it' }),
    tickets: z.array(orderShape.tickets.element.extend({ code: z.string().meta(CODE) })),
    day_passes: z.array(orderShape.day_passes.element.extend({ code: z.string().meta(CODE) })),
    payment: orderShape.payment.unwrap().extend({ url: z.string() }).nullable(),
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

/** An order with its secret. */
const toOrderResponse = (ctx: Context, order: Order) => ({
  data: {
    order: {
      ...toOrderJson(order, { showsCodes: true }),
      code: order.code,
      secret: order.secret,
      payment: order.payment && {
        ...order.payment,
        url: paymentUrl(ctx, order.secret ?? ''),
      },
      portal_url: portalUrl(ctx, order.secret ?? ''),
    },
  },
});

export const placeOrderRoutes = [
  defineRoute({
    method: 'POST',
    path: '/public/events/{id_or_slug}/orders',
    access: 'public',
    sharesTransaction: true,
    summary:
      'Order tickets. Free orders are confirmed immediately or with a link in an email; others are held until they are paid',
    query: emptyQuery,
    body: toRestSchema(
      placeOrderInput
        .pick({ buyer: true, items: true, discountCode: true })
        .extend({ items: toOrderItems(orderItemInput.extend({ quantity })) }),
    ),
    status: 201,
    data: orderData,
    guess: ({ body, rateLimits, address }) =>
      toDiscountGuess(rateLimits, address, body.discountCode),
    handler: (ctx, { params: { id_or_slug: event = '' }, body }) =>
      placeTicketOrder(ctx, { event, ...body }, (order) => toOrderResponse(ctx, order)),
  }),
  defineRoute({
    method: 'POST',
    path: '/public/day-passes/orders',
    access: 'public',
    sharesTransaction: true,
    summary: 'Order day passes for one date: one for each holder, or one for the buyer',
    query: emptyQuery,
    body: toRestSchema(orderDayPassesInput),
    status: 201,
    data: orderData,
    guess: ({ body, rateLimits, address }) =>
      toDiscountGuess(rateLimits, address, body.discountCode),
    handler: (ctx, { body }) =>
      placeDayPassOrder(ctx, body, (order) => toOrderResponse(ctx, order)),
  }),
];

export const changeOrderRoutes = [
  defineRoute({
    method: 'POST',
    path: '/public/orders/{secret}/cancel',
    access: 'public',
    summary: 'Cancel an order, or some tickets or day passes of it, within the refund policy',
    query: emptyQuery,
    body: toRestSchema(cancelOrderInput.pick({ ticketIds: true })),
    data: orderData,
    guess: toPathSecretGuess,
    handler: async (ctx, { params: { secret = '' }, body }) =>
      toOrderResponse(ctx, await cancelOrderBySecret(ctx, secret, body.ticketIds)),
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
      toOrderResponse(ctx, await confirmOrder(ctx, secret)),
  }),
  defineRoute({
    method: 'POST',
    path: '/public/orders/find',
    access: 'public',
    summary:
      'Email the links to all orders of an email address to that address. The response is the same if there are none',
    query: emptyQuery,
    body: toRestSchema(findOrdersInput),
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
    headers: RECEIPT_HEADERS,
    handler: async (ctx, { params: { secret = '' } }) =>
      withEtag(renderReceipt(await getOrderBySecret(ctx, secret))),
  }),
  defineRoute({
    method: 'GET',
    path: '/public/orders/{secret}/tickets.pdf',
    access: 'public',
    summary: 'Get the valid tickets or day passes of an order as a PDF, one page for each',
    query: emptyQuery,
    data: z.string(),
    rateLimit: ({ params: { secret = '' }, rateLimits, address }) =>
      rateLimits.ticketFiles.consume({ address, account: secret }),
    guess: toPathSecretGuess,
    mediaType: 'application/pdf',
    handler: async (ctx, { params: { secret = '' } }) =>
      toPdfResponse(await printTicketsBySecret(ctx, secret)),
  }),
  defineRoute({
    method: 'GET',
    path: '/orders/{id}/tickets.pdf',
    access: 'orders:read',
    summary:
      'Get the valid tickets or day passes of an order as a PDF, for staff. Since it contains codes, it also needs orders:write or check-ins:write',
    query: emptyQuery,
    data: z.string(),
    mediaType: 'application/pdf',
    handler: async (ctx, { params: { id = '' } }) => toPdfResponse(await printTickets(ctx, id)),
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

const toPdfResponse = ({ filename, content }: { filename: string; content: Buffer }) => ({
  data: content,
  filename,
});

/** Lets clients that poll, such as calendars, get a 304 while nothing has changed. */
const withEtag = (data: string) => ({
  data,
  etag: createHash('sha256').update(data).digest('base64url'),
});
