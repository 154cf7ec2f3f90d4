import { z } from 'zod';
import { toSecretGuess } from '../../auth/rate-limits.ts';
import { builder } from '../../graphql/builder.ts';
import type { GraphqlContext } from '../../graphql/context.ts';
import { pagedBy } from '../../graphql/pages.ts';
import { text } from '../../validation.ts';
import { ORDER_STATUSES } from './order.ts';
import * as orders from './service.ts';
import { Order, OrderStatus } from './types/graphql.ts';

/** Of every field that an order's secret opens. */
export const bySecret = ({ secret }: { secret: string }, { deps, address }: GraphqlContext) =>
  toSecretGuess(deps.rateLimits, address, 'orderLink', secret);

const READ = { access: 'orders:read' } as const;

builder.queryField('order', (t) =>
  t.field({
    type: Order,
    description: "The buyer's page of an order",
    authScopes: { access: 'public' },
    args: { secret: t.arg.string({ required: true }) },
    guess: bySecret,
    resolve: (_, { secret }, { ctx }) => orders.bySecret(ctx, secret),
  }),
);

builder.queryField('orderById', (t) =>
  t.field({
    type: Order,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => orders.get(ctx, id),
  }),
);

const OrderFilter = builder.inputType('OrderFilter', {
  fields: (t) => ({
    eventId: t.id(),
    status: t.field({ type: OrderStatus }),
    q: t.string({
      description:
        "The code of an order, a ticket or a day pass, or letters of the buyer's name or address",
    }),
  }),
});

const filter = z.object({
  eventId: z.uuid().optional(),
  status: z.enum(ORDER_STATUSES).optional(),
  q: text(200).optional(),
});

builder.queryField('orders', (t) =>
  t.connection({
    type: Order,
    description: 'Newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: OrderFilter }) },
    ...pagedBy(filter, orders.list, ({ createdAt, id }) => [createdAt, id]),
  }),
);
