import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { definite, text, valid } from '../../../validation.ts';
import * as fields from '../fields.ts';
import { Order } from '../types/graphql.ts';
import { toDiscountGuess } from './discount-guess.ts';
import { placePasses } from './passes.ts';
import { placeTickets } from './tickets.ts';

const PUBLIC = { access: 'public' } as const;

export const PersonInput = builder.inputType('PersonInput', {
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
      description: 'Who comes, as far as it is known; the rest are written to the buyer',
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

const orderInput = z.object({
  eventId: text(100),
  buyer: fields.person,
  items: z
    .array(
      z.object({
        ticketTypeId: z.uuid(),
        quantity: fields.quantity.nullish().transform((value) => value ?? 1),
        attendees: fields.attendees.nullish().transform((value) => value ?? undefined),
      }),
    )
    .min(1)
    .max(fields.MOST_ITEMS),
  discountCode: fields.discountCode.optional(),
});

builder.mutationField('placeOrder', (t) =>
  t.field({
    type: Order,
    description:
      'Tickets of one event. Free ones are confirmed at once, unless confirmationRequired says that the link in the mail confirms them; the others are held for a quarter of an hour and paid at payment.url.',
    authScopes: PUBLIC,
    args: { input: t.arg({ type: PlaceOrderInput, required: true }) },
    guess: ({ input }, { deps, address }) =>
      toDiscountGuess(deps.rateLimits, address, input.discountCode),
    resolve: (_, { input }, { ctx }) => {
      const { eventId, ...order } = valid(orderInput, definite(input));
      return placeTickets(ctx, { event: eventId, ...order });
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
      description: 'One pass for each; for the buyer, if left out',
    }),
    discountCode: t.string(),
  }),
});

const passesInput = z.object({
  dayPassTypeId: z.uuid(),
  validOn: fields.day,
  buyer: fields.person,
  holders: fields.attendees.min(1).optional(),
  discountCode: fields.discountCode.optional(),
});

builder.mutationField('orderDayPasses', (t) =>
  t.field({
    type: Order,
    description: 'Day passes for one date, confirmed or held as tickets are',
    authScopes: PUBLIC,
    args: { input: t.arg({ type: OrderDayPassesInput, required: true }) },
    guess: ({ input }, { deps, address }) =>
      toDiscountGuess(deps.rateLimits, address, input.discountCode),
    resolve: (_, { input }, { ctx }) => placePasses(ctx, valid(passesInput, definite(input))),
  }),
);
