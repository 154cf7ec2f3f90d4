import { covers, type Scope } from '../../auth/scopes.ts';
import { scopesOf } from '../../auth/viewer.ts';
import type { Ctx } from '../../context.ts';
import type { WebhookEndpoint } from '../../db/generated/client.ts';
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
import { scopesFor } from './events.ts';
import { tellNews } from './news.ts';
import { makeSigningSecret } from './signing.ts';

// What was noted is told before anybody is listed, or struck off the list: each is told what happens while it is on it.

/** An address that is told what happens. Its secrets are told once and never shown. */
export type Webhook = Omit<WebhookEndpoint, keyof (typeof SHOWN)['omit']>;

/** Its secret is told this once. */
export interface IssuedWebhook {
  secret: string;
  webhook: Webhook;
}

const SHOWN = { omit: { secret: true, previousSecret: true, updatedAt: true } } as const;

/** Newest first, disabled ones too. */
export async function list({ db }: Ctx, page: PageRequest): Promise<Page<Webhook>> {
  const rows = await db.webhookEndpoint.findMany({
    ...SHOWN,
    where: olderThan(page),
    orderBy: newestFirst,
    take: page.limit + 1,
  });
  return pageOf(rows, page.limit, createdPosition);
}

/** Throws NOT_FOUND. */
export async function get({ db }: Ctx, id: string): Promise<Webhook> {
  const row = await db.webhookEndpoint.findUnique({ ...SHOWN, where: { id } });
  if (row === null) throw notFound('webhook');
  return row;
}

interface Details {
  url: string;
  description: string | null;
  events: string[];
}

/**
 * Gives the secret this once. Throws VALIDATION, reason UNKNOWN_EVENT, and FORBIDDEN, reason MISSING_SCOPE, for events
 * of what the caller may not read.
 */
export async function create(ctx: Ctx, { url, description, events }: Details) {
  const names = checked(ctx, events);
  const now = ctx.now();
  const secret = makeSigningSecret();
  const data = { url, description, events: names, secret, createdAt: now, updatedAt: now };
  await tellNews(ctx);
  const webhook = await ctx.db.webhookEndpoint.create({ ...SHOWN, data });
  return { secret, webhook };
}

/**
 * What is not named stays. What waits goes to the new address. Throws NOT_FOUND, and as `create` does, also where
 * only the address changes.
 */
export async function update(
  ctx: Ctx,
  id: string,
  changes: { [Key in keyof Details]?: Details[Key] | undefined },
): Promise<Webhook> {
  const { events } = await get(ctx, id);
  if (changes.events || changes.url) checked(ctx, changes.events ?? events);
  if (changes.events) await tellNews(ctx);
  return write(ctx, id, {
    ...changes,
    ...(changes.events ? { events: [...new Set(changes.events)] } : {}),
  });
}

const LONGEST_OVERLAP_HOURS = 72;

// In one statement, so that two rotations at once do not lose the one that receivers know.
const ROTATE = statement(`
  UPDATE webhook_endpoints SET secret = $2, updated_at = $3::timestamptz,
    previous_secret = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE secret END, previous_secret_until = $4::timestamptz
  WHERE id = $1::uuid`);

/**
 * Gives a new secret this once; the old one signs besides for `overlapHours`, 0 to end it at once. Throws VALIDATION,
 * NOT_FOUND.
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
  await ctx.write(ROTATE, [id, secret, now, until]);
  return { secret, webhook: await get(ctx, id) };
}

/** What waits for it is delivered from now on. Twice changes nothing. Throws NOT_FOUND. */
export async function enable(ctx: Ctx, id: string): Promise<Webhook> {
  await tellNews(ctx);
  await ctx.db.webhookEndpoint.updateMany({
    where: { id, disabledAt: { not: null } },
    data: { disabledAt: null, disabledReason: null, updatedAt: ctx.now() },
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

async function write(ctx: Ctx, id: string, data: object): Promise<Webhook> {
  await ctx.db.webhookEndpoint.updateMany({
    where: { id },
    data: { ...data, updatedAt: ctx.now() },
  });
  return get(ctx, id);
}

/** Nobody is told by a webhook what they may not read. */
function checked({ viewer }: Ctx, names: string[]): string[] {
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
  const own = scopesOf(viewer);
  const needed: Scope[] = names.flatMap((name) => scopesFor(name) ?? []);
  const beyond = [...new Set(needed)].filter((scope) => !covers(own, scope));
  if (beyond.length > 0) {
    throw new DomainError(
      'FORBIDDEN',
      `To be told of these events you need the scopes ${beyond.join(', ')}.`,
      { reason: 'MISSING_SCOPE', scopes: beyond },
    );
  }
  return [...new Set(names)];
}
