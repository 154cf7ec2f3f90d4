import { canReadCodes } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { listRows } from '../../lists/read-list.ts';
import { defineTool, pageInput, toToolPage } from '../../mcp/tool.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import {
  orderDayPassesInput,
  orderFilter,
  orderIdInput,
  placeOrderInput,
  refundOrderInput,
  ticketFilter,
  toDiscountGuess,
} from './inputs.ts';
import { placeDayPassOrder } from './place/service/place-day-pass-order.ts';
import { placeTicketOrder } from './place/service/place-ticket-order.ts';
import { toStaffOrderJson, toStaffTicketJson } from './rest-object.ts';
import { refundOrder } from './service/cancel-order.ts';
import { getOrder } from './service/find-orders.ts';
import { paymentUrl, portalUrl } from './service/links.ts';
import { ticketList } from './service/list-admissions.ts';
import { orderList } from './service/list-orders.ts';
import type { Order } from './types.ts';

export const tools = [
  defineTool({
    name: 'list_orders',
    description: 'List orders of tickets and day passes, newest first.',
    access: 'orders:read',
    effect: 'read',
    input: toRestSchema(
      orderFilter
        .pick({ eventId: true, memberId: true, status: true, from: true, to: true, q: true })
        .extend(pageInput),
      { q: 'Code, buyer name or email address' },
    ),
    handler: async (ctx, { limit, cursor, ...filter }) =>
      toToolPage('orders', await listRows(ctx, orderList, filter, { limit, cursor }), (order) =>
        toOrderObject(ctx, order),
      ),
  }),
  defineTool({
    name: 'get_order',
    description: 'Get an order.',
    access: 'orders:read',
    effect: 'read',
    input: toRestSchema(orderIdInput),
    handler: async (ctx, { id }) => toOrderResult(ctx, await getOrder(ctx, id)),
  }),
  defineTool({
    name: 'list_tickets',
    description: 'List issued tickets with their attendees, newest first.',
    access: 'orders:read',
    effect: 'read',
    input: toRestSchema(ticketFilter.extend(pageInput), {
      q: 'Code, attendee name or email address',
    }),
    handler: async (ctx, { limit, cursor, ...filter }) =>
      toToolPage('tickets', await listRows(ctx, ticketList, filter, { limit, cursor }), (ticket) =>
        toStaffTicketJson(ticket, toCodeOptions(ctx)),
      ),
  }),
  defineTool({
    name: 'place_order',
    description:
      'Order tickets of an event for a buyer. Free orders are registrations; others are held until paid at payment_url.',
    access: 'orders:write',
    effect: 'write',
    sharesTransaction: true,
    input: toRestSchema(placeOrderInput, { eventId: 'Or slug' }),
    guess: ({ discountCode }, { rateLimits, address }) =>
      toDiscountGuess(rateLimits, address, discountCode),
    handler: (ctx, { eventId: event, ...input }) =>
      placeTicketOrder(ctx, { event, ...input }, (order) => toOrderResult(ctx, order)),
  }),
  defineTool({
    name: 'order_day_passes',
    description: 'Order day passes of one date for a buyer, held until paid at payment_url.',
    access: 'orders:write',
    effect: 'write',
    sharesTransaction: true,
    input: toRestSchema(orderDayPassesInput, {
      validOn: 'YYYY-MM-DD',
      holders: 'Default: the buyer',
    }),
    guess: ({ discountCode }, { rateLimits, address }) =>
      toDiscountGuess(rateLimits, address, discountCode),
    handler: (ctx, input) => placeDayPassOrder(ctx, input, (order) => toOrderResult(ctx, order)),
  }),
  defineTool({
    name: 'refund_order',
    description:
      'Cancel and refund an order, or some tickets or an amount of it. Cannot be undone.',
    access: 'orders:write',
    effect: 'destructive',
    input: toRestSchema(refundOrderInput, {
      ticketIds: 'Also of day passes. Default: all',
      amount: 'Minor units. Default: their price',
      reason: 'Shown to the buyer',
    }),
    handler: async (ctx, { id: orderId, ...refund }) =>
      toOrderResult(ctx, await refundOrder(ctx, { orderId, ...refund })),
  }),
];

/** Codes admit people, so only callers who can admit people without a code see them. */
const toCodeOptions = ({ viewer }: Context) => ({
  showsCodes: canReadCodes(viewer, 'orders:write'),
});

const toOrderObject = (ctx: Context, order: Order) => toStaffOrderJson(order, toCodeOptions(ctx));

/** Only a new order has links. */
const toOrderResult = (ctx: Context, order: Order) => ({
  order: {
    ...toOrderObject(ctx, order),
    ...(order.secret !== null && {
      portal_url: portalUrl(ctx, order.secret),
      payment_url: order.payment && paymentUrl(ctx, order.secret),
    }),
  },
});
