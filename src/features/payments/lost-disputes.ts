import { v7 } from 'uuid';
import type { Context } from '../../context.ts';
import type { Refund } from '../../db/generated/client.ts';
import { recordCreated, recordUpdated } from '../../journal/record-changes.ts';
import { cancelReturnedOrder } from '../orders/service/cancel-order.ts';
import { recordOutsideRefund } from './outside-refunds.ts';

/**
 * Counts the money of lost disputes, so that nobody returns it a second time. It settles refunds that have failed or that Foyer has not
 * begun, then is a refund of its own. What refunds under way may need is kept until their result is known. Call it after a dispute is
 * lost and after a refund has succeeded or failed, in a transaction that has locked the order.
 *
 * @returns problems that staff should check
 */
export async function countLostDisputes(
  ctx: Context,
  payment: { id: string; orderId: string },
): Promise<string[]> {
  const { db } = ctx;
  const disputes = await db.dispute.findMany({
    where: { paymentId: payment.id, uncoveredAmount: { gt: 0 } },
    orderBy: [{ createdAt: 'asc' }, { ref: 'asc' }],
  });
  if (disputes.length === 0) return [];
  await db.$queryRaw`SELECT 1 FROM refunds WHERE payment_id = ${payment.id}::uuid ORDER BY id FOR UPDATE`;
  const problems: string[] = [];
  let awaited: number | undefined;
  for (const { provider, ref, uncoveredAmount } of disputes) {
    let left = uncoveredAmount - (await settleRefunds(ctx, payment.id, uncoveredAmount));
    awaited ??= await sumRefundsUnderWay(ctx, payment.id);
    if (left > awaited) left -= await recordLoss(ctx, payment, { ref, amount: left - awaited });
    if (left > awaited)
      problems.push(
        `The bank has returned ${left - awaited} of dispute ${ref.slice(0, 100)} (in minor units) that refunds had returned before. Check the order.`,
      );
    awaited = Math.max(0, awaited - left);
    await db.dispute.update({
      where: { provider_ref: { provider, ref } },
      data: { uncoveredAmount: left },
    });
  }
  await cancelReturnedOrder(ctx, payment.orderId);
  return problems;
}

/** Settles failed refunds and those that were not begun, oldest first. Returns the amount that it settled. */
async function settleRefunds(ctx: Context, paymentId: string, amount: number): Promise<number> {
  const unpaid = await ctx.db.refund.findMany({
    where: {
      paymentId,
      OR: [
        { status: 'failed' },
        // The provider may have accepted an attempt whose response was lost. With a reference, it processes the refund, unless staff
        // retry it after an error.
        { status: 'pending', attempts: 0, OR: [{ ref: null }, { lastError: { not: null } }] },
      ],
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  let left = amount;
  for (const refund of unpaid) {
    if (left === 0) break;
    const part = Math.min(refund.amount, left);
    left -= part;
    if (part < refund.amount) await splitRefund(ctx, refund, part);
    await recordUpdated(ctx, 'refund.succeeded', [refund.id], () =>
      ctx.db.refund.update({
        where: { id: refund.id },
        // The last error stays: because of it, a late event about the failed attempt changes nothing.
        data: {
          amount: part,
          status: 'succeeded',
          completedAt: ctx.now(),
          method: 'card_online',
        },
      }),
    );
  }
  return amount - left;
}

/** Creates a refund of what is left of another one beside this part. */
async function splitRefund(ctx: Context, refund: Refund, part: number): Promise<void> {
  const { orderId, paymentId, reason, status, lastError } = refund;
  const now = ctx.now();
  const rest = { id: v7(), orderId, paymentId, amount: refund.amount - part };
  await ctx.db.refund.create({
    data: { ...rest, reason, status, lastError, nextAttemptAt: now, createdAt: now },
  });
  await recordCreated(ctx, status === 'failed' ? 'refund.failed' : 'refund.created', [rest.id]);
}

async function sumRefundsUnderWay({ db }: Context, paymentId: string): Promise<number> {
  const where = { paymentId, status: 'pending' as const };
  const { _sum: sum } = await db.refund.aggregate({ where, _sum: { amount: true } });
  return sum.amount ?? 0;
}

/** Records what the bank has returned. The second part of a dispute has no reference, which is unique. */
async function recordLoss(
  ctx: Context,
  payment: { id: string; orderId: string },
  { ref, amount }: { ref: string; amount: number },
): Promise<number> {
  const isKnown = (await ctx.db.refund.count({ where: { paymentId: payment.id, ref } })) > 0;
  return recordOutsideRefund(ctx, payment, {
    ...{ ref: isKnown ? null : ref, amount, status: 'succeeded' },
    reason: 'The bank returned it in a dispute',
  });
}
