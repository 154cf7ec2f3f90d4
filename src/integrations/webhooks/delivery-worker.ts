import { setTimeout } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Context } from '../../context.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { isOwnerActiveSql } from './endpoint-owner.ts';
import { signHeaders, toMessageBody } from './signing.ts';
import type { WebhookResponse, WebhookTransport } from './transport.ts';

const MAX_PARALLEL_DELIVERIES = 40;
/** However much waits for one that answers slowly, the others have their turn. */
const MAX_PARALLEL_PER_ENDPOINT = 2;
/** While something is under way, others may come. */
const POLL_INTERVAL_MS = 500;
/** What is left then is for the next run. */
const MAX_RUN_MS = 120_000;

/**
 * Delivers what is due; gives how much arrived. Any number of instances may do so at once: each delivery is taken by
 * one. A kill between the receiver's yes and ours sends that message a second time, with the same id, never none.
 */
export async function deliverWebhooks(
  ctx: Context,
  transport: WebhookTransport | undefined,
  stopping?: AbortSignal,
): Promise<number> {
  if (transport === undefined) return 0;
  const underWay = new Map<Promise<void>, string>();
  const end = performance.now() + MAX_RUN_MS;
  const goesOn = () => !stopping?.aborted && performance.now() < end;
  let delivered = 0;
  const begin = (one: DueDelivery) => {
    const work = attemptDelivery(ctx, transport, one, stopping)
      .then((arrived) => {
        if (arrived) delivered += 1;
      })
      .catch((error) => ctx.log.warn({ err: error, delivery: one.id }, 'a webhook was not noted'))
      .finally(() => underWay.delete(work));
    underWay.set(work, one.endpointId);
  };
  for (;;) {
    while (goesOn() && underWay.size < MAX_PARALLEL_DELIVERIES) {
      const one = await leaseDelivery(ctx, findBusyEndpoints([...underWay.values()]));
      if (one === undefined) break;
      begin(one);
    }
    if (underWay.size === 0) return delivered;
    const look = new AbortController();
    const pause = setTimeout(POLL_INTERVAL_MS, undefined, { signal: look.signal }).catch(() => {});
    await Promise.race([...underWay.keys(), ...(goesOn() ? [pause] : [])]);
    look.abort();
  }
}

/** Those that have as much to do as they may. */
const findBusyEndpoints = (endpoints: string[]) =>
  [...new Set(endpoints)].filter(
    (id) => endpoints.filter((other) => other === id).length >= MAX_PARALLEL_PER_ENDPOINT,
  );

interface DueDelivery {
  id: string;
  endpointId: string;
  messageId: string;
  attempts: number;
  url: string;
  secret: string;
  /** Signs too. */
  previousSecret: string | null;
  type: string;
  payload: unknown;
  createdAt: Date;
  /** Until when this instance has it. */
  lease: Date;
}

// The next attempt is put off before this one begins, and in one statement: that keeps everybody else from the same
// delivery, however the attempt ends.
const LEASE_DELIVERY = prepareStatement(`
  WITH due AS (
    SELECT d.id, e.url, e.secret, CASE WHEN e.previous_secret_until > $1::timestamptz THEN e.previous_secret END AS previous
    FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
    WHERE d.next_attempt_at <= $1::timestamptz AND e.disabled_at IS NULL AND ${isOwnerActiveSql('e', '$1::timestamptz')}
      AND d.endpoint_id <> ALL ($3::uuid[])
    ORDER BY d.next_attempt_at, d.id LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
  UPDATE webhook_deliveries d SET attempts = d.attempts + 1, next_attempt_at = $2::timestamptz
  FROM due, webhook_messages m WHERE d.id = due.id AND m.id = d.message_id
  RETURNING d.id, d.endpoint_id AS "endpointId", d.message_id AS "messageId", d.attempts,
    due.url, due.secret, due.previous AS "previousSecret", m.type, m.payload, m.created_at AS "createdAt"`);

async function leaseDelivery(
  { pipelinedSql, now }: Context,
  busy: string[],
): Promise<DueDelivery | undefined> {
  const lease = addSeconds(now(), LEASE_SECONDS);
  const [due] = await pipelinedSql<Omit<DueDelivery, 'lease'>>(LEASE_DELIVERY, [
    now(),
    lease,
    busy,
  ]);
  return due && { ...due, lease };
}

async function attemptDelivery(
  ctx: Context,
  transport: WebhookTransport,
  due: DueDelivery,
  stopping?: AbortSignal,
): Promise<boolean> {
  const at = ctx.now();
  const body = toMessageBody(due);
  const secrets = [due.secret, ...(due.previousSecret === null ? [] : [due.previousSecret])];
  const headers = signHeaders({ id: due.messageId, at, body }, secrets);
  const began = performance.now();
  const answer = await transport.post({ url: due.url, headers, body }, stopping);
  const durationMs = Math.round(performance.now() - began);
  if ('error' in answer && stopping?.aborted) {
    await releaseDelivery(ctx, due);
    return false;
  }
  const { status, problem } = toAttemptResult(answer);
  await recordDeliveryAttempt(ctx, due, { at, status, problem, durationMs });
  if (status === 410) await disableGoneEndpoint(ctx, due);
  if (problem === null) return true;
  const { id, endpointId: webhook, attempts } = due;
  ctx.log.warn({ delivery: id, webhook, attempts, problem }, 'a webhook was not delivered');
  return false;
}

