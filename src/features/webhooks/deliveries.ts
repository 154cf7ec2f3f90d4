import { assertCanGrant, can } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import {
  orderByNewest,
  type Page,
  type PageRequest,
  toCreatedPosition,
  toPage,
  whereOlderThanCursor,
} from '../../core/pagination.ts';
import type { Prisma, WebhookAttempt } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../errors.ts';
import { findEventScope, TEST_EVENT_TYPE } from '../../integrations/webhooks/event-catalog.ts';
import { queueMessages } from '../../integrations/webhooks/publish-event.ts';
import { toMessageBody } from '../../integrations/webhooks/signing.ts';
import { getWebhook } from './endpoints.ts';

export type DeliveryState = 'delivered' | 'waiting' | 'failed';

/** The delivery of one message to one webhook. */
export interface Delivery {
  id: string;
  messageId: string;
  type: string;
  /** The JSON that is sent; null if the viewer lacks the scope of the event. */
  body: string | null;
  state: DeliveryState;
  /** Since it was created or last replayed. */
  attempts: number;
  /** Null if no attempt is left. */
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
  createdAt: Date;
}

export type DeliveryAttempt = Omit<WebhookAttempt, 'deliveryId'>;

const STATE_CONDITIONS = {
  delivered: { deliveredAt: { not: null } },
  waiting: { nextAttemptAt: { not: null } },
  failed: { deliveredAt: null, nextAttemptAt: null },
} satisfies Record<DeliveryState, Prisma.WebhookDeliveryWhereInput>;

const WITH_MESSAGE = { include: { message: true } } as const;

/** Lists the deliveries of a webhook, newest first. */
export async function listDeliveries(
  ctx: Context,
  endpointId: string,
  { state }: { state?: DeliveryState | undefined },
  page: PageRequest,
): Promise<Page<Delivery>> {
  const rows = await ctx.db.webhookDelivery.findMany({
    ...WITH_MESSAGE,
    where: { endpointId, AND: [state ? STATE_CONDITIONS[state] : {}, whereOlderThanCursor(page)] },
    orderBy: orderByNewest,
    take: page.limit + 1,
  });
  return toPage(
    rows.map((row) => toDelivery(ctx, row)),
    page.limit,
    toCreatedPosition,
  );
}

/**
 * Reads one delivery.
 *
 * @throws NOT_FOUND
 */
export async function getDelivery(ctx: Context, id: string): Promise<Delivery> {
  const row = await ctx.db.webhookDelivery.findUnique({ ...WITH_MESSAGE, where: { id } });
  if (row === null) throw notFound('delivery');
  return toDelivery(ctx, row);
}

const MAX_SHOWN_ATTEMPTS = 30;

const LATEST_ATTEMPTS = prepareStatement(`
  SELECT attempt.* FROM unnest($1::uuid[]) delivery (id) CROSS JOIN LATERAL (
    SELECT id, delivery_id AS "deliveryId", at, status, error, duration_ms AS "durationMs" FROM webhook_attempts
    WHERE delivery_id = delivery.id ORDER BY at DESC, id DESC LIMIT ${MAX_SHOWN_ATTEMPTS}) attempt
  ORDER BY attempt.at DESC, attempt.id DESC`);

/** Reads the latest 30 attempts of each of these deliveries, newest first. */
export async function findDeliveryAttempts(
  { pipelinedSql }: Context,
  ids: string[],
): Promise<Map<string, DeliveryAttempt[]>> {
  const byDelivery = new Map<string, DeliveryAttempt[]>(ids.map((id) => [id, []]));
  for (const { deliveryId, ...attempt } of await pipelinedSql<WebhookAttempt>(LATEST_ATTEMPTS, [
    ids,
  ]))
    byDelivery.get(deliveryId)?.push(attempt);
  return byDelivery;
}

/**
 * Sends a message again now, with the same id and the full number of attempts.
 *
 * @throws NOT_FOUND; CONFLICT, reason WEBHOOK_DISABLED; FORBIDDEN, reason MISSING_SCOPE, for viewers who cannot read it.
 */
export async function replayDelivery(ctx: Context, id: string): Promise<Delivery> {
  const delivery = await ctx.db.webhookDelivery.findUnique({ ...WITH_MESSAGE, where: { id } });
  if (delivery === null) throw notFound('delivery');
  assertCanGrant(ctx.viewer, [findEventScope(delivery.message.type) ?? []].flat());
  await assertWebhookEnabled(ctx, delivery.endpointId);
  const { count } = await ctx.db.webhookDelivery.updateMany({
    where: { id },
    data: { nextAttemptAt: ctx.now(), deliveredAt: null, attempts: 0 },
  });
  if (count === 0) throw notFound('delivery');
  await ctx.triggerJob?.(ctx, 'webhooks.deliver');
  return getDelivery(ctx, id);
}

/**
 * Sends a test message to this webhook only.
 *
 * @throws NOT_FOUND; CONFLICT, reason WEBHOOK_DISABLED.
 */
export async function sendTestMessage(ctx: Context, endpointId: string): Promise<Delivery> {
  await assertWebhookEnabled(ctx, endpointId);
  const payload = { message: 'Foyer can reach you.' };
  const [id = ''] = await queueMessages(ctx, [
    { type: TEST_EVENT_TYPE, payload, endpoints: [endpointId] },
  ]);
  return getDelivery(ctx, id);
}

async function assertWebhookEnabled(ctx: Context, endpointId: string): Promise<void> {
  const { disabledAt } = await getWebhook(ctx, endpointId);
  if (disabledAt === null) return;
  throw new DomainError('CONFLICT', 'This webhook is disabled. Enable it first.', {
    reason: 'WEBHOOK_DISABLED',
  });
}

function toDelivery(
  { viewer }: Context,
  { message, ...row }: Prisma.WebhookDeliveryGetPayload<typeof WITH_MESSAGE>,
): Delivery {
  const scope = findEventScope(message.type);
  const { id, messageId, attempts, nextAttemptAt, deliveredAt, createdAt } = row;
  return {
    ...{ id, messageId, attempts, nextAttemptAt, deliveredAt, createdAt },
    type: message.type,
    body: scope === undefined || can(viewer, scope) ? toMessageBody(message) : null,
    state: deliveredAt ? 'delivered' : nextAttemptAt ? 'waiting' : 'failed',
  };
}
