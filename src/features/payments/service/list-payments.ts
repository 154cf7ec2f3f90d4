import { canReadCodes, canSeeAll, type Viewer } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import type { Money } from '../../../core/money.ts';
import type {
  PaymentMethod,
  Payment as PaymentRow,
  Prisma,
  Refund as RefundRow,
  RefundStatus,
} from '../../../db/generated/client.ts';
import {
  projectIfVisible,
  projectMoney,
  projectUnescaped,
  type RowProjection,
} from '../../../db/json-projection.ts';
import type { ProviderName } from '../../../integrations/payments/provider.ts';
import { type ListScope, matchEnum, type RowList } from '../../../lists/row-list.ts';
import { projectFields } from '../../../rows/projection.ts';
import { toOrderVisibleConditions } from '../../orders/service/list-orders.ts';
import { paymentRow, refundRow, toPaymentColumnSql } from '../rows.ts';

/** Money that a buyer paid for an order. */
export type Payment = Omit<PaymentRow, 'amount' | 'refunded' | 'currency'> & {
  amount: Money;
  /** Includes pending refunds. */
  refunded: Money;
  /** The name of the staff user who received it. */
  takenBy: string | null;
};

interface PaymentFilter {
  orderId?: string | undefined;
  provider?: readonly ProviderName[] | undefined;
  /** Only payments received in [from, to). */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Payments, newest first. Members see only those of their own orders. */
export const paymentList: RowList<Payment, PaymentFilter, 'CREATED_AT'> = {
  name: 'payments',
  table: 'payments',
  sortKeys: { CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of payment' } },
  defaultOrder: 'CREATED_AT_DESC',
  sharedQueryPlans: { CREATED_AT: ['from', 'to'] },
  where: (row, { orderId, provider, from, to }, { viewer, bind }) => [
    ...toOrderVisibleConditions(row, viewer, bind),
    ...(orderId ? [`${row}.order_id = ${bind(orderId, 'uuid')}`] : []),
    ...(provider ? [matchEnum(`${row}.provider`, provider)] : []),
    ...(from ? [`${row}.created_at >= ${bind(from, 'timestamptz')}`] : []),
    ...(to ? [`${row}.created_at < ${bind(to, 'timestamptz')}`] : []),
  ],
  async findByIds({ db }, ids) {
    const include = { takenBy: { select: { name: true } } };
    const rows = await db.payment.findMany({ where: { id: { in: ids } }, include });
    return rows.map(({ amount, refunded, currency, takenBy, ...row }) => ({
      ...row,
      takenBy: takenBy?.name ?? null,
      amount: { amount, currency },
      refunded: { amount: refunded, currency },
    }));
  },
};

/**
 * Whether the viewer sees the reference of a payment. Only Stripe's is known to contain no code of the order; where staff or
 * tests take the money, the reference can be the code itself, which admits people.
 */
export const canSeeReference = (viewer: Viewer, { provider }: Pick<Payment, 'provider'>) =>
  canSeeAll(viewer, 'orders:read') &&
  (provider === 'stripe' || canReadCodes(viewer, 'orders:write'));

const toReferenceSql = (row: string, viewer: Viewer) =>
  canReadCodes(viewer, 'orders:write')
    ? `${row}.ref`
    : `CASE WHEN ${row}.provider = 'stripe' THEN ${row}.ref END`;

/** Projects a payment. Only viewers who see every order see the reference, as `canSeeReference` says. */
export const toPaymentProjection: RowProjection = (row, viewer) => ({
  ...projectFields(paymentRow, row),
  amount: projectMoney(`${row}.amount`, `${row}.currency`),
  refunded: projectMoney(`${row}.refunded`, `${row}.currency`),
  ...projectIfVisible(canSeeAll(viewer, 'orders:read'), { ref: toReferenceSql(row, viewer) }),
  orderId: projectUnescaped(`${row}.order_id`),
});

/** A refund to a buyer. */
export interface Refund
  extends Pick<
    RefundRow,
    | 'id'
    | 'orderId'
    | 'paymentId'
    | 'reason'
    | 'status'
    | 'lastError'
    | 'method'
    | 'createdAt'
    | 'completedAt'
  > {
  amount: Money;
  /** How the payment was made. */
  paidBy: PaymentMethod;
  /** The name of the staff user who returned the money. */
  paidBackBy: string | null;
  provider: ProviderName;
  orderCode: string;
}

interface RefundFilter {
  orderId?: string | undefined;
  status?: readonly RefundStatus[] | undefined;
}

/** Refunds, newest first. Members see only those of their own orders. */
export const refundList: RowList<Refund, RefundFilter, 'CREATED_AT'> = {
  name: 'refunds',
  table: 'refunds',
  sortKeys: {
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of the request' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, { orderId, status }, { viewer, bind }) => [
    ...toOrderVisibleConditions(row, viewer, bind),
    ...(orderId ? [`${row}.order_id = ${bind(orderId, 'uuid')}`] : []),
    ...(status ? [matchEnum(`${row}.status`, status)] : []),
  ],
  findByIds: async ({ db }, ids) =>
    (await db.refund.findMany({ ...REFUND_INCLUDE, where: { id: { in: ids } } })).map(toRefund),
};

/** Projects a refund. */
export const toRefundProjection: RowProjection = (row, viewer) => ({
  ...projectFields(refundRow, row),
  amount: projectMoney(`${row}.amount`, toPaymentColumnSql(row, 'currency')),
  ...projectIfVisible(canReadCodes(viewer, 'orders:write'), {
    orderCode: `(SELECT placed.code FROM orders placed WHERE placed.id = ${row}.order_id)`,
  }),
  orderId: projectUnescaped(`${row}.order_id`),
  paymentId: projectUnescaped(`${row}.payment_id`),
});

/** Finds payments by id, for refunds that the viewer sees. Needs orders:read. */
export const visiblePayments = {
  table: 'payments',
  where: (_row: string, _: object, { viewer }: ListScope) =>
    canSeeAll(viewer, 'orders:read') ? [] : ['false'],
  findByIds: async (ctx: Context, ids: string[]): Promise<Payment[]> =>
    canSeeAll(ctx.viewer, 'orders:read') ? paymentList.findByIds(ctx, ids) : [],
};

export const REFUND_INCLUDE = {
  include: {
    order: { select: { code: true } },
    payment: { select: { provider: true, currency: true, method: true } },
    paidBackBy: { select: { name: true } },
  },
} as const;

export const toRefund = ({
  amount,
  order,
  payment,
  ...row
}: Prisma.RefundGetPayload<typeof REFUND_INCLUDE>): Refund => ({
  id: row.id,
  orderId: row.orderId,
  paymentId: row.paymentId,
  amount: { amount, currency: payment.currency },
  reason: row.reason,
  status: row.status,
  lastError: row.lastError,
  method: row.method,
  paidBy: payment.method,
  paidBackBy: row.paidBackBy?.name ?? null,
  provider: payment.provider,
  orderCode: order.code,
  createdAt: row.createdAt,
  completedAt: row.completedAt,
});
