import { assertCanGrant } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { HOUR_MS } from '../../../core/time/time-zone.ts';
import type { InputOf } from '../../../core/validation.ts';
import type { Prisma, WebhookEndpoint } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { matchText } from '../../../db/text-search.ts';
import { DomainError, notFound } from '../../../errors.ts';
import {
  findOwnerStops,
  isOwnerActiveSql,
  listWithheldEvents,
  lockOwner,
  type Owner,
  toOwner,
  toOwnerRights,
  WITH_OWNER,
} from '../../../integrations/webhooks/endpoint-owner.ts';
import { findSubscriptionScopes } from '../../../integrations/webhooks/event-catalog.ts';
import { createSigningSecret } from '../../../integrations/webhooks/signing.ts';
import { isPrivateTarget } from '../../../integrations/webhooks/transport.ts';
import {
  recordAction,
  recordCreated,
  recordDeleted,
  recordUpdated,
} from '../../../journal/record-changes.ts';
import { type CreationFilter, matchCreation, type RowList } from '../../../lists/row-list.ts';
import type { createWebhookInput, updateWebhookInput } from '../inputs.ts';
import { findWaitingTypes, listReadScopes, toRequiredScopes } from '../read-scopes.ts';
import { publishRecordedChanges } from './publish-changes.ts';

// Commands that create, enable or disable a webhook first publish what was recorded before, so that each webhook receives
// exactly the events that happen while it is enabled.

/** A URL that receives events. Its secrets are returned once, when they are created. */
export interface Webhook
  extends Omit<
    WebhookEndpoint,
    'secret' | 'previousSecret' | 'pausedUntil' | 'ownerKind' | 'ownerUserId' | 'ownerTokenId'
  > {
  /** The user or token whose permissions it uses. Deliveries stop when the owner loses them. */
  owner: Owner;
  /** Those of its events that are not sent, because the owner cannot read them now. */
  withheldEvents: string[];
}

/** A webhook with its new secret, which is returned only once. */
export interface WebhookWithSecret {
  secret: string;
  webhook: Webhook;
}

const WEBHOOK_QUERY = {
  omit: { secret: true, previousSecret: true, pausedUntil: true },
  include: WITH_OWNER,
} as const;

type WebhookRow = Prisma.WebhookEndpointGetPayload<typeof WEBHOOK_QUERY>;

interface WebhookFilter extends CreationFilter {
  /** Part of the URL or description. */
  q?: string | undefined;
  /** Whether events are delivered: it is enabled and its owner has the permissions. */
  active?: boolean | undefined;
}

/** Webhooks, including disabled ones, by default the newest first. Callers must check that the viewer can read webhooks. */
export const webhookList: RowList<Webhook, WebhookFilter, 'CREATED_AT'> = {
  name: 'webhooks',
  table: 'webhook_endpoints',
  sortKeys: {
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, { q, active, ...creation }, { now, bind }) => {
    const conditions = matchCreation(row, creation, bind);
    if (q) conditions.push(matchText([`${row}.url`, `${row}.description`], q, bind));
    if (active !== undefined) {
      const isActive = `(${row}.disabled_at IS NULL AND ${isOwnerActiveSql(row, bind(now(), 'timestamptz'))})`;
      conditions.push(`${isActive} = ${active}`);
    }
    return conditions;
  },
  findByIds: async (ctx, ids) =>
    toWebhooks(
      ctx,
      await ctx.db.webhookEndpoint.findMany({ ...WEBHOOK_QUERY, where: { id: { in: ids } } }),
    ),
};

/** Gets a webhook. @throws NOT_FOUND */
export async function getWebhook(ctx: Context, id: string): Promise<Webhook> {
  const row = await ctx.db.webhookEndpoint.findUnique({ ...WEBHOOK_QUERY, where: { id } });
  const [webhook] = row === null ? [] : await toWebhooks(ctx, [row]);
  if (webhook === undefined) throw notFound('webhook');
  return webhook;
}

/** Converts rows to webhooks. A webhook counts as disabled if its owner has lost the permissions. */
async function toWebhooks(ctx: Context, rows: WebhookRow[]): Promise<Webhook[]> {
  const stops = await findOwnerStops(ctx, rows);
  return rows.map((row) => {
    const { id, url, description, events, previousSecretUntil, createdAt, updatedAt } = row;
    const { disabledAt, disabledReason } = (row.disabledAt ? null : stops.get(id)) ?? row;
    return {
      id,
      url,
      updatedAt,
      description,
      events,
      previousSecretUntil,
      createdAt,
      disabledAt,
      disabledReason,
      owner: toOwner(row),
      withheldEvents: listWithheldEvents(toOwnerRights(row), events),
    };
  });
}

