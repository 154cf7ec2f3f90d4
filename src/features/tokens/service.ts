import { isScope, scopeDescriptions } from '../../auth/scopes.ts';
import { createSecret } from '../../auth/tokens.ts';
import { assertCanGrant } from '../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../context.ts';
import { truncateForMessage } from '../../core/input-size.ts';
import type { Page, PageRequest } from '../../core/pagination.ts';
import { DAY_MINUTES, MINUTE_MS } from '../../core/time/time-zone.ts';
import type { InputOf } from '../../core/validation.ts';
import type { ApiToken as Row } from '../../db/generated/client.ts';
import { type Projection, projectUnescaped } from '../../db/json-projection.ts';
import { matchText } from '../../db/text-search.ts';
import { DomainError, notFound } from '../../errors.ts';
import { transferWebhooks } from '../../integrations/webhooks/endpoint-owner.ts';
import { recordCreated, recordUpdated } from '../../journal/record-changes.ts';
import { listRows } from '../../lists/read-list.ts';
import { type CreationFilter, matchCreation, type RowList } from '../../lists/row-list.ts';
import { projectFields } from '../../rows/projection.ts';
import type { createApiTokenInput } from './inputs.ts';
import { apiTokenRow } from './rows.ts';

/** An API token with its scopes. Only a hash of its secret is stored. */
export type ApiToken = Omit<Row, 'hash'> & { createdBy: { name: string } | null };

const TOKEN_SELECTION = {
  omit: { hash: true },
  include: { createdBy: { select: { name: true } } },
} as const;
const MAX_QUOTED_SCOPES = 10;
const MAX_OVERLAP_MINUTES = 7 * DAY_MINUTES;

interface ApiTokenFilter extends CreationFilter {
  /** Part of the name. */
  q?: string | undefined;
  /** Whether the token works: it is not revoked and has not expired. */
  active?: boolean | undefined;
}

/** Tokens, including revoked ones, by default the newest first. Callers must check that the viewer manages tokens. */
export const apiTokenList: RowList<ApiToken, ApiTokenFilter, 'NAME' | 'CREATED_AT'> = {
  name: 'apiTokens',
  table: 'api_tokens',
  sortKeys: {
    NAME: { column: 'name', type: 'text', label: 'name' },
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, { q, active, ...creation }, { now, bind }) => {
    const conditions = matchCreation(row, creation, bind);
    if (q) conditions.push(matchText([`${row}.name`], q, bind));
    if (active !== undefined) {
      const isActive = `(${row}.revoked_at IS NULL AND coalesce(${row}.expires_at > ${bind(now(), 'timestamptz')}, true))`;
      conditions.push(active ? isActive : `NOT ${isActive}`);
    }
    return conditions;
  },
  findByIds: ({ db }, ids) =>
    db.apiToken.findMany({ ...TOKEN_SELECTION, where: { id: { in: ids } } }),
};

/** Projects a token. */
export const toApiTokenProjection = (row: string): Projection => ({
  ...projectFields(apiTokenRow, row),
  createdById: projectUnescaped(`${row}.created_by_id`),
});

/** Lists all tokens, newest first, including revoked ones. */
export const listApiTokens = (ctx: Context, page: PageRequest): Promise<Page<ApiToken>> =>
  listRows(ctx, apiTokenList, {}, page);

/**
 * Creates a token and returns its secret, which is shown only once.
 *
 * @throws VALIDATION for an unknown scope or an expiry in the past; FORBIDDEN for a scope that the viewer lacks.
 *
 * @example
 * const { plainText } = await createApiToken(ctx, { name: 'Website', scopes: ['bookings:read'] });
 */
export async function createApiToken(
  ctx: Context,
  input: InputOf<typeof createApiTokenInput>,
): Promise<{ plainText: string; token: ApiToken }> {
  const scopes = [...new Set(input.scopes)];
  assertScopesAllowed(ctx, scopes);
  if (input.expiresAt && input.expiresAt <= ctx.now()) {
    throw new DomainError(
      'VALIDATION',
      'expiresAt must be in the future. Omit it for a token that does not expire.',
      { reason: 'IN_THE_PAST', fields: ['expiresAt'] },
    );
  }
  const data = { name: input.name, scopes, expiresAt: input.expiresAt ?? null };
  return runInTransaction(ctx, async (ctx) => {
    const created = await insertApiToken(ctx, data);
    await recordCreated(ctx, 'api_token.created', [created.token.id]);
    return created;
  });
}

/**
 * Revokes a token, so that its next request is rejected on every instance. Revoking it again changes nothing.
 *
 * @throws NOT_FOUND; FORBIDDEN if the token has the scope `*` and the viewer is not an owner.
 */
export async function revokeApiToken(ctx: Context, id: string): Promise<ApiToken> {
  assertOwnerManagesFullAccess(ctx, (await getApiToken(ctx.db, id)).scopes);
  await runInTransaction(ctx, (ctx) => revokeTokens(ctx, [id]));
  return getApiToken(ctx.db, id);
}

/** Revokes all tokens that this user created and returns how many. Callers must check that the viewer is an owner. */
export async function revokeTokensCreatedBy(ctx: Context, userId: string): Promise<number> {
  const tokens = await ctx.db.apiToken.findMany({
    where: { createdById: userId, revokedAt: null },
    select: { id: true },
  });
  return revokeTokens(
    ctx,
    tokens.map(({ id }) => id),
  );
}

