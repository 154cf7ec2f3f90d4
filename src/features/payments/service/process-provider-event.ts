import { redact } from '../../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import { RETRY_SCHEDULES } from '../../../core/retry-schedule.ts';
import { toStorable } from '../../../core/validation.ts';
import { getLeaseEnd } from '../../../core/work-leases.ts';
import {
  type AttemptOutcome,
  type Leased,
  MAX_ERROR_LENGTH,
  makeAttempt,
  runWorkQueue,
  type Settlement,
  type WorkItem,
  type WorkQueue,
} from '../../../core/work-queue.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import { renewLeases } from '../../../db/lease-renewal.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { parseProviderEvent } from '../../../integrations/payments/create-provider.ts';
import {
  InvalidProviderEvent,
  type ProviderEvent,
  type ProviderName,
} from '../../../integrations/payments/provider.ts';
import { confirmPendingOrder, PAID_ONLINE } from '../../orders/service/confirm-order.ts';
import { applyProviderUpdates, type LoadedUpdate } from '../apply-provider-updates.ts';
import { OutOfOrderEvent } from '../find-provider-payment.ts';

/**
 * Stores an event of the provider, then processes it. An event that was received before is processed only if that has not
 * succeeded yet.
 *
 * @throws the error of processing. The event stays stored, and `processProviderEvents` retries it.
 */
export async function receiveProviderEvent(
  ctx: Context,
  provider: ProviderName,
  { id, type, payload }: ProviderEvent,
): Promise<void> {
  // The payload contains the return URL of the buyer, which contains the secret of the order.
  const redacted = redact(JSON.stringify(toStorable(payload)));
  const parameters = [provider, id, type, redacted, ctx.now(), getLeaseEnd(ctx)];
  const inserted = await ctx.lockingSql(STORE_EVENT, parameters);
  if (inserted.length > 0) {
    const isPaid = await confirmIfPaid(ctx, provider, { id, type, payload }).catch(() => false);
    if (isPaid) {
      await ctx.lockingSql(CLOSE_EVENT, [provider, id, ctx.now()]);
      return;
    }
    // The event reports something else, or the attempt failed. Both are handled below.
  }
  await processReceivedEvent(ctx, provider, id);
}

const STORE_EVENT = prepareStatement(`
  INSERT INTO provider_events (provider, id, type, payload, received_at, next_attempt_at)
  VALUES ($1::payment_provider, $2::text, $3::text, $4::jsonb, $5::timestamptz, $6::timestamptz)
  ON CONFLICT (provider, id) DO NOTHING RETURNING 1`);

const CLOSE_EVENT = prepareStatement(`
  UPDATE provider_events SET processed_at = $3::timestamptz
  WHERE provider = $1::payment_provider AND id = $2::text AND processed_at IS NULL`);

/**
 * Handles the most frequent event in one statement: the payment of exactly the price of a pending order. A payment
 * counts once, so this needs no transaction together with closing the event.
 */
async function confirmIfPaid(
  ctx: Context,
  provider: ProviderName,
  event: ProviderEvent,
): Promise<boolean> {
  const [update, ...others] = parseProviderEvent(provider, event);
  if (update?.kind !== 'payment' || others.length > 0 || !isUuid(update.orderId)) return false;
  const { orderId, ref, amount } = update;
  return confirmPendingOrder(ctx, { orderId, payment: { provider, ref, amount, ...PAID_ONLINE } });
}

/** Processes an event immediately, even before its next attempt is due, unless another worker is processing it. */
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
 * Job: processes stored events that failed, arrived too early, or were interrupted because the process was killed.
 *
 * @returns how many events it attempted.
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
  renew: (events, until) => renewLeases(ctx, 'provider_events', events, until),
  attempt: (event) => attemptEvent(ctx, event),
  settle: (event, settlement) => settleEvent(ctx, event, settlement),
});

interface StoredEvent extends WorkItem {
  provider: ProviderName;
  type: string;
  payload: object;
}

// The column counts failed attempts, so this adds the attempt that begins.
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

/**
 * After this many attempts, about four hours, an event that seemed to arrive early is closed, since its payment is not
 * ours.
 */
const MAX_OUT_OF_ORDER_ATTEMPTS = 9;

async function attemptEvent(ctx: Context, event: StoredEvent): Promise<AttemptOutcome> {
  try {
    const updates = await loadProviderUpdates(ctx, event);
    await runInTransaction(ctx, async (ctx) => {
      if (await lockProviderEvent(ctx, event))
        await closeProviderEvent(
          ctx,
          event,
          await applyProviderUpdates(ctx, event.provider, updates),
        );
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

/** Loads refunds that the event does not contain from the provider, before the transaction begins. */
async function loadProviderUpdates(
  { payments }: Context,
  event: StoredEvent,
): Promise<LoadedUpdate[]> {
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

/** Locks an event. Returns false if it has been processed or another worker is processing it. */
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
        lastError: settlement.error,
        nextAttemptAt: settlement.nextAttemptAt,
      };
    case 'failed':
      return { processedAt: now, lastError: settlement.error };
  }
}