/**
 * Creates a webhook owned by the viewer and returns its secret.
 *
 * @throws VALIDATION, reason UNKNOWN_EVENT or PRIVATE_ADDRESS; FORBIDDEN, reason MISSING_SCOPE, for events that the viewer cannot read.
 *
 * @example
 * const { secret } = await createWebhook(ctx, { url: 'https://example.org/hook', events: ['booking.*'] });
 */
export async function createWebhook(
  ctx: Context,
  { url, description = null, events }: InputOf<typeof createWebhookInput>,
): Promise<WebhookWithSecret> {
  assertTargetAllowed(ctx, url);
  const names = parseEvents(events);
  assertCanGrant(ctx.viewer, toRequiredScopes(names));
  const now = ctx.now();
  const secret = createSigningSecret();
  const data = { url, description, events: names, secret, createdAt: now, updatedAt: now };
  await publishRecordedChanges(ctx);
  const id = await runInTransaction(ctx, async (ctx) => {
    const owner = await lockOwner(ctx);
    const { id } = await ctx.db.webhookEndpoint.create({ data: { ...data, ...owner } });
    await recordCreated(ctx, 'webhook.created', [id]);
    return id;
  });
  return { secret, webhook: await getWebhook(ctx, id) };
}

/**
 * Updates the given fields. Waiting messages are sent to the new URL. A viewer who changes the URL or the events
 * becomes the owner. A disabled webhook stays disabled.
 *
 * @throws NOT_FOUND; as `createWebhook`, also for the previous events and waiting messages of the webhook.
 */
export async function updateWebhook(
  ctx: Context,
  id: string,
  changes: Omit<InputOf<typeof updateWebhookInput>, 'id'>,
): Promise<Webhook> {
  if (changes.url !== undefined) assertTargetAllowed(ctx, changes.url);
  const events = changes.events && parseEvents(changes.events);
  if (events) await publishRecordedChanges(ctx);
  await runInTransaction(ctx, async (ctx) => {
    const hasNewOwner = events !== undefined || changes.url !== undefined;
    const owner = hasNewOwner ? await lockOwner(ctx) : {};
    const { url, disabledAt, disabledReason } = hasNewOwner
      ? await lockForDelegation(ctx, id, events)
      : await getWebhook(ctx, id);
    const data = {
      ...changes,
      ...(events ? { events } : {}),
      ...(hasNewOwner ? { ...owner, disabledAt, disabledReason, pausedUntil: null } : {}),
      updatedAt: ctx.now(),
    };
    // The journal does not store the query of the URL.
    await recordUpdated(
      ctx,
      'webhook.updated',
      [id],
      () => ctx.db.webhookEndpoint.updateMany({ where: { id }, data }),
      { isAction: changes.url !== undefined && changes.url !== url },
    );
  });
  return getWebhook(ctx, id);
}

const MAX_OVERLAP_HOURS = 72;

// One statement, so that two concurrent rotations do not lose the secret that the receiver knows.
const ROTATE_SECRET = prepareStatement(`
  UPDATE webhook_endpoints SET secret = $2, updated_at = $3::timestamptz,
    previous_secret = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE secret END, previous_secret_until = $4::timestamptz
  WHERE id = $1::uuid`);

/**
 * Creates and returns a new secret. For `overlapHours`, deliveries are also signed with the old one; 0 ends it immediately.
 *
 * @throws VALIDATION; NOT_FOUND; FORBIDDEN, reason MISSING_SCOPE, for viewers who cannot read all of its events.
 */
export async function rotateWebhookSecret(ctx: Context, id: string, overlapHours: number) {
  if (overlapHours < 0 || overlapHours > MAX_OVERLAP_HOURS) {
    throw new DomainError('VALIDATION', `overlapHours must be from 0 to ${MAX_OVERLAP_HOURS}.`, {
      reason: 'INVALID_INPUT',
      fields: ['overlapHours'],
    });
  }
  const secret = createSigningSecret();
  const now = ctx.now();
  const until = overlapHours === 0 ? null : new Date(now.getTime() + overlapHours * HOUR_MS);
  await runInTransaction(ctx, async (ctx) => {
    await lockForDelegation(ctx, id);
    await ctx.lockingSql(ROTATE_SECRET, [id, secret, now, until]);
    await recordAction(ctx, 'webhook.secret_rotated', [id]);
  });
  return { secret, webhook: await getWebhook(ctx, id) };
}

