import { assertStrongPassword, hashPassword } from '../../auth/passwords.ts';
import type { StaffRole } from '../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../context.ts';
import {
  orderByName,
  type Page,
  type PageRequest,
  toPageByName,
  whereAfterName,
} from '../../core/pagination.ts';
import { isLastOwnerViolation } from '../../db/constraint-errors.ts';
import type { Prisma } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';
import { revokeTokensCreatedBy } from '../tokens/service.ts';
import { issueLink } from './links.ts';
import { sendInvitation, sendPasswordReset } from './notifications.ts';
import type { IssuedStaffLink, StaffUser } from './types.ts';

// Callers check that the viewer is an owner: the GraphQL fields by `staff:owner`, the command line by being the system.
// The trigger users_require_active_owner makes sure that the space keeps an active owner.

/** Lists staff by name, including invited and disabled users. */
export async function listStaff(ctx: Context, page: PageRequest): Promise<Page<StaffUser>> {
  const rows = await ctx.db.user.findMany({
    ...toStaffUserQuery(ctx.now()),
    where: { role: { not: null }, ...whereAfterName(page) },
    orderBy: orderByName,
    take: page.limit + 1,
  });
  return toPageByName(rows.map(toStaffUser), page.limit);
}

/** @throws NOT_FOUND, also for a member's account */
export async function getStaffUser(ctx: Context, id: string): Promise<StaffUser> {
  const user = await findStaffUser(ctx, { id });
  if (user === null) throw notFound('staff account');
  return user;
}

/** Finds a staff user by id, or by email address in lower case; null if there is none. */
export async function findStaffUser(
  ctx: Context,
  where: { id: string } | { email: string },
): Promise<StaffUser | null> {
  const row = await ctx.db.user.findUnique({ ...toStaffUserQuery(ctx.now()), where });
  return row === null || row.role === null ? null : toStaffUser(row);
}

/**
 * Creates an account without a password and mails a link to set one. Throws CONFLICT, reason EMAIL_TAKEN, where the
 * address belongs to a staff user or to a member who has signed in.
 */
export async function inviteStaff(
  ctx: Context,
  input: { name: string; email: string; role: StaffRole },
): Promise<IssuedStaffLink> {
  return runInTransaction(ctx, async (ctx) => {
    const now = ctx.now();
    const { name, role } = input;
    const email = input.email.trim().toLowerCase();
    const [user] = await ctx.db.user.createManyAndReturn({
      data: { name, email, role, invitedAt: now, createdAt: now, updatedAt: now },
      skipDuplicates: true,
    });
    if (!user) {
      throw new DomainError('CONFLICT', `There is already an account with the address ${email}.`, {
        reason: 'EMAIL_TAKEN',
      });
    }
    return issueAndSend(ctx, user.id, sendInvitation);
  });
}

/** Mails a new link; the one before stops working. Throws NOT_FOUND, and CONFLICT once the invitation is accepted. */
export async function resendInvitation(ctx: Context, id: string): Promise<IssuedStaffLink> {
  return runInTransaction(ctx, async (ctx) => {
    await lockUser(ctx, id);
    requireInvited(await getStaffUser(ctx, id));
    return issueAndSend(ctx, id, sendInvitation);
  });
}

/** Deletes the account that was never used. Throws NOT_FOUND, and CONFLICT once the invitation is accepted. */
export async function withdrawInvitation(ctx: Context, id: string): Promise<StaffUser> {
  const user = requireInvited(await getStaffUser(ctx, id));
  // The condition stands in the statement: whoever accepts at the same moment keeps the account.
  const { count } = await ctx.db.user.deleteMany({ where: { id, invitedAt: { not: null } } });
  if (count === 0) throw alreadyAccepted(user);
  return user;
}

interface RoleChange {
  id: string;
  role: StaffRole;
  /** Also end the person's API tokens, which otherwise keep the scopes that they were given. */
  revokeTokens?: boolean;
}

/** Counts from the person's next request on. Throws NOT_FOUND, and CONFLICT, reason LAST_OWNER. */
export async function setStaffRole(ctx: Context, { id, role, revokeTokens }: RoleChange) {
  return runInTransaction(ctx, async (ctx) => {
    await updateStaff(ctx, id, { role });
    if (revokeTokens) await revokeTokensCreatedBy(ctx, id);
    return getStaffUser(ctx, id);
  });
}

/**
 * Ends the person's sessions and open link at once, and nobody can sign in with the account until it is enabled. With
 * `revokeTokens` the person's API tokens end as well. Webhooks that belong to the person or to these tokens stop, because
 * each delivery checks its owner. Doing it twice changes nothing. Throws NOT_FOUND, and CONFLICT, reason LAST_OWNER, for
 * oneself OWN_ACCOUNT, for an open invitation INVITATION_OPEN.
 */
export async function disableStaff(
  ctx: Context,
  { id, revokeTokens }: { id: string; revokeTokens?: boolean },
): Promise<StaffUser> {
  assertNotOwnAccount(ctx, id, 'You cannot disable your own account. Ask another owner to do it.');
  return runInTransaction(ctx, async (ctx) => {
    const user = await getStaffUser(ctx, id);
    if (user.status === 'invited') {
      throw new DomainError(
        'CONFLICT',
        `${user.name} has not accepted the invitation yet. Withdraw the invitation instead.`,
        { reason: 'INVITATION_OPEN' },
      );
    }
    if (user.status !== 'disabled') await updateStaff(ctx, id, { disabledAt: ctx.now() });
    await endSessionsAndLinks(ctx, id);
    if (revokeTokens) await revokeTokensCreatedBy(ctx, id);
    return getStaffUser(ctx, id);
  });
}

