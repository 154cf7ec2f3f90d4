import { z } from 'zod';
import { toSecretGuess } from '../../auth/guesses.ts';
import type { RateLimits } from '../../auth/rate-limits.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { toEtag } from '../../rest/envelope.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { defineRoute, emptyQuery } from '../../rest/route.ts';
import { readEmailTexts } from '../settings/service.ts';
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
    tickets: z
      .array(orderShape.tickets.element.extend({ code: z.string().meta(CODE) }))
      .meta({ description: 'The tickets; none until it is confirmed' }),
    day_passes: z
      .array(orderShape.day_passes.element.extend({ code: z.string().meta(CODE) }))
      .meta({ description: 'The day passes; none until it is confirmed' }),
    payment: orderShape.payment
      .unwrap()
      .extend({ url: z.string().meta({ description: 'Where the buyer pays', format: 'uri' }) })
      .nullable()
      .meta({ description: 'Null for a free order' }),
    portal_url: z.string().meta({ description: 'The page of the order', format: 'uri' }),
  })
  .meta({ id: 'Order', description: 'Tickets or day passes that someone ordered' });

const orderData = z.object({ order: orderJson.meta({ description: 'The order, as it is now' }) });

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
    summary: 'Order tickets',
    description:
      'Free orders are confirmed immediately or with a link in an email; others are held until they are paid.',
    query: emptyQuery,
    body: toRestSchema(
      placeOrderInput.pick({ buyer: true, items: true, discountCode: true }).extend({
        items: toOrderItems(
          orderItemInput.extend({ quantity: quantity.meta({ description: 'How many tickets' }) }),
        ).meta({ description: 'What to order, by ticket type' }),
      }),
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
    summary: 'Order day passes for one date',
    description: 'One for each holder, or one for the buyer.',
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
    summary: 'Cancel an order or a part of it',
    description: 'All or some of its tickets or day passes, within the refund policy.',
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
    summary: 'Confirm a free order',
    description: 'Or a free offer from the waiting list. Needs the secret of the emailed link.',
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
    operationId: 'findPublicOrders',
    summary: 'Email the links to all orders of an email address',
    description: 'They go to that address. The response is the same if there are none.',
    query: emptyQuery,
    body: toRestSchema(findOrdersInput),
    data: z.object({ sent: z.literal(true).meta({ description: 'Always true' }) }),
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
    summary: 'Get an order as a calendar file',
    description: 'Its event, or its days.',
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
      withEtag(renderReceipt(await readEmailTexts(ctx), await getOrderBySecret(ctx, secret))),
  }),
  defineRoute({
    method: 'GET',
    path: '/public/orders/{secret}/tickets.pdf',
    access: 'public',
    summary: 'Get the tickets of an order as a PDF',
    description: 'The valid tickets or day passes, one page for each.',
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
    summary: 'Get the tickets of an order as a PDF, for staff',
    description:
      'The valid tickets or day passes. Since it contains codes, it also needs orders:write or check-ins:write.',
    query: emptyQuery,
    data: z.string(),
    mediaType: 'application/pdf',
    handler: async (ctx, { params: { id = '' } }) => toPdfResponse(await printTickets(ctx, id)),
  }),
  defineRoute({
    method: 'GET',
    path: '/public/orders/{secret}/codes/{id}',
    access: 'public',
    pathParameters: { id: 'The id of a ticket or a day pass of the order' },
    summary: 'Get a QR code of an order',
    description: 'That of a ticket or a day pass, as SVG.',
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
const withEtag = (data: string) => ({ data, etag: toEtag(data) });
