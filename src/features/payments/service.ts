import { type Context, runInTransaction } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import type { Money } from '../../core/money.ts';
import {
  orderByNewest,
  type Page,
  type PageRequest,
  toCreatedPosition,
  toPage,
  whereOlderThanCursor,
} from '../../core/pagination.ts';
import type { Prisma } from '../../db/generated/client.ts';
import type { OrderStatus } from '../../db/generated/enums.ts';
import { DomainError, notFound } from '../../errors.ts';
import type { ProviderName } from '../../integrations/payments/provider.ts';
import { applyPayment } from '../orders/service.ts';

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;
type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Money returned to a buyer. */
export interface Refund {
  id: string;
  amount: Money;
  reason: string | null;
  status: RefundStatus;
  /** Why the last attempt failed. */
  lastError: string | null;
  provider: ProviderName;
  orderCode: string;
  createdAt: Date;
  completedAt: Date | null;
}

/** Lists refunds, newest first. */
export async function listRefunds(
  { db }: Context,
  { status }: { status?: RefundStatus | undefined },
  page: PageRequest,
): Promise<Page<Refund>> {
  const rows = await db.refund.findMany({
    ...REFUND_INCLUDE,
    where: { AND: [status ? { status } : {}, whereOlderThanCursor(page)] },
    orderBy: orderByNewest,
    take: page.limit + 1,
  });
  return toPage(rows.map(toRefund), page.limit, toCreatedPosition);
}

/**
 * Records that staff returned the money by other means. A second call changes nothing. Throws NOT_FOUND, and CONFLICT
 * (REFUND_UNDER_WAY) while the provider still processes the refund.
 */
export const settleRefund = (ctx: Context, id: string): Promise<Refund> =>
  runInTransaction(ctx, async (ctx) => {
    const refund = await lockRefund(ctx, id);
    if (refund.status === 'succeeded') return refund;
    const { name } = ctx.payments;
    if (refund.status === 'pending' && refund.provider !== 'on_site' && refund.provider === name) {
      throw new DomainError(
        'CONFLICT',
        'The payment provider is still processing this refund. Settle it only if the provider fails.',
        { reason: 'REFUND_UNDER_WAY' },
      );
    }
    // Keeps lastError, which shows that the provider did not make this refund.
    return writeRefund(ctx, id, { status: 'succeeded', completedAt: ctx.now() });
  });

/** Queues a failed refund again. Throws NOT_FOUND, and CONFLICT (REFUND_NOT_FAILED or PROVIDER_ABSENT). */
export const retryRefund = (ctx: Context, id: string): Promise<Refund> =>
  runInTransaction(ctx, async (ctx) => {
    const refund = await lockRefund(ctx, id);
    if (refund.status !== 'failed') {
      throw new DomainError('CONFLICT', 'Only a failed refund can be tried again.', {
        reason: 'REFUND_NOT_FAILED',
      });
    }
    if (refund.provider === 'on_site' || refund.provider !== ctx.payments.name) {
      throw new DomainError(
        'CONFLICT',
        'The payment provider of this refund is not configured. Return the money by other means and settle the refund.',
        { reason: 'PROVIDER_ABSENT' },
      );
    }
    const retried = await writeRefund(ctx, id, {
      status: 'pending',
      attempts: 0,
      nextAttemptAt: ctx.now(),
    });
    await ctx.triggerJob?.(ctx, 'payments.refund');
    return retried;
  });

async function lockRefund({ db }: Context, id: string): Promise<Refund> {
  if (!isUuid(id)) throw notFound('refund');
  await db.$queryRaw`SELECT 1 FROM refunds WHERE id = ${id}::uuid FOR UPDATE`;
  const row = await db.refund.findUnique({ ...REFUND_INCLUDE, where: { id } });
  if (row === null) throw notFound('refund');
  return toRefund(row);
}

const writeRefund = async ({ db }: Context, id: string, data: Prisma.RefundUpdateInput) =>
  toRefund(await db.refund.update({ ...REFUND_INCLUDE, where: { id }, data }));

const REFUND_INCLUDE = {
  include: {
    order: { select: { code: true } },
    payment: { select: { provider: true, currency: true } },
  },
} as const;

const toRefund = ({
  amount,
  order,
  payment,
  ...row
}: Prisma.RefundGetPayload<typeof REFUND_INCLUDE>): Refund => ({
  id: row.id,
  amount: { amount, currency: payment.currency },
  reason: row.reason,
  status: row.status,
  lastError: row.lastError,
  provider: payment.provider,
  orderCode: order.code,
  createdAt: row.createdAt,
  completedAt: row.completedAt,
});

/** Finds the refunds of each order, oldest first. */
export async function findRefundsByOrders(
  { db }: Context,
  orderIds: string[],
): Promise<Map<string, Refund[]>> {
  const refundsByOrder = new Map<string, Refund[]>(orderIds.map((id) => [id, []]));
  const rows = await db.refund.findMany({
    ...REFUND_INCLUDE,
    where: { orderId: { in: orderIds } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  for (const row of rows) refundsByOrder.get(row.orderId)?.push(toRefund(row));
  return refundsByOrder;
}

/**
 * Records that staff received the full price of an order that is paid on site. A second call changes nothing. If the
 * hold expired and the tickets are sold out, the payment is refunded.
 *
 * @throws NOT_FOUND for an unknown order
 * @throws CONFLICT (NOTHING_TO_PAY or PAID_ELSEWHERE)
 */
export async function markOrderPaid(
  ctx: Context,
  orderId: string,
): Promise<{ id: string; status: OrderStatus }> {
  const order = isUuid(orderId) ? await ctx.db.order.findUnique({ where: { id: orderId } }) : null;
  if (order === null) throw notFound('order');
  if (order.totalAmount === 0) {
    throw new DomainError('CONFLICT', 'This order is free, so there is nothing to pay.', {
      reason: 'NOTHING_TO_PAY',
    });
  }
  if (order.provider !== 'on_site') {
    throw new DomainError(
      'CONFLICT',
      'This order is paid through a payment provider, not on site.',
      {
        reason: 'PAID_ELSEWHERE',
      },
    );
  }
  await applyPayment(ctx, {
    orderId: order.id,
    provider: 'on_site',
    ref: `on-site:${order.id}`,
    amount: { amount: order.totalAmount, currency: order.currency },
  });
  return ctx.db.order.findUniqueOrThrow({
    where: { id: order.id },
    select: { id: true, status: true },
  });
}

export { closeEndedCheckouts } from './checkout.ts';
export { processProviderEvents } from './process-provider-event.ts';
export { processRefunds } from './refund-worker.ts';
