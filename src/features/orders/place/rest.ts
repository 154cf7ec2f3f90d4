import { z } from 'zod';
import { noQuery, route } from '../../../rest/route.ts';
import * as fields from '../fields.ts';
import { data, one } from '../rest.ts';
import { toDiscountGuess } from './discount-guess.ts';
import { placePasses } from './passes.ts';
import { placeTickets } from './tickets.ts';

export const routes = [
  route({
    method: 'POST',
    path: '/public/events/{id_or_slug}/orders',
    access: 'public',
    summary:
      'Order tickets: free ones are confirmed at once or by the link in the mail, the others are held until they are paid',
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
    guess: ({ body, rateLimits, address }) =>
      toDiscountGuess(rateLimits, address, body.discount_code),
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
      holders: fields.attendees.min(1).optional(),
      discount_code: fields.discountCode.nullish(),
    }),
    status: 201,
    data,
    guess: ({ body, rateLimits, address }) =>
      toDiscountGuess(rateLimits, address, body.discount_code),
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
];
