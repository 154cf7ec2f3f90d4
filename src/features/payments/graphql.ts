import { z } from 'zod';
import { canReadCodes } from '../../auth/viewer.ts';
import { toCreatedPosition } from '../../core/pagination.ts';
import { builder, Money } from '../../graphql/builder.ts';
import { paginateFilteredField } from '../../graphql/connections.ts';
import { canSeeCodes, Order, PaymentProvider } from '../orders/graphql/types.ts';
import { loadOrder } from '../orders/service.ts';
import {
  listRefunds,
  markOrderPaid,
  REFUND_STATUSES,
  type Refund,
  retryRefund,
  settleRefund,
} from './service.ts';

const READ = { access: 'orders:read' } as const;
const WRITE = { access: 'orders:write' } as const;

const RefundStatus = builder.enumType('RefundStatus', {
  values: {
    DUE: {
      value: 'pending',
      description: 'The payment provider sends it. For payments on site, staff returns the money.',
    },
    DONE: { value: 'succeeded' },
    FAILED: { value: 'failed', description: 'Not tried again until staff calls retryRefund' },
  } as const,
});

const RefundType = builder.objectRef<Refund & { showsOrderCode?: boolean }>('Refund');
RefundType.implement({
  description: 'Money returned to a buyer',
  fields: (t) => ({
    id: t.exposeID('id'),
    amount: t.expose('amount', { type: Money }),
    reason: t.exposeString('reason', { nullable: true }),
    status: t.expose('status', { type: RefundStatus }),
    problem: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the last attempt failed',
    }),
    provider: t.expose('provider', { type: PaymentProvider }),
    orderCode: t.string({
      nullable: true,
      description: 'Null for callers who cannot see the code of the order',
      resolve: ({ orderCode, showsOrderCode }, _, { ctx: { viewer } }) =>
        (showsOrderCode ?? canReadCodes(viewer, 'orders:write')) ? orderCode : null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    doneAt: t.expose('completedAt', { type: 'DateTime', nullable: true }),
  }),
});

builder.objectField(Order, 'refunds', (t) =>
  t.field({
    type: [RefundType],
    complexity: { field: 2 },
    resolve: async (order, _, { ctx, loaders }) =>
      (await loaders.refundsByOrder.load(order.id)).map((refund) => ({
        ...refund,
        showsOrderCode: canSeeCodes(order, ctx),
      })),
  }),
);

const RefundFilter = builder.inputType('RefundFilter', {
  fields: (t) => ({ status: t.field({ type: RefundStatus }) }),
});

const refundFilterSchema = z.object({ status: z.enum(REFUND_STATUSES).optional() });

builder.queryField('refunds', (t) =>
  t.connection({
    type: RefundType,
    description: 'Newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: RefundFilter }) },
    ...paginateFilteredField(refundFilterSchema, listRefunds, toCreatedPosition),
  }),
);

builder.mutationField('settleRefund', (t) =>
  t.field({
    type: RefundType,
    description: 'Records that staff returned the money: on site, or because the provider failed',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => settleRefund(ctx, id),
  }),
);

builder.mutationField('retryRefund', (t) =>
  t.field({
    type: RefundType,
    description: 'Asks the provider to try a failed refund again',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => retryRefund(ctx, id),
  }),
);

builder.mutationField('markOrderPaid', (t) =>
  t.field({
    type: Order,
    description: 'Records that the front desk received the full price of an order paid on site',
    authScopes: WRITE,
    args: { orderId: t.arg.id({ required: true }) },
    resolve: async (_, { orderId }, { ctx }) => {
      const { id } = await markOrderPaid(ctx, orderId);
      return loadOrder(ctx, id);
    },
  }),
);
