import { assertCanGrant, can } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import type { Prisma, WebhookAttempt, WebhookDelivery } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../errors.ts';
import {
  canOwnerRead,
  toOwnerRights,
  WITH_OWNER,
} from '../../../integrations/webhooks/endpoint-owner.ts';
import { findEventScope, TEST_EVENT_TYPE } from '../../../integrations/webhooks/event-catalog.ts';
import { queueMessages } from '../../../integrations/webhooks/queue-messages.ts';
import { toMessageBody } from '../../../integrations/webhooks/signing.ts';
import { type CreationFilter, matchCreation, type RowList } from '../../../lists/row-list.ts';
import type { DeliveryState } from '../rows.ts';
import { getWebhook } from './endpoints.ts';

/** The delivery of one message to one webhook. */
export interface Delivery extends WebhookDelivery {
  type: string;
  /** The JSON that is sent. Null if the viewer lacks the scope of the event. */
  body: string | null;
  state: DeliveryState;
}

export type DeliveryAttempt = Omit<WebhookAttempt, 'deliveryId'>;

const WITH_MESSAGE = {
  include: { message: true, endpoint: { select: { pausedUntil: true } } },
} as const;

interface DeliveryFilter extends CreationFilter {
  webhookId?: string | undefined;
  state?: readonly DeliveryState[] | undefined;
}

/** The same states as `toDeliveryState`. */
const toStateConditions = (row: string): Record<DeliveryState, string> => ({
  delivered: `${row}.delivered_at IS NOT NULL`,
  waiting: `(${row}.delivered_at IS NULL AND ${row}.next_attempt_at IS NOT NULL)`,
  failed: `(${row}.delivered_at IS NULL AND ${row}.next_attempt_at IS NULL)`,
});

/** Deliveries of all webhooks, by default the newest first. Callers must check that the viewer can read webhooks. */
export const deliveryList: RowList<Delivery, DeliveryFilter, 'CREATED_AT'> = {
  name: 'webhookDeliveries',
  table: 'webhook_deliveries',
  sortKeys: {
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, { webhookId, state, ...creation }, { bind }) => {
    const conditions = matchCreation(row, creation, bind);
    if (webhookId) conditions.push(`${row}.endpoint_id = ${bind(webhookId, 'uuid')}`);
    if (state) {
      const toCondition = toStateConditions(row);
      conditions.push(`(${state.map((one) => toCondition[one]).join(' OR ')})`);
    }
    return conditions;
  },
  findByIds: async (ctx, ids) => {
    const where = { id: { in: ids } };
    const rows = await ctx.db.webhookDelivery.findMany({ ...WITH_MESSAGE, where });
    return rows.map((row) => toDelivery(ctx, row));
  },
};

/** Gets a delivery. @throws NOT_FOUND */
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

/** Finds the latest 30 attempts by delivery id, newest first. */
export async function findDeliveryAttempts(
  { pipelinedSql }: Context,
  ids: string[],
): Promise<Map<string, DeliveryAttempt[]>> {
  const byDelivery = new Map<string, DeliveryAttempt[]>(ids.map((id) => [id, []]));
  const attempts = await pipelinedSql<WebhookAttempt>(LATEST_ATTEMPTS, [ids]);
  for (const { deliveryId, ...attempt } of attempts) byDelivery.get(deliveryId)?.push(attempt);
  return byDelivery;
}

/**
 * Sends a message again now, with the same id and a new series of attempts, even if the endpoint asked to wait.
 *
 * @throws NOT_FOUND; CONFLICT, reason WEBHOOK_DISABLED, or EVENT_WITHHELD if the owner of the webhook cannot read the
 *   message; FORBIDDEN, reason MISSING_SCOPE, for viewers who cannot read it
 */
export async function replayDelivery(ctx: Context, id: string): Promise<Delivery> {
  const delivery = await ctx.db.webhookDelivery.findUnique({ ...WITH_MESSAGE, where: { id } });
  if (delivery === null) throw notFound('delivery');
  assertCanGrant(ctx.viewer, [findEventScope(delivery.message.type) ?? []].flat());
  await assertWebhookEnabled(ctx, delivery.endpointId);
  await assertOwnerCanRead(ctx, delivery.endpointId, delivery.message.type);
  // The delivery first: the worker locks them in this order when it records an attempt.
  const { count } = await ctx.db.webhookDelivery.updateMany({
    where: { id },
    data: { nextAttemptAt: ctx.now(), deliveredAt: null, attempts: 0 },
  });
  if (count === 0) throw notFound('delivery');
  await endPause(ctx, delivery.endpointId);
  await ctx.triggerJob?.(ctx, 'webhooks.deliver');
  return getDelivery(ctx, id);
}

/**
 * Sends a test message to this webhook only, even if the endpoint asked to wait.
 *
 * @throws NOT_FOUND; CONFLICT, reason WEBHOOK_DISABLED.
 */
export async function sendTestMessage(ctx: Context, endpointId: string): Promise<Delivery> {
  await assertWebhookEnabled(ctx, endpointId);
  await endPause(ctx, endpointId);
  const payload = { message: 'Foyer can reach you.' };
  const [id = ''] = await queueMessages(ctx, [
    { type: TEST_EVENT_TYPE, payload, endpoints: [endpointId] },
  ]);
  return getDelivery(ctx, id);
}

/** Lets messages be sent although the endpoint asked to wait, because a person asks for one now. */
const endPause = ({ db }: Context, id: string) =>
  db.webhookEndpoint.updateMany({
    where: { id, pausedUntil: { not: null } },
    data: { pausedUntil: null },
  });

async function assertWebhookEnabled(ctx: Context, endpointId: string): Promise<void> {
  const { disabledAt } = await getWebhook(ctx, endpointId);
  if (disabledAt === null) return;
  throw new DomainError('CONFLICT', 'This webhook is disabled. Enable it first.', {
    reason: 'WEBHOOK_DISABLED',
  });
}

async function assertOwnerCanRead({ db }: Context, id: string, type: string): Promise<void> {
  const row = await db.webhookEndpoint.findUniqueOrThrow({ where: { id }, include: WITH_OWNER });
  if (canOwnerRead(toOwnerRights(row), type)) return;
  throw new DomainError(
    'CONFLICT',
    `The owner of this webhook cannot read ${type}. Disable and enable the webhook to become its owner, then try again.`,
    { reason: 'EVENT_WITHHELD', scope: findEventScope(type) },
  );
}

function toDelivery(
  { viewer }: Context,
  { message, endpoint, ...row }: Prisma.WebhookDeliveryGetPayload<typeof WITH_MESSAGE>,
): Delivery {
  const scope = findEventScope(message.type);
  return {
    ...row,
    nextAttemptAt: row.nextAttemptAt && toLater(row.nextAttemptAt, endpoint.pausedUntil),
    type: message.type,
    body: scope === undefined || can(viewer, scope) ? toMessageBody(message) : null,
    state: toDeliveryState(row),
  };
}

const toLater = (time: Date, other: Date | null): Date =>
  other !== null && other > time ? other : time;

function toDeliveryState({
  deliveredAt,
  nextAttemptAt,
}: Pick<Delivery, 'deliveredAt' | 'nextAttemptAt'>): DeliveryState {
  if (deliveredAt) return 'delivered';
  return nextAttemptAt ? 'waiting' : 'failed';
}
