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

/** How long the links in the mails can be used. */
const CONFIRMATION_DAYS = 7;

/** What became of a link that was opened. */
export type EmailConfirmation = 'confirmed' | 'awaiting_confirmation' | 'awaiting_approval';

/** Sends the link to the address of a member whom a token has just made. In the caller's transaction. */
export const requestFirstConfirmation = (ctx: Context, member: Member): Promise<void> =>
  saveEmailChange(ctx, member, { email: member.email, approvedAt: ctx.now() });

/**
 * Has a new address wait for its confirmation; an earlier one that waits is dropped. Nothing about the member changes
 * until the new mailbox is shown to be theirs. A token proves nothing about the person: what it asks for also needs the
 * agreement of the present address or of a manager, even where nobody has confirmed the present one yet: staff may have
 * given the member a plan or bookings. Throws CONFLICT, reason TAKEN. In the caller's transaction.
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

/** The database has the last word, when the address is confirmed. */
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

/** The new address of this member that waits, if there is one. */
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
 * Takes the secret of either link: of the address that waits, or of the present address, which agrees. Once both have
 * said yes, the address changes, the former one is notified, and every session and sign-in link of the member ends.
 * Each link works once. Throws NOT_FOUND, reason LINK_INVALID; CONFLICT, reason TAKEN.
 */
export async function confirmEmail(ctx: Context, secret: string): Promise<EmailConfirmation> {
  if (!isWellFormedSecret('emailConfirmation', secret)) throw linkInvalid();
  return runInTransaction(ctx, async (ctx) => {
    const now = ctx.now();
    const hash = hashSecret(secret);
    const open = { expiresAt: { gt: now } };
    // The conditions stand in the statements: whoever comes second finds nothing.
    const [confirmed] = await ctx.db.memberEmailChange.updateManyAndReturn({
      where: { confirmHash: hash, confirmedAt: null, ...open },
      data: { confirmedAt: now },
    });
    if (confirmed) return completeEmailChange(ctx, confirmed);
    const [approved] = await ctx.db.memberEmailChange.updateManyAndReturn({
      where: { approveHash: hash, approvedAt: null, ...open },
      data: { approvedAt: now },
    });
    if (approved) return completeEmailChange(ctx, approved);
    throw linkInvalid();
  });
}

/** A manager agrees to a change that a token asked for. Throws NOT_FOUND where none waits for that. */
export const approveEmailChange = (ctx: Context, memberId: string): Promise<EmailConfirmation> =>
  runInTransaction(ctx, async (ctx) => {
    const [approved] = await ctx.db.memberEmailChange.updateManyAndReturn({
      where: { memberId, approvedAt: null, expiresAt: { gt: ctx.now() } },
      data: { approvedAt: ctx.now() },
    });
    if (!approved) throw notFound('change of address');
    return completeEmailChange(ctx, approved);
  });

/** The holder of the present address says no. Throws NOT_FOUND, reason LINK_INVALID. */
export async function rejectEmailChange({ db }: Context, secret: string): Promise<true> {
  const isOurs = isWellFormedSecret('emailConfirmation', secret);
  const where = { approveHash: hashSecret(secret) };
  if (!isOurs || (await db.memberEmailChange.deleteMany({ where })).count === 0)
    throw linkInvalid();
  return true;
}

/** The member keeps the present address. Twice is once. */
export async function cancelEmailChange({ db }: Context, memberId: string): Promise<void> {
  await db.memberEmailChange.deleteMany({ where: { memberId } });
}

/**
 * Sends a new link to the address that waits; the one before stops working. Throws NOT_FOUND for the member; CONFLICT,
 * reason NOTHING_TO_CONFIRM, where no address waits.
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

/** Deletes what nobody confirmed in time. */
export async function purgeEmailChanges({ db, now }: Context): Promise<void> {
  await db.memberEmailChange.deleteMany({ where: { expiresAt: { lte: now() } } });
}

const linkInvalid = () =>
  new DomainError(
    'NOT_FOUND',
    'This link does not work any more: it was used already, or is too old. Ask the space for a new one.',
    { reason: 'LINK_INVALID' },
  );

const nothingToConfirm = () =>
  new DomainError('CONFLICT', 'No address of this member waits to be confirmed.', {
    reason: 'NOTHING_TO_CONFIRM',
  });
