import { type Ctx, inTransaction } from '../context.ts';
import { DomainError } from '../errors.ts';
import { SESSION_SECONDS } from './cookies.ts';
import { checkPassword, hashPassword, passwordMatches } from './passwords.ts';
import { makeSecret } from './secrets.ts';
import type { Throttle } from './throttle.ts';
import type { StaffRole } from './viewer.ts';

/**
 * Opens a session and gives its secret, shown this once. Throws UNAUTHENTICATED, with the same words whether
 * the person or the password is wrong, and RATE_LIMITED after too many attempts.
 */
export async function signIn(
  ctx: Ctx,
  throttle: Throttle,
  input: { email: string; password: string; address: string },
): Promise<string> {
  const email = input.email.trim().toLowerCase();
  await throttle.attempt({ address: input.address, email });
  // A member who has left is a stranger; staff has no member's record.
  const user = await ctx.db.user.findFirst({
    where: { email, OR: [{ member: null }, { member: { status: { not: 'former' } } }] },
  });
  if (!(await passwordMatches(user?.passwordHash, input.password)) || user === null) {
    throw new DomainError('UNAUTHENTICATED', 'The e-mail address or the password is wrong.', {
      reason: 'WRONG_CREDENTIALS',
    });
  }
  await throttle.forgive({ address: input.address, email });
  return openSession(ctx, user.id);
}

/** Gives the secret, shown this once. */
export async function openSession(ctx: Ctx, userId: string): Promise<string> {
  const now = ctx.now();
  const secret = makeSecret('session');
  await ctx.db.session.deleteMany({ where: { userId, expiresAt: { lte: now } } });
  await ctx.db.session.create({
    data: {
      userId,
      tokenHash: secret.hash,
      createdAt: now,
      expiresAt: new Date(now.getTime() + SESSION_SECONDS * 1000),
    },
  });
  return secret.plainText;
}

/** Ends the session at once, on every instance. */
export async function signOut(ctx: Ctx): Promise<void> {
  if (ctx.viewer.kind !== 'staff' && ctx.viewer.kind !== 'member') return;
  await ctx.db.session.deleteMany({ where: { id: ctx.viewer.sessionId } });
}

/** Ends every other session of the same person. Throws VALIDATION when the current password is wrong or the new one too weak. */
export async function changePassword(
  ctx: Ctx,
  throttle: Throttle,
  input: { current: string; next: string; address: string },
): Promise<void> {
  const { viewer } = ctx;
  if (viewer.kind !== 'staff' && viewer.kind !== 'member')
    throw new DomainError('FORBIDDEN', 'Sign in first.');
  const session = await ctx.db.session.findUniqueOrThrow({
    where: { id: viewer.sessionId },
    include: { user: true },
  });
  const { user } = session;
  await throttle.attempt({ address: input.address, email: user.email });
  if (!(await passwordMatches(user.passwordHash, input.current))) {
    throw new DomainError('VALIDATION', 'The current password is wrong.', {
      reason: 'WRONG_PASSWORD',
    });
  }
  await throttle.forgive({ address: input.address, email: user.email });
  checkPassword(input.next, user.email);
  const passwordHash = await hashPassword(input.next);
  await inTransaction(ctx, async ({ db }) => {
    await db.user.update({ where: { id: user.id }, data: { passwordHash } });
    await db.session.deleteMany({ where: { userId: user.id, id: { not: viewer.sessionId } } });
  });
}

/** Throws VALIDATION for a weak password, CONFLICT when the address is taken. */
export async function createStaff(
  ctx: Ctx,
  input: { name: string; email: string; password: string; role: StaffRole },
): Promise<{ id: string; email: string; role: StaffRole }> {
  const email = input.email.trim().toLowerCase();
  checkPassword(input.password, email);
  const passwordHash = await hashPassword(input.password);
  const { count } = await ctx.db.user.createMany({
    data: { name: input.name, email, passwordHash, role: input.role },
    skipDuplicates: true,
  });
  if (count === 0) {
    throw new DomainError('CONFLICT', `Somebody with the address ${email} is there already.`, {
      reason: 'EMAIL_TAKEN',
    });
  }
  const { id } = await ctx.db.user.findUniqueOrThrow({ where: { email } });
  return { id, email, role: input.role };
}

/** Makes the first owner if there is none; says whether it did. */
export async function ensureOwner(
  ctx: Ctx,
  admin: { email: string; password: string },
): Promise<boolean> {
  const hasOwner = async () => (await ctx.db.user.count({ where: { role: 'owner' } })) > 0;
  if (await hasOwner()) return false;
  try {
    await createStaff(ctx, { name: nameFrom(admin.email), ...admin, role: 'owner' });
    return true;
  } catch (error) {
    if (await hasOwner()) return false; // another instance started at the same moment
    throw error;
  }
}

export const nameFrom = (email: string) => email.split('@')[0] ?? email;
