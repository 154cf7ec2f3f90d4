import { takeAtLeast } from '../../../auth/guesses.ts';
import { createInputType } from '../../../graphql/builder.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import {
  MIN_FIND_ORDERS_RESPONSE_MS,
  resendOrderConfirmation,
  resendOrderConfirmationBySecret,
  revokeOrderLinks,
  sendOrderLinks,
} from '../emails/service/resend-links.ts';
import {
  attendeeInput,
  cancelOrderInput,
  changeAttendeeInput,
  extendOrderHoldInput,
  findOrdersInput,
  orderDayPassesInput,
  orderIdInput,
  orderItemInput,
  orderSecretInput,
  personInput,
  placeOrderInput,
  refundOrderInput,
  toDiscountGuess,
  transferTicketInput,
} from '../inputs.ts';
import { placeDayPassOrder } from '../place/service/place-day-pass-order.ts';
import { placeTicketOrder } from '../place/service/place-ticket-order.ts';
import { cancelOrderBySecret, refundOrder } from '../service/cancel-order.ts';
import { changeAttendee, transferAdmission } from '../service/change-attendee.ts';
import { confirmOrder } from '../service/confirm-order.ts';
import { extendOrderHold } from '../service/extend-order-hold.ts';
import { orderList } from '../service/list-orders.ts';
import { toOrderSecretGuess } from './queries.ts';
import { Order } from './types.ts';

createInputType('PersonInput', personInput);

createInputType('AttendeeInput', attendeeInput);

createInputType('OrderItemInput', orderItemInput);

addMutation('placeOrder', {
  description:
    'Orders tickets of one event. Free orders are confirmed immediately, unless confirmationRequired is true: then the buyer confirms with a link in an email. Other orders are held until expiresAt and paid at payment.url: for 15 minutes, or as unpaidHold of the event says if they are paid at the front desk.',
  access: 'public',
  sharesTransaction: true,
  input: placeOrderInput,
  payload: { order: { type: Order, description: 'The new order' } },
  creates: { order: orderList },
  guess: (input, { deps, address }) =>
    toDiscountGuess(deps.rateLimits, address, input.discountCode),
  resolve: ({ eventId, ...input }, { ctx }) =>
    placeTicketOrder(ctx, { event: eventId, ...input }, (order) => ({ order })),
});

addMutation('orderDayPasses', {
  description: 'Orders day passes for one date. They are held and confirmed like tickets.',
  access: 'public',
  sharesTransaction: true,
  input: orderDayPassesInput,
  payload: { order: { type: Order, description: 'The new order' } },
  creates: { order: orderList },
  guess: (input, { deps, address }) =>
    toDiscountGuess(deps.rateLimits, address, input.discountCode),
  resolve: (input, { ctx }) => placeDayPassOrder(ctx, input, (order) => ({ order })),
});

addMutation('cancelOrder', {
  description:
    'Cancels an order, or some of its tickets, for the buyer. The refund policy applies.',
  access: 'public',
  input: cancelOrderInput,
  payload: { order: { type: Order, description: 'The order after the cancellation' } },
  guess: toOrderSecretGuess,
  resolve: async ({ secret, ticketIds }, { ctx }) => ({
    order: await cancelOrderBySecret(ctx, secret, ticketIds),
  }),
});

addMutation('confirmOrder', {
  description:
    'Confirms a free order or a free offer from the waiting list, or that an order is to be held until it is paid at the front desk. Needs the secret of the emailed link.',
  access: 'public',
  input: orderSecretInput,
  payload: { order: { type: Order, description: 'The confirmed order' } },
  guess: toOrderSecretGuess,
  resolve: async ({ secret }, { ctx }) => ({ order: await confirmOrder(ctx, secret) }),
});

addMutation('changeAttendee', {
  description: 'Changes the name on a ticket or a day pass. The code stays the same.',
  access: 'public',
  input: changeAttendeeInput,
  payload: { order: { type: Order, description: 'The order with the new name' } },
  guess: toOrderSecretGuess,
  resolve: async ({ secret, ticketId, ...attendee }, { ctx }) => ({
    order: await changeAttendee(ctx, secret, ticketId, attendee),
  }),
});

addMutation('transferTicket', {
  description:
    'Transfers a ticket or a day pass to another person, who gets a new code by email. The old code stops working.',
  access: 'public',
  input: transferTicketInput,
  payload: { order: { type: Order, description: 'The order with the new attendee or holder' } },
  rateLimit: ({ secret }, { deps, address }) =>
    deps.rateLimits.ticketTransfers.consume({ address, account: secret }),
  guess: toOrderSecretGuess,
  resolve: async ({ secret, ticketId, attendee }, { ctx }) => ({
    order: await transferAdmission(ctx, secret, ticketId, attendee),
  }),
});

addMutation('resendConfirmation', {
  description: 'Sends the confirmation of a paid order to the buyer again',
  access: 'public',
  input: orderSecretInput,
  payload: { order: { type: Order, description: 'The order whose confirmation is sent' } },
  rateLimit: ({ secret }, { deps, address }) =>
    deps.rateLimits.orderLinks.consume({ address, account: secret }),
  guess: toOrderSecretGuess,
  resolve: async ({ secret }, { ctx }) => ({
    order: await resendOrderConfirmationBySecret(ctx, secret),
  }),
});

addMutation('resendOrder', {
  description: 'Sends the confirmation of a paid order to the buyer again',
  access: 'orders:write',
  input: orderIdInput,
  payload: { order: { type: Order, description: 'The order whose confirmation is sent' } },
  resolve: async ({ id }, { ctx }) => ({ order: await resendOrderConfirmation(ctx, id) }),
});

addMutation('revokeOrderLinks', {
  description: 'Revokes all links to an order immediately. resendOrder sends a new one.',
  access: 'orders:write',
  input: orderIdInput,
  payload: { order: { type: Order, description: 'The order whose links stopped working' } },
  resolve: async ({ id }, { ctx }) => ({ order: await revokeOrderLinks(ctx, id) }),
});

addMutation('findOrders', {
  description:
    'Emails the links to all orders of an email address to that address. The response is the same if there are none.',
  access: 'public',
  input: findOrdersInput,
  payload: { email: { type: 'String', description: 'The address to which the links are sent' } },
  ignoresIdempotencyKey: true,
  rateLimit: ({ email }, { deps, address }) =>
    deps.rateLimits.orderLinks.consume({ address, account: email }),
  resolve: async ({ email }, { ctx }) => {
    await takeAtLeast(MIN_FIND_ORDERS_RESPONSE_MS, () => sendOrderLinks(ctx, email));
    return { email };
  },
});

addMutation('extendOrderHold', {
  description:
    'Holds an order longer that is paid at the front desk. The buyer need not confirm it any more, and gets no email.',
  access: 'orders:write',
  input: extendOrderHoldInput,
  payload: { order: { type: Order, description: 'The order with its new expiresAt' } },
  resolve: async (input, { ctx }) => ({ order: await extendOrderHold(ctx, input) }),
});

addMutation('refundOrder', {
  description:
    'Refunds a whole order, some of its tickets, or an amount, regardless of the refund policy',
  access: 'orders:write',
  input: refundOrderInput,
  payload: { order: { type: Order, description: 'The order with its new refund' } },
  resolve: async ({ id, ...refund }, { ctx }) => ({
    order: await refundOrder(ctx, { orderId: id, ...refund }),
  }),
});
