import { SpanKind } from '@opentelemetry/api';
import { v7 } from 'uuid';
import { type Context, runInTransaction } from '../../context.ts';
import { parseRetryAfter } from '../../core/retry-after.ts';
import { getMaxAttempts, RETRY_SCHEDULES } from '../../core/retry-schedule.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import { withSpan } from '../../core/tracing.ts';
import {
  type AttemptOutcome,
  type Leased,
  runWorkQueue,
  type Settlement,
  type WorkItem,
  type WorkQueue,
} from '../../core/work-queue.ts';
import { Prisma } from '../../db/generated/client.ts';
import { projectInstant } from '../../db/json-projection.ts';
import { renewLeases } from '../../db/lease-renewal.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { recordUpdated, toOrigin, toRecordSql } from '../../journal/record-changes.ts';
import {
  canOwnerRead,
  isOwnerActiveSql,
  type OwnerRights,
  toOwnerRightsSql,
} from './endpoint-owner.ts';
import { findEventScope } from './event-catalog.ts';
import { signHeaders, toMessageBody } from './signing.ts';
import type { WebhookResponse, WebhookTransport } from './transport.ts';

const MAX_PARALLEL_DELIVERIES = 40;
/** Prevents one slow endpoint from delaying the deliveries of others. */
const MAX_PARALLEL_PER_ENDPOINT = 2;

export const MAX_DELIVERY_ATTEMPTS = getMaxAttempts(RETRY_SCHEDULES.webhooks);

/**
 * Sends the messages that are due and returns how many were delivered. If the process is killed after the receiver responded
 * and before that is recorded, the message is sent again with the same id.
 */
export async function deliverWebhooks(
  ctx: Context,
  transport: WebhookTransport | undefined,
  signal?: AbortSignal,
): Promise<number> {
  if (transport === undefined) return 0;
  const { succeeded } = await runWorkQueue(createDeliveryQueue(ctx, transport), ctx, signal);
  return succeeded;
}

const createDeliveryQueue = (
  ctx: Context,
  transport: WebhookTransport,
): WorkQueue<Delivery, AttemptDetails> => ({
  name: 'webhooks',
  schedule: RETRY_SCHEDULES.webhooks,
  concurrency: MAX_PARALLEL_DELIVERIES,
  perKey: { limit: MAX_PARALLEL_PER_ENDPOINT, getKey: ({ endpointId }) => endpointId },
  lease: (until, busyEndpoints) => leaseDelivery(ctx, until, busyEndpoints),
  renew: (deliveries, until) => renewLeases(ctx, 'webhook_deliveries', deliveries, until),
  attempt: (delivery, signal) => attemptDelivery(ctx, transport, delivery, signal),
  settle: (delivery, settlement, details) => settleDelivery(ctx, delivery, settlement, details),
});

interface Delivery extends WorkItem, OwnerRights {
  endpointId: string;
  messageId: string;
  url: string;
  secret: string;
  /** Also signs messages while a rotation of the secret is in progress. */
  previousSecret: string | null;
  type: string;
  payload: unknown;
  createdAt: Date;
}

const LEASE_DELIVERY = prepareStatement(`
  WITH due AS (
    SELECT d.id, e.url, e.secret, CASE WHEN e.previous_secret_until > $1::timestamptz THEN e.previous_secret END AS previous,
      ${toOwnerRightsSql('e')}
    FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
    WHERE d.next_attempt_at <= $1::timestamptz AND e.disabled_at IS NULL AND ${isOwnerActiveSql('e', '$1::timestamptz')}
      AND (e.paused_until IS NULL OR e.paused_until <= $1::timestamptz)
      AND d.endpoint_id <> ALL ($3::uuid[])
    ORDER BY d.next_attempt_at, d.id LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
  UPDATE webhook_deliveries d SET attempts = d.attempts + 1, next_attempt_at = $2::timestamptz
  FROM due, webhook_messages m WHERE d.id = due.id AND m.id = d.message_id
  RETURNING d.id, d.endpoint_id AS "endpointId", d.message_id AS "messageId", d.attempts,
    due.url, due.secret, due.previous AS "previousSecret",
    due."ownerKind", due."ownerRole", due."ownerScopes", m.type, m.payload, m.created_at AS "createdAt"`);

