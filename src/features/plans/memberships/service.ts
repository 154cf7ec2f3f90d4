import { type Ctx, inTransaction } from '../../../context.ts';
import { type Day, isDay, toColumn } from '../../../dates.ts';
import { isExclusion, isInUse } from '../../../db/refusals.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { decodeCursor, type Page, type PageRequest, pageOf } from '../../../page.ts';
import { isUuid } from '../../../values.ts';
import { checkDays, holderOf, keep, overlapping } from './contracts.ts';
import { type Membership, meets, SHOWN, toMembership } from './membership.ts';

export type { Membership };

interface MembershipFilter {
  memberId?: string | undefined;
  teamId?: string | undefined;
  planId?: string | undefined;
  /** That run on this day. */
  activeOn?: Day | undefined;
}

/** What a list is sorted by: the latest first. */
export const position = ({ startsOn, id }: Membership): [string, string] => [startsOn, id];
const LATEST_FIRST = [{ startsOn: 'desc' as const }, { id: 'desc' as const }];

export async function list(
  { db }: Ctx,
  { activeOn, memberId, teamId, planId }: MembershipFilter,
  page: PageRequest,
): Promise<Page<Membership>> {
  const rows = await db.membership.findMany({
    ...SHOWN,
    where: {
      AND: [
        before(page.cursor),
        memberId ? { memberId } : {},
        teamId ? { teamId } : {},
        planId ? { planId } : {},
        activeOn ? meets(activeOn, activeOn) : {},
      ],
    },
    orderBy: LATEST_FIRST,
    take: page.limit + 1,
  });
  return pageOf(rows.map(toMembership), page.limit, position);
}

function before(cursor: string | undefined) {
  if (cursor === undefined) return {};
  const [day, id] = decodeCursor(cursor, isDay);
  const startsOn = toColumn(day);
  return {
    startsOn: { lte: startsOn },
    OR: [{ startsOn: { lt: startsOn } }, { startsOn, id: { lt: id } }],
  };
}

/** Throws NOT_FOUND. */
async function get({ db }: Ctx, id: string): Promise<Membership> {
  const row = isUuid(id) ? await db.membership.findUnique({ ...SHOWN, where: { id } }) : null;
  if (row === null) throw notFound('membership');
  return toMembership(row);
}

/** The contracts of these members, or of these teams, the latest first. */
export async function membershipsOf(
  { db }: Ctx,
  holder: 'memberId' | 'teamId',
  ids: string[],
): Promise<Map<string, Membership[]>> {
  const rows = await db.membership.findMany({
    ...SHOWN,
    where: { [holder]: { in: ids } },
    orderBy: LATEST_FIRST,
  });
  return new Map(ids.map((id) => [id, rows.filter((row) => row[holder] === id).map(toMembership)]));
}

/** What members book by on a day: their own contract, else their team's, else none. */
export async function currentMemberships(
  { db }: Ctx,
  memberIds: string[],
  on: Day,
): Promise<Map<string, Membership | null>> {
  const members = await db.member.findMany({
    where: { id: { in: memberIds } },
    select: {
      id: true,
      memberships: { ...SHOWN, where: meets(on, on) },
      team: { select: { memberships: { ...SHOWN, where: meets(on, on) } } },
    },
  });
  const found = members.map(({ id, memberships, team }) => {
    const row = memberships[0] ?? team?.memberships[0];
    return [id, row ? toMembership(row) : null] as const;
  });
  return new Map(found);
}

/**
 * For either a member or a team. Throws NOT_FOUND for any of them, VALIDATION for a plan that is no longer offered or
 * an end before the start, CONFLICT, reason MEMBERSHIP_OVERLAPS, when there is a contract for some of these days.
 */
export async function create(
  ctx: Ctx,
  input: {
    planId: string;
    memberId?: string | undefined;
    teamId?: string | undefined;
    startsOn: Day;
    endsOn?: Day | undefined;
  },
): Promise<Membership> {
  const { planId, startsOn, endsOn = null } = input;
  const holder = holderOf(input);
  checkDays(startsOn, endsOn);
  const days = { startsOn: toColumn(startsOn), endsOn: endsOn && toColumn(endsOn) };
  const id = await inTransaction(ctx, async (ctx) => {
    await keep(ctx, planId, holder);
    // Says what was inserted, and leaves the transaction in order where the constraint refuses.
    const [made] = await ctx.db.membership.createManyAndReturn({
      data: [{ planId, ...holder, ...days }],
      select: { id: true },
      skipDuplicates: true,
    });
    if (made === undefined) throw await overlapping(ctx, holder, startsOn, endsOn);
    return made.id;
  });
  return get(ctx, id);
}

/**
 * Its last day; a contract that was to end may also go on. Bookings that were made by it stay. Throws NOT_FOUND,
 * VALIDATION for a day before its first, CONFLICT, reason MEMBERSHIP_OVERLAPS, when it would run into the next one.
 */
export async function end(ctx: Ctx, id: string, endsOn: Day): Promise<Membership> {
  const { startsOn, member, team } = await get(ctx, id);
  checkDays(startsOn, endsOn);
  try {
    await ctx.db.membership.update({ where: { id }, data: { endsOn: toColumn(endsOn) } });
  } catch (error) {
    if (!isExclusion(error)) throw error;
    const holder = { memberId: member?.id ?? null, teamId: team?.id ?? null };
    throw await overlapping(ctx, holder, startsOn, endsOn, id);
  }
  return get(ctx, id);
}

/** For one that was made by mistake. Throws NOT_FOUND, CONFLICT, reason MEMBERSHIP_USED, once something was booked by it. */
export async function remove({ db }: Ctx, id: string): Promise<void> {
  try {
    const { count } = isUuid(id) ? await db.membership.deleteMany({ where: { id } }) : { count: 0 };
    if (count === 0) throw notFound('membership');
  } catch (error) {
    if (!isInUse(error)) throw error;
    throw new DomainError('CONFLICT', 'Bookings were made by it. End it instead.', {
      reason: 'MEMBERSHIP_USED',
    });
  }
}
