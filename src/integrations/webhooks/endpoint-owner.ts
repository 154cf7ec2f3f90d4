import { hasScope } from '../../auth/scopes.ts';
import { findRolesWithScope, ROLE_SCOPES, type StaffRole } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Prisma } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { DomainError } from '../../errors.ts';
import { eventCatalog, findEventScope, toSubscriptionNames } from './event-catalog.ts';

// A webhook uses the permissions of its owner: the user or token that last created, changed or enabled it. They are checked
// again when a message is queued and at each attempt to send it, as every request checks those of its caller.

type OwnerKind = 'user' | 'token' | 'system';

/** The user or token whose permissions a webhook uses. */
export interface Owner {
  kind: OwnerKind;
  /** Null for the system, and after the owner was deleted. */
  id: string | null;
  name: string | null;
}

type OwnerColumns = Pick<
  Prisma.WebhookEndpointUncheckedCreateInput,
  'ownerKind' | 'ownerUserId' | 'ownerTokenId'
>;

/** Roles that can own webhooks. If a manager's role changes, their webhooks stop. */
const OWNER_ROLES = findRolesWithScope('webhooks:write');

/** SQL over `u`, an optional row of users: why the webhooks of this user are stopped, or null. */
const USER_PROBLEM_SQL = `CASE WHEN u.id IS NULL THEN 'user_deleted'
  WHEN u.role IS NULL OR u.disabled_at IS NOT NULL OR u.role::text NOT IN (${OWNER_ROLES.map((role) => `'${role}'`).join(', ')}) THEN 'user_not_allowed' END`;

/** SQL over `t`, an optional row of api_tokens: why the webhooks of this token are stopped, or null. */
const toTokenProblemSql = (now: string) => `CASE WHEN t.id IS NULL THEN 'token_deleted'
  WHEN t.revoked_at IS NOT NULL THEN 'token_revoked' WHEN t.expires_at <= ${now} THEN 'token_expired' END`;

type OwnerProblem =
  | 'user_deleted'
  | 'user_not_allowed'
  | 'token_deleted'
  | 'token_revoked'
  | 'token_expired';

/** SQL: why the owner of the webhook `endpoint` lacks its permissions at the time `now`, or null. */
const toOwnerProblemSql = (endpoint: string, now: string) => `CASE ${endpoint}.owner_kind
  WHEN 'user' THEN (SELECT ${USER_PROBLEM_SQL} FROM (SELECT 1) one LEFT JOIN users u ON u.id = ${endpoint}.owner_user_id)
  WHEN 'token' THEN (SELECT ${toTokenProblemSql(now)} FROM (SELECT 1) one LEFT JOIN api_tokens t ON t.id = ${endpoint}.owner_token_id)
  END`;

/** SQL: whether the owner of the webhook `endpoint` has its permissions at the time `now`. */
export const isOwnerActiveSql = (endpoint: string, now: string) =>
  `${toOwnerProblemSql(endpoint, now)} IS NULL`;

/** What the permissions of an owner depend on. */
export interface OwnerRights {
  ownerKind: OwnerKind;
  /** Of a user. */
  ownerRole: StaffRole | null;
  /** Of a token. */
  ownerScopes: string[] | null;
}

/** SQL columns of `OwnerRights` for the webhook `endpoint`. */
export const toOwnerRightsSql = (endpoint: string) => `${endpoint}.owner_kind AS "ownerKind",
  (SELECT role FROM users WHERE id = ${endpoint}.owner_user_id) AS "ownerRole",
  (SELECT scopes FROM api_tokens WHERE id = ${endpoint}.owner_token_id) AS "ownerScopes"`;

/** Whether the owner can read messages of this type now. */
export function canOwnerRead(owner: OwnerRights, type: string): boolean {
  const scope = findEventScope(type);
  return scope === undefined || hasScope(getOwnerScopes(owner), scope);
}

function getOwnerScopes({ ownerKind, ownerRole, ownerScopes }: OwnerRights): readonly string[] {
  if (ownerKind === 'system') return ['*'];
  return (ownerRole ? ROLE_SCOPES[ownerRole] : ownerScopes) ?? [];
}

