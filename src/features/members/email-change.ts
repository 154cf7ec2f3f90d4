import { createSecret, hashSecret, isWellFormedSecret } from '../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../context.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import { rejectDuplicate } from '../../db/constraint-errors.ts';
import type { Member, MemberEmailChange } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';
import { publishDomainEvent } from '../../integrations/webhooks/publish-event.ts';
import {
  sendAddressChanged,
  sendAddressConfirmation,
  sendChangeRequest,
  sendFirstConfirmation,
} from './notifications.ts';

/** How long the links in the emails are valid. */
const CONFIRMATION_DAYS = 7;

/** The outcome of opening a link. */
export type EmailConfirmation = 'confirmed' | 'awaiting_confirmation' | 'awaiting_approval';

/** Emails a confirmation link to a member that a token has just created. Runs in the caller's transaction. */
export const requestFirstConfirmation = (ctx: Context, member: Member): Promise<void> =>
  saveEmailChange(ctx, member, { email: member.email, approvedAt: ctx.now() });

/**
 * Starts a change of address and replaces an earlier pending one. The member keeps the current address until the new one
 * is confirmed. A change by a token also needs approval from the current address or a manager, even if the current
 * address was never confirmed, because a token could otherwise take over a member with a plan or bookings. Runs in the
 * caller's transaction.
 *
 * @throws CONFLICT, reason TAKEN
 */
export async function requestEmailChange(
  ctx: Context,
  member: Member,
  email: string,
): Promise<void> {
  await assertAddressAvailable(ctx, member, email);
  const needsApproval = ctx.viewer.kind === 'token';
  await saveEmailChange(ctx, member, { email, approvedAt: needsApproval ? null : ctx.now() });
}

async function saveEmailChange(
  ctx: Context,
  member: Member,
  { email, approvedAt }: { email: string; approvedAt: Date | null },
): Promise<void> {
  const now = ctx.now();
  const confirm = createSecret('emailConfirmation');
  const approve = approvedAt === null ? createSecret('emailConfirmation') : null;
  const change = {
    ...{ email, approvedAt, confirmedAt: null },
    confirmHash: confirm.hash,
    approveHash: approve?.hash ?? null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + CONFIRMATION_DAYS * DAY_MS),
  };
  await ctx.db.memberEmailChange.upsert({
    where: { memberId: member.id },
    create: { memberId: member.id, ...change },
    update: change,
  });
  await sendConfirmation(ctx, member, email, confirm.plainText);
  if (approve) await sendChangeRequest(ctx, { to: member, email, secret: approve.plainText });
}

const sendConfirmation = (ctx: Context, member: Member, email: string, secret: string) =>
  email === member.email
    ? sendFirstConfirmation(ctx, { email, secret, days: CONFIRMATION_DAYS })
    : sendAddressConfirmation(ctx, { email, secret, days: CONFIRMATION_DAYS });

/** An early check for the caller; the unique index decides when the address is confirmed. */
async function assertAddressAvailable(
  { db }: Context,
  { id }: Member,
  email: string,
): Promise<void> {
  const members = await db.member.count({ where: { email, id: { not: id } } });
  const users = await db.user.count({
    where: { email, OR: [{ memberId: null }, { memberId: { not: id } }] },
  });
  if (members + users > 0) {
    throw new DomainError('CONFLICT', `The e-mail address ${email} is taken.`, { reason: 'TAKEN' });
  }
}

/** Finds the pending new address of a member; null if there is none. */
export async function findEmailChange(
  { db, now }: Context,
  memberId: string,
): Promise<MemberEmailChange | null> {
  const change = await db.memberEmailChange.findUnique({
    where: { memberId },
    include: { member: { select: { email: true } } },
  });
  if (change === null || change.expiresAt <= now() || change.email === change.member.email) {
    return null;
  }
  return change;
}

/**
 * Accepts the secret of either link: the one sent to the new address confirms it, the one sent to the current address
 * approves the change. When both are done, the address changes, the old address is notified, and all sessions and
 * sign-in links of the member end. Each link works once.
 *
 * @throws NOT_FOUND, reason LINK_INVALID; CONFLICT, reason TAKEN
 */
export async function confirmEmail(ctx: Context, secret: string): Promise<EmailConfirmation> {
  if (!isWellFormedSecret('emailConfirmation', secret)) throw linkInvalid();
  return runInTransaction(ctx, async (ctx) => {
    const now = ctx.now();
    const hash = hashSecret(secret);
    const isValid = { expiresAt: { gt: now } };
    // Conditional updates: of two requests with one link, the second matches nothing.
    const [confirmed] = await ctx.db.memberEmailChange.updateManyAndReturn({
      where: { confirmHash: hash, confirmedAt: null, ...isValid },
      data: { confirmedAt: now },
    });
    if (confirmed) return completeEmailChange(ctx, confirmed);
    const [approved] = await ctx.db.memberEmailChange.updateManyAndReturn({
      where: { approveHash: hash, approvedAt: null, ...isValid },
      data: { approvedAt: now },
    });
    if (approved) return completeEmailChange(ctx, approved);
    throw linkInvalid();
  });
}

