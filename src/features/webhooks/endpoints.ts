import type { Scope } from '../../auth/scopes.ts';
import { assertCanGrant } from '../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../context.ts';
import {
  orderByNewest,
  type Page,
  type PageRequest,
  toCreatedPosition,
  toPage,
  whereOlderThanCursor,
} from '../../core/pagination.ts';
import type { Prisma, WebhookEndpoint } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../errors.ts';
import {
  findOwnerStops,
  lockOwner,
  type Owner,
  toOwner,
  WITH_OWNER,
} from '../../integrations/webhooks/endpoint-owner.ts';
import {
  findEventScope,
  findSubscriptionScopes,
} from '../../integrations/webhooks/event-catalog.ts';
import { createSigningSecret } from '../../integrations/webhooks/signing.ts';
import { drainOutbox } from './drain-outbox.ts';

// What was noted is told before anybody is listed, or struck off the list: each is told what happens while it is on it.

/** An address that is told what happens. Its secrets are told once and never shown. */
export interface Webhook
  extends Omit<
    WebhookEndpoint,
    'secret' | 'previousSecret' | 'updatedAt' | 'ownerKind' | 'ownerUserId' | 'ownerTokenId'
  > {
  /** Whose rights it uses: it stops when they end. */
  owner: Owner;
}

/** Its secret is told this once. */
export interface WebhookWithSecret {
  secret: string;
  webhook: Webhook;
}

const WEBHOOK_QUERY = {
  omit: { secret: true, previousSecret: true },
  include: WITH_OWNER,
} as const;

type WebhookRow = Prisma.WebhookEndpointGetPayload<typeof WEBHOOK_QUERY>;

/** Newest first, disabled ones too. */
export async function listWebhooks(ctx: Context, page: PageRequest): Promise<Page<Webhook>> {
  const rows = await ctx.db.webhookEndpoint.findMany({
    ...WEBHOOK_QUERY,
    where: whereOlderThanCursor(page),
    orderBy: orderByNewest,
    take: page.limit + 1,
  });
  return toPage(await toWebhooks(ctx, rows), page.limit, toCreatedPosition);
}

/** Throws NOT_FOUND. */
export async function getWebhook(ctx: Context, id: string): Promise<Webhook> {
  const row = await ctx.db.webhookEndpoint.findUnique({ ...WEBHOOK_QUERY, where: { id } });
  const [webhook] = row === null ? [] : await toWebhooks(ctx, [row]);
  if (webhook === undefined) throw notFound('webhook');
  return webhook;
}

/** One whose owner has lost the rights is disabled, whatever its own row says. */
async function toWebhooks(ctx: Context, rows: WebhookRow[]): Promise<Webhook[]> {
  const stops = await findOwnerStops(ctx, rows);
  return rows.map((row) => {
    const { id, url, description, events, previousSecretUntil, createdAt } = row;
    const { disabledAt, disabledReason } = (row.disabledAt ? null : stops.get(id)) ?? row;
    return {
      ...{ id, url, description, events, previousSecretUntil, createdAt },
      ...{ disabledAt, disabledReason, owner: toOwner(row) },
    };
  });
}

interface WebhookDetails {
  url: string;
  description: string | null;
  events: string[];
}

/**
 * Gives the secret this once; the caller is its owner. Throws VALIDATION, reason UNKNOWN_EVENT, and FORBIDDEN, reason
 * MISSING_SCOPE, for events of what the caller may not read.
 */
export async function createWebhook(
  ctx: Context,
  { url, description, events }: WebhookDetails,
): Promise<WebhookWithSecret> {
  const names = parseEvents(events);
  assertCanGrant(ctx.viewer, toRequiredScopes(names));
  const now = ctx.now();
  const secret = createSigningSecret();
  const data = { url, description, events: names, secret, createdAt: now, updatedAt: now };
  await drainOutbox(ctx);
  const id = await runInTransaction(ctx, async (ctx) => {
    const owner = await lockOwner(ctx);
    return (await ctx.db.webhookEndpoint.create({ data: { ...data, ...owner } })).id;
  });
  return { secret, webhook: await getWebhook(ctx, id) };
}

/**
 * What is not named stays. What waits goes to the new address. Who changes the address or the events answers for them,
 * and owns the webhook from then on; one that is disabled stays so. Throws NOT_FOUND, and as `create` does, also for what
 * it received before and for messages that wait.
 */
export async function updateWebhook(
  ctx: Context,
  id: string,
  changes: { [Key in keyof WebhookDetails]?: WebhookDetails[Key] | undefined },
): Promise<Webhook> {
  const events = changes.events && parseEvents(changes.events);
  if (events) await drainOutbox(ctx);
  await runInTransaction(ctx, async (ctx) => {
    const isRedirected = events !== undefined || changes.url !== undefined;
    const owner = isRedirected ? await lockOwner(ctx) : {};
    const { disabledAt, disabledReason } = isRedirected
      ? await lockWithRights(ctx, id, events)
      : await getWebhook(ctx, id);
    await ctx.db.webhookEndpoint.updateMany({
      where: { id },
      data: {
        ...changes,
        ...(events ? { events } : {}),
        ...(isRedirected ? { ...owner, disabledAt, disabledReason } : {}),
        updatedAt: ctx.now(),
      },
    });
  });
  return getWebhook(ctx, id);
}

