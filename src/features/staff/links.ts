import { assertStrongPassword, hashPassword } from '../../auth/passwords.ts';
import { createSession } from '../../auth/sign-in.ts';
import { createSecret, hashSecret, isWellFormedSecret } from '../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../context.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import { DomainError } from '../../errors.ts';
import type { StaffLink } from './types.ts';

export const STAFF_LINK_LIFETIME_DAYS = 3;
const EXPIRED_LINK_RETENTION_MS = 30 * DAY_MS;

/** Returns the address of a new link; the person's link before it, if there is one, stops working. */
export async function issueLink(ctx: Context, userId: string): Promise<string> {
  const now = ctx.now();
  const { plainText, hash } = createSecret('staffLink');
  const link = {
    tokenHash: hash,
    createdAt: now,
    expiresAt: new Date(now.getTime() + STAFF_LINK_LIFETIME_DAYS * DAY_MS),
  };
  await ctx.db.staffLink.upsert({
    where: { userId },
    create: { userId, ...link },
    update: link,
  });
  // Browsers do not send what is behind the #, so no server on the way can log it.
  return `${ctx.baseUrl}/admin/set-password#${plainText}`;
}

/** Whom the link is for, without using it. Throws UNAUTHENTICATED, reason LINK_INVALID. */
export async function getStaffLink(ctx: Context, secret: string): Promise<StaffLink> {
  const { user, expiresAt } = await findLink(ctx, secret);
  const { name, email, invitedAt } = user;
  return { purpose: invitedAt ? 'invitation' : 'password_reset', name, email, expiresAt };
}

/**
 * Sets the password, ends every other session, opens a session and returns its secret. Of many requests with one link, one
 * succeeds; a weak password does not use the link up. Throws UNAUTHENTICATED, reason LINK_INVALID, in the same words
 * whether the link was used, replaced, is too old or unknown, and VALIDATION for a weak password.
 */
export async function acceptStaffLink(
  ctx: Context,
  { secret, password }: { secret: string; password: string },
): Promise<{ userId: string; sessionSecret: string }> {
  const { userId, tokenHash, user } = await findLink(ctx, secret);
  await assertStrongPassword(password, user.email);
  const passwordHash = await hashPassword(password);
  return runInTransaction(ctx, async (ctx) => {
    const { db } = ctx;
    // The account comes first, as wherever both are changed: two requests with one link wait for each other here.
    const updated = await db.user.updateMany({
      where: { id: userId, role: { not: null }, disabledAt: null },
      data: { passwordHash, invitedAt: null, updatedAt: ctx.now() },
    });
    const used = await db.staffLink.deleteMany({
      where: { userId, tokenHash, expiresAt: { gt: ctx.now() } },
    });
    if (updated.count === 0 || used.count === 0) throw invalidLink();
    await db.session.deleteMany({ where: { userId } });
    return { userId, sessionSecret: await createSession(ctx, userId) };
  });
}

async function findLink(ctx: Context, secret: string) {
  if (!isWellFormedSecret('staffLink', secret)) throw invalidLink();
  const link = await ctx.db.staffLink.findUnique({
    where: { tokenHash: hashSecret(secret) },
    include: { user: { select: { name: true, email: true, invitedAt: true, disabledAt: true } } },
  });
  if (link === null || link.expiresAt <= ctx.now() || link.user.disabledAt !== null) {
    throw invalidLink();
  }
  return link;
}

/** Deletes links that expired a month ago; until then the panel shows that they have expired. */
export async function purgeStaffLinks({ db, now }: Context): Promise<number> {
  const { count } = await db.staffLink.deleteMany({
    where: { expiresAt: { lt: new Date(now().getTime() - EXPIRED_LINK_RETENTION_MS) } },
  });
  return count;
}

const invalidLink = () =>
  new DomainError(
    'UNAUTHENTICATED',
    'This link no longer works: it was used, replaced or withdrawn, or it has expired. Ask an owner of the space for a new one.',
    { reason: 'LINK_INVALID' },
  );
