import { endUserSessions } from '../../../auth/sessions.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { generateCode, isUuid } from '../../../core/ids.ts';
import type { InputOf } from '../../../core/validation.ts';
import { rejectCustomerNumber, rejectDuplicate } from '../../../db/constraint-errors.ts';
import type { Member } from '../../../db/generated/client.ts';
import { notFound } from '../../../errors.ts';
import { recordCreated, recordDeleted, recordUpdated } from '../../../journal/record-changes.ts';
import { lockTeam } from '../../teams/service.ts';
import type { createMemberInput, updateMemberInput } from '../inputs.ts';
import { sendWelcome } from '../notifications.ts';
import { requestEmailChange, requestFirstConfirmation } from './email-change.ts';

/** Gets a member. @throws NOT_FOUND */
export async function getMember({ db }: Context, id: string): Promise<Member> {
  const member = isUuid(id) ? await db.member.findUnique({ where: { id } }) : null;
  if (member === null) throw notFound('member');
  return member;
}

/** Finds the member who is signed in, or null for any other caller. */
export const findOwnMember = async (ctx: Context): Promise<Member | null> =>
  ctx.viewer.kind === 'member' ? getMember(ctx, ctx.viewer.id) : null;

/**
 * Creates a member. Members whom a token creates must confirm their address before they can
 * sign in. An address that staff enter counts as confirmed, and gets a welcome email by default.
 *
 * @throws CONFLICT when the address or the customer number belongs to another member, NOT_FOUND for the team
 *
 * @example
 * const member = await createMember(ctx, { name: 'Nora Lind', email: 'nora@example.org' });
 */
export function createMember(
  ctx: Context,
  input: InputOf<typeof createMemberInput>,
): Promise<Member> {
  const { sendWelcomeEmail = ctx.viewer.kind === 'staff', teamId = null, ...fields } = input;
  const email = input.email.toLowerCase();
  const isUnconfirmed = ctx.viewer.kind === 'token';
  return runInTransaction(ctx, async (ctx) => {
    if (teamId !== null) await lockTeam(ctx, teamId);
    const create = () =>
      ctx.db.member.create({
        data: {
          ...fields,
          email,
          teamId,
          code: generateMemberCode(),
          emailConfirmedAt: isUnconfirmed ? null : ctx.now(),
        },
      });
    const member = await rejectDuplicate(`The email address ${email}`, 'email', () =>
      rejectCustomerNumber(fields.customerNumber, create),
    );
    await recordCreated(ctx, 'member.created', [member.id]);
    if (isUnconfirmed) await requestFirstConfirmation(ctx, member);
    else if (sendWelcomeEmail) await sendWelcome(ctx, member);
    return member;
  });
}

/**
 * Updates a member. Omitted fields stay unchanged. A new email address takes effect once it
 * is confirmed. Members who become `former` are signed out everywhere.
 *
 * @throws NOT_FOUND for the member and the team, CONFLICT if the address or the customer number is in use
 */
export function updateMember(
  ctx: Context,
  id: string,
  changes: Omit<InputOf<typeof updateMemberInput>, 'id'>,
): Promise<Member> {
  const { email, ...data } = changes;
  return runInTransaction(ctx, async (ctx) => {
    const before = await getMember(ctx, id);
    if (changes.teamId) await lockTeam(ctx, changes.teamId);
    const after = await recordUpdated(ctx, 'member.updated', [id], () =>
      rejectCustomerNumber(data.customerNumber, () =>
        ctx.db.member.update({ where: { id }, data }),
      ),
    );
    await ctx.db.user.updateMany({ where: { memberId: id }, data: { name: after.name } });
    const newEmail = email?.toLowerCase();
    if (newEmail !== undefined && newEmail !== before.email) {
      await requestEmailChange(ctx, after, newEmail);
    }
    if (after.status === 'former') {
      await endUserSessions(ctx, { memberId: id });
    }
    return after;
  });
}

/**
 * Deletes members whom nothing refers to, with their sign-in links and unconfirmed addresses. Callers have locked their teams
 * and memberships, and checked that nothing depends on them.
 */
export const deleteMembers = (ctx: Context, ids: string[]): Promise<void> =>
  runInTransaction(ctx, async (ctx) => {
    await recordDeleted(ctx, 'member.deleted', ids);
    // One statement, for any number of members: Prisma would send several.
    await ctx.db.$executeRaw`DELETE FROM members WHERE id = ANY (${ids}::uuid[])`;
  });

/** Generates the code of a member, which their QR code contains. */
export const generateMemberCode = () => generateCode(10);