const MAX_OVERLAP_HOURS = 72;

// In one statement, so that two rotations at once do not lose the one that receivers know.
const ROTATE_SECRET = prepareStatement(`
  UPDATE webhook_endpoints SET secret = $2, updated_at = $3::timestamptz,
    previous_secret = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE secret END, previous_secret_until = $4::timestamptz
  WHERE id = $1::uuid`);

/**
 * Gives a new secret this once; the old one signs besides for `overlapHours`, 0 to end it at once. Throws VALIDATION,
 * NOT_FOUND, FORBIDDEN, reason MISSING_SCOPE, for callers who may not read all that it receives.
 */
export async function rotateWebhookSecret(ctx: Context, id: string, overlapHours: number) {
  if (overlapHours < 0 || overlapHours > MAX_OVERLAP_HOURS) {
    throw new DomainError(
      'VALIDATION',
      `overlapHours: from 0 to ${MAX_OVERLAP_HOURS} (three days).`,
      { reason: 'INVALID_INPUT' },
    );
  }
  const secret = createSigningSecret();
  const now = ctx.now();
  const until = overlapHours === 0 ? null : new Date(now.getTime() + overlapHours * 3_600_000);
  await runInTransaction(ctx, async (ctx) => {
    await lockWithRights(ctx, id);
    await ctx.lockingSql(ROTATE_SECRET, [id, secret, now, until]);
  });
  return { secret, webhook: await getWebhook(ctx, id) };
}

/**
 * What waits for it is delivered from now on, with the caller's rights: the caller becomes its owner. Twice changes
 * nothing. Throws NOT_FOUND, FORBIDDEN, reason MISSING_SCOPE, for callers who may not read all that it receives.
 */
export async function enableWebhook(ctx: Context, id: string): Promise<Webhook> {
  await drainOutbox(ctx);
  await runInTransaction(ctx, async (ctx) => {
    const owner = await lockOwner(ctx);
    const { disabledAt } = await lockWithRights(ctx, id);
    if (disabledAt === null) return;
    await ctx.db.webhookEndpoint.updateMany({
      where: { id },
      data: { ...owner, disabledAt: null, disabledReason: null, updatedAt: ctx.now() },
    });
  });
  await ctx.triggerJob?.(ctx, 'webhooks.deliver');
  return getWebhook(ctx, id);
}

/** It is told nothing that happens from now on; what waits, waits. Twice changes nothing. Throws NOT_FOUND. */
export async function disableWebhook(ctx: Context, id: string): Promise<Webhook> {
  await drainOutbox(ctx);
  await ctx.db.webhookEndpoint.updateMany({
    where: { id, disabledAt: null },
    data: { disabledAt: ctx.now(), disabledReason: 'It was disabled.', updatedAt: ctx.now() },
  });
  return getWebhook(ctx, id);
}

/** With all that it was told. Throws NOT_FOUND. */
export async function deleteWebhook(ctx: Context, id: string): Promise<Webhook> {
  const webhook = await getWebhook(ctx, id);
  await ctx.db.webhookEndpoint.deleteMany({ where: { id } });
  return webhook;
}

/**
 * The webhook, locked until the transaction ends, for callers who may read all that it receives: by its events, by
 * `events`, which it is to receive, and by the messages that wait for it.
 * @throws NOT_FOUND; FORBIDDEN, reason MISSING_SCOPE.
 */
async function lockWithRights(ctx: Context, id: string, events: string[] = []): Promise<Webhook> {
  // Otherwise its events could become others between this check and what it is for.
  await ctx.db.$queryRaw`SELECT FROM webhook_endpoints WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const webhook = await getWebhook(ctx, id);
  const waiting = await ctx.db.$queryRaw<{ type: string }[]>`
    SELECT DISTINCT m.type FROM webhook_deliveries d JOIN webhook_messages m ON m.id = d.message_id
    WHERE d.endpoint_id = ${id}::uuid AND d.next_attempt_at IS NOT NULL`;
  assertCanGrant(ctx.viewer, [
    ...toRequiredScopes([...webhook.events, ...events]),
    ...waiting.flatMap(({ type }) => findEventScope(type) ?? []),
  ]);
  return webhook;
}

/** What one must be allowed to read to receive these; all, for what is known no longer. */
export const toRequiredScopes = (names: string[]): Scope[] =>
  names.flatMap((name) => findSubscriptionScopes(name) ?? ['*']);

/** @throws VALIDATION, reason UNKNOWN_EVENT. */
function parseEvents(names: string[]): string[] {
  const unknown = names.filter((name) => findSubscriptionScopes(name) === undefined);
  if (unknown.length > 0 || names.length === 0) {
    throw new DomainError(
      'VALIDATION',
      unknown.length > 0
        ? `events: there is no ${unknown.join(', ')}.`
        : 'events: choose at least one.',
      { reason: 'UNKNOWN_EVENT', unknown },
    );
  }
  return [...new Set(names)];
}
