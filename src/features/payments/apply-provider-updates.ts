import type { Context } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import type { Refund as RefundRow } from '../../db/generated/client.ts';
import type {
  PaymentUpdate,
  ProviderName,
  ProviderUpdate,
  RefundUpdate,
} from '../../integrations/payments/provider.ts';
import type { ChangeType } from '../../journal/catalog.ts';
import { recordUpdated } from '../../journal/record-changes.ts';
import { applyPayment } from '../orders/service/apply-payment.ts';
import { PAID_ONLINE } from '../orders/service/confirm-order.ts';
import { endUnpaidOrder, holdForDelayedPayment } from '../orders/service/delayed-payment.ts';
import { lockOrder } from '../orders/service/find-orders.ts';
import { applyDispute } from './apply-dispute.ts';
import { findProviderPayment } from './find-provider-payment.ts';
import { countLostDisputes } from './lost-disputes.ts';
import { recordOutsideRefund } from './outside-refunds.ts';

/** What happened to a payment, one refund or one dispute. */
export type LoadedUpdate = Exclude<ProviderUpdate, { kind: 'refunds' }>;

/**
 * Applies the updates of one event in the caller's transaction.
 *
 * @returns problems that staff should check
 * @throws OutOfOrderEvent
 */
export async function applyProviderUpdates(
  ctx: Context,
  provider: ProviderName,
  updates: LoadedUpdate[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const update of updates) {
    if (update.kind === 'refund')
      problems.push(...(await applyRefundUpdate(ctx, provider, update)));
    else if (update.kind === 'payment')
      problems.push(...(await applyPaymentUpdate(ctx, provider, update)));
    else if (update.kind === 'dispute')
      problems.push(...(await applyDispute(ctx, provider, update)));
    else problems.push(...(await applyDelayedPayment(ctx, update)));
  }
  return problems;
}

/** Records a payment of any amount. Returns problems that staff should check. */
async function applyPaymentUpdate(
  ctx: Context,
  provider: ProviderName,
  { orderId, ref, amount }: PaymentUpdate,
): Promise<string[]> {
  const order = isUuid(orderId) ? await ctx.db.order.findUnique({ where: { id: orderId } }) : null;
  if (order === null) return [`There is no order ${orderId.slice(0, 100)}.`];
  await applyPayment(ctx, { orderId: order.id, provider, ref, amount, ...PAID_ONLINE });
  if (order.totalAmount === amount.amount && order.currency === amount.currency) return [];
  return [
    `${amount.amount} ${amount.currency} arrived for order ${order.code}, which costs ${order.totalAmount} ${order.currency}.`,
  ];
}

/** Holds or ends the order of a payment that takes days. Returns problems that staff should check. */
async function applyDelayedPayment(
  ctx: Context,
  { kind, orderId }: { kind: 'payment_delayed' | 'payment_failed'; orderId: string },
): Promise<string[]> {
  const isKnown = isUuid(orderId) && (await ctx.db.order.count({ where: { id: orderId } })) > 0;
  if (!isKnown) return [`There is no order ${orderId.slice(0, 100)}.`];
  if (kind === 'payment_delayed') await holdForDelayedPayment(ctx, orderId);
  else await endUnpaidOrder(ctx, orderId);
  return [];
}

/**
 * Applies a provider's update of a refund, which was made by Foyer or in the provider's dashboard.
 *
 * @returns problems that staff should check
 * @throws OutOfOrderEvent
 */
async function applyRefundUpdate(
  ctx: Context,
  provider: ProviderName,
  update: RefundUpdate,
): Promise<string[]> {
  const payment = await findProviderPayment(ctx, provider, update.paymentRef);
  await lockOrder(ctx, payment.orderId);
  const rows = await ctx.db.refund.findMany({ where: { paymentId: payment.id } });
  const row =
    rows.find(({ id }) => id === update.refundId) ?? rows.find(({ ref }) => ref === update.ref);
  if (!row) return recordDashboardRefund(ctx, payment, update, rows);
  if (row.status === 'succeeded' && row.ref === null && update.status === 'succeeded')
    return recordSecondReturn(ctx, row, update);
  if (isOutdatedUpdate(row, update)) return [];
  await updateRefund(ctx, row, update);
  const isResult = update.status !== 'pending' && update.status !== row.status;
  return isResult ? countLostDisputes(ctx, payment) : [];
}

/** Records a refund that Foyer did not make. Refunds of Foyer that are not returned yet can be the same money. */
async function recordDashboardRefund(
  ctx: Context,
  payment: { id: string; orderId: string },
  { ref, amount: money, status }: RefundUpdate,
  refunds: RefundRow[],
): Promise<string[]> {
  if (status === 'failed') return [];
  const { amount, currency } = money;
  const reason = "Made in the payment provider's dashboard";
  const counted = await recordOutsideRefund(ctx, payment, { ref, amount, status, reason });
  const open = refunds.filter((refund) => refund.status !== 'succeeded');
  const excess = amount - counted - open.reduce((sum, refund) => sum + refund.amount, 0);
  if (excess <= 0) return [];
  return [
    `Refund ${ref.slice(0, 100)} of ${amount} ${currency} (in minor units) returns ${excess} more than is left of the payment. Check the order.`,
  ];
}

/** Records that the provider made a refund that staff or a lost dispute had settled. */
async function recordSecondReturn(
  { db }: Context,
  { id, lastError }: RefundRow,
  { ref, amount }: RefundUpdate,
): Promise<string[]> {
  const problem = `The provider made refund ${ref.slice(0, 100)} of ${amount.amount} ${amount.currency} (in minor units), although it had been returned in another way. Check the order.`;
  // With an error, later events about this attempt change nothing.
  await db.refund.update({ where: { id }, data: { ref, lastError: lastError ?? problem } });
  return [problem];
}

async function updateRefund(
  ctx: Context,
  row: RefundRow,
  { status, ref, error }: RefundUpdate,
): Promise<void> {
  await recordUpdated(ctx, REFUND_CHANGES[status], [row.id], () =>
    ctx.db.refund.update({
      where: { id: row.id },
      data: {
        status,
        ref,
        lastError: error,
        completedAt: status === 'succeeded' ? (row.completedAt ?? ctx.now()) : null,
        method: status === 'succeeded' ? (row.method ?? 'card_online') : null,
        ...(status !== 'succeeded' && { paidBackById: null }),
      },
    }),
  );
}

const REFUND_CHANGES = {
  pending: 'refund.retried',
  succeeded: 'refund.succeeded',
  failed: 'refund.failed',
} as const satisfies Record<RefundUpdate['status'], ChangeType>;

const REFUND_STATUS_ORDER: RefundUpdate['status'][] = ['pending', 'succeeded', 'failed'];

/** Events arrive late and in any order. A refund only moves forward: from pending to succeeded, and from both to failed. */
function isOutdatedUpdate(row: RefundRow, { ref, status }: RefundUpdate): boolean {
  // Staff have settled or retried the refund, so the result of the earlier attempt is known.
  if (row.ref === ref && row.lastError !== null && row.status !== 'failed') return true;
  if (row.ref === ref)
    return REFUND_STATUS_ORDER.indexOf(status) < REFUND_STATUS_ORDER.indexOf(row.status);
  // The response to this attempt was lost. If it failed, the next attempt will detect that.
  return status === 'failed' || row.status === 'succeeded';
}