async function leaseDelivery(
  { pipelinedSql, now }: Context,
  until: Date,
  busyEndpoints: string[],
): Promise<Delivery | undefined> {
  const [delivery] = await pipelinedSql<Delivery>(LEASE_DELIVERY, [now(), until, busyEndpoints]);
  return delivery;
}

/** The details of an attempt in the delivery log. */
interface AttemptDetails {
  at: Date;
  status: number | null;
  durationMs: number;
  /** Until when the endpoint asked to wait, with `Retry-After`. */
  pausedUntil: Date | null;
}

async function attemptDelivery(
  ctx: Context,
  transport: WebhookTransport,
  delivery: Delivery,
  signal?: AbortSignal,
): Promise<AttemptOutcome<AttemptDetails>> {
  const at = ctx.now();
  if (!canOwnerRead(delivery, delivery.type)) return withholdDelivery(delivery, at);
  const body = toMessageBody(delivery);
  const { secret, previousSecret } = delivery;
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const headers = signHeaders({ id: delivery.messageId, at, body }, secrets);
  const startedAt = performance.now();
  // The path of a URL can contain a secret of the receiver.
  const attributes = {
    'http.request.method': 'POST',
    'server.address': new URL(delivery.url).hostname,
    'foyer.webhook': delivery.endpointId,
  };
  const response = await withSpan(
    ctx.tracer,
    'POST',
    { kind: SpanKind.CLIENT, attributes },
    async (span) => {
      const response = await transport.post({ url: delivery.url, headers, body }, signal);
      if ('status' in response) span?.setAttribute('http.response.status_code', response.status);
      return response;
    },
  );
  const durationMs = Math.round(performance.now() - startedAt);
  if ('error' in response && signal?.aborted) return { kind: 'interrupted' };
  const status = 'error' in response ? null : response.status;
  const error = findDeliveryError(response);
  const pausedUntil =
    error === null || 'error' in response ? null : parseRetryAfter(response.retryAfter, ctx.now());
  const details = { at, status, durationMs, pausedUntil };
  if (error === null) return { kind: 'succeeded', details };
  const logged = { webhook: delivery.endpointId, error };
  // No other delivery would leave the network either.
  const endsRun = 'error' in response && response.isProxyDown === true;
  const kind = status === 410 ? 'rejected' : 'retry';
  return { kind, error, logged, details, endsRun, notBefore: pausedUntil };
}

/** Gives up a message that the owner could read when it was queued, but cannot read now. */
function withholdDelivery(
  { endpointId, type }: Delivery,
  at: Date,
): AttemptOutcome<AttemptDetails> {
  const error = `Not sent: the owner of the webhook can no longer read ${type} (${findEventScope(type)}).`;
  const details = { at, status: null, durationMs: 0, pausedUntil: null };
  return { kind: 'rejected', error, logged: { webhook: endpointId, error }, details };
}

