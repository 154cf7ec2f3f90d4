import { getStaffId } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { PaymentMethod, Prisma } from '../../../db/generated/client.ts';
import { DomainError, notFound } from '../../../errors.ts';
import type { ChangeType } from '../../../journal/catalog.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import { applyPayment, type PaymentOutcome } from '../../orders/service/apply-payment.ts';
import { toOnSiteRef } from '../allowed-actions.ts';
import { REFUND_INCLUDE, type Refund, toRefund } from './list-payments.ts';

/**
 * Records that staff have refunded the buyer by other means, and how: by default as the buyer paid, or `other` if that was
 * online. Repeating it changes nothing.
 *
 * @throws NOT_FOUND; CONFLICT (REFUND_UNDER_WAY) while the provider is processing the refund
 */
export const settleRefund = (
  ctx: Context,
  { id, method }: { id: string; method?: PaymentMethod | undefined },
): Promise<Refund> =>
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
    return writeRefund(ctx, 'refund.succeeded', id, {
      status: 'succeeded',
      completedAt: ctx.now(),
      method: method ?? (refund.paidBy === 'card_online' ? 'other' : refund.paidBy),
      paidBackById: getStaffId(ctx.viewer),
    });
  });

/** Queues a failed refund again. @throws NOT_FOUND; CONFLICT (REFUND_NOT_FAILED or PROVIDER_ABSENT). */
export const retryRefund = (ctx: Context, id: string): Promise<Refund> =>
  runInTransaction(ctx, async (ctx) => {
    const refund = await lockRefund(ctx, id);
    if (refund.status !== 'failed') {
      throw new DomainError('CONFLICT', 'Only failed refunds can be retried.', {
        reason: 'REFUND_NOT_FAILED',
      });
    }
    if (refund.provider === 'on_site' || refund.provider !== ctx.payments.name) {
      throw new DomainError(
        'CONFLICT',
        'The payment provider of this refund is not configured. Refund the buyer by other means, then settle the refund.',
        { reason: 'PROVIDER_ABSENT' },
      );
    }
    const retried = await writeRefund(ctx, 'refund.retried', id, {
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

const writeRefund = async (
  ctx: Context,
  type: ChangeType,
  id: string,
  data: Prisma.RefundUncheckedUpdateInput,
) =>
  recordUpdated(ctx, type, [id], async () =>
    toRefund(await ctx.db.refund.update({ ...REFUND_INCLUDE, where: { id }, data })),
  );

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
 * Records that staff received the full price of an order that is paid on site. Repeating it changes nothing. If the hold has
 * expired and the tickets are sold out, the payment is refunded.
 *
 * @throws NOT_FOUND for an unknown order
 * @throws CONFLICT (NOTHING_TO_PAY or PAID_ELSEWHERE)
 *
 * @example
 * const outcome = await markOrderPaid(ctx, { id: order.id, method: 'cash' });
 */
export async function markOrderPaid(
  ctx: Context,
  { id, method }: { id: string; method: PaymentMethod },
): Promise<PaymentOutcome> {
  const order = isUuid(id) ? await ctx.db.order.findUnique({ where: { id } }) : null;
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
      { reason: 'PAID_ELSEWHERE' },
    );
  }
  return applyPayment(ctx, {
    orderId: order.id,
    provider: 'on_site',
    ref: toOnSiteRef(order.id),
    amount: { amount: order.totalAmount, currency: order.currency },
    method,
    takenById: getStaffId(ctx.viewer),
  });
}
