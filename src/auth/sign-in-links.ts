import { setTimeout } from 'node:timers/promises';
import { type Context, runInTransaction } from '../context.ts';
import type { Member } from '../db/generated/client.ts';
import { DomainError } from '../errors.ts';
import { formatGreeting, renderEmail } from '../integrations/email/layout.ts';
import { enqueueEmail } from '../integrations/email/outbox.ts';
import type { RateLimits } from './rate-limits.ts';
import { findKnownBrowser, recordKnownBrowser } from './sessions.ts';
import { createSession, type SignInSecrets } from './sign-in.ts';
import { createSecret, hashSecret, isWellFormedSecret } from './tokens.ts';

const LINK_LIFETIME_MINUTES = 15;
const SIGN_IN_LINK_RETENTION_MS = 24 * 3_600_000;
/** Longer than writing a mail down takes: so the time of the answer says nothing about who is a member. */
const MIN_RESPONSE_MS = 250;

/**
 * Sends a link that signs in once, within a quarter of an hour, if the address is the confirmed one of a member who has
 * not left and of nobody on the staff: they have a password. A browser that has signed in before has a limit of its own.
 * Answers the same and takes the same time either way. Throws RATE_LIMITED.
 */
export async function requestSignInLink(
  ctx: Context,
  limits: RateLimits,
  input: { email: string; address: string; browser?: string | undefined; baseUrl: string },
): Promise<void> {
  const email = input.email.trim().toLowerCase();
  const browser = await findKnownBrowser(ctx, email, input.browser);
  if (browser === null)
    await limits.signInLinks.consume({ address: input.address, account: email });
  else await limits.knownBrowserSignInLinks.consume({ browser });
  const sending = runInTransaction(ctx, async (ctx) => {
    const member = await findEligibleMember(ctx, { email });
    if (member) await sendSignInLink(ctx, member, input.baseUrl);
  });
  await Promise.all([sending, setTimeout(MIN_RESPONSE_MS)]);
}

async function sendSignInLink(ctx: Context, member: Member, baseUrl: string): Promise<void> {
  const now = ctx.now();
  const { plainText, hash } = createSecret('signInLink');
  await ctx.db.signInLink.create({
    data: {
      memberId: member.id,
      tokenHash: hash,
      createdAt: now,
      expiresAt: new Date(now.getTime() + LINK_LIFETIME_MINUTES * 60_000),
    },
  });
  await enqueueEmail(ctx, {
    to: member.email,
    priority: 'critical',
    subject: 'Your link to sign in',
    ...renderEmail({
      greeting: formatGreeting(member.name),
      paragraphs: [
        `With this link you sign in to see and change your bookings. It works once, and for ${LINK_LIFETIME_MINUTES} minutes.`,
      ],
      // After the # it stays in the browser: no server on the way writes it down.
      action: { label: 'Sign in', url: `${baseUrl}/my/sign-in#${plainText}` },
      footnote:
        'If you did not ask for it, you need not do anything: without this mail nobody can use it.',
    }),
  });
}

/**
 * Opens a session and gives its secret, shown this once. Of many at once with one link, one succeeds; other links of the
 * same member end with it. Throws UNAUTHENTICATED, in the same words whether the link is used, too old or unknown.
 */
export async function redeemSignInLink(
  ctx: Context,
  secret: string,
  browser?: string,
): Promise<SignInSecrets> {
  if (!isWellFormedSecret('signInLink', secret)) throw invalidSignInLink();
  return runInTransaction(ctx, async (ctx) => {
    const now = ctx.now();
    // The condition stands in the statement: whoever comes second finds nothing.
    const [link] = await ctx.db.signInLink.updateManyAndReturn({
      where: { tokenHash: hashSecret(secret), usedAt: null, expiresAt: { gt: now } },
      data: { usedAt: now },
    });
    if (!link) throw invalidSignInLink();
    const { memberId } = link;
    const member = await findEligibleMember(ctx, { id: memberId });
    if (!member) throw invalidSignInLink();
    await ctx.db.signInLink.updateMany({
      where: { memberId, usedAt: null },
      data: { usedAt: now },
    });
    const userId = await getOrCreateUser(ctx, member);
    return {
      session: await createSession(ctx, userId),
      browser: await recordKnownBrowser(ctx, userId, browser),
    };
  });
}

/** An address can sign in one person: that of a staff account, or of another member's, is not this member's. */
async function findEligibleMember(
  { db }: Context,
  who: { email: string } | { id: string },
): Promise<Member | null> {
  const member = await db.member.findUnique({ where: who, include: { user: true } });
  if (member === null || member.status === 'former' || !member.emailConfirmedAt) return null;
  if (member.user) return member;
  return (await db.user.count({ where: { email: member.email } })) === 0 ? member : null;
}

/** Made at the first sign-in; two links at once make one. */
async function getOrCreateUser({ db }: Context, { id, name, email }: Member): Promise<string> {
  await db.user.createMany({ data: { name, email, memberId: id }, skipDuplicates: true });
  const user = await db.user.findUnique({ where: { memberId: id } });
  if (user === null) throw invalidSignInLink(); // somebody was given the address meanwhile
  return user.id;
}

/** Those that ended a day ago. */
export async function purgeSignInLinks({ db, now }: Context): Promise<number> {
  const { count } = await db.signInLink.deleteMany({
    where: { expiresAt: { lt: new Date(now().getTime() - SIGN_IN_LINK_RETENTION_MS) } },
  });
  return count;
}

const invalidSignInLink = () =>
  new DomainError(
    'UNAUTHENTICATED',
    'This link does not work any more: it was used already, or is too old. Ask for a new one.',
    { reason: 'LINK_INVALID' },
  );
