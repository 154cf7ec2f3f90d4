import { assertCanGrant } from '../../auth/grants.ts';
import type { Scope } from '../../auth/scopes.ts';
import { type Ctx, inTransaction } from '../../context.ts';
import type { Prisma, WebhookEndpoint } from '../../db/generated/client.ts';
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
import { scopeOf, scopesFor } from './events.ts';
import { tellNews } from './news.ts';
import { findOwnerStops, lockOwner, type Owner, toOwner, WITH_OWNER } from './ownership.ts';
import { makeSigningSecret } from './signing.ts';

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
export interface IssuedWebhook {
  secret: string;
  webhook: Webhook;
}

const SHOWN = { omit: { secret: true, previousSecret: true }, include: WITH_OWNER } as const;

type Row = Prisma.WebhookEndpointGetPayload<typeof SHOWN>;

/** Newest first, disabled ones too. */
export async function list(ctx: Ctx, page: PageRequest): Promise<Page<Webhook>> {
  const rows = await ctx.db.webhookEndpoint.findMany({
    ...SHOWN,
    where: olderThan(page),
    orderBy: newestFirst,
    take: page.limit + 1,
  });
  return pageOf(await toWebhooks(ctx, rows), page.limit, createdPosition);
}

/** Throws NOT_FOUND. */
export async function get(ctx: Ctx, id: string): Promise<Webhook> {
  const row = await ctx.db.webhookEndpoint.findUnique({ ...SHOWN, where: { id } });
  const [webhook] = row === null ? [] : await toWebhooks(ctx, [row]);
  if (webhook === undefined) throw notFound('webhook');
  return webhook;
}