function findDeliveryError(response: WebhookResponse): string | null {
  if ('error' in response) return response.error;
  const { status } = response;
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The endpoint responded with ${status}, a redirect. Redirects are not followed. Use the final URL.`;
  if (status === 410) return 'The endpoint responded with 410 Gone: it accepts no more messages.';
  return `The endpoint responded with ${status}.`;
}

// If the delivery was replayed or leased by another worker meanwhile, only the attempt is logged: the other one decides when
// the next attempt is due. An endpoint that asks to wait is left alone with all of its messages.
const RECORD_ATTEMPT = prepareStatement(`
  WITH settled AS (
    UPDATE webhook_deliveries SET next_attempt_at = $3::timestamptz, delivered_at = $4::timestamptz
    WHERE id = $1::uuid AND next_attempt_at = $2::timestamptz),
  paused AS (
    UPDATE webhook_endpoints SET paused_until = $10::timestamptz
    WHERE id = $11::uuid AND $10::timestamptz > COALESCE(paused_until, '-infinity'))
  INSERT INTO webhook_attempts (id, delivery_id, at, status, error, duration_ms)
  SELECT $5::uuid, id, $6::timestamptz, $7::int, $8::text, $9::int
  FROM webhook_deliveries WHERE id = $1::uuid FOR KEY SHARE`);

const RELEASE_DELIVERY = prepareStatement(`
  UPDATE webhook_deliveries SET next_attempt_at = $3::timestamptz, attempts = attempts - 1
  WHERE id = $1::uuid AND next_attempt_at = $2::timestamptz`);

async function settleDelivery(
  ctx: Context,
  delivery: Leased<Delivery>,
  settlement: Settlement,
  details: AttemptDetails | undefined,
): Promise<void> {
  const { id, endpointId, leasedUntil } = delivery;
  const { lockingSql, now } = ctx;
  if (settlement.state === 'released') {
    await lockingSql(RELEASE_DELIVERY, [id, leasedUntil, settlement.nextAttemptAt]);
    return;
  }
  const error = 'error' in settlement ? settlement.error : null;
  const { at, status, durationMs, pausedUntil } = details ?? {
    at: now(),
    status: null,
    durationMs: 0,
    pausedUntil: null,
  };
  const next = settlement.state === 'waiting' ? settlement.nextAttemptAt : null;
  const deliveredAt = settlement.state === 'succeeded' ? now() : null;
  const attempt = [v7(), at, status, error, durationMs];
  await lockingSql(RECORD_ATTEMPT, [
    id,
    leasedUntil,
    next,
    deliveredAt,
    ...attempt,
    pausedUntil,
    endpointId,
  ]);
  if (status === 410) await disableGoneEndpoint(ctx, delivery);
}

/** Disables the webhook unless its URL has changed in the meantime. */
const disableGoneEndpoint = (ctx: Context, { endpointId: id, url }: Delivery) =>
  runInTransaction(ctx, (ctx) =>
    recordUpdated(ctx, 'webhook.disabled', [id], () =>
      ctx.db.webhookEndpoint.updateMany({
        where: { id, url, disabledAt: null },
        data: {
          disabledAt: ctx.now(),
          disabledReason: 'The endpoint responded with 410 Gone: it accepts no more messages.',
          updatedAt: ctx.now(),
        },
      }),
    ),
  );

const MESSAGE_RETENTION_MS = 30 * DAY_MS;

/** Job: deletes messages and their deliveries after 30 days. */
export const purgeMessages = ({ db, now }: Context) =>
  db.webhookMessage.deleteMany({
    where: { createdAt: { lt: new Date(now().getTime() - MESSAGE_RETENTION_MS) } },
  });

const MAX_FAILURE_DAYS = 5;

/**
 * Job: disables webhooks to which every delivery has failed for five days. Changing a webhook restarts the five days.
 */
export async function disableFailingEndpoints(ctx: Context): Promise<void> {
  const at = ctx.now();
  const daysAgo = new Date(at.getTime() - MAX_FAILURE_DAYS * DAY_MS);
  const dayAgo = new Date(at.getTime() - DAY_MS);
  const reason = `Every delivery has failed for ${MAX_FAILURE_DAYS} days.`;
  await ctx.db.$executeRaw`
    WITH latest AS (
      SELECT d.endpoint_id, max(a.at) FILTER (WHERE a.error IS NULL) AS succeeded_at,
        max(a.at) FILTER (WHERE a.error IS NOT NULL) AS failed_at
      FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id
      JOIN webhook_attempts a ON a.delivery_id = d.id
      WHERE e.disabled_at IS NULL GROUP BY d.endpoint_id),
    changed AS (
      UPDATE webhook_endpoints e SET disabled_at = ${at}, disabled_reason = ${reason}, updated_at = ${at}
      FROM latest
      WHERE latest.endpoint_id = e.id AND e.disabled_at IS NULL AND latest.failed_at > ${dayAgo} AND EXISTS (
        SELECT FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
        WHERE d.endpoint_id = e.id AND a.error IS NOT NULL AND a.at <= ${daysAgo} AND a.at >= e.updated_at
          AND (latest.succeeded_at IS NULL OR a.at > latest.succeeded_at))
      RETURNING e.*),
    origin AS (
      SELECT * FROM jsonb_populate_record(NULL::changes, ${JSON.stringify(toOrigin(ctx))}::jsonb))
    ${RECORD_DISABLED}`;
}

const RECORD_DISABLED = Prisma.raw(
  toRecordSql({
    subject: 'webhook',
    type: `'webhook.disabled'`,
    source: 'changed row, origin',
    before: `'{"disabled_at": null, "disabled_reason": null}'`,
    after: `jsonb_build_object('disabled_at', ${projectInstant('row.disabled_at')}, 'disabled_reason', row.disabled_reason)`,
  }),
);
