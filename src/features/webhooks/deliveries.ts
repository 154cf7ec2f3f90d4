import { assertCanGrant } from '../../auth/grants.ts';
import { can } from '../../auth/viewer.ts';
import type { Ctx } from '../../context.ts';
import type { Prisma, WebhookAttempt } from '../../db/generated/client.ts';
import { statement } from '../../db/sql.ts';
import { DomainError, notFound } from '../../errors.ts';
import {
  createdPosition,
  newestFirst,
  olderThan,
  type Page,
  type PageRequest,
  pageOf,
} from '../../page.ts';
import { send } from './emit.ts';
import { scopeOf, TEST } from './events.ts';
import * as webhooks from './service.ts';
import { bodyOf } from './signing.ts';

export type DeliveryState = 'delivered' | 'waiting' | 'failed';

/** One message on its way to one webhook. */
export interface Delivery {
  id: string;
  messageId: string;
  type: string;
  /** What is sent; null for who may not read such things. */
  body: string | null;
  state: DeliveryState;
  /** So far, since it was last replayed. */
  attempts: number;
  /** The next attempt. */
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
  createdAt: Date;
}

export type Attempt = Omit<WebhookAttempt, 'deliveryId'>;

const STATES = {
  delivered: { deliveredAt: { not: null } },
  waiting: { nextAttemptAt: { not: null } },
  failed: { deliveredAt: null, nextAttemptAt: null },
} satisfies Record<DeliveryState, Prisma.WebhookDeliveryWhereInput>;

const FULL = { include: { message: true } } as const;

/** Those of a webhook, newest first. */
export async function list(
  ctx: Ctx,
  endpointId: string,
  { state }: { state?: DeliveryState | undefined },
  page: PageRequest,
): Promise<Page<Delivery>> {
  const rows = await ctx.db.webhookDelivery.findMany({
    ...FULL,
    where: { endpointId, AND: [state ? STATES[state] : {}, olderThan(page)] },
    orderBy: newestFirst,
    take: page.limit + 1,
  });
  return pageOf(
    rows.map((row) => toDelivery(ctx, row)),
    page.limit,
    createdPosition,
  );
}

/** Throws NOT_FOUND. */
export async function get(ctx: Ctx, id: string): Promise<Delivery> {
  const row = await ctx.db.webhookDelivery.findUnique({ ...FULL, where: { id } });
  if (row === null) throw notFound('delivery');
  return toDelivery(ctx, row);
}

const MOST_TOLD = 30;

const LATEST = statement(`
  SELECT attempt.* FROM unnest($1::uuid[]) delivery (id) CROSS JOIN LATERAL (
    SELECT id, delivery_id AS "deliveryId", at, status, error, duration_ms AS "durationMs" FROM webhook_attempts
    WHERE delivery_id = delivery.id ORDER BY at DESC, id DESC LIMIT ${MOST_TOLD}) attempt
  ORDER BY attempt.at DESC, attempt.id DESC`);

/** The latest of each of these deliveries, newest first. */
export async function attemptsOf({ sql }: Ctx, ids: string[]): Promise<Map<string, Attempt[]>> {
  const found = new Map<string, Attempt[]>(ids.map((id) => [id, []]));
  for (const { deliveryId, ...attempt } of await sql<WebhookAttempt>(LATEST, [ids]))
    found.get(deliveryId)?.push(attempt);
  return found;
}

/**
 * Sends it again, now and with the same id, and as patiently as the first time. Throws NOT_FOUND, CONFLICT, reason
 * WEBHOOK_DISABLED, and FORBIDDEN, reason MISSING_SCOPE, for callers who may not read it.
 */
export async function replay(ctx: Ctx, id: string): Promise<Delivery> {
  const known = await ctx.db.webhookDelivery.findUnique({ ...FULL, where: { id } });
  if (known === null) throw notFound('delivery');
  assertCanGrant(ctx.viewer, [scopeOf(known.message.type) ?? []].flat());
  await checkEnabled(ctx, known.endpointId);
  const { count } = await ctx.db.webhookDelivery.updateMany({
    where: { id },
    data: { nextAttemptAt: ctx.now(), deliveredAt: null, attempts: 0 },
  });
  if (count === 0) throw notFound('delivery');
  await ctx.wake?.(ctx, 'webhooks.deliver');
  return get(ctx, id);
}

/** A message that says nothing, to this webhook only. Throws NOT_FOUND, CONFLICT, reason WEBHOOK_DISABLED. */
export async function sendTest(ctx: Ctx, endpointId: string): Promise<Delivery> {
  await checkEnabled(ctx, endpointId);
  const payload = { message: 'Foyer can reach you.' };
  const [id = ''] = await send(ctx, [{ type: TEST, payload, endpoints: [endpointId] }]);
  return get(ctx, id);
}

async function checkEnabled(ctx: Ctx, endpointId: string): Promise<void> {
  const { disabledAt } = await webhooks.get(ctx, endpointId);
  if (disabledAt === null) return;
  throw new DomainError('CONFLICT', 'This webhook is disabled. Enable it first.', {
    reason: 'WEBHOOK_DISABLED',
  });
}

function toDelivery(
  { viewer }: Ctx,
  { message, ...row }: Prisma.WebhookDeliveryGetPayload<typeof FULL>,
): Delivery {
  const scope = scopeOf(message.type);
  const { id, messageId, attempts, nextAttemptAt, deliveredAt, createdAt } = row;
  return {
    ...{ id, messageId, attempts, nextAttemptAt, deliveredAt, createdAt },
    type: message.type,
    body: scope === undefined || can(viewer, scope) ? bodyOf(message) : null,
    state: deliveredAt ? 'delivered' : nextAttemptAt ? 'waiting' : 'failed',
  };
}
