import { v7 } from 'uuid';
import { redact } from '../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import { toStorable } from '../../core/validation.ts';
import type { Refund as Row } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { parseProviderEvent } from '../../integrations/payments/create-provider.ts';
import {
  InvalidProviderEvent,
  type PaymentUpdate,
  type ProviderEvent,
  type ProviderName,
  type ProviderUpdate,
  type RefundUpdate,
} from '../../integrations/payments/provider.ts';
import { applyPayment, confirmPendingOrder, lockOrder } from '../orders/service.ts';
import { toNextRefundCheck } from './refund-worker.ts';

/**
 * Keeps what a provider told, then acts upon it; what came before is acted upon only if it was not yet. Throws what went
 * wrong: the event is kept, and tried again by `processEvents`.
 */
export async function receiveProviderEvent(
  ctx: Context,
  provider: ProviderName,
  { id, type, payload }: ProviderEvent,
): Promise<void> {
  // It names the address to which buyers come back, and with it the secret of their order.
  const kept = redact(JSON.stringify(toStorable(payload)));
  const fresh = await ctx.lockingSql(STORE_EVENT, [provider, id, type, kept, ctx.now()]);
  // What goes wrong here is tried and noted below.
  const isPaid = () =>
    confirmIfPaid(ctx, provider, parseProviderEvent(provider, { id, type, payload }));
  const paid =
    fresh.length > 0 &&
    (await Promise.resolve()
      .then(isPaid)
      .catch(() => false));
  if (paid) {
    await ctx.lockingSql(CLOSE_EVENT, [provider, id, ctx.now()]);
  } else {
    await processProviderEvent(ctx, { provider, id });
  }
}

const STORE_EVENT = prepareStatement(`
  INSERT INTO provider_events (provider, id, type, payload, received_at)
  VALUES ($1::payment_provider, $2::text, $3::text, $4::jsonb, $5::timestamptz)
  ON CONFLICT (provider, id) DO NOTHING RETURNING 1`);

const CLOSE_EVENT = prepareStatement(`
  UPDATE provider_events SET processed_at = $3::timestamptz
  WHERE provider = $1::payment_provider AND id = $2::text AND processed_at IS NULL`);

/**
 * What nearly every event says: the price of an order that waits for it was paid. That is one statement and counts once,
 * so it needs no transaction around it, should the process end before the event is closed.
 */
async function confirmIfPaid(
  ctx: Context,
  provider: ProviderName,
  news: ProviderUpdate[],
): Promise<boolean> {
  const [first, ...more] = news;
  if (first?.kind !== 'payment' || more.length > 0 || !isUuid(first.orderId)) return false;
  const { orderId, ref, amount } = first;
  return confirmPendingOrder(ctx, { orderId, payment: { provider, ref, amount } });
}

const EVENT_BATCH_SIZE = 200;

// Again after one minute, three, seven and so on, counted from when it came.
const FIND_WAITING_EVENTS = prepareStatement(`
  SELECT provider, id FROM provider_events
  WHERE processed_at IS NULL
    AND received_at + (2 ^ least(attempts, 20) - 1) * interval '1 minute' <= $1::timestamptz
  ORDER BY received_at LIMIT $2::int`);

/** What was stored and not acted upon: it failed, or the process was killed in between. Gives how many there were. */
export async function processProviderEvents(ctx: Context, signal?: AbortSignal): Promise<number> {
  const waiting = await ctx.pipelinedSql<ProviderEventKey>(FIND_WAITING_EVENTS, [
    ctx.now(),
    EVENT_BATCH_SIZE,
  ]);
  for (const key of waiting) {
    if (signal?.aborted) break;
    await processProviderEvent(ctx, key).catch((error) => {
      ctx.log.error({ err: error, ...key }, 'an event of the payment provider was not processed');
    });
  }
  return waiting.length;
}

interface ProviderEventKey {
  provider: ProviderName;
  id: string;
}

/** What comes too early is not worth waiting for any longer after so many attempts, some four hours. */
const MAX_OUT_OF_ORDER_ATTEMPTS = 8;

async function processProviderEvent(ctx: Context, key: ProviderEventKey): Promise<void> {
  const event = await ctx.db.providerEvent.findUnique({ where: { provider_id: key } });
  if (event === null || event.processedAt !== null) return;
  try {
    const news = await loadProviderUpdates(ctx, key.provider, {
      ...event,
      payload: event.payload as object,
    });
    await runInTransaction(ctx, async (ctx) => {
      if (await lockProviderEvent(ctx, key))
        await closeProviderEvent(ctx, key, await applyProviderUpdates(ctx, key.provider, news));
    });
  } catch (thrown) {
    const problem = thrown instanceof Error ? thrown.message : String(thrown);
    if (thrown instanceof InvalidProviderEvent) return closeProviderEvent(ctx, key, [problem]);
    if (thrown instanceof OutOfOrderEvent && event.attempts >= MAX_OUT_OF_ORDER_ATTEMPTS) {
      return closeProviderEvent(ctx, key, [problem]);
    }
    await ctx.db.providerEvent.updateMany({
      where: { ...key, processedAt: null },
      data: { attempts: { increment: 1 }, lastError: problem.slice(0, 500) },
    });
    if (!(thrown instanceof OutOfOrderEvent)) throw thrown;
  }
}