/**
 * Approves, as a manager, a change that a token requested.
 *
 * @throws NOT_FOUND when no change awaits approval
 */
export const approveEmailChange = (ctx: Context, memberId: string): Promise<EmailConfirmation> =>
  runInTransaction(ctx, async (ctx) => {
    const [approved] = await ctx.db.memberEmailChange.updateManyAndReturn({
      where: { memberId, approvedAt: null, expiresAt: { gt: ctx.now() } },
      data: { approvedAt: ctx.now() },
    });
    if (!approved) throw notFound('change of address');
    return completeEmailChange(ctx, approved);
  });

/**
 * Rejects a change with the link sent to the current address.
 *
 * @throws NOT_FOUND, reason LINK_INVALID
 */
export async function rejectEmailChange({ db }: Context, secret: string): Promise<true> {
  const isWellFormed = isWellFormedSecret('emailConfirmation', secret);
  const where = { approveHash: hashSecret(secret) };
  if (!isWellFormed || (await db.memberEmailChange.deleteMany({ where })).count === 0)
    throw linkInvalid();
  return true;
}

/** Cancels a pending change; the member keeps the current address. Repeating it changes nothing. */
export async function cancelEmailChange({ db }: Context, memberId: string): Promise<void> {
  await db.memberEmailChange.deleteMany({ where: { memberId } });
}

/**
 * Emails a new confirmation link to the pending address. The previous link stops working.
 *
 * @throws NOT_FOUND for the member; CONFLICT, reason NOTHING_TO_CONFIRM, when no address is pending
 */
export const resendConfirmation = (ctx: Context, memberId: string): Promise<void> =>
  runInTransaction(ctx, async (ctx) => {
    const member = await ctx.db.member.findUnique({
      where: { id: memberId },
      include: { emailChange: true },
    });
    if (member === null) throw notFound('member');
    const { emailChange: change } = member;
    if (change === null) {
      if (member.emailConfirmedAt !== null) throw nothingToConfirm();
      return requestFirstConfirmation(ctx, member);
    }
    if (change.confirmedAt !== null) throw nothingToConfirm();
    const { plainText, hash } = createSecret('emailConfirmation');
    const expiresAt = new Date(ctx.now().getTime() + CONFIRMATION_DAYS * DAY_MS);
    await ctx.db.memberEmailChange.update({
      where: { memberId },
      data: { confirmHash: hash, expiresAt },
    });
    await sendConfirmation(ctx, member, change.email, plainText);
  });

async function completeEmailChange(
  ctx: Context,
  change: MemberEmailChange,
): Promise<EmailConfirmation> {
  if (change.confirmedAt === null) return 'awaiting_confirmation';
  if (change.approvedAt === null) return 'awaiting_approval';
  const { memberId, email } = change;
  await ctx.db.memberEmailChange.delete({ where: { memberId } });
  const before = await ctx.db.member.findUniqueOrThrow({ where: { id: memberId } });
  const after = await rejectDuplicate(`The e-mail address ${email}`, async () => {
    const data = { email, emailConfirmedAt: ctx.now() };
    const member = await ctx.db.member.update({ where: { id: memberId }, data });
    await ctx.db.user.updateMany({ where: { memberId }, data: { email } });
    return member;
  });
  if (before.email === email) return 'confirmed';
  await ctx.db.signInLink.deleteMany({ where: { memberId, usedAt: null } });
  await ctx.db.session.deleteMany({ where: { user: { memberId } } });
  if (before.emailConfirmedAt !== null) await sendAddressChanged(ctx, { to: before, email });
  await publishDomainEvent(ctx, 'member.updated', () => [{ member: after }]);
  return 'confirmed';
}

/** Deletes expired changes. */
export async function purgeEmailChanges({ db, now }: Context): Promise<void> {
  await db.memberEmailChange.deleteMany({ where: { expiresAt: { lte: now() } } });
}

const linkInvalid = () =>
  new DomainError(
    'NOT_FOUND',
    'This link no longer works: it was already used or has expired. Ask the space for a new one.',
    { reason: 'LINK_INVALID' },
  );

const nothingToConfirm = () =>
  new DomainError('CONFLICT', 'This member has no address to confirm.', {
    reason: 'NOTHING_TO_CONFIRM',
  });
