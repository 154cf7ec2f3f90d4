import { v7 } from 'uuid';
import { redact } from '../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import { RETRY_SCHEDULES } from '../../core/retry-schedule.ts';
import { toStorable } from '../../core/validation.ts';
import {
  type AttemptOutcome,
  type Leased,
  makeAttempt,
  runWorkQueue,
  type Settlement,
  type WorkItem,
  type WorkQueue,
} from '../../core/work-queue.ts';
import type { Prisma, Refund as RefundRow } from '../../db/generated/client.ts';
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
 * Stores an event of the provider, then processes it. An event that was received before is processed only if that has
 * not succeeded yet.
 *
 * @throws what went wrong: the event stays stored, and `processProviderEvents` retries it.
 */
export async function receiveProviderEvent(
  ctx: Context,
  provider: ProviderName,
  { id, type, payload }: ProviderEvent,
): Promise<void> {
  // The payload contains the return URL of buyers, and with it the secret of their order.
  const redacted = redact(JSON.stringify(toStorable(payload)));
  const parameters = [provider, id, type, redacted, ctx.now(), getLeaseEnd(ctx)];
  const inserted = await ctx.lockingSql(STORE_EVENT, parameters);
  if (inserted.length > 0) {
    const isPaid = await confirmIfPaid(ctx, provider, { id, type, payload }).catch(() => false);
    if (isPaid) {
      await ctx.lockingSql(CLOSE_EVENT, [provider, id, ctx.now()]);
      return;
    }
    // It is something else, or went wrong: processing it reports that.
  }
  await processReceivedEvent(ctx, provider, id);
}

const getLeaseEnd = ({ now }: Context) =>
  new Date(now().getTime() + RETRY_SCHEDULES.providerEvents.leaseMs);

const STORE_EVENT = prepareStatement(`
  INSERT INTO provider_events (provider, id, type, payload, received_at, next_attempt_at)
  VALUES ($1::payment_provider, $2::text, $3::text, $4::jsonb, $5::timestamptz, $6::timestamptz)
  ON CONFLICT (provider, id) DO NOTHING RETURNING 1`);

const CLOSE_EVENT = prepareStatement(`
  UPDATE provider_events SET processed_at = $3::timestamptz
  WHERE provider = $1::payment_provider AND id = $2::text AND processed_at IS NULL`);

/**
 * Handles what nearly every event reports: the price of a pending order was paid. That is one statement and counts once,
 * so it needs no transaction around it, should the process end before the event is closed.
 */
async function confirmIfPaid(
  ctx: Context,
  provider: ProviderName,
  event: ProviderEvent,
): Promise<boolean> {
  const [update, ...others] = parseProviderEvent(provider, event);
  if (update?.kind !== 'payment' || others.length > 0 || !isUuid(update.orderId)) return false;
  const { orderId, ref, amount } = update;
  return confirmPendingOrder(ctx, { orderId, payment: { provider, ref, amount } });
}

/** Does not wait for its next attempt: the provider has just sent it. Skips it if another worker processes it right now. */
async function processReceivedEvent(
  ctx: Context,
  provider: ProviderName,
  eventId: string,
): Promise<void> {
  const leasedUntil = getLeaseEnd(ctx);
  const parameters = [provider, eventId, leasedUntil];
  const [event] = await ctx.lockingSql<StoredEvent>(LEASE_RECEIVED_EVENT, parameters);
  if (event === undefined) return;
  const outcome = await makeAttempt(createEventQueue(ctx), { ...event, leasedUntil }, ctx);
  if (outcome.kind === 'retry' && outcome.thrown !== undefined) throw outcome.thrown;
}

/**
 * Job: processes stored events that failed, came too early, or were not processed because the process was killed.
 *
 * @returns how many it tried to process.
 */
export async function processProviderEvents(ctx: Context, signal?: AbortSignal): Promise<number> {
  const { leased } = await runWorkQueue(createEventQueue(ctx), ctx, signal);
  return leased;
}

