import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { definite, text, valid } from '../../../validation.ts';
import { markPaid } from '../../payments/mark-paid.ts';
import * as fields from '../fields.ts';
import { bySecret } from '../graphql.ts';
import { PersonInput } from '../place/graphql.ts';
import { read } from '../service.ts';
import { Order } from '../types/graphql.ts';
import { changeAttendee, transfer } from './attendees.ts';
import { cancelBySecret } from './cancel.ts';
import { ANSWER_MS, resend, resendBySecret, revokeLinks, sendLinks } from './links.ts';
import { confirmFree } from './offers.ts';
import { refund } from './refund.ts';

const PUBLIC = { access: 'public' } as const;
const WRITE = { access: 'orders:write' } as const;

const optionalIds = fields.ids.nullish().transform((value) => value ?? undefined);

builder.mutationField('cancelOrder', (t) =>
  t.field({
    type: Order,
    description: 'By its buyer, all of it or some tickets, as far as the refund policy goes',
    authScopes: PUBLIC,
    args: {
      secret: t.arg.string({ required: true }),
      ticketIds: t.arg.idList({ description: 'Of tickets or day passes; all, if left out' }),
    },
    guess: bySecret,
    resolve: (_, { secret, ticketIds }, { ctx }) =>
      cancelBySecret(ctx, secret, valid(optionalIds, ticketIds)),
  }),
);

builder.mutationField('confirmOrder', (t) =>
  t.field({
    type: Order,
    description:
      'Confirms a free order, or takes a free offer from the waiting list, by the secret that was mailed',
    authScopes: PUBLIC,
    args: { secret: t.arg.string({ required: true }) },
    guess: bySecret,
    resolve: (_, { secret }, { ctx }) => confirmFree(ctx, secret),
  }),
);

builder.mutationField('changeAttendee', (t) =>
  t.field({
    type: Order,
    description: 'Writes another name on a ticket or a day pass; its code stays',
    authScopes: PUBLIC,
    args: {
      secret: t.arg.string({ required: true }),
      ticketId: t.arg.id({ required: true }),
      name: t.arg.string({ required: true }),
      email: t.arg.string(),
    },
    guess: bySecret,
    resolve: (_, { secret, ticketId, name, email }, { ctx }) =>
      changeAttendee(ctx, secret, ticketId, valid(fields.attendee, { name, email })),
  }),
);

builder.mutationField('transferTicket', (t) =>
  t.field({
    type: Order,
    description:
      'Hands a ticket or a day pass to somebody else, who gets a new code by mail; the old one ends',
    authScopes: PUBLIC,
    args: {
      secret: t.arg.string({ required: true }),
      ticketId: t.arg.id({ required: true }),
      attendee: t.arg({ type: PersonInput, required: true }),
    },
    // Its mail goes to whatever address is named.
    admit: ({ secret }, { deps, address }) =>
      deps.rateLimits.ticketTransfers.consume({ address, account: secret }),
    guess: bySecret,
    resolve: (_, { secret, ticketId, attendee }, { ctx }) =>
      transfer(ctx, secret, ticketId, valid(fields.person, attendee)),
  }),
);

builder.mutationField('resendConfirmation', (t) =>
  t.field({
    type: Order,
    description: 'Sends the confirmation of a paid order to its buyer once more',
    authScopes: PUBLIC,
    args: { secret: t.arg.string({ required: true }) },
    admit: ({ secret }, { deps, address }) =>
      deps.rateLimits.orderLinks.consume({ address, account: secret }),
    guess: bySecret,
    resolve: (_, { secret }, { ctx }) => resendBySecret(ctx, secret),
  }),
);

builder.mutationField('resendOrder', (t) =>
  t.field({
    type: Order,
    description: 'Sends the confirmation of a paid order to its buyer once more',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => resend(ctx, id),
  }),
);

builder.mutationField('revokeOrderLinks', (t) =>
  t.field({
    type: Order,
    description: 'Stops all links of an order at once; resendOrder mails a new one',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => revokeLinks(ctx, id),
  }),
);

builder.mutationField('findOrders', (t) =>
  t.boolean({
    description:
      'Mails the links of all orders of an address; the same answer whether there are such',
    authScopes: PUBLIC,
    args: { email: t.arg.string({ required: true }) },
    admit: ({ email }, { deps, address }) =>
      deps.rateLimits.orderLinks.consume({ address, account: email }),
    resolve: async (_, args, { ctx }) => {
      const { email } = valid(fields.person.pick({ email: true }), args);
      await Promise.all([sendLinks(ctx, email), setTimeout(ANSWER_MS)]);
      return true;
    },
  }),
);

builder.mutationField('markOrderPaid', (t) =>
  t.field({
    type: Order,
    description: 'The front desk has all the money for an order that is paid on site',
    authScopes: WRITE,
    args: { orderId: t.arg.id({ required: true }) },
    resolve: async (_, { orderId }, { ctx }) => {
      const { id } = await markPaid(ctx, orderId);
      return read(ctx, id);
    },
  }),
);

const RefundOrderInput = builder.inputType('RefundOrderInput', {
  fields: (t) => ({
    orderId: t.id({ required: true }),
    ticketIds: t.idList({
      description:
        'Tickets and day passes that are cancelled; all, where no amount is named either',
    }),
    amount: t.int({
      description:
        "Minor units of the order's currency. Without tickets they stay good; with them it takes the place of what they cost.",
    }),
    reason: t.string({ description: 'Told to the buyer' }),
  }),
});

const refundInput = z.object({
  orderId: z.uuid(),
  ticketIds: fields.ids.optional(),
  amount: z.int().min(0).max(2_000_000_000).optional(),
  reason: text(1000).optional(),
});

builder.mutationField('refundOrder', (t) =>
  t.field({
    type: Order,
    description:
      'By staff, whatever the policy says: the whole order, some tickets of it, or an amount',
    authScopes: WRITE,
    args: { input: t.arg({ type: RefundOrderInput, required: true }) },
    resolve: (_, { input }, { ctx }) => refund(ctx, valid(refundInput, definite(input))),
  }),
);
