import { v7 } from 'uuid';
import type { Ctx } from '../../../context.ts';
import type { Refund as Row } from '../../../db/generated/client.ts';
import type { Provider, RefundNews } from '../../../payments/port.ts';
import { lockOrder } from '../../orders/lock.ts';
import { nextLook } from '../refunds/pauses.ts';

/** The payment that this is about is not known, or not yet: events come in any order. */
export class TooEarly extends Error {}

/** What the provider says about a refund, ours or one that was made in its own pages. Throws TooEarly. */
export async function noteRefund(ctx: Ctx, provider: Provider, news: RefundNews): Promise<void> {
  const { db } = ctx;
  const where = { provider_ref: { provider, ref: news.paymentRef } };
  const payment = await db.payment.findUnique({ where, select: { id: true, orderId: true } });
  if (payment === null) throw new TooEarly(`There is no payment ${news.paymentRef.slice(0, 100)}.`);
  await lockOrder(ctx, payment.orderId);
  const rows = await db.refund.findMany({ where: { paymentId: payment.id } });
  const row =
    rows.find(({ id }) => id === news.refundId) ?? rows.find(({ ref }) => ref === news.ref);
  if (row) await moveOn(ctx, row, news);
  else if (news.status !== 'failed') await addForeign(ctx, payment, news);
}

async function moveOn({ db, now }: Ctx, row: Row, news: RefundNews): Promise<void> {
  if (isOutdated(row, news)) return;
  const { status, ref, problem } = news;
  await db.refund.update({
    where: { id: row.id },
    data: {
      status,
      ref,
      lastError: problem,
      completedAt: status === 'succeeded' ? (row.completedAt ?? now()) : null,
    },
  });
}

const ORDER: RefundNews['status'][] = ['pending', 'succeeded', 'failed'];

/** Events come late and in any order; a refund only moves on: under way, done, and done may still turn out to have failed. */
function isOutdated(row: Row, { ref, status }: RefundNews): boolean {
  // Staff has settled it otherwise, or has it tried anew: what became of the earlier attempt is known.
  if (row.ref === ref && row.lastError !== null && row.status !== 'failed') return true;
  if (row.ref === ref) return ORDER.indexOf(status) < ORDER.indexOf(row.status);
  // An attempt whose answer has not reached us; if it failed, the next one will find that out.
  return status === 'failed' || row.status === 'succeeded';
}

/** Never more is counted as given back than came in. */
async function addForeign(
  { db, now }: Ctx,
  { id: paymentId, orderId }: { id: string; orderId: string },
  { ref, amount: { amount }, status }: RefundNews,
): Promise<void> {
  await db.$queryRaw`SELECT 1 FROM payments WHERE id = ${paymentId}::uuid FOR UPDATE`;
  const payment = await db.payment.findUniqueOrThrow({ where: { id: paymentId } });
  const counted = Math.min(amount, payment.amount - payment.refunded);
  if (counted === 0) return; // a refund of ours that is still on its way has counted it
  await db.payment.update({ where: { id: paymentId }, data: { refunded: { increment: counted } } });
  await db.refund.create({
    data: {
      id: v7(),
      orderId,
      paymentId,
      amount: counted,
      reason: "Made in the payment provider's own pages",
      status,
      ref,
      createdAt: now(),
      nextAttemptAt: nextLook(now()),
      completedAt: status === 'succeeded' ? now() : null,
    },
  });
}