const createEventQueue = (ctx: Context): WorkQueue<StoredEvent> => ({
  name: 'provider events',
  schedule: RETRY_SCHEDULES.providerEvents,
  concurrency: 1,
  lease: (until) => leaseEvent(ctx, until),
  attempt: (event) => attemptEvent(ctx, event),
  settle: (event, settlement) => settleEvent(ctx, event, settlement),
});

interface StoredEvent extends WorkItem {
  provider: ProviderName;
  type: string;
  payload: object;
}

// Only failed attempts are stored; the one that begins is counted here.
const RETURNING_EVENT = 'e.provider, e.id, e.type, e.payload, e.attempts + 1 AS attempts';

const LEASE_EVENT = prepareStatement(`
  WITH due AS (
    SELECT provider, id FROM provider_events
    WHERE processed_at IS NULL AND next_attempt_at <= $1::timestamptz
    ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  UPDATE provider_events e SET next_attempt_at = $2::timestamptz
  FROM due WHERE e.provider = due.provider AND e.id = due.id RETURNING ${RETURNING_EVENT}`);

const LEASE_RECEIVED_EVENT = prepareStatement(`
  WITH received AS (
    SELECT provider, id FROM provider_events
    WHERE provider = $1::payment_provider AND id = $2::text AND processed_at IS NULL FOR UPDATE SKIP LOCKED)
  UPDATE provider_events e SET next_attempt_at = $3::timestamptz
  FROM received WHERE e.provider = received.provider AND e.id = received.id RETURNING ${RETURNING_EVENT}`);

async function leaseEvent(
  { pipelinedSql, now }: Context,
  until: Date,
): Promise<StoredEvent | undefined> {
  const [event] = await pipelinedSql<StoredEvent>(LEASE_EVENT, [now(), until]);
  return event;
}

/** After so many attempts, some four hours, an event that came too early is closed: its payment is not ours. */
const MAX_OUT_OF_ORDER_ATTEMPTS = 9;

async function attemptEvent(ctx: Context, event: StoredEvent): Promise<AttemptOutcome> {
  try {
    const updates = await loadProviderUpdates(ctx, event);
    await runInTransaction(ctx, async (ctx) => {
      if (await lockProviderEvent(ctx, event))
        await closeProviderEvent(ctx, event, await applyProviderUpdates(ctx, event, updates));
    });
    return { kind: 'settled' };
  } catch (thrown) {
    if (thrown instanceof InvalidProviderEvent) return { kind: 'rejected', error: thrown.message };
    if (thrown instanceof OutOfOrderEvent) {
      const isOver = event.attempts >= MAX_OUT_OF_ORDER_ATTEMPTS;
      return { kind: isOver ? 'rejected' : 'retry', error: thrown.message };
    }
    throw thrown;
  }
}

/** Asks the provider for what the event does not say, before the transaction begins. */
async function loadProviderUpdates(
  { payments }: Context,
  event: StoredEvent,
): Promise<Exclude<ProviderUpdate, { kind: 'refunds' }>[]> {
  const { provider } = event;
  const updates = await Promise.all(
    parseProviderEvent(provider, event).map(async (update) => {
      if (update.kind !== 'refunds') return [update];
      if (payments.name !== provider || !payments.listRefunds) return [];
      return payments.listRefunds(update.paymentRef);
    }),
  );
  return updates.flat();
}

