import { assertCanGrant } from '../../auth/grants.ts';
import { isScope } from '../../auth/scopes.ts';
import { makeSecret } from '../../auth/secrets.ts';
import { type Ctx, inTransaction } from '../../context.ts';
import type { ApiToken as Row } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';
import {
  createdPosition,
  newestFirst,
  olderThan,
  type Page,
  type PageRequest,
  pageOf,
} from '../../page.ts';
import { DAY_MINUTES, MINUTE_MS } from '../../time.ts';
import { moveWebhooks } from '../webhooks/ownership.ts';

/** A named credential with scopes. The secret itself is kept nowhere. */
export type ApiToken = Omit<Row, 'hash'> & { createdBy: { name: string } | null };

const SHOWN = { omit: { hash: true }, include: { createdBy: { select: { name: true } } } } as const;
const LONGEST_OVERLAP_MINUTES = 7 * DAY_MINUTES;

/** Newest first, revoked ones too. */
export async function list({ db }: Ctx, page: PageRequest): Promise<Page<ApiToken>> {
  const rows = await db.apiToken.findMany({
    ...SHOWN,
    where: olderThan(page),
    orderBy: newestFirst,
    take: page.limit + 1,
  });
  return pageOf(rows, page.limit, createdPosition);
}

/**
 * Gives the secret this once. Throws VALIDATION for an unknown scope or an expiry in the past, FORBIDDEN for a scope
 * that its maker does not have.
 */
export async function create(
  ctx: Ctx,
  input: { name: string; scopes: string[]; expiresAt?: Date | undefined },
): Promise<{ plainText: string; token: ApiToken }> {
  const scopes = [...new Set(input.scopes)];
  checkScopes(ctx, scopes);
  if (input.expiresAt && input.expiresAt <= ctx.now()) {
    throw new DomainError('VALIDATION', 'expiresAt: choose a time to come, or leave it out.', {
      reason: 'IN_THE_PAST',
    });
  }
  return issue(ctx, { name: input.name, scopes, expiresAt: input.expiresAt ?? null });
}

/**
 * The very next request with it is refused, on every instance; other tokens are untouched. Doing it twice changes nothing.
 * Throws NOT_FOUND, and FORBIDDEN for a token with `*` that is not the viewer's to manage.
 */
export async function revoke(ctx: Ctx, id: string): Promise<ApiToken> {
  const { db, now } = ctx;
  checkOwnerManagesFullAccess(ctx, (await find(db, id)).scopes);
  await db.apiToken.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: now() } });
  return find(db, id);
}

/** Ends every token that this user created, and returns how many there were. Callers check that the viewer is an owner. */
export async function revokeTokensCreatedBy({ db, now }: Ctx, userId: string): Promise<number> {
  const { count } = await db.apiToken.updateMany({
    where: { createdById: userId, revokedAt: null },
    data: { revokedAt: now() },
  });
  return count;
}

/**
 * Makes a successor with the same name, scopes and expiry and lets the old one live for `overlapMinutes`, 0 to end it
 * at once. Throws NOT_FOUND, CONFLICT when it is revoked or expired already, FORBIDDEN as `create` does.
 */
export async function rotate(
  ctx: Ctx,
  id: string,
  overlapMinutes: number,
): Promise<{ plainText: string; token: ApiToken }> {
  if (overlapMinutes < 0 || overlapMinutes > LONGEST_OVERLAP_MINUTES) {
    throw new DomainError(
      'VALIDATION',
      `overlapMinutes: from 0 to ${LONGEST_OVERLAP_MINUTES} (a week).`,
      {
        reason: 'INVALID_INPUT',
      },
    );
  }
  return inTransaction(ctx, async (ctx) => {
    const old = await find(ctx.db, id);
    checkScopes(ctx, old.scopes);
    const now = ctx.now();
    const end = new Date(now.getTime() + overlapMinutes * MINUTE_MS);
    // The condition stands in the statement: of two rotations at once only one finds the token alive.
    const { count } = await ctx.db.apiToken.updateMany({
      where: {
        id,
        revokedAt: null,
        replacedById: null,
        OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
      },
      data: overlapMinutes === 0 ? { revokedAt: now } : { expiresAt: earlier(old.expiresAt, end) },
    });
    if (count === 0) {
      throw new DomainError(
        'CONFLICT',
        'This token has ended or was rotated already. Create a new one instead.',
        {
          reason: 'TOKEN_ENDED',
        },
      );
    }
    const issued = await issue(ctx, {
      name: old.name,
      scopes: old.scopes,
      expiresAt: old.expiresAt,
    });
    await ctx.db.apiToken.update({ where: { id }, data: { replacedById: issued.token.id } });
    await moveWebhooks(ctx, id, issued.token.id);
    return issued;
  });
}

async function issue(ctx: Ctx, data: { name: string; scopes: string[]; expiresAt: Date | null }) {
  const { plainText, hash, prefix } = makeSecret('apiToken');
  const createdById = ctx.viewer.kind === 'staff' ? ctx.viewer.id : null;
  const token = await ctx.db.apiToken.create({
    ...SHOWN,
    data: { ...data, hash, prefix, createdById, createdAt: ctx.now() },
  });
  return { plainText, token };
}

/** A token never has more power than its maker had. */
function checkScopes({ viewer }: Ctx, scopes: string[]): void {
  const unknown = scopes.filter((scope) => !isScope(scope));
  if (unknown.length > 0 || scopes.length === 0) {
    throw new DomainError(
      'VALIDATION',
      unknown.length > 0
        ? `scopes: there is no ${unknown.join(', ')}.`
        : 'scopes: choose at least one.',
      { reason: 'UNKNOWN_SCOPE', unknown },
    );
  }
  checkOwnerManagesFullAccess({ viewer }, scopes);
  assertCanGrant(viewer, scopes);
}

/** A token with `*` also gets the permissions that later versions add, so only owners create, rotate and revoke it. */
function checkOwnerManagesFullAccess({ viewer }: Pick<Ctx, 'viewer'>, scopes: string[]): void {
  if (!scopes.includes('*') || viewer.kind !== 'staff' || viewer.role === 'owner') return;
  throw new DomainError(
    'FORBIDDEN',
    'Only owners manage keys with all permissions. Ask an owner of the space, or choose the permissions one by one.',
    { reason: 'OWNER_NEEDED' },
  );
}

async function find(db: Ctx['db'], id: string): Promise<ApiToken> {
  const token = await db.apiToken.findUnique({ ...SHOWN, where: { id } });
  if (token === null) throw notFound('API token');
  return token;
}

const earlier = (a: Date | null, b: Date) => (a !== null && a < b ? a : b);
