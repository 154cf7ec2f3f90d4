import { endUserSessions } from '../../../auth/sessions.ts';
import { createSecret, hashSecret, isWellFormedSecret } from '../../../auth/tokens.ts';
import { hasAccess, MANAGING_ROLES } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import type { InputOf } from '../../../core/validation.ts';
import { rejectDuplicate } from '../../../db/constraint-errors.ts';
import type { Member, MemberEmailChange } from '../../../db/generated/client.ts';
import { type Projection, projectInstant, projectUnescaped } from '../../../db/json-projection.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordAction, recordUpdated } from '../../../journal/record-changes.ts';
import type { approveEmailChangeInput } from '../inputs.ts';
import {
  sendAddressChanged,
  sendAddressConfirmation,
  sendChangeRequest,
  sendFirstConfirmation,
} from '../notifications.ts';

/** How long the links in the emails are valid. */
const CONFIRMATION_DAYS = 7;

/** The outcome of opening a link. */
export type EmailConfirmation = 'confirmed' | 'awaiting_confirmation' | 'awaiting_approval';

/** Emails a confirmation link to a member whom a token has created. Runs in the caller's transaction. */
export const requestFirstConfirmation = (ctx: Context, member: Member): Promise<void> =>
  saveEmailChange(ctx, member, { email: member.email, approvedAt: ctx.now() });

/**
 * Starts a change of address and replaces an earlier pending one. The member keeps the current address until the new one is
 * confirmed. A change by a token or the front desk also needs the approval of the current address or of a manager, even if the current
 * address was never confirmed. Otherwise they could take over a member with a plan or bookings. The same holds for a change by
 * staff who no longer manage the space when it is confirmed. Runs in the caller's transaction.
 *
 * @throws CONFLICT, reason TAKEN
 */
export async function requestEmailChange(
  ctx: Context,
  member: Member,
  email: string,
): Promise<void> {
  await assertAddressAvailable(ctx, member, email);
  const needsApproval = !hasAccess(ctx.viewer, 'staff:manage');
  await saveEmailChange(ctx, member, { email, approvedAt: needsApproval ? null : ctx.now() });
  await recordAction(ctx, 'member.email_change_requested', [member.id]);
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
    email,
    approvedAt,
    approvedById: approvedAt && ctx.viewer.kind === 'staff' ? ctx.viewer.id : null,
    confirmedAt: null,
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

/**
 * Checks early, for a helpful error. The unique index decides once the address is confirmed.
 * @throws CONFLICT, reason TAKEN
 */
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
    throw new DomainError('CONFLICT', `The email address ${email} is already in use.`, {
      reason: 'TAKEN',
      fields: ['email'],
    });
  }
}

/** Projects a pending new address. */
export const toEmailChangeProjection = (row: string): Projection => ({
  email: `${row}.email`,
  confirmedAt: projectUnescaped(projectInstant(`${row}.confirmed_at`)),
  approvedAt: projectUnescaped(projectInstant(`${row}.approved_at`)),
  createdAt: projectUnescaped(projectInstant(`${row}.created_at`)),
  expiresAt: projectUnescaped(projectInstant(`${row}.expires_at`)),
});

/** The conditions of `findEmailChanges`. */
export const toEmailChangeConditions = (row: string, memberId: string, now: string): string[] => [
  `${row}.member_id = ${memberId} AND ${row}.expires_at > ${now}`,
  `${row}.email <> (SELECT changing.email FROM members changing WHERE changing.id = ${memberId})`,
];

/** Finds the pending new addresses of these members, by member id. Null if there is none. */
export async function findEmailChanges(
  { db, now }: Context,
  memberIds: string[],
): Promise<Map<string, MemberEmailChange | null>> {
  const changes = await db.memberEmailChange.findMany({
    where: { memberId: { in: memberIds }, expiresAt: { gt: now() } },
    include: { member: { select: { email: true } } },
  });
  const pending = new Map(
    changes
      .filter(({ email, member }) => email !== member.email)
      .map(({ member: _, ...change }) => [change.memberId, change]),
  );
  return new Map(memberIds.map((id) => [id, pending.get(id) ?? null]));
}

