import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { boundedText, omitNull, parseInput } from '../../../core/validation.ts';
import { builder } from '../../../graphql/builder.ts';
import { cancelOrderBySecret, refundOrder } from '../commands/cancel-order.ts';
import { changeAttendee, transferAdmission } from '../commands/change-attendee.ts';
import { confirmFreeOrder } from '../commands/confirm-order.ts';
import {
  MIN_FIND_ORDERS_RESPONSE_MS,
  resendOrderConfirmation,
  resendOrderConfirmationBySecret,
  revokeOrderLinks,
  sendOrderLinks,
} from '../commands/resend-links.ts';
import {
  admissionIdsSchema,
  attendeeSchema,
  attendeesSchema,
  dateSchema,
  discountCodeSchema,
  MAX_ORDER_ITEMS,
  personSchema,
  quantitySchema,
  toDiscountGuess,
} from '../input-schemas.ts';
import { placeDayPassOrder } from '../place/place-day-pass-order.ts';
import { placeTicketOrder } from '../place/place-ticket-order.ts';
import { toOrderSecretGuess } from './queries.ts';
import { Order } from './types.ts';

const PUBLIC = { access: 'public' } as const;
const WRITE = { access: 'orders:write' } as const;

const PersonInput = builder.inputType('PersonInput', {
  fields: (t) => ({ name: t.string({ required: true }), email: t.string({ required: true }) }),
});

const AttendeeInput = builder.inputType('AttendeeInput', {
  fields: (t) => ({ name: t.string({ required: true }), email: t.string() }),
});

const OrderItemInput = builder.inputType('OrderItemInput', {
  fields: (t) => ({
    ticketTypeId: t.id({ required: true }),
    quantity: t.int({ defaultValue: 1 }),
    attendees: t.field({
      type: [AttendeeInput],
      description: 'The attendees you know. The other tickets carry the name of the buyer.',
    }),
  }),
});

const PlaceOrderInput = builder.inputType('PlaceOrderInput', {
  fields: (t) => ({
    eventId: t.id({ required: true, description: 'The id, or the slug' }),
    buyer: t.field({ type: PersonInput, required: true }),
    items: t.field({ type: [OrderItemInput], required: true }),
    discountCode: t.string(),
  }),
});

const ticketOrderInput = z.object({
  eventId: boundedText(100),
  buyer: personSchema,
  items: z
    .array(
      z.object({
        ticketTypeId: z.uuid(),
        quantity: quantitySchema.nullish().transform((value) => value ?? 1),
        attendees: attendeesSchema.nullish().transform((value) => value ?? undefined),
      }),
    )
    .min(1)
    .max(MAX_ORDER_ITEMS),
  discountCode: discountCodeSchema.optional(),
});

builder.mutationField('placeOrder', (t) =>
  t.field({
    type: Order,
    description:
      'Orders tickets of one event. Free orders are confirmed at once, unless confirmationRequired is true: then the buyer confirms by a link in an email. Other orders are held for 15 minutes and paid at payment.url.',
    authScopes: PUBLIC,
    args: { input: t.arg({ type: PlaceOrderInput, required: true }) },
    guess: ({ input }, { deps, address }) =>
      toDiscountGuess(deps.rateLimits, address, input.discountCode),
    resolve: (_, { input }, { ctx }) => {
      const { eventId, ...order } = parseInput(ticketOrderInput, omitNull(input));
      return placeTicketOrder(ctx, { event: eventId, ...order });
    },
  }),
);

const OrderDayPassesInput = builder.inputType('OrderDayPassesInput', {
  fields: (t) => ({
    dayPassTypeId: t.id({ required: true }),
    validOn: t.field({ type: 'Date', required: true, description: "By the location's calendar" }),
    buyer: t.field({ type: PersonInput, required: true }),
    holders: t.field({
      type: [AttendeeInput],
      description: 'One pass each. Default: one pass for the buyer.',
    }),
    discountCode: t.string(),
  }),
});

const dayPassOrderInput = z.object({
  dayPassTypeId: z.uuid(),
  validOn: dateSchema,
  buyer: personSchema,
  holders: attendeesSchema.min(1).optional(),
  discountCode: discountCodeSchema.optional(),
});

builder.mutationField('orderDayPasses', (t) =>
  t.field({
    type: Order,
    description: 'Orders day passes for one date. Confirmed and held like tickets.',
    authScopes: PUBLIC,
    args: { input: t.arg({ type: OrderDayPassesInput, required: true }) },
    guess: ({ input }, { deps, address }) =>
      toDiscountGuess(deps.rateLimits, address, input.discountCode),
    resolve: (_, { input }, { ctx }) =>
      placeDayPassOrder(ctx, parseInput(dayPassOrderInput, omitNull(input))),
  }),
);

const optionalIds = admissionIdsSchema.nullish().transform((value) => value ?? undefined);

