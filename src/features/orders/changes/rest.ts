import { z } from 'zod';
import { noQuery, route } from '../../../rest/route.ts';
import * as fields from '../fields.ts';
import { bySecret, data, one } from '../rest.ts';
import { cancelBySecret } from './cancel.ts';
import { ANSWER_MS, sendLinks } from './links.ts';
import { confirmFree } from './offers.ts';

export const routes = [
  route({
    method: 'POST',
    path: '/public/orders/{secret}/cancel',
    access: 'public',
    summary: 'Cancel an order, or some tickets or day passes of it, within the refund policy',
    query: noQuery,
    body: z.strictObject({ ticket_ids: fields.ids.nullish() }),
    data,
    guess: bySecret,
    answer: async (ctx, { params: { secret = '' }, body }) =>
      one(ctx, await cancelBySecret(ctx, secret, body.ticket_ids ?? undefined)),
  }),
  route({
    method: 'POST',
    path: '/public/orders/{secret}/confirm',
    access: 'public',
    summary:
      'Confirm a free order, or take a free offer from the waiting list, by the secret that was mailed',
    query: noQuery,
    body: z.strictObject({}),
    data,
    guess: bySecret,
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
    leastMs: ANSWER_MS,
    admit: ({ body: { email }, rateLimits, address }) =>
      rateLimits.orderLinks.consume({ address, account: email }),
    answer: async (ctx, { body: { email } }) => {
      await sendLinks(ctx, email);
      return { data: { sent: true } };
    },
  }),
];