/**
 * Confirms or approves a change of address. The secret sent to the new address confirms it, the secret sent to the current
 * address approves it. After both, the address changes, the old address is notified, and all sessions, sign-in links and
 * calendar feeds of the member end. Each link works once.
 *
 * @throws NOT_FOUND, reason LINK_INVALID; CONFLICT, reason TAKEN
 */
export async function confirmEmail(ctx: Context, secret: string): Promise<EmailConfirmation> {
  if (!isWellFormedSecret('emailConfirmation', secret)) throw linkInvalid();
  return runInTransaction(ctx, async (ctx) => {
    const now = ctx.now();
    const hash = hashSecret(secret);
    const isCurrent = { expiresAt: { gt: now } };
    // The condition is part of the update, so the second of two requests with one link matches no row.
    const [confirmed] = await ctx.db.memberEmailChange.updateManyAndReturn({
      where: { confirmHash: hash, confirmedAt: null, ...isCurrent },
      data: { confirmedAt: now },
    });
    if (confirmed) return completeEmailChange(ctx, confirmed, 'secret');
    const [approved] = await ctx.db.memberEmailChange.updateManyAndReturn({
      where: { approveHash: hash, approvedAt: null, ...isCurrent },
      data: { approvedAt: now },
    });
    if (approved) return completeEmailChange(ctx, approved, 'secret');
    throw linkInvalid();
  });
}

/**
 * Approves, as a manager, a change that a token or the front desk requested, or staff who do not manage the space any more. Approves it
 * only if it is still to the address that the manager has read; older clients do not say which.
 *
 * @throws NOT_FOUND when no change awaits approval; CONFLICT, reason OTHER_ADDRESS, if it is to another address now
 */
export const approveEmailChange = (
  ctx: Context,
  { id: memberId, email }: InputOf<typeof approveEmailChangeInput>,
): Promise<EmailConfirmation> =>
  runInTransaction(ctx, async (ctx) => {
    const pending = { memberId, approvedAt: null, expiresAt: { gt: ctx.now() } };
    const [approved] = await ctx.db.memberEmailChange.updateManyAndReturn({
      where: { ...pending, ...(email != null && { email: email.toLowerCase() }) },
      data: {
        approvedAt: ctx.now(),
        approvedById: ctx.viewer.kind === 'staff' ? ctx.viewer.id : null,
      },
    });
    if (approved) return completeEmailChange(ctx, approved, 'id');
    if ((await ctx.db.memberEmailChange.count({ where: pending })) === 0)
      throw notFound('address change');
    throw otherAddress();
  });

/**
 * Rejects a change with the link sent to the current address.
 *
 * @throws NOT_FOUND, reason LINK_INVALID
 */
export function rejectEmailChange(ctx: Context, secret: string): Promise<string> {
  return runInTransaction(ctx, async (ctx) => {
    const { db } = ctx;
    const isWellFormed = isWellFormedSecret('emailConfirmation', secret);
    const where = { approveHash: hashSecret(secret) };
    const change = isWellFormed ? await db.memberEmailChange.findFirst({ where }) : null;
    if (change === null || (await db.memberEmailChange.deleteMany({ where })).count === 0)
      throw linkInvalid();
    await recordAction(ctx, 'member.email_change_cancelled', [change.memberId]);
    return change.email;
  });
}