builder.mutationField('cancelOrder', (t) =>
  t.field({
    type: Order,
    description:
      'Cancels an order, or some of its tickets, for the buyer. The refund policy applies.',
    authScopes: PUBLIC,
    args: {
      secret: t.arg.string({ required: true }),
      ticketIds: t.arg.idList({ description: 'Ids of tickets or day passes. Default: all.' }),
    },
    guess: toOrderSecretGuess,
    resolve: (_, { secret, ticketIds }, { ctx }) =>
      cancelOrderBySecret(ctx, secret, parseInput(optionalIds, ticketIds)),
  }),
);

builder.mutationField('confirmOrder', (t) =>
  t.field({
    type: Order,
    description:
      'Confirms a free order or a free offer from the waiting list. Needs the secret of the emailed link.',
    authScopes: PUBLIC,
    args: { secret: t.arg.string({ required: true }) },
    guess: toOrderSecretGuess,
    resolve: (_, { secret }, { ctx }) => confirmFreeOrder(ctx, secret),
  }),
);

builder.mutationField('changeAttendee', (t) =>
  t.field({
    type: Order,
    description: 'Changes the name on a ticket or a day pass. The code stays the same.',
    authScopes: PUBLIC,
    args: {
      secret: t.arg.string({ required: true }),
      ticketId: t.arg.id({ required: true }),
      name: t.arg.string({ required: true }),
      email: t.arg.string(),
    },
    guess: toOrderSecretGuess,
    resolve: (_, { secret, ticketId, name, email }, { ctx }) =>
      changeAttendee(ctx, secret, ticketId, parseInput(attendeeSchema, { name, email })),
  }),
);

builder.mutationField('transferTicket', (t) =>
  t.field({
    type: Order,
    description:
      'Transfers a ticket or a day pass to another person, who gets a new code by email. The old code stops working.',
    authScopes: PUBLIC,
    args: {
      secret: t.arg.string({ required: true }),
      ticketId: t.arg.id({ required: true }),
      attendee: t.arg({ type: PersonInput, required: true }),
    },
    // The caller chooses the address that gets the email.
    rateLimit: ({ secret }, { deps, address }) =>
      deps.rateLimits.ticketTransfers.consume({ address, account: secret }),
    guess: toOrderSecretGuess,
    resolve: (_, { secret, ticketId, attendee }, { ctx }) =>
      transferAdmission(ctx, secret, ticketId, parseInput(personSchema, attendee)),
  }),
);

builder.mutationField('resendConfirmation', (t) =>
  t.field({
    type: Order,
    description: 'Sends the confirmation of a paid order to the buyer again',
    authScopes: PUBLIC,
    args: { secret: t.arg.string({ required: true }) },
    rateLimit: ({ secret }, { deps, address }) =>
      deps.rateLimits.orderLinks.consume({ address, account: secret }),
    guess: toOrderSecretGuess,
    resolve: (_, { secret }, { ctx }) => resendOrderConfirmationBySecret(ctx, secret),
  }),
);

builder.mutationField('resendOrder', (t) =>
  t.field({
    type: Order,
    description: 'Sends the confirmation of a paid order to the buyer again',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => resendOrderConfirmation(ctx, id),
  }),
);

builder.mutationField('revokeOrderLinks', (t) =>
  t.field({
    type: Order,
    description: 'Revokes all links of an order at once. resendOrder sends a new one.',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => revokeOrderLinks(ctx, id),
  }),
);

builder.mutationField('findOrders', (t) =>
  t.boolean({
    description:
      'Sends the links of all orders of an email address to it. The response is the same if there are none.',
    authScopes: PUBLIC,
    ignoresIdempotencyKey: true,
    args: { email: t.arg.string({ required: true }) },
    rateLimit: ({ email }, { deps, address }) =>
      deps.rateLimits.orderLinks.consume({ address, account: email }),
    resolve: async (_, args, { ctx }) => {
      const { email } = parseInput(personSchema.pick({ email: true }), args);
      await Promise.all([sendOrderLinks(ctx, email), setTimeout(MIN_FIND_ORDERS_RESPONSE_MS)]);
      return true;
    },
  }),
);

const RefundOrderInput = builder.inputType('RefundOrderInput', {
  fields: (t) => ({
    orderId: t.id({ required: true }),
    ticketIds: t.idList({
      description: 'Tickets and day passes to cancel. Default: all, unless an amount is given.',
    }),
    amount: t.int({
      description:
        "Minor units of the order's currency. Default: the price of the cancelled tickets. An amount without ticketIds cancels nothing.",
    }),
    reason: t.string({ description: 'Shown to the buyer' }),
  }),
});

const refundInput = z.object({
  orderId: z.uuid(),
  ticketIds: admissionIdsSchema.optional(),
  amount: z.int().min(0).max(2_000_000_000).optional(),
  reason: boundedText(1000).optional(),
});

builder.mutationField('refundOrder', (t) =>
  t.field({
    type: Order,
    description:
      'Refunds a whole order, some of its tickets, or an amount, regardless of the refund policy',
    authScopes: WRITE,
    args: { input: t.arg({ type: RefundOrderInput, required: true }) },
    resolve: (_, { input }, { ctx }) => refundOrder(ctx, parseInput(refundInput, omitNull(input))),
  }),
);
