import { z } from 'zod';
import { canReadCodes } from '../../auth/viewer.ts';
import { toCreatedPosition } from '../../core/pagination.ts';
import { builder, Money } from '../../graphql/builder.ts';
import { paginateFilteredField } from '../../graphql/connections.ts';
import { listRefunds, REFUND_STATUSES, type Refund, retryRefund, settleRefund } from './service.ts';

const READ = { access: 'orders:read' } as const;
const WRITE = { access: 'orders:write' } as const;

export const PaymentProvider = builder.enumType('PaymentProvider', {
  values: {
    STRIPE: { value: 'stripe' },
    ON_SITE: { value: 'on_site', description: 'At the front desk' },
    SANDBOX: { value: 'sandbox', description: 'No real money moves' },
  } as const,
});

export const RefundStatus = builder.enumType('RefundStatus', {
  values: {
    DUE: { value: 'pending', description: 'On site, staff gives it back; else the provider does' },
    DONE: { value: 'succeeded' },
    FAILED: { value: 'failed', description: 'Nobody tries again unless staff says so' },
  } as const,
});

export const RefundType = builder.objectRef<Refund & { showsOrderCode?: boolean }>('Refund');
RefundType.implement({
  description: 'Money that goes back to a buyer',
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
      description: 'Null for those who cannot see the code of the order',
      resolve: ({ orderCode, showsOrderCode }, _, { ctx: { viewer } }) =>
        (showsOrderCode ?? canReadCodes(viewer, 'orders:write')) ? orderCode : null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    doneAt: t.expose('completedAt', { type: 'DateTime', nullable: true }),
  }),
});

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
    description: 'Staff gave the money back: on site, or otherwise where the provider failed',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => settleRefund(ctx, id),
  }),
);

builder.mutationField('retryRefund', (t) =>
  t.field({
    type: RefundType,
    description: 'Has the provider try a failed one again',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => retryRefund(ctx, id),
  }),
);
