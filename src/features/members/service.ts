import { type Context, runInTransaction } from '../../context.ts';
import { generateCode, isUuid } from '../../core/ids.ts';
import {
  orderByName,
  type Page,
  type PageRequest,
  toPageByName,
  whereAfterName,
} from '../../core/pagination.ts';
import { rejectDuplicate } from '../../db/constraint-errors.ts';
import type { Member, MemberStatus } from '../../db/generated/client.ts';
import { notFound } from '../../errors.ts';
import { publishDomainEvent } from '../../integrations/webhooks/publish-event.ts';
import { lockTeam } from '../teams/service.ts';
import { requestEmailChange, requestFirstConfirmation } from './email-change.ts';

export type { Member };

interface MemberFilter {
  /** Part of the name or email address. */
  q?: string | undefined;
  status?: MemberStatus | undefined;
  teamId?: string | undefined;
}

/** Lists members by name. */
export async function listMembers(
  { db }: Context,
  { q, status, teamId }: MemberFilter,
  page: PageRequest,
): Promise<Page<Member>> {
  // Prisma does not escape the wildcards of LIKE.
  const pattern = q?.trim().replace(/[\\%_]/g, '\\$&');
  const contains = pattern ? { contains: pattern, mode: 'insensitive' as const } : undefined;
  const rows = await db.member.findMany({
    where: {
      AND: [
        whereAfterName(page),
        status ? { status } : {},
        teamId ? { teamId } : {},
        contains ? { OR: [{ name: contains }, { email: contains }] } : {},
      ],
    },
    orderBy: orderByName,
    take: page.limit + 1,
  });
  return toPageByName(rows, page.limit);
}

/** @throws NOT_FOUND */
export async function getMember({ db }: Context, id: string): Promise<Member> {
  const member = isUuid(id) ? await db.member.findUnique({ where: { id } }) : null;
  if (member === null) throw notFound('member');
  return member;
}

/** Finds the record of the member who is signed in; null for any other caller. */
export const findOwnMember = async (ctx: Context): Promise<Member | null> =>
  ctx.viewer.kind === 'member' ? getMember(ctx, ctx.viewer.id) : null;

/** Finds those of these members that exist, in any order. */
export const findMembersByIds = ({ db }: Context, ids: string[]): Promise<Member[]> =>
  db.member.findMany({ where: { id: { in: ids } } });

/** Finds the members of these teams, each sorted by name. */
export async function findMembersByTeam(
  { db }: Context,
  teamIds: string[],
): Promise<Map<string, Member[]>> {
  const rows = await db.member.findMany({
    where: { teamId: { in: teamIds } },
    orderBy: orderByName,
  });
  return new Map(teamIds.map((id) => [id, rows.filter(({ teamId }) => teamId === id)]));
}

/**
 * Creates a member and publishes `member.created`. When a token creates the member, they must confirm their address
 * before they can sign in. An address that staff enters counts as confirmed.
 *
 * @throws CONFLICT when the address belongs to another member, NOT_FOUND for the team
 */
export function createMember(
  ctx: Context,
  input: {
    name: string;
    email: string;
    phone?: string | undefined;
    company?: string | undefined;
    teamId?: string | undefined;
  },
): Promise<Member> {
  const { name, phone = null, company = null, teamId = null } = input;
  const email = input.email.toLowerCase();
  const isUnconfirmed = ctx.viewer.kind === 'token';
  return runInTransaction(ctx, async (ctx) => {
    if (teamId !== null) await lockTeam(ctx, teamId);
    const member = await rejectDuplicate(`The e-mail address ${email}`, () =>
      ctx.db.member.create({
        data: {
          ...{ name, email, phone, company, teamId },
          code: generateMemberCode(),
          emailConfirmedAt: isUnconfirmed ? null : ctx.now(),
        },
      }),
    );
    if (isUnconfirmed) await requestFirstConfirmation(ctx, member);
    await publishDomainEvent(ctx, 'member.created', () => [{ member }]);
    return member;
  });
}

interface MemberChanges {
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | null | undefined;
  company?: string | null | undefined;
  status?: MemberStatus | undefined;
  teamId?: string | null | undefined;
}

/**
 * Updates a member and publishes `member.updated`. Omitted fields stay as they are. A new email address takes effect
 * when it is confirmed. Members whose status becomes `former` are signed out everywhere.
 *
 * @throws NOT_FOUND for the member and the team, CONFLICT when the address is taken
 */
export function updateMember(ctx: Context, id: string, changes: MemberChanges): Promise<Member> {
  const { email, ...data } = changes;
  return runInTransaction(ctx, async (ctx) => {
    const before = await getMember(ctx, id);
    if (changes.teamId) await lockTeam(ctx, changes.teamId);
    const after = await ctx.db.member.update({ where: { id }, data });
    await ctx.db.user.updateMany({ where: { memberId: id }, data: { name: after.name } });
    const newEmail = email?.toLowerCase();
    if (newEmail !== undefined && newEmail !== before.email) {
      await requestEmailChange(ctx, after, newEmail);
    }
    if (after.status === 'former') {
      await ctx.db.session.deleteMany({ where: { user: { memberId: id } } });
    }
    await publishDomainEvent(ctx, 'member.updated', () => [{ member: after }]);
    return after;
  });
}

/** Generates the content of a member's QR code. */
export const generateMemberCode = () => generateCode(10);

export {
  approveEmailChange,
  cancelEmailChange,
  confirmEmail,
  findEmailChange,
  purgeEmailChanges,
  rejectEmailChange,
  resendConfirmation,
} from './email-change.ts';