/** Cancels a pending change, so that the member keeps the current address. Does nothing if there is none. */
export const cancelEmailChange = (ctx: Context, memberId: string): Promise<void> =>
  runInTransaction(ctx, async (ctx) => {
    const { count } = await ctx.db.memberEmailChange.deleteMany({ where: { memberId } });
    if (count > 0) await recordAction(ctx, 'member.email_change_cancelled', [memberId]);
  });

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
    await recordAction(ctx, 'member.confirmation_sent', [memberId]);
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
  /** The field of the input that names the change. */
  field: 'secret' | 'id',
): Promise<EmailConfirmation> {
  const { memberId, email } = change;
  if (change.confirmedAt === null) {
    await recordAction(ctx, 'member.email_change_approved', [memberId]);
    return 'awaiting_confirmation';
  }
  const before = await ctx.db.member.findUniqueOrThrow({ where: { id: memberId } });
  // The first confirmation of an address replaces none.
  const isApproved =
    before.email === email ||
    (change.approvedAt !== null && (await isApproverManager(ctx, change)));
  if (!isApproved) {
    if (change.approvedAt !== null) await requestApproval(ctx, before, email);
    await recordAction(ctx, 'member.email_change_confirmed', [memberId]);
    return 'awaiting_approval';
  }
  await ctx.db.memberEmailChange.delete({ where: { memberId } });
  const type = before.email === email ? 'member.updated' : 'member.email_changed';
  await rejectDuplicate(`The email address ${email}`, field, async () => {
    const data = { email, emailConfirmedAt: ctx.now() };
    await recordUpdated(ctx, type, [memberId], () =>
      ctx.db.member.update({ where: { id: memberId }, data }),
    );
    await ctx.db.user.updateMany({ where: { memberId }, data: { email } });
  });
  if (before.email === email) return 'confirmed';
  await ctx.db.signInLink.deleteMany({ where: { memberId, usedAt: null } });
  await endUserSessions(ctx, { memberId });
  await revokeFeeds(ctx, memberId);
  if (before.emailConfirmedAt !== null) await sendAddressChanged(ctx, { to: before, email });
  return 'confirmed';
}

/** Whether the person who requested or approved the change, if it was staff, manages the space now. */
async function isApproverManager(
  { db }: Context,
  { approvedById }: MemberEmailChange,
): Promise<boolean> {
  if (approvedById === null) return true;
  const where = { id: approvedById, disabledAt: null, role: { in: MANAGING_ROLES } };
  return (await db.user.count({ where })) > 0;
}

/** Asks the current address to approve a change that staff approved who can no longer do so. */
async function requestApproval(ctx: Context, member: Member, email: string): Promise<void> {
  const { plainText, hash } = createSecret('emailConfirmation');
  await ctx.db.memberEmailChange.update({
    where: { memberId: member.id },
    data: { approvedAt: null, approvedById: null, approveHash: hash },
  });
  await sendChangeRequest(ctx, { to: member, email, secret: plainText });
}

/**
 * Revokes the calendar feeds of the member's bookings and those that the member made: whoever used the old address may have
 * their URLs. A feed that is being made holds its session, so call it after the sessions have ended.
 */
async function revokeFeeds(ctx: Context, memberId: string): Promise<void> {
  const where = { OR: [{ memberId }, { createdBy: { memberId } }], revokedAt: null };
  const feeds = await ctx.db.calendarFeed.findMany({ where, select: { id: true } });
  const ids = feeds.map(({ id }) => id);
  await recordUpdated(ctx, 'calendar_feed.revoked', ids, () =>
    ctx.db.calendarFeed.updateMany({
      where: { id: { in: ids }, revokedAt: null },
      data: { revokedAt: ctx.now() },
    }),
  );
}

/** Job: deletes expired changes. */
export async function purgeEmailChanges({ db, now }: Context): Promise<void> {
  await db.memberEmailChange.deleteMany({ where: { expiresAt: { lte: now() } } });
}

const linkInvalid = () =>
  new DomainError(
    'NOT_FOUND',
    'This link has been used or has expired. Ask the space for a new one.',
    { reason: 'LINK_INVALID' },
  );

const otherAddress = () =>
  new DomainError(
    'CONFLICT',
    'The member is to get another address now. Read it again, then approve it.',
    { reason: 'OTHER_ADDRESS' },
  );

const nothingToConfirm = () =>
  new DomainError('CONFLICT', 'This member has no address to confirm.', {
    reason: 'NOTHING_TO_CONFIRM',
  });
