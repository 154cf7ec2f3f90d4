import { hasScope } from '../../auth/scopes.ts';
import { ROLE_SCOPES, type StaffRole } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Prisma } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { DomainError } from '../../errors.ts';

// A webhook uses the rights of its owner: the person or the token that made it, or has vouched for it since. Whether
// these rights still hold is decided at every delivery, by the owner's row, as it is for every request.

export type OwnerKind = 'user' | 'token' | 'system';

/** Whose rights a webhook uses. */
export interface Owner {
  kind: OwnerKind;
  /** Null for the system, and where the owner was deleted. */
  id: string | null;
  name: string | null;
}

type OwnerColumns = Pick<
  Prisma.WebhookEndpointUncheckedCreateInput,
  'ownerKind' | 'ownerUserId' | 'ownerTokenId'
>;

/** Roles that may have webhooks. A manager who becomes something else leaves them behind. */
const OWNER_ROLES = (Object.keys(ROLE_SCOPES) as StaffRole[]).filter((role) =>
  hasScope(ROLE_SCOPES[role], 'webhooks:write'),
);

/** In SQL, of `u`, a row of users or none: why this person's webhooks are stopped; null while they are not. */
const USER_PROBLEM_SQL = `CASE WHEN u.id IS NULL THEN 'user_deleted'
  WHEN u.role IS NULL OR u.disabled_at IS NOT NULL OR u.role::text NOT IN (${OWNER_ROLES.map((role) => `'${role}'`).join(', ')}) THEN 'user_not_allowed' END`;

/** In SQL, of `t`, a row of api_tokens or none: why this token's webhooks are stopped; null while they are not. */
const toTokenProblemSql = (now: string) => `CASE WHEN t.id IS NULL THEN 'token_deleted'
  WHEN t.revoked_at IS NOT NULL THEN 'token_revoked' WHEN t.expires_at <= ${now} THEN 'token_expired' END`;

type OwnerProblem =
  | 'user_deleted'
  | 'user_not_allowed'
  | 'token_deleted'
  | 'token_revoked'
  | 'token_expired';

/** In SQL: why the webhook `endpoint` may use nobody's rights at the time `now`; null while its owner has them. */
export const toOwnerProblemSql = (endpoint: string, now: string) => `CASE ${endpoint}.owner_kind
  WHEN 'user' THEN (SELECT ${USER_PROBLEM_SQL} FROM (SELECT 1) one LEFT JOIN users u ON u.id = ${endpoint}.owner_user_id)
  WHEN 'token' THEN (SELECT ${toTokenProblemSql(now)} FROM (SELECT 1) one LEFT JOIN api_tokens t ON t.id = ${endpoint}.owner_token_id)
  END`;

/** In SQL: whether the owner of the webhook `endpoint` has its rights at the time `now`. */
export const isOwnerActiveSql = (endpoint: string, now: string) =>
  `${toOwnerProblemSql(endpoint, now)} IS NULL`;

const FIND_OWNER_PROBLEMS = prepareStatement(`
  SELECT e.id, ${toOwnerProblemSql('e', '$2::timestamptz')} AS problem FROM webhook_endpoints e
  WHERE e.id = ANY ($1::uuid[]) AND NOT ${isOwnerActiveSql('e', '$2::timestamptz')}`);

export const WITH_OWNER = {
  ownerUser: { select: { name: true } },
  ownerToken: { select: { name: true, revokedAt: true, expiresAt: true } },
} as const;

interface OwnedRow {
  id: string;
  updatedAt: Date;
  ownerKind: OwnerKind;
  ownerUserId: string | null;
  ownerTokenId: string | null;
  ownerUser: { name: string } | null;
  ownerToken: { name: string; revokedAt: Date | null; expiresAt: Date | null } | null;
}

export const toOwner = (row: OwnedRow): Owner => ({
  kind: row.ownerKind,
  id: row.ownerUserId ?? row.ownerTokenId,
  name: row.ownerUser?.name ?? row.ownerToken?.name ?? null,
});

/** Since when and why the webhooks among these are stopped whose owner has lost the rights. */
export async function findOwnerStops(
  { pipelinedSql, now }: Pick<Context, 'pipelinedSql' | 'now'>,
  rows: OwnedRow[],
): Promise<Map<string, { disabledAt: Date; disabledReason: string }>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const found = await pipelinedSql<{ id: string; problem: OwnerProblem }>(FIND_OWNER_PROBLEMS, [
    ids,
    now(),
  ]);
  const problems = new Map(found.map(({ id, problem }) => [id, problem]));
  return new Map(
    rows.flatMap((row) => {
      const problem = problems.get(row.id);
      return problem === undefined ? [] : [[row.id, toStop(problem, row)] as const];
    }),
  );
}

function toStop(problem: OwnerProblem, { ownerUser, ownerToken, updatedAt }: OwnedRow) {
  const token = ownerToken?.name;
  const [at, what] = {
    user_deleted: [null, 'Its owner was deleted.'] as const,
    user_not_allowed: [null, `${ownerUser?.name} can no longer manage webhooks.`] as const,
    token_deleted: [null, 'The API token that owned it was deleted.'] as const,
    token_revoked: [ownerToken?.revokedAt, `Its API token ${token} was revoked.`] as const,
    token_expired: [ownerToken?.expiresAt, `Its API token ${token} has expired.`] as const,
  }[problem];
  return {
    disabledAt: at ?? updatedAt,
    disabledReason: `${what} Enable it to become its owner.`,
  };
}

/**
 * Who is to own what the viewer is about to write. A token that was rotated hands on to its successor; its row stays
 * locked until the transaction ends, so that a rotation at the same time finds the webhook. Before any webhook is locked.
 */
export async function lockOwner(ctx: Context): Promise<OwnerColumns> {
  const { viewer, db } = ctx;
  switch (viewer.kind) {
    case 'staff':
      return { ownerKind: 'user', ownerUserId: viewer.id, ownerTokenId: null };
    case 'system':
      return { ownerKind: 'system', ownerUserId: null, ownerTokenId: null };
    case 'token': {
      let { id } = viewer;
      for (;;) {
        const [token] = await db.$queryRaw<{ replacedById: string | null }[]>`
          SELECT replaced_by_id AS "replacedById" FROM api_tokens WHERE id = ${id}::uuid FOR SHARE`;
        if (!token?.replacedById)
          return { ownerKind: 'token', ownerTokenId: id, ownerUserId: null };
        id = token.replacedById;
      }
    }
    default:
      throw new DomainError('FORBIDDEN', 'Webhooks belong to staff and to API tokens.', {
        reason: 'STAFF_ONLY',
      });
  }
}

/** The webhooks of a token that was rotated go on with its successor's rights, which are the same. */
export const transferWebhooks = ({ db }: Context, fromTokenId: string, toTokenId: string) =>
  db.webhookEndpoint.updateMany({
    where: { ownerTokenId: fromTokenId },
    data: { ownerTokenId: toTokenId },
  });
