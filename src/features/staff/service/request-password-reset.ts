import { takeAtLeast } from '../../../auth/guesses.ts';
import type { RateLimits } from '../../../auth/rate-limits.ts';
import { findKnownBrowser } from '../../../auth/sessions.ts';
import { anonymous } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { sendRequestedReset } from '../notifications.ts';
import { issueRequestedLink } from './links.ts';

/** Longer than enqueueing an email takes, so that the response time does not reveal who works here. */
const MIN_RESPONSE_MS = 250;
/** Strangers cannot replace a link that is newer, so the person has this long to use it. */
const MIN_LINK_AGE_MS = 10 * 60_000;

/**
 * Emails a link to set a new password, if the address belongs to a staff account that can sign in. Until the link is used,
 * the password and the sessions stay. A browser that has signed in to the account before has its own rate limit, always
 * gets a link, and its email does not count against the budget of emails that anyone can request. The result and the
 * response time are the same whether or not a link is sent. Without a mail server, nothing is.
 * @throws RATE_LIMITED
 */
export async function requestPasswordReset(
  ctx: Context,
  limits: RateLimits,
  input: { email: string; address: string; browser?: string | undefined },
): Promise<void> {
  const email = input.email.trim().toLowerCase();
  const browser = await findKnownBrowser(ctx, email, input.browser);
  if (browser === null)
    await limits.passwordResets.consume({ address: input.address, account: email });
  else await limits.knownBrowserPasswordResets.consume({ browser });
  await takeAtLeast(MIN_RESPONSE_MS, async () => {
    // A stored email would keep a link that works, and nobody sends it.
    if (!ctx.hasMailServer) return;
    await runInTransaction(ctx, async (ctx) => {
      const [user] = await ctx.lockingSql<LockedUser>(LOCK_STAFF_USER, [email]);
      if (!user || !(await canReplaceLink(ctx, user, browser !== null))) return;
      const url = await issueRequestedLink(ctx, user.id);
      await sendRequestedReset(
        ctx,
        { name: user.name, email, url },
        browser === null
          ? {
              priority: 'requested',
              client: { viewer: anonymous, clientAddress: input.address },
            }
          : { priority: 'critical' },
      );
    });
  });
}

interface LockedUser {
  id: string;
  name: string;
  hasPassword: boolean;
}

// The account is locked before the link, as everywhere else, so that a password that changes meanwhile ends the link. An
// invited person has the link of the invitation, which only owners replace.
const LOCK_STAFF_USER = prepareStatement(`
  SELECT id, name, password_hash IS NOT NULL AS "hasPassword" FROM users
  WHERE email = $1 AND role IS NOT NULL AND disabled_at IS NULL AND invited_at IS NULL FOR UPDATE`);

/**
 * A link to an account without a password was made by an owner or on the command line after they removed the password. It stays
 * until it expires, so that strangers cannot end it.
 */
async function canReplaceLink(
  { db, now }: Context,
  { id, hasPassword }: LockedUser,
  isKnownBrowser: boolean,
): Promise<boolean> {
  const link = await db.staffLink.findUnique({ where: { userId: id } });
  if (link === null || link.expiresAt <= now()) return true;
  if (!hasPassword) return false;
  return isKnownBrowser || now().getTime() - link.createdAt.getTime() >= MIN_LINK_AGE_MS;
}