/** The person can sign in again, with the same password. Doing it twice changes nothing. Throws NOT_FOUND. */
export async function enableStaff(ctx: Context, id: string): Promise<StaffUser> {
  return runInTransaction(ctx, async (ctx) => {
    const { status } = await getStaffUser(ctx, id);
    if (status === 'disabled') {
      await updateStaff(ctx, id, { disabledAt: null });
      // A sign-in that was under way when the account was disabled must not come alive again.
      await endSessionsAndLinks(ctx, id);
    }
    return getStaffUser(ctx, id);
  });
}

/**
 * Ends the password and every session at once, and issues a link to set a new password; for an invited user, a new
 * invitation. The link is mailed unless `send` is false. Throws NOT_FOUND, and CONFLICT, for oneself OWN_ACCOUNT, for a
 * disabled account ACCOUNT_DISABLED.
 */
export async function resetStaffPassword(
  ctx: Context,
  { id, send = true }: { id: string; send?: boolean },
): Promise<IssuedStaffLink> {
  assertNotOwnAccount(ctx, id, 'Change your own password on your account page.');
  return runInTransaction(ctx, async (ctx) => {
    await lockUser(ctx, id);
    const user = await getStaffUser(ctx, id);
    if (user.status === 'disabled') {
      throw new DomainError(
        'CONFLICT',
        `The account of ${user.name} is disabled. Enable it first.`,
        {
          reason: 'ACCOUNT_DISABLED',
        },
      );
    }
    await updateStaff(ctx, id, { passwordHash: null });
    await endSessionsAndLinks(ctx, id);
    const mail = user.status === 'invited' ? sendInvitation : sendPasswordReset;
    return issueAndSend(ctx, id, send ? mail : undefined);
  });
}

/** Sets a password directly and ends every session; an open invitation counts as accepted. Throws NOT_FOUND, VALIDATION for a weak password. */
export async function setStaffPassword(
  ctx: Context,
  { id, password }: { id: string; password: string },
): Promise<StaffUser> {
  const { email } = await getStaffUser(ctx, id);
  await assertStrongPassword(password, email);
  const passwordHash = await hashPassword(password);
  return runInTransaction(ctx, async (ctx) => {
    await updateStaff(ctx, id, { passwordHash, invitedAt: null });
    await endSessionsAndLinks(ctx, id);
    return getStaffUser(ctx, id);
  });
}

type SendMail = (ctx: Context, link: IssuedStaffLink) => Promise<void>;

async function issueAndSend(ctx: Context, id: string, send?: SendMail): Promise<IssuedStaffLink> {
  const url = await issueLink(ctx, id);
  const link = { staffUser: await getStaffUser(ctx, id), url };
  await send?.(ctx, link);
  return link;
}

/** Locks an account until the transaction ends, so that what is read afterwards still holds when it is written. */
const lockUser = ({ db, now }: Context, id: string) =>
  db.user.updateMany({ where: { id }, data: { updatedAt: now() } });

async function updateStaff(
  ctx: Context,
  id: string,
  data: Prisma.UserUpdateManyMutationInput,
): Promise<void> {
  try {
    const { count } = await ctx.db.user.updateMany({
      where: { id, role: { not: null } },
      data: { ...data, updatedAt: ctx.now() },
    });
    if (count === 0) throw notFound('staff account');
  } catch (error) {
    if (!isLastOwnerViolation(error)) throw error;
    throw new DomainError(
      'CONFLICT',
      'This is the last active owner of the space. Make someone else an owner first.',
      { reason: 'LAST_OWNER' },
    );
  }
}

async function endSessionsAndLinks({ db }: Context, userId: string): Promise<void> {
  await db.session.deleteMany({ where: { userId } });
  await db.staffLink.deleteMany({ where: { userId } });
}

function assertNotOwnAccount({ viewer }: Context, id: string, message: string): void {
  if (viewer.kind !== 'staff' || viewer.id !== id) return;
  throw new DomainError('CONFLICT', message, { reason: 'OWN_ACCOUNT' });
}

function requireInvited(user: StaffUser): StaffUser {
  if (user.status !== 'invited') throw alreadyAccepted(user);
  return user;
}

const alreadyAccepted = ({ name }: StaffUser) =>
  new DomainError(
    'CONFLICT',
    `${name} has accepted the invitation already. Reset the password or disable the account instead.`,
    { reason: 'INVITATION_ACCEPTED' },
  );

const toStaffUserQuery = (now: Date) =>
  ({
    omit: { passwordHash: true },
    include: {
      staffLink: { select: { expiresAt: true } },
      _count: {
        select: {
          apiTokens: {
            where: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
          },
        },
      },
    },
  }) satisfies Omit<Prisma.UserFindManyArgs, 'where'>;

type StaffUserRow = Prisma.UserGetPayload<ReturnType<typeof toStaffUserQuery>>;

function toStaffUser({ role, invitedAt, staffLink, _count, ...row }: StaffUserRow): StaffUser {
  const { id, name, email, createdAt, lastActiveAt, disabledAt } = row;
  return {
    ...{ id, name, email, createdAt, lastActiveAt, disabledAt },
    role: role as StaffRole,
    status: disabledAt ? 'disabled' : invitedAt ? 'invited' : 'active',
    linkExpiresAt: staffLink?.expiresAt ?? null,
    activeTokenCount: _count.apiTokens,
  };
}

export { purgeStaffLinks } from './links.ts';
