import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { pagedBy } from '../../graphql/pages.ts';
import { text } from '../../validation.ts';
import { ORDER_STATUSES } from './order.ts';
import * as orders from './service.ts';
import { Order, OrderStatus } from './types/graphql.ts';

const READ = { access: 'orders:read' } as const;

builder.queryField('order', (t) =>
  t.field({
    type: Order,
    description: "The buyer's page of an order",
    authScopes: { access: 'public' },
    args: { secret: t.arg.string({ required: true }) },
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