/**
 * Enables a webhook, makes the viewer its owner and delivers its waiting messages. Does nothing if it is already enabled.
 *
 * @throws NOT_FOUND; FORBIDDEN, reason MISSING_SCOPE, for viewers who cannot read all of its events.
 */
export async function enableWebhook(ctx: Context, id: string): Promise<Webhook> {
  await publishRecordedChanges(ctx);
  await runInTransaction(ctx, async (ctx) => {
    const owner = await lockOwner(ctx);
    const { disabledAt } = await lockForDelegation(ctx, id);
    if (disabledAt === null) return;
    const enabled = { disabledAt: null, disabledReason: null, pausedUntil: null };
    const data = { ...owner, ...enabled, updatedAt: ctx.now() };
    await recordUpdated(ctx, 'webhook.enabled', [id], () =>
      ctx.db.webhookEndpoint.updateMany({ where: { id }, data }),
    );
  });
  await ctx.triggerJob?.(ctx, 'webhooks.deliver');
  return getWebhook(ctx, id);
}

/**
 * Disables a webhook. New events are not queued. Waiting messages are delivered once the webhook is enabled again.
 *
 * @throws NOT_FOUND
 */
export async function disableWebhook(ctx: Context, id: string): Promise<Webhook> {
  await publishRecordedChanges(ctx);
  const now = ctx.now();
  await runInTransaction(ctx, (ctx) =>
    recordUpdated(ctx, 'webhook.disabled', [id], () =>
      ctx.db.webhookEndpoint.updateMany({
        where: { id, disabledAt: null },
        data: { disabledAt: now, disabledReason: 'Disabled by staff.', updatedAt: now },
      }),
    ),
  );
  return getWebhook(ctx, id);
}

/**
 * Deletes a webhook and its deliveries, and returns the webhook.
 *
 * @throws NOT_FOUND
 */
export async function deleteWebhook(ctx: Context, id: string): Promise<Webhook> {
  const webhook = await getWebhook(ctx, id);
  await runInTransaction(ctx, async (ctx) => {
    await recordDeleted(ctx, 'webhook.deleted', [id]);
    await ctx.db.webhookEndpoint.deleteMany({ where: { id } });
  });
  return webhook;
}

/**
 * Locks a webhook until the transaction ends and checks that the viewer can read its events, the `events` to be added,
 * and its waiting messages.
 *
 * @throws NOT_FOUND; FORBIDDEN, reason MISSING_SCOPE
 */
async function lockForDelegation(
  ctx: Context,
  id: string,
  events: string[] = [],
): Promise<Webhook> {
  // Its events must not change between this check and the write.
  await ctx.db.$queryRaw`SELECT FROM webhook_endpoints WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const webhook = await getWebhook(ctx, id);
  const waiting = await findWaitingTypes(ctx, [id]);
  assertCanGrant(ctx.viewer, listReadScopes([...webhook.events, ...events], waiting.get(id)));
  return webhook;
}

/** Checks the event names and removes duplicates. @throws VALIDATION, reason UNKNOWN_EVENT. */
/** @throws VALIDATION, so that nobody waits for messages that are never sent */
function assertTargetAllowed({ allowsPrivateWebhooks }: Context, url: string): void {
  if (allowsPrivateWebhooks || !isPrivateTarget(url)) return;
  const message =
    'must not be on this machine or in a private network. Use a public address, or set WEBHOOK_PRIVATE_ADDRESSES=allow';
  throw new DomainError('VALIDATION', `url: ${message}`, {
    reason: 'PRIVATE_ADDRESS',
    fields: [{ field: 'url', message }],
  });
}

function parseEvents(names: string[]): string[] {
  const unknown = names.filter((name) => findSubscriptionScopes(name) === undefined);
  if (unknown.length > 0 || names.length === 0) {
    throw new DomainError(
      'VALIDATION',
      unknown.length > 0
        ? `events: Unknown event ${unknown.join(', ')}.`
        : 'events: Choose at least one.',
      { reason: 'UNKNOWN_EVENT', fields: ['events'], unknown },
    );
  }
  return [...new Set(names)];
}
