import { assertStrongPassword, hashPassword } from '../../../auth/passwords.ts';
import { endUserSessions } from '../../../auth/sessions.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import type { Page, PageRequest } from '../../../core/pagination.ts';
import type { InputOf } from '../../../core/validation.ts';
import { isLastOwnerViolation } from '../../../db/constraint-errors.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import { DomainError, notFound } from '../../../errors.ts';
import {
  recordAction,
  recordCreated,
  recordDeleted,
  recordUpdated,
} from '../../../journal/record-changes.ts';
import { listRows } from '../../../lists/read-list.ts';
import { revokeTokensCreatedBy } from '../../tokens/service.ts';
import type {
  disableStaffInput,
  endStaffSessionsInput,
  inviteStaffInput,
  setStaffRoleInput,
} from '../inputs.ts';
import { sendInvitation, sendPasswordReset } from '../notifications.ts';
import type { IssuedStaffLink, StaffUser } from '../types.ts';
import { issueLink } from './links.ts';
import { staffList, toStaffUser, toStaffUserQuery } from './list-staff.ts';

// Callers must check that the viewer is an owner. GraphQL fields require `staff:owner`; the command line acts as the system.
// The trigger users_require_active_owner ensures that the space keeps an active owner.

/** Lists staff by name, including invited and disabled users. */
export const listStaff = (ctx: Context, page: PageRequest): Promise<Page<StaffUser>> =>
  listRows(ctx, staffList, {}, page);

/** Gets a staff user. @throws NOT_FOUND, also for a member's account */
export async function getStaffUser(ctx: Context, id: string): Promise<StaffUser> {
  const user = await findStaffUser(ctx, { id });
  if (user === null) throw notFound('staff account');
  return user;
}

/** Finds a staff user by id, or by email address in lower case. Null if there is none. */
export async function findStaffUser(
  ctx: Context,
  where: { id: string } | { email: string },
): Promise<StaffUser | null> {
  const row = await ctx.db.user.findUnique({ ...toStaffUserQuery(ctx.now()), where });
  return row === null || row.role === null ? null : toStaffUser(row);
}

/**
 * Creates an account without a password and emails a link to set one.
 * @throws CONFLICT, reason TAKEN, if the address belongs to a staff user or to a member who has signed in.
 *
 * @example
 * const { url } = await inviteStaff(ctx, { name: 'Tom Beck', email: 'tom@example.org', role: 'front_desk' });
 */
export async function inviteStaff(
  ctx: Context,
  input: InputOf<typeof inviteStaffInput>,
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
      throw new DomainError('CONFLICT', `Another account already uses ${email}.`, {
        reason: 'TAKEN',
        fields: ['email'],
      });
    }
    await recordCreated(ctx, 'staff.invited', [user.id]);
    return issueAndSend(ctx, user.id, sendInvitation);
  });
}

/** Emails a new link. The previous one stops working. @throws NOT_FOUND, and CONFLICT once the invitation is accepted. */
export async function resendInvitation(ctx: Context, id: string): Promise<IssuedStaffLink> {
  return runInTransaction(ctx, async (ctx) => {
    await lockUser(ctx, id);
    assertInvited(await getStaffUser(ctx, id));
    await recordAction(ctx, 'staff.invitation_sent', [id]);
    return issueAndSend(ctx, id, sendInvitation);
  });
}

/** Deletes the account of an open invitation. @throws NOT_FOUND, and CONFLICT once the invitation is accepted. */
export async function withdrawInvitation(ctx: Context, id: string): Promise<StaffUser> {
  const user = assertInvited(await getStaffUser(ctx, id));
  return runInTransaction(ctx, async (ctx) => {
    await recordDeleted(ctx, 'staff.invitation_withdrawn', [id]);
    // The condition is part of the statement, so that an invitation that is accepted in the meantime keeps its account.
    const { count } = await ctx.db.user.deleteMany({ where: { id, invitedAt: { not: null } } });
    if (count === 0) throw alreadyAccepted(user);
    return user;
  });
}

/**
 * Changes the role of a staff user, from their next request. With `revokeTokens`, the person's API tokens are
 * revoked; otherwise they keep their scopes.
 *
 * @throws NOT_FOUND; CONFLICT, reason LAST_OWNER.
 */
export async function setStaffRole(
  ctx: Context,
  { id, role, revokeTokens }: InputOf<typeof setStaffRoleInput>,
): Promise<StaffUser> {
  return runInTransaction(ctx, async (ctx) => {
    await recordUpdated(ctx, 'staff.role_changed', [id], () => updateStaff(ctx, id, { role }));
    if (revokeTokens) await revokeTokensCreatedBy(ctx, id);
    return getStaffUser(ctx, id);
  });
}

/**
 * Disables an account: ends its sessions and its open link immediately and prevents sign-in until it is enabled. With
 * `revokeTokens`, the person's API tokens are revoked too. Webhooks of the person and of these tokens stop, since each
 * delivery checks its owner. Repeating it changes nothing.
 * @throws NOT_FOUND; CONFLICT, reason LAST_OWNER, OWN_ACCOUNT for the viewer's account, INVITATION_OPEN for an open
 *   invitation.
 */
export async function disableStaff(
  ctx: Context,
  { id, revokeTokens }: InputOf<typeof disableStaffInput>,
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
    if (user.status !== 'disabled') {
      await recordUpdated(ctx, 'staff.disabled', [id], () =>
        updateStaff(ctx, id, { disabledAt: ctx.now() }),
      );
    }
    await endSessionsAndLinks(ctx, id);
    if (revokeTokens) await revokeTokensCreatedBy(ctx, id);
    return getStaffUser(ctx, id);
  });
}

