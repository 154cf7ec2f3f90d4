import { type Ctx, inTransaction } from '../../context.ts';
import type { Member, MemberStatus } from '../../db/generated/client.ts';
import { refuseTaken } from '../../db/refusals.ts';
import { notFound } from '../../errors.ts';
import { afterName, byName, type Page, type PageRequest, pageByName } from '../../page.ts';
import { isUuid } from '../../values.ts';
import { keepTeam } from '../teams/service.ts';
import { emit } from '../webhooks/emit.ts';
import { memberCode } from './code.ts';
import { askToConfirmFirst, requestEmailChange } from './email-change.ts';

export type { Member };

interface MemberFilter {
  /** Part of the name or of the e-mail address. */
  q?: string | undefined;
  status?: MemberStatus | undefined;
  teamId?: string | undefined;
}

/** By name. */
export async function list(
  { db }: Ctx,
  { q, status, teamId }: MemberFilter,
  page: PageRequest,
): Promise<Page<Member>> {
  // Prisma lets the wildcards of LIKE through.
  const words = q?.trim().replace(/[\\%_]/g, '\\$&');
  const contains = words ? { contains: words, mode: 'insensitive' as const } : undefined;
  const rows = await db.member.findMany({
    where: {
      AND: [
        afterName(page),
        status ? { status } : {},
        teamId ? { teamId } : {},
        contains ? { OR: [{ name: contains }, { email: contains }] } : {},
      ],
    },
    orderBy: byName,
    take: page.limit + 1,
  });
  return pageByName(rows, page.limit);
}

/** Throws NOT_FOUND. */
export async function get({ db }: Ctx, id: string): Promise<Member> {
  const member = isUuid(id) ? await db.member.findUnique({ where: { id } }) : null;
  if (member === null) throw notFound('member');
  return member;
}

/** The record of the member who is calling; null for everybody else. */
export const ownRecord = async (ctx: Ctx): Promise<Member | null> =>
  ctx.viewer.kind === 'member' ? get(ctx, ctx.viewer.id) : null;

export const membersById = ({ db }: Ctx, ids: string[]): Promise<Member[]> =>
  db.member.findMany({ where: { id: { in: ids } } });

/** By team, each by name. */
export async function membersOfTeams(
  { db }: Ctx,
  teamIds: string[],
): Promise<Map<string, Member[]>> {
  const rows = await db.member.findMany({ where: { teamId: { in: teamIds } }, orderBy: byName });
  return new Map(teamIds.map((id) => [id, rows.filter(({ teamId }) => teamId === id)]));
}

/**
 * A member made by a token confirms the address before they can sign in; whom staff makes, staff knows. Throws CONFLICT
 * when the e-mail address belongs to a member already, NOT_FOUND for the team.
 */
export function create(
  ctx: Ctx,
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
  return inTransaction(ctx, async (ctx) => {
    if (teamId !== null) await keepTeam(ctx, teamId);
    const member = await refuseTaken(`The e-mail address ${email}`, () =>
      ctx.db.member.create({
        data: {
          ...{ name, email, phone, company, teamId },
          code: memberCode(),
          emailConfirmedAt: isUnconfirmed ? null : ctx.now(),
        },
      }),
    );
    if (isUnconfirmed) await askToConfirmFirst(ctx, member);
    await emit(ctx, 'member.created', () => [{ member }]);
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
 * What is not named stays. Who signs in as this member is renamed along; one who becomes former is signed out
 * everywhere. A new e-mail address waits until it is confirmed: until then the member keeps the old one. Throws NOT_FOUND
 * for the member and the team, CONFLICT when the e-mail address is somebody's already.
 */
export function update(ctx: Ctx, id: string, changes: MemberChanges): Promise<Member> {
  const { email, ...others } = changes;
  return inTransaction(ctx, async (ctx) => {
    const before = await get(ctx, id);
    if (changes.teamId) await keepTeam(ctx, changes.teamId);
    const after = await ctx.db.member.update({ where: { id }, data: others });
    await ctx.db.user.updateMany({ where: { memberId: id }, data: { name: after.name } });
    const wanted = email?.toLowerCase();
    if (wanted !== undefined && wanted !== before.email) {
      await requestEmailChange(ctx, after, wanted);
    }
    if (after.status === 'former') {
      await ctx.db.session.deleteMany({ where: { user: { memberId: id } } });
    }
    await emit(ctx, 'member.updated', () => [{ member: after }]);
    return after;
  });
}
