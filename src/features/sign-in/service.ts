import { takeAtLeast } from '../../auth/guesses.ts';
import type { RateLimits } from '../../auth/rate-limits.ts';
import { endUserSessions, findKnownBrowser, recordKnownBrowser } from '../../auth/sessions.ts';
import { createSession, type SignInSecrets } from '../../auth/sign-in.ts';
import { createSecret, hashSecret, isWellFormedSecret } from '../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import type { MailPriority, Member } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';
import { formatGreeting, renderEmail } from '../../integrations/email/layout.ts';
import { enqueueEmail } from '../../integrations/email/outbox.ts';
import { recordAction } from '../../journal/record-changes.ts';
import type { EmailTexts } from '../../languages/emails/email-texts.ts';
import { readEmailTexts } from '../settings/service.ts';

const LINK_LIFETIME_MINUTES = 15;
const SIGN_IN_LINK_RETENTION_MS = 24 * 3_600_000;
/** Longer than enqueueing an email takes, so that the response time does not reveal who is a member. */
const MIN_RESPONSE_MS = 250;

/**
 * Emails a link that signs in once within 15 minutes, if the address is the confirmed address of a current member. Staff
 * sign in with a password. A browser that has signed in before has its own rate limit. The result and the response time
 * are the same whether or not a link is sent.
 * @throws RATE_LIMITED
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
  await takeAtLeast(MIN_RESPONSE_MS, () =>
    runInTransaction(ctx, async (ctx) => {
      const member = await findEligibleMember(ctx, { email });
      if (member)
        await sendSignInLink(ctx, member, input.baseUrl, {
          priority: 'critical',
          toFootnote: ({ text }) => text('signIn.requested'),
        });
    }),
  );
}

/**
 * Emails a sign-in link to a member for staff or a program. It is one email to the address of the member, with the same link as
 * `requestSignInLink` sends, and counts against the budget of the mailbox.
 *
 * @throws NOT_FOUND; CONFLICT, reason CANNOT_SIGN_IN, for former members, unconfirmed addresses and those of other accounts
 */
export const sendMemberSignInLink = (ctx: Context, memberId: string): Promise<void> =>
  runInTransaction(ctx, async (ctx) => {
    if (!isUuid(memberId) || (await ctx.db.member.count({ where: { id: memberId } })) === 0)
      throw notFound('member');
    const member = await findEligibleMember(ctx, { id: memberId });
    if (member === null) throw cannotSignIn();
    await recordAction(ctx, 'member.sign_in_link_sent', [memberId]);
    await sendSignInLink(ctx, member, ctx.baseUrl, {
      // An API token can send to every member, so its emails have a smaller budget than those of staff.
      priority: ctx.viewer.kind === 'token' ? 'requested' : 'essential',
      toFootnote: ({ text }) => text('signIn.fromStaff', { url: `${ctx.baseUrl}/my/sign-in` }),
    });
  });

/**
 * Signs a member out everywhere for staff or a program, for example after a phone was lost. Sign-in links that were sent before stop
 * working too.
 *
 * @throws NOT_FOUND
 */
export const endMemberSessions = (ctx: Context, memberId: string): Promise<void> =>
  runInTransaction(ctx, async (ctx) => {
    const { db } = ctx;
    if (!isUuid(memberId) || (await db.member.count({ where: { id: memberId } })) === 0)
      throw notFound('member');
    await recordAction(ctx, 'member.sessions_ended', [memberId]);
    // This waits for a link that is being used, and then sees its session.
    await db.signInLink.deleteMany({ where: { memberId, usedAt: null } });
    await endUserSessions(ctx, { memberId });
  });

const cannotSignIn = () =>
  new DomainError(
    'CONFLICT',
    'This member cannot sign in: they are a former member, their address is not confirmed, or it belongs to a staff account. Change the member first.',
    { reason: 'CANNOT_SIGN_IN' },
  );

/** SQL: whether a member can sign in, as `findEligibleMember` decides. */
export const toCanSignInSql = (row: string): string =>
  `(${row}.status <> 'former' AND ${row}.email_confirmed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM users other WHERE other.email = ${row}.email AND other.member_id IS DISTINCT FROM ${row}.id
      AND NOT EXISTS (SELECT FROM users own WHERE own.member_id = ${row}.id)))`;

async function sendSignInLink(
  ctx: Context,
  member: Member,
  baseUrl: string,
  email: { priority: MailPriority; toFootnote: (texts: EmailTexts) => string },
): Promise<void> {
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
  const texts = await readEmailTexts(ctx);
  await enqueueEmail(ctx, {
    to: member.email,
    priority: email.priority,
    subject: texts.text('signIn.subject'),
    ...renderEmail(texts, {
      greeting: formatGreeting(texts, member.name),
      paragraphs: [texts.text('signIn.text', { minutes: LINK_LIFETIME_MINUTES })],
      // Browsers do not send the part after the #, so no proxy can log the secret.
      action: { label: texts.text('signIn.action'), url: `${baseUrl}/my/sign-in#${plainText}` },
      footnote: email.toFootnote(texts),
    }),
  });
}

/**
 * Creates a session from a sign-in link and returns its secret, which is not stored. Of several concurrent requests with
 * one link, one succeeds. The member's other links expire with it.
 * @throws UNAUTHENTICATED with the same message for a used, an expired and an unknown link.
 */
export async function redeemSignInLink(
  ctx: Context,
  secret: string,
  browser?: string,
): Promise<SignInSecrets> {
  if (!isWellFormedSecret('signInLink', secret)) throw invalidSignInLink();
  return runInTransaction(ctx, async (ctx) => {
    const now = ctx.now();
    // The condition is part of the update, so a concurrent second request finds no row.
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

/** Finds a member who can sign in. An address that belongs to another account does not qualify. */
async function findEligibleMember(
  { db }: Context,
  where: { email: string } | { id: string },
): Promise<Member | null> {
  const member = await db.member.findUnique({ where, include: { user: true } });
  if (member === null || member.status === 'former' || !member.emailConfirmedAt) return null;
  if (member.user) return member;
  return (await db.user.count({ where: { email: member.email } })) === 0 ? member : null;
}

/** Creates the user at the first sign-in. Concurrent sign-ins create one. */
async function getOrCreateUser({ db }: Context, { id, name, email }: Member): Promise<string> {
  await db.user.createMany({ data: { name, email, memberId: id }, skipDuplicates: true });
  const user = await db.user.findUnique({ where: { memberId: id } });
  if (user === null) throw invalidSignInLink(); // another account took the address in the meantime
  return user.id;
}

/** Job: deletes links that expired at least a day ago and returns how many. */
export async function purgeSignInLinks({ db, now }: Context): Promise<number> {
  const { count } = await db.signInLink.deleteMany({
    where: { expiresAt: { lt: new Date(now().getTime() - SIGN_IN_LINK_RETENTION_MS) } },
  });
  return count;
}

const invalidSignInLink = () =>
  new DomainError('UNAUTHENTICATED', 'This link has been used or has expired. Request a new one.', {
    reason: 'LINK_INVALID',
  });