/** Lists the events of these subscriptions that the owner cannot read now, as names to subscribe to. */
export function listWithheldEvents(owner: OwnerRights, subscriptions: string[]): string[] {
  const names = eventCatalog
    .filter(({ name }) => !canOwnerRead(owner, name))
    .flatMap(({ name }) => {
      const [single, noun = ''] = toSubscriptionNames(name);
      if (subscriptions.includes(noun) || subscriptions.includes('*')) return [noun];
      return single && subscriptions.includes(single) ? [single] : [];
    });
  return [...new Set(names)];
}

const FIND_OWNER_PROBLEMS = prepareStatement(`
  SELECT e.id, ${toOwnerProblemSql('e', '$2::timestamptz')} AS problem FROM webhook_endpoints e
  WHERE e.id = ANY ($1::uuid[]) AND NOT ${isOwnerActiveSql('e', '$2::timestamptz')}`);

export const WITH_OWNER = {
  ownerUser: { select: { name: true, role: true } },
  ownerToken: { select: { name: true, scopes: true, revokedAt: true, expiresAt: true } },
} as const;

interface OwnedRow {
  id: string;
  updatedAt: Date;
  ownerKind: OwnerKind;
  ownerUserId: string | null;
  ownerTokenId: string | null;
  ownerUser: { name: string; role: StaffRole | null } | null;
  ownerToken: {
    name: string;
    scopes: string[];
    revokedAt: Date | null;
    expiresAt: Date | null;
  } | null;
}

export const toOwner = (row: OwnedRow): Owner => ({
  kind: row.ownerKind,
  id: row.ownerUserId ?? row.ownerTokenId,
  name: row.ownerUser?.name ?? row.ownerToken?.name ?? null,
});

export const toOwnerRights = ({
  ownerKind,
  ownerUser,
  ownerToken,
}: Pick<OwnedRow, 'ownerKind' | 'ownerUser' | 'ownerToken'>): OwnerRights => ({
  ownerKind,
  ownerRole: ownerUser?.role ?? null,
  ownerScopes: ownerToken?.scopes ?? null,
});

/** Finds the webhooks whose owner no longer has the permissions, and returns by id since when they are stopped and why. */
export async function findOwnerStops(
  { pipelinedSql, now }: Pick<Context, 'pipelinedSql' | 'now'>,
  rows: OwnedRow[],
): Promise<Map<string, { disabledAt: Date; disabledReason: string }>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const stopped = await pipelinedSql<{ id: string; problem: OwnerProblem }>(FIND_OWNER_PROBLEMS, [
    ids,
    now(),
  ]);
  const problems = new Map(stopped.map(({ id, problem }) => [id, problem]));
  return new Map(
    rows.flatMap((row) => {
      const problem = problems.get(row.id);
      return problem === undefined ? [] : [[row.id, toStop(problem, row)] as const];
    }),
  );
}

function toStop(problem: OwnerProblem, { ownerUser, ownerToken, updatedAt }: OwnedRow) {
  const token = ownerToken?.name;
  const [at, cause] = {
    user_deleted: [null, 'Its owner was deleted.'] as const,
    user_not_allowed: [null, `${ownerUser?.name} can no longer manage webhooks.`] as const,
    token_deleted: [null, 'The API token that owned it was deleted.'] as const,
    token_revoked: [ownerToken?.revokedAt, `Its API token ${token} was revoked.`] as const,
    token_expired: [ownerToken?.expiresAt, `Its API token ${token} has expired.`] as const,
  }[problem];
  return {
    disabledAt: at ?? updatedAt,
    disabledReason: `${cause} Enable the webhook to become its owner.`,
  };
}

/**
 * Returns the owner of a webhook that the viewer creates or changes. For a rotated token this is its successor. The token
 * stays locked until the transaction ends, so that a concurrent rotation transfers the webhook. Call it before locking any
 * webhook.
 *
 * @throws FORBIDDEN for members, devices and anonymous callers.
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
      throw new DomainError('FORBIDDEN', 'Only staff and API tokens can own webhooks.', {
        reason: 'STAFF_ONLY',
      });
  }
}

/** Transfers the webhooks of a rotated token to its successor, which has the same scopes. */
export const transferWebhooks = ({ db }: Context, fromTokenId: string, toTokenId: string) =>
  db.webhookEndpoint.updateMany({
    where: { ownerTokenId: fromTokenId },
    data: { ownerTokenId: toTokenId },
  });