function toAttemptResult(answer: WebhookResponse): {
  status: number | null;
  problem: string | null;
} {
  if ('error' in answer) return { status: null, problem: answer.error };
  const { status } = answer;
  if (status >= 200 && status < 300) return { status, problem: null };
  if (status >= 300 && status < 400) {
    const problem = `It answered ${status}, a redirect, and those are not followed. Give the address it leads to.`;
    return { status, problem };
  }
  if (status === 410) return { status, problem: 'It answered 410: it wants no more of this.' };
  return { status, problem: `It answered ${status}.` };
}

// Whoever has replayed or taken it over meanwhile decides what becomes of it; the attempt is in the log anyhow.
const RECORD_ATTEMPT = prepareStatement(`
  WITH noted AS (
    UPDATE webhook_deliveries SET next_attempt_at = $3::timestamptz, delivered_at = $4::timestamptz
    WHERE id = $1::uuid AND next_attempt_at = $2::timestamptz)
  INSERT INTO webhook_attempts (id, delivery_id, at, status, error, duration_ms)
  SELECT $5::uuid, id, $6::timestamptz, $7::int, $8::text, $9::int
  FROM webhook_deliveries WHERE id = $1::uuid FOR KEY SHARE`);

interface AttemptResult {
  at: Date;
  status: number | null;
  problem: string | null;
  durationMs: number;
}

async function recordDeliveryAttempt(
  ctx: Context,
  { id, lease, attempts }: DueDelivery,
  done: AttemptResult,
): Promise<void> {
  const { at, status, problem, durationMs } = done;
  const now = ctx.now();
  const pause = RETRY_DELAYS_SECONDS[attempts - 1];
  const isOver = problem === null || status === 410 || attempts >= MAX_DELIVERY_ATTEMPTS;
  const next = isOver || pause === undefined ? null : addSeconds(now, pause);
  const delivered = problem === null ? now : null;
  await ctx.lockingSql(RECORD_ATTEMPT, [
    id,
    lease,
    next,
    delivered,
    v7(),
    at,
    status,
    problem,
    durationMs,
  ]);
}

const RELEASE_DELIVERY = prepareStatement(`
  UPDATE webhook_deliveries SET next_attempt_at = $3::timestamptz, attempts = attempts - 1
  WHERE id = $1::uuid AND next_attempt_at = $2::timestamptz`);

/** The service stops: that was no attempt. */
const releaseDelivery = (ctx: Context, { id, lease }: DueDelivery) =>
  ctx.lockingSql(RELEASE_DELIVERY, [id, lease, ctx.now()]);

/** Unless it was told another address meanwhile. */
const disableGoneEndpoint = ({ db, now }: Context, { endpointId: id, url }: DueDelivery) =>
  db.webhookEndpoint.updateMany({
    where: { id, url, disabledAt: null },
    data: {
      disabledAt: now(),
      disabledReason: 'It answered 410, which means that it wants no more messages.',
      updatedAt: now(),
    },
  });

const addSeconds = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1_000);

const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 60 * SECONDS_PER_MINUTE;

/** Seconds from one attempt to the next: about three days in all. */
export const RETRY_DELAYS_SECONDS = [
  5,
  5 * SECONDS_PER_MINUTE,
  30 * SECONDS_PER_MINUTE,
  2 * SECONDS_PER_HOUR,
  5 * SECONDS_PER_HOUR,
  10 * SECONDS_PER_HOUR,
  14 * SECONDS_PER_HOUR,
  20 * SECONDS_PER_HOUR,
  24 * SECONDS_PER_HOUR,
];
export const MAX_DELIVERY_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

/** Whoever has taken a delivery has it for so long, which outlasts any attempt. */
const LEASE_SECONDS = 60;

const MESSAGE_RETENTION_MS = 30 * DAY_MS;

/** Timed work: messages go after a month, with what became of them. */
export const purgeMessages = ({ db, now }: Context) =>
  db.webhookMessage.deleteMany({
    where: { createdAt: { lt: new Date(now().getTime() - MESSAGE_RETENTION_MS) } },
  });

const MAX_FAILURE_DAYS = 5;

/**
 * Timed work: gives up on webhooks that have failed for five days, up to now and without a single success. The days
 * begin anew with every change of a webhook.
 */
export async function disableFailingEndpoints({ db, now }: Context): Promise<void> {
  const at = now();
  const daysAgo = new Date(at.getTime() - MAX_FAILURE_DAYS * DAY_MS);
  const dayAgo = new Date(at.getTime() - DAY_MS);
  const reason = `Every attempt to reach it has failed for ${MAX_FAILURE_DAYS} days.`;
  await db.$executeRaw`
    WITH attempts AS (
      SELECT d.endpoint_id, max(a.at) FILTER (WHERE a.error IS NULL) AS succeeded,
        max(a.at) FILTER (WHERE a.error IS NOT NULL) AS failed
      FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id
      JOIN webhook_attempts a ON a.delivery_id = d.id
      WHERE e.disabled_at IS NULL GROUP BY d.endpoint_id)
    UPDATE webhook_endpoints e SET disabled_at = ${at}, disabled_reason = ${reason}, updated_at = ${at}
    FROM attempts latest
    WHERE latest.endpoint_id = e.id AND e.disabled_at IS NULL AND latest.failed > ${dayAgo} AND EXISTS (
      SELECT FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
      WHERE d.endpoint_id = e.id AND a.error IS NOT NULL AND a.at <= ${daysAgo} AND a.at >= e.updated_at
        AND (latest.succeeded IS NULL OR a.at > latest.succeeded))`;
}