/**
 * Enables an account, so that the person can sign in again with the same password. Repeating it changes nothing.
 * @throws NOT_FOUND.
 */
export async function enableStaff(ctx: Context, id: string): Promise<StaffUser> {
  return runInTransaction(ctx, async (ctx) => {
    const { status } = await getStaffUser(ctx, id);
    if (status === 'disabled') {
      await recordUpdated(ctx, 'staff.enabled', [id], () =>
        updateStaff(ctx, id, { disabledAt: null }),
      );
      // A sign-in that was in progress when the account was disabled must not become valid.
      await endSessionsAndLinks(ctx, id);
    }
    return getStaffUser(ctx, id);
  });
}

/**
 * Removes the password, ends all sessions immediately and creates a link to set a new password, or a new invitation for
 * an invited user. The link is emailed unless `send` is false.
 * @throws NOT_FOUND; CONFLICT, reason OWN_ACCOUNT for the viewer's account, ACCOUNT_DISABLED for a disabled one.
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
        { reason: 'ACCOUNT_DISABLED' },
      );
    }
    await updateStaff(ctx, id, { passwordHash: null });
    await endSessionsAndLinks(ctx, id);
    const isInvited = user.status === 'invited';
    await recordAction(ctx, isInvited ? 'staff.invitation_sent' : 'staff.password_reset', [id]);
    const sendEmail = isInvited ? sendInvitation : sendPasswordReset;
    return issueAndSend(ctx, id, send ? sendEmail : undefined);
  });
}

/**
 * Signs a staff user out of one browser, or of all without `sessionId`, immediately on every instance. Signing out of all also ends
 * the link that was requested for a forgotten password, as for members.
 * @throws NOT_FOUND for the account and for a session that is not theirs; CONFLICT, reason OWN_ACCOUNT for the viewer's account.
 */
export async function endStaffSessions(
  ctx: Context,
  { id, sessionId }: InputOf<typeof endStaffSessionsInput>,
): Promise<StaffUser> {
  assertNotOwnAccount(ctx, id, 'End your own sessions on your account page.');
  return runInTransaction(ctx, async (ctx) => {
    // A link that is being accepted creates its session before or not at all.
    await lockUser(ctx, id);
    const user = await getStaffUser(ctx, id);
    if (sessionId == null) {
      await endUserSessions(ctx, { id });
      await endRequestedLink(ctx, id);
    } else {
      const { count } = await ctx.db.session.deleteMany({ where: { id: sessionId, userId: id } });
      if (count === 0) throw notFound('session');
    }
    await recordAction(ctx, 'staff.sessions_ended', [id]);
    return user;
  });
}

/**
 * Sets a password directly, ends all sessions and accepts an open invitation.
 * @throws NOT_FOUND, VALIDATION for a weak password.
 */
export async function setStaffPassword(
  ctx: Context,
  { id, password }: { id: string; password: string },
): Promise<StaffUser> {
  const { email } = await getStaffUser(ctx, id);
  await assertStrongPassword(password, email);
  const passwordHash = await hashPassword(password, ctx);
  return runInTransaction(ctx, async (ctx) => {
    // An invitation that is open is accepted.
    await recordUpdated(ctx, 'staff.joined', [id], () =>
      updateStaff(ctx, id, { passwordHash, invitedAt: null }),
    );
    await recordAction(ctx, 'staff.password_changed', [id]);
    await endSessionsAndLinks(ctx, id);
    return getStaffUser(ctx, id);
  });
}

type SendEmail = (ctx: Context, link: IssuedStaffLink) => Promise<void>;

async function issueAndSend(ctx: Context, id: string, send?: SendEmail): Promise<IssuedStaffLink> {
  const url = await issueLink(ctx, id);
  const link = { staffUser: await getStaffUser(ctx, id), url };
  await send?.(ctx, link);
  return link;
}

/** Locks an account until the transaction ends, so that it cannot change between the checks and the write. */
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

async function endSessionsAndLinks(ctx: Context, userId: string): Promise<void> {
  await endUserSessions(ctx, { id: userId });
  await ctx.db.staffLink.deleteMany({ where: { userId } });
}

/**
 * Ends the link that a person without an invitation has requested. One that an owner made stays. One of the command line looks like a
 * requested one if the account has no password, so it ends too.
 */
async function endRequestedLink({ db }: Context, userId: string): Promise<void> {
  const user = { invitedAt: null };
  await db.staffLink.deleteMany({
    where: { userId, user, OR: [{ createdById: null }, { user: { passwordHash: { not: null } } }] },
  });
}

function assertNotOwnAccount({ viewer }: Context, id: string, message: string): void {
  if (viewer.kind !== 'staff' || viewer.id !== id.toLowerCase()) return;
  throw new DomainError('CONFLICT', message, { reason: 'OWN_ACCOUNT' });
}

function assertInvited(user: StaffUser): StaffUser {
  if (user.status !== 'invited') throw alreadyAccepted(user);
  return user;
}

const alreadyAccepted = ({ name }: StaffUser) =>
  new DomainError(
    'CONFLICT',
    `${name} has already accepted the invitation. Reset the password or disable the account instead.`,
    { reason: 'INVITATION_ACCEPTED' },
  );