/** What has to be asked for is asked for here, before the transaction. */
async function loadProviderUpdates(
  { payments }: Context,
  provider: ProviderName,
  event: ProviderEvent,
): Promise<Exclude<ProviderUpdate, { kind: 'refunds' }>[]> {
  const told = await Promise.all(
    parseProviderEvent(provider, event).map(async (news) => {
      if (news.kind !== 'refunds') return [news];
      if (payments.name !== provider || !payments.listRefunds) return [];
      return payments.listRefunds(news.paymentRef);
    }),
  );
  return told.flat();
}

/** Whoever is at it already does it. */
async function lockProviderEvent(
  { db }: Context,
  { provider, id }: ProviderEventKey,
): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT 1 FROM provider_events
    WHERE provider = ${provider}::payment_provider AND id = ${id} AND processed_at IS NULL
    FOR UPDATE SKIP LOCKED`;
  return rows.length > 0;
}

async function applyProviderUpdates(
  ctx: Context,
  provider: ProviderName,
  news: Exclude<ProviderUpdate, { kind: 'refunds' }>[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const item of news) {
    if (item.kind === 'payment') problems.push(...(await applyPaymentUpdate(ctx, provider, item)));
    else await applyRefundUpdate(ctx, provider, item);
  }
  return problems;
}

async function closeProviderEvent(
  ctx: Context,
  key: ProviderEventKey,
  problems: string[],
): Promise<void> {
  const problem = problems.join(' ').slice(0, 500) || null;
  if (problem) ctx.log.warn({ ...key, problem }, 'an event of the payment provider is odd');
  await ctx.db.providerEvent.update({
    where: { provider_id: key },
    data: { processedAt: ctx.now(), lastError: problem },
  });
}

/** Money that arrived counts as it is. Gives what is odd about it, for people to look into. */
async function applyPaymentUpdate(
  ctx: Context,
  provider: ProviderName,
  { orderId, ref, amount }: PaymentUpdate,
): Promise<string[]> {
  const order = isUuid(orderId) ? await ctx.db.order.findUnique({ where: { id: orderId } }) : null;
  if (order === null) return [`There is no order ${orderId.slice(0, 100)}.`];
  await applyPayment(ctx, { orderId: order.id, provider, ref, amount });
  if (order.totalAmount === amount.amount && order.currency === amount.currency) return [];
  return [
    `${amount.amount} ${amount.currency} came for order ${order.code}, which costs ${order.totalAmount} ${order.currency}.`,
  ];
}

/** The payment that this is about is not known, or not yet: events come in any order. */
class OutOfOrderEvent extends Error {}

/** What the provider says about a refund, ours or one that was made in its own pages. Throws TooEarly. */
async function applyRefundUpdate(
  ctx: Context,
  provider: ProviderName,
  news: RefundUpdate,
): Promise<void> {
  const { db } = ctx;
  const where = { provider_ref: { provider, ref: news.paymentRef } };
  const payment = await db.payment.findUnique({ where, select: { id: true, orderId: true } });
  if (payment === null)
    throw new OutOfOrderEvent(`There is no payment ${news.paymentRef.slice(0, 100)}.`);
  await lockOrder(ctx, payment.orderId);
  const rows = await db.refund.findMany({ where: { paymentId: payment.id } });
  const row =
    rows.find(({ id }) => id === news.refundId) ?? rows.find(({ ref }) => ref === news.ref);
  if (row) await updateRefund(ctx, row, news);
  else if (news.status !== 'failed') await addExternalRefund(ctx, payment, news);
}

async function updateRefund({ db, now }: Context, row: Row, news: RefundUpdate): Promise<void> {
  if (isOutdatedUpdate(row, news)) return;
  const { status, ref, error } = news;
  await db.refund.update({
    where: { id: row.id },
    data: {
      status,
      ref,
      lastError: error,
      completedAt: status === 'succeeded' ? (row.completedAt ?? now()) : null,
    },
  });
}

const REFUND_STATUS_ORDER: RefundUpdate['status'][] = ['pending', 'succeeded', 'failed'];

/** Events come late and in any order; a refund only moves on: under way, done, and done may still turn out to have failed. */
function isOutdatedUpdate(row: Row, { ref, status }: RefundUpdate): boolean {
  // Staff has settled it otherwise, or has it tried anew: what became of the earlier attempt is known.
  if (row.ref === ref && row.lastError !== null && row.status !== 'failed') return true;
  if (row.ref === ref)
    return REFUND_STATUS_ORDER.indexOf(status) < REFUND_STATUS_ORDER.indexOf(row.status);
  // An attempt whose answer has not reached us; if it failed, the next one will find that out.
  return status === 'failed' || row.status === 'succeeded';
}

/** Never more is counted as given back than came in. */
async function addExternalRefund(
  { db, now }: Context,
  { id: paymentId, orderId }: { id: string; orderId: string },
  { ref, amount: { amount }, status }: RefundUpdate,
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
      nextAttemptAt: toNextRefundCheck(now()),
      completedAt: status === 'succeeded' ? now() : null,
    },
  });
}