/** One whose owner has lost the rights is disabled, whatever its own row says. */
async function toWebhooks(ctx: Ctx, rows: Row[]): Promise<Webhook[]> {
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

interface Details {
  url: string;
  description: string | null;
  events: string[];
}

/**
 * Gives the secret this once; the caller is its owner. Throws VALIDATION, reason UNKNOWN_EVENT, and FORBIDDEN, reason
 * MISSING_SCOPE, for events of what the caller may not read.
 */
export async function create(
  ctx: Ctx,
  { url, description, events }: Details,
): Promise<IssuedWebhook> {
  const names = parseEvents(events);
  assertCanGrant(ctx.viewer, toScopes(names));
  const now = ctx.now();
  const secret = makeSigningSecret();
  const data = { url, description, events: names, secret, createdAt: now, updatedAt: now };
  await tellNews(ctx);
  const id = await inTransaction(ctx, async (ctx) => {
    const owner = await lockOwner(ctx);
    return (await ctx.db.webhookEndpoint.create({ data: { ...data, ...owner } })).id;
  });
  return { secret, webhook: await get(ctx, id) };
}

/**
 * What is not named stays. What waits goes to the new address. Who changes the address or the events answers for them,
 * and owns the webhook from then on; one that is disabled stays so. Throws NOT_FOUND, and as `create` does, also for what
 * it received before and for messages that wait.
 */
export async function update(
  ctx: Ctx,
  id: string,
  changes: { [Key in keyof Details]?: Details[Key] | undefined },
): Promise<Webhook> {
  const events = changes.events && parseEvents(changes.events);
  if (events) await tellNews(ctx);
  await inTransaction(ctx, async (ctx) => {
    const isRedirected = events !== undefined || changes.url !== undefined;
    const owner = isRedirected ? await lockOwner(ctx) : {};
    const { disabledAt, disabledReason } = isRedirected
      ? await lockWithRights(ctx, id, events)
      : await get(ctx, id);
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
  return get(ctx, id);
}

const LONGEST_OVERLAP_HOURS = 72;

// In one statement, so that two rotations at once do not lose the one that receivers know.
const ROTATE = statement(`
  UPDATE webhook_endpoints SET secret = $2, updated_at = $3::timestamptz,
    previous_secret = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE secret END, previous_secret_until = $4::timestamptz
  WHERE id = $1::uuid`);

/**
 * Gives a new secret this once; the old one signs besides for `overlapHours`, 0 to end it at once. Throws VALIDATION,
 * NOT_FOUND, FORBIDDEN, reason MISSING_SCOPE, for callers who may not read all that it receives.
 */
export async function rotateSecret(ctx: Ctx, id: string, overlapHours: number) {
  if (overlapHours < 0 || overlapHours > LONGEST_OVERLAP_HOURS) {
    throw new DomainError(
      'VALIDATION',
      `overlapHours: from 0 to ${LONGEST_OVERLAP_HOURS} (three days).`,
      { reason: 'INVALID_INPUT' },
    );
  }
  const secret = makeSigningSecret();
  const now = ctx.now();
  const until = overlapHours === 0 ? null : new Date(now.getTime() + overlapHours * 3_600_000);
  await inTransaction(ctx, async (ctx) => {
    await lockWithRights(ctx, id);
    await ctx.write(ROTATE, [id, secret, now, until]);
  });
  return { secret, webhook: await get(ctx, id) };
}

/**
 * What waits for it is delivered from now on, with the caller's rights: the caller becomes its owner. Twice changes
 * nothing. Throws NOT_FOUND, FORBIDDEN, reason MISSING_SCOPE, for callers who may not read all that it receives.
 */
export async function enable(ctx: Ctx, id: string): Promise<Webhook> {
  await tellNews(ctx);
  await inTransaction(ctx, async (ctx) => {
    const owner = await lockOwner(ctx);
    const { disabledAt } = await lockWithRights(ctx, id);
    if (disabledAt === null) return;
    await ctx.db.webhookEndpoint.updateMany({
      where: { id },
      data: { ...owner, disabledAt: null, disabledReason: null, updatedAt: ctx.now() },
    });
  });
  await ctx.wake?.(ctx, 'webhooks.deliver');
  return get(ctx, id);
}

/** It is told nothing that happens from now on; what waits, waits. Twice changes nothing. Throws NOT_FOUND. */
export async function disable(ctx: Ctx, id: string): Promise<Webhook> {
  await tellNews(ctx);
  await ctx.db.webhookEndpoint.updateMany({
    where: { id, disabledAt: null },
    data: { disabledAt: ctx.now(), disabledReason: 'It was disabled.', updatedAt: ctx.now() },
  });
  return get(ctx, id);
}

/** With all that it was told. Throws NOT_FOUND. */
export async function remove(ctx: Ctx, id: string): Promise<Webhook> {
  const webhook = await get(ctx, id);
  await ctx.db.webhookEndpoint.deleteMany({ where: { id } });
  return webhook;
}

/**
 * The webhook, locked until the transaction ends, for callers who may read all that it receives: by its events, by
 * `events`, which it is to receive, and by the messages that wait for it.
 * @throws NOT_FOUND; FORBIDDEN, reason MISSING_SCOPE.
 */
async function lockWithRights(ctx: Ctx, id: string, events: string[] = []): Promise<Webhook> {
  // Otherwise its events could become others between this check and what it is for.
  await ctx.db.$queryRaw`SELECT FROM webhook_endpoints WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const webhook = await get(ctx, id);
  const waiting = await ctx.db.$queryRaw<{ type: string }[]>`
    SELECT DISTINCT m.type FROM webhook_deliveries d JOIN webhook_messages m ON m.id = d.message_id
    WHERE d.endpoint_id = ${id}::uuid AND d.next_attempt_at IS NOT NULL`;
  assertCanGrant(ctx.viewer, [
    ...toScopes([...webhook.events, ...events]),
    ...waiting.flatMap(({ type }) => scopeOf(type) ?? []),
  ]);
  return webhook;
}

/** What one must be allowed to read to receive these; all, for what is known no longer. */
export const toScopes = (names: string[]): Scope[] =>
  names.flatMap((name) => scopesFor(name) ?? ['*']);

/** @throws VALIDATION, reason UNKNOWN_EVENT. */
function parseEvents(names: string[]): string[] {
  const unknown = names.filter((name) => scopesFor(name) === undefined);
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
