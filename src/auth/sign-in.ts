import { type Context, runInTransaction } from '../context.ts';
import { prepareStatement } from '../db/prepared-statement.ts';
import { DomainError, unauthenticated } from '../errors.ts';
import { recordAction, recordCreated } from '../journal/record-changes.ts';
import { SESSION_LIFETIME_SECONDS } from './cookies.ts';
import { assertStrongPassword, hashPassword, verifyPassword } from './passwords.ts';
import type { RateLimits } from './rate-limits.ts';
import { endUserSessions, findKnownBrowser, recordKnownBrowser } from './sessions.ts';
import { createSecret } from './tokens.ts';
import type { StaffRole } from './viewer.ts';

/** The secrets of the session cookie and the browser cookie. */
export interface SignInSecrets {
  session: string;
  browser: string;
}

/**
 * Creates a session and returns its secret, which is not stored. A browser that has signed in to the account before has
 * its own rate limit, which other callers cannot exhaust.
 * @throws UNAUTHENTICATED with the same message for an unknown address and a wrong password, RATE_LIMITED, and UNAVAILABLE
 *   while too many others sign in.
 */
export async function signIn(
  ctx: Context,
  limits: RateLimits,
  input: { email: string; password: string; address: string; browser?: string | undefined },
): Promise<SignInSecrets> {
  const email = input.email.trim().toLowerCase();
  const browser = await findKnownBrowser(ctx, email, input.browser);
  const limit = browser === null ? limits.signIns : limits.knownBrowserSignIns;
  const keys = browser === null ? { address: input.address, account: email } : { browser };
  await limit.consume(keys);
  // Former members cannot sign in. Staff have no member record.
  const user = await ctx.db.user.findFirst({
    where: {
      email,
      disabledAt: null,
      OR: [{ member: null }, { member: { status: { not: 'former' } } }],
    },
  });
  if (!(await verifyPassword(user?.passwordHash, input.password, ctx)) || user === null) {
    throw wrongCredentials();
  }
  await limit.reset(keys);
  return runInTransaction(ctx, async (ctx) => {
    const [current] = await ctx.lockingSql(LOCK_VALID_USER, [user.id, user.passwordHash]);
    if (!current) throw wrongCredentials();
    return {
      session: await createSession(ctx, user.id),
      browser: await recordKnownBrowser(ctx, user.id, input.browser),
    };
  });
}

// Verifying the password takes a while. Disabling the account or changing the password meanwhile ends all its sessions, so
// none can be created afterwards: the lock waits for such a change, and the condition then sees it.
const LOCK_VALID_USER = prepareStatement(`
  SELECT id FROM users WHERE id = $1::uuid AND password_hash = $2 AND disabled_at IS NULL FOR SHARE`);

const wrongCredentials = () =>
  new DomainError('UNAUTHENTICATED', 'The email address or the password is wrong.', {
    reason: 'WRONG_CREDENTIALS',
  });

/** Creates a session and returns its secret, which is not stored. */
export async function createSession(ctx: Context, userId: string): Promise<string> {
  const now = ctx.now();
  const secret = createSecret('session');
  await ctx.db.session.deleteMany({ where: { userId, expiresAt: { lte: now } } });
  await ctx.db.session.create({
    data: {
      userId,
      tokenHash: secret.hash,
      createdAt: now,
      expiresAt: new Date(now.getTime() + SESSION_LIFETIME_SECONDS * 1000),
    },
  });
  return secret.plainText;
}

/** Ends the session immediately, on every instance. */
export async function signOut(ctx: Context): Promise<void> {
  if (ctx.viewer.kind !== 'staff' && ctx.viewer.kind !== 'member') return;
  await ctx.db.session.deleteMany({ where: { id: ctx.viewer.sessionId } });
}

/**
 * Changes the caller's password, and ends their other sessions and the link that was requested for a forgotten password.
 * @throws VALIDATION if the current password is wrong or the new one too weak.
 */
export async function changePassword(
  ctx: Context,
  input: { current: string; next: string },
): Promise<void> {
  const { viewer } = ctx;
  if (viewer.kind !== 'staff' && viewer.kind !== 'member')
    throw new DomainError('FORBIDDEN', 'Sign in to do this.', { reason: 'SIGN_IN_NEEDED' });
  const session = await ctx.db.session.findUniqueOrThrow({
    where: { id: viewer.sessionId },
    include: { user: true },
  });
  const { user } = session;
  if (!(await verifyPassword(user.passwordHash, input.current, ctx))) {
    throw new DomainError('VALIDATION', 'The current password is wrong.', {
      reason: 'WRONG_PASSWORD',
      fields: ['current'],
    });
  }
  await assertStrongPassword(input.next, user.email, 'next');
  const passwordHash = await hashPassword(input.next, ctx);
  await runInTransaction(ctx, async (ctx) => {
    const { db } = ctx;
    // This matches no row if the password was reset or the account was disabled in the meantime.
    const { count } = await db.user.updateMany({
      where: { id: user.id, passwordHash: user.passwordHash, disabledAt: null },
      data: { passwordHash },
    });
    if (count === 0) throw unauthenticated();
    await recordAction(ctx, 'staff.password_changed', [user.id]);
    await endUserSessions(ctx, { id: user.id }, viewer.sessionId);
    await db.staffLink.deleteMany({ where: { userId: user.id } });
  });
}

/** Creates a staff account. @throws VALIDATION for a weak password, CONFLICT if the address is in use. */
export async function createStaff(
  ctx: Context,
  input: { name: string; email: string; password: string; role: StaffRole },
): Promise<{ id: string; email: string; role: StaffRole }> {
  const email = input.email.trim().toLowerCase();
  await assertStrongPassword(input.password, email);
  const passwordHash = await hashPassword(input.password, ctx);
  const { id } = await insertStaff(ctx, {
    name: input.name,
    email,
    passwordHash,
    role: input.role,
  });
  return { id, email, role: input.role };
}

/** Stores a staff account. The address is in lower case. @throws CONFLICT if it is in use. */
export const insertStaff = (
  ctx: Context,
  account: { name: string; email: string; passwordHash: string; role: StaffRole },
): Promise<{ id: string }> =>
  runInTransaction(ctx, async (ctx) => {
    const [user] = await ctx.db.user.createManyAndReturn({
      data: [account],
      select: { id: true },
      skipDuplicates: true,
    });
    if (user === undefined) {
      throw new DomainError('CONFLICT', `Another account already uses ${account.email}.`, {
        reason: 'TAKEN',
        fields: ['email'],
      });
    }
    await recordCreated(ctx, 'staff.created', [user.id]);
    return user;
  });

export const toDisplayName = (email: string) => email.split('@')[0] ?? email;