/** False if the event was processed meanwhile, or another worker processes it right now. */
async function lockProviderEvent({ db }: Context, { provider, id }: StoredEvent): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT 1 FROM provider_events
    WHERE provider = ${provider}::payment_provider AND id = ${id} AND processed_at IS NULL
    FOR UPDATE SKIP LOCKED`;
  return rows.length > 0;
}

async function closeProviderEvent(
  ctx: Context,
  { provider, id }: StoredEvent,
  problems: string[],
): Promise<void> {
  const lastError = problems.join(' ').slice(0, MAX_ERROR_LENGTH) || null;
  if (lastError) ctx.log.warn({ provider, id, lastError }, 'a provider event needs attention');
  await ctx.db.providerEvent.update({
    where: { provider_id: { provider, id } },
    data: { processedAt: ctx.now(), lastError },
  });
}

function settleEvent({ db, now }: Context, event: Leased<StoredEvent>, settlement: Settlement) {
  const { provider, id, leasedUntil } = event;
  return db.providerEvent.updateMany({
    where: { provider, id, processedAt: null, nextAttemptAt: leasedUntil },
    data: toSettledData(settlement, now()),
  });
}

const MAX_ERROR_LENGTH = 500;

function toSettledData(
  settlement: Settlement,
  now: Date,
): Prisma.ProviderEventUpdateManyMutationInput {
  switch (settlement.state) {
    case 'succeeded':
      return { processedAt: now, lastError: null };
    case 'released':
      return { nextAttemptAt: settlement.nextAttemptAt };
    case 'waiting':
      return {
        attempts: { increment: 1 },
        lastError: settlement.error.slice(0, MAX_ERROR_LENGTH),
        nextAttemptAt: settlement.nextAttemptAt,
      };
    case 'failed':
      return { processedAt: now, lastError: settlement.error.slice(0, MAX_ERROR_LENGTH) };
  }
}

async function applyProviderUpdates(
  ctx: Context,
  { provider }: StoredEvent,
  updates: Exclude<ProviderUpdate, { kind: 'refunds' }>[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const update of updates) {
    if (update.kind === 'refund') await applyRefundUpdate(ctx, provider, update);
    else problems.push(...(await applyPaymentUpdate(ctx, provider, update)));
  }
  return problems;
}

/** Records money that arrived, whatever the amount. Returns what staff should look into. */
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
    `${amount.amount} ${amount.currency} arrived for order ${order.code}, which costs ${order.totalAmount} ${order.currency}.`,
  ];
}

/** The payment of this refund is unknown, or not known yet: events arrive in any order. */
class OutOfOrderEvent extends Error {}

/**
 * Applies what the provider reports about a refund: ours, or one that was made in the provider's dashboard.
 *
 * @throws OutOfOrderEvent
 */
async function applyRefundUpdate(
  ctx: Context,
  provider: ProviderName,
  update: RefundUpdate,
): Promise<void> {
  const { db } = ctx;
  const where = { provider_ref: { provider, ref: update.paymentRef } };
  const payment = await db.payment.findUnique({ where, select: { id: true, orderId: true } });
  if (payment === null)
    throw new OutOfOrderEvent(`There is no payment ${update.paymentRef.slice(0, 100)}.`);
  await lockOrder(ctx, payment.orderId);
  const rows = await db.refund.findMany({ where: { paymentId: payment.id } });
  const row =
    rows.find(({ id }) => id === update.refundId) ?? rows.find(({ ref }) => ref === update.ref);
  if (row) await updateRefund(ctx, row, update);
  else if (update.status !== 'failed') await addExternalRefund(ctx, payment, update);
}

async function updateRefund(
  { db, now }: Context,
  row: RefundRow,
  update: RefundUpdate,
): Promise<void> {
  if (isOutdatedUpdate(row, update)) return;
  const { status, ref, error } = update;
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

/** Events arrive late and in any order. A refund only moves forward: pending, succeeded, and then it may still fail. */
function isOutdatedUpdate(row: RefundRow, { ref, status }: RefundUpdate): boolean {
  // Staff has settled or retried the refund: it knows how the earlier attempt ended.
  if (row.ref === ref && row.lastError !== null && row.status !== 'failed') return true;
  if (row.ref === ref)
    return REFUND_STATUS_ORDER.indexOf(status) < REFUND_STATUS_ORDER.indexOf(row.status);
  // This attempt's response never reached us. If it failed, the next attempt finds that out.
  return status === 'failed' || row.status === 'succeeded';
}

/** Never counts more as refunded than was paid. */
async function addExternalRefund(
  { db, now }: Context,
  { id: paymentId, orderId }: { id: string; orderId: string },
  { ref, amount: { amount }, status }: RefundUpdate,
): Promise<void> {
  await db.$queryRaw`SELECT 1 FROM payments WHERE id = ${paymentId}::uuid FOR UPDATE`;
  const payment = await db.payment.findUniqueOrThrow({ where: { id: paymentId } });
  const counted = Math.min(amount, payment.amount - payment.refunded);
  if (counted === 0) return; // a pending refund of ours has counted it
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
