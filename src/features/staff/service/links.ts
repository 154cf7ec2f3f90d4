import { assertStrongPassword, hashPassword } from '../../../auth/passwords.ts';
import { endUserSessions } from '../../../auth/sessions.ts';
import { createSession } from '../../../auth/sign-in.ts';
import { createSecret, hashSecret, isWellFormedSecret } from '../../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import { DomainError } from '../../../errors.ts';
import { recordAction, recordUpdated } from '../../../journal/record-changes.ts';
import type { StaffLink } from '../types.ts';

export const STAFF_LINK_LIFETIME_DAYS = 3;
export const REQUESTED_LINK_LIFETIME_MINUTES = 60;
const EXPIRED_LINK_RETENTION_MS = 30 * DAY_MS;

/**
 * Creates a link to set a password and returns its URL. The user's previous link stops working. The link works only while
 * the owner who made it is an owner, since without a mail server this person knows it.
 */
export const issueLink = (ctx: Context, userId: string): Promise<string> =>
  storeLink(ctx, userId, {
    lifetimeMs: STAFF_LINK_LIFETIME_DAYS * DAY_MS,
    createdById: ctx.viewer.kind === 'staff' ? ctx.viewer.id : null,
  });

/** Creates a link for a person who has forgotten the password, and returns its URL. Whoever asked for it does not know it. */
export const issueRequestedLink = (ctx: Context, userId: string): Promise<string> =>
  storeLink(ctx, userId, {
    lifetimeMs: REQUESTED_LINK_LIFETIME_MINUTES * 60_000,
    createdById: null,
  });

async function storeLink(
  ctx: Context,
  userId: string,
  { lifetimeMs, createdById }: { lifetimeMs: number; createdById: string | null },
): Promise<string> {
  const now = ctx.now();
  const { plainText, hash } = createSecret('staffLink');
  const link = {
    tokenHash: hash,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
    createdById,
  };
  await ctx.db.staffLink.upsert({
    where: { userId },
    create: { userId, ...link },
    update: link,
  });
  // Browsers do not send the part after the #, so no proxy can log the secret.
  return `${ctx.baseUrl}/admin/set-password#${plainText}`;
}

/** Gets the user and purpose of a link, without consuming it. @throws UNAUTHENTICATED, reason LINK_INVALID. */
export async function getStaffLink(ctx: Context, secret: string): Promise<StaffLink> {
  const { user, expiresAt } = await findLink(ctx, secret);
  const { name, email, invitedAt } = user;
  return { purpose: invitedAt ? 'invitation' : 'password_reset', name, email, expiresAt };
}

/**
 * Sets the password, ends every other session, creates a session and returns its secret. Of several requests with one
 * link, one succeeds. A weak password does not consume the link.
 * @throws UNAUTHENTICATED, reason LINK_INVALID, the same for a used, replaced, expired or unknown link, and if
 *   the owner who made it is no longer an owner; VALIDATION for
 *   a weak password.
 */
export async function acceptStaffLink(
  ctx: Context,
  { secret, password }: { secret: string; password: string },
): Promise<{ userId: string; sessionSecret: string }> {
  const { userId, tokenHash, user } = await findLink(ctx, secret);
  await assertStrongPassword(password, user.email);
  const passwordHash = await hashPassword(password, ctx);
  return runInTransaction(ctx, async (ctx) => {
    const { db } = ctx;
    // The account is locked before the link, as everywhere else. Two requests with one link wait for each other here.
    const updated = await recordUpdated(ctx, 'staff.joined', [userId], () =>
      db.user.updateMany({
        where: { id: userId, role: { not: null }, disabledAt: null },
        data: { passwordHash, invitedAt: null, updatedAt: ctx.now() },
      }),
    );
    const used = await db.staffLink.deleteMany({
      where: { userId, tokenHash, expiresAt: { gt: ctx.now() }, ...HAS_OWNER_AS_MAKER },
    });
    if (updated.count === 0 || used.count === 0) throw invalidLink();
    await recordAction(ctx, 'staff.password_changed', [userId]);
    await endUserSessions(ctx, { id: userId });
    return { userId, sessionSecret: await createSession(ctx, userId) };
  });
}

async function findLink(ctx: Context, secret: string) {
  if (!isWellFormedSecret('staffLink', secret)) throw invalidLink();
  const link = await ctx.db.staffLink.findFirst({
    where: { tokenHash: hashSecret(secret), ...HAS_OWNER_AS_MAKER },
    include: { user: { select: { name: true, email: true, invitedAt: true, disabledAt: true } } },
  });
  if (link === null || link.expiresAt <= ctx.now() || link.user.disabledAt !== null) {
    throw invalidLink();
  }
  return link;
}

/** Whether the command line made a link, the person asked for it, or a person who is an owner now made it. */
const HAS_OWNER_AS_MAKER = {
  OR: [{ createdById: null }, { createdBy: { role: 'owner', disabledAt: null } }],
} satisfies Prisma.StaffLinkWhereInput;

/**
 * Job: deletes links that expired a month ago. Until then, the panel shows them as expired. A link to an account that has a
 * password was requested and is not needed, so it is deleted as soon as it has expired. Returns their number.
 */
export async function purgeStaffLinks({ db, now }: Context): Promise<number> {
  const { count } = await db.staffLink.deleteMany({
    where: {
      OR: [
        { expiresAt: { lt: new Date(now().getTime() - EXPIRED_LINK_RETENTION_MS) } },
        { expiresAt: { lt: now() }, user: { passwordHash: { not: null } } },
      ],
    },
  });
  return count;
}

const invalidLink = () =>
  new DomainError(
    'UNAUTHENTICATED',
    'This link no longer works: it has been used, replaced or withdrawn, or has expired. Ask an owner of the space for a new one, or request one on the sign-in page.',
    { reason: 'LINK_INVALID' },
  );