/** Revokes those of the tokens that are not revoked yet, and returns how many. */
async function revokeTokens(ctx: Context, ids: string[]): Promise<number> {
  const { count } = await recordUpdated(ctx, 'api_token.revoked', ids, () =>
    ctx.db.apiToken.updateMany({
      where: { id: { in: ids }, revokedAt: null },
      data: { revokedAt: ctx.now() },
    }),
  );
  return count;
}

/**
 * Replaces a token with a new one with the same name, scopes and expiry. The old token stays valid for `overlapMinutes`; 0
 * revokes it immediately.
 *
 * @throws NOT_FOUND; CONFLICT if the token has ended or was rotated before; FORBIDDEN as `createApiToken` does.
 */
export async function rotateApiToken(
  ctx: Context,
  id: string,
  overlapMinutes: number,
): Promise<{ plainText: string; token: ApiToken }> {
  if (overlapMinutes < 0 || overlapMinutes > MAX_OVERLAP_MINUTES) {
    throw new DomainError(
      'VALIDATION',
      `overlapMinutes must be from 0 to ${MAX_OVERLAP_MINUTES} (one week).`,
      { reason: 'INVALID_INPUT', fields: ['overlapMinutes'] },
    );
  }
  return runInTransaction(ctx, async (ctx) => {
    const old = await getApiToken(ctx.db, id);
    assertScopesAllowed(ctx, old.scopes, 'id');
    const { name, scopes, expiresAt } = old;
    const successor = await recordUpdated(ctx, 'api_token.rotated', [id], async () => {
      await endRotatedToken(ctx, old, overlapMinutes);
      const successor = await insertApiToken(ctx, { name, scopes, expiresAt });
      await ctx.db.apiToken.update({ where: { id }, data: { replacedById: successor.token.id } });
      return successor;
    });
    await recordCreated(ctx, 'api_token.created', [successor.token.id]);
    await transferWebhooks(ctx, id, successor.token.id);
    return successor;
  });
}

async function endRotatedToken(
  { db, now }: Context,
  { id, expiresAt }: ApiToken,
  overlapMinutes: number,
): Promise<void> {
  const end = new Date(now().getTime() + overlapMinutes * MINUTE_MS);
  // The condition is part of the update, so only one of two concurrent rotations succeeds.
  const { count } = await db.apiToken.updateMany({
    where: {
      id,
      revokedAt: null,
      replacedById: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now() } }],
    },
    data: overlapMinutes === 0 ? { revokedAt: now() } : { expiresAt: toEarlier(expiresAt, end) },
  });
  if (count > 0) return;
  throw new DomainError(
    'CONFLICT',
    'This token has expired, or was revoked or rotated. Create a new one instead.',
    { reason: 'TOKEN_ENDED' },
  );
}

async function insertApiToken(ctx: Context, data: Pick<ApiToken, 'name' | 'scopes' | 'expiresAt'>) {
  const { plainText, hash, prefix } = createSecret('apiToken');
  const createdById = ctx.viewer.kind === 'staff' ? ctx.viewer.id : null;
  const token = await ctx.db.apiToken.create({
    ...TOKEN_SELECTION,
    data: { ...data, hash, prefix, createdById, createdAt: ctx.now() },
  });
  return { plainText, token };
}

/** A token never gets more permissions than its creator has. @throws VALIDATION for an unknown or no scope; FORBIDDEN */
function assertScopesAllowed(
  { viewer }: Context,
  scopes: string[],
  field: 'scopes' | 'id' = 'scopes',
): void {
  const unknown = scopes
    .filter((scope) => !isScope(scope))
    .slice(0, MAX_QUOTED_SCOPES)
    .map(truncateForMessage);
  if (unknown.length > 0 || scopes.length === 0) {
    throw new DomainError(
      'VALIDATION',
      unknown.length > 0
        ? `scopes: Unknown scope ${unknown.join(', ')}. Choose from ${scopeDescriptions.map(({ scope }) => scope).join(', ')}.`
        : 'scopes: Choose at least one.',
      { reason: 'UNKNOWN_SCOPE', fields: [field], unknown },
    );
  }
  assertOwnerManagesFullAccess({ viewer }, scopes);
  assertCanGrant(viewer, scopes);
}

/** A token with `*` also gets the permissions that later versions add, so only owners can create, rotate and revoke it. */
function assertOwnerManagesFullAccess({ viewer }: Pick<Context, 'viewer'>, scopes: string[]): void {
  if (!scopes.includes('*') || viewer.kind !== 'staff' || viewer.role === 'owner') return;
  throw new DomainError(
    'FORBIDDEN',
    'Only owners can manage tokens with all permissions. Ask an owner, or select the permissions one by one.',
    { reason: 'OWNER_NEEDED' },
  );
}

async function getApiToken(db: Context['db'], id: string): Promise<ApiToken> {
  const token = await db.apiToken.findUnique({ ...TOKEN_SELECTION, where: { id } });
  if (token === null) throw notFound('API token');
  return token;
}

const toEarlier = (a: Date | null, b: Date) => (a !== null && a < b ? a : b);
