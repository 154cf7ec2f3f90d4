import { type Context, runInTransaction } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import { type Page, type PageRequest, parseCursor, toPage } from '../../core/pagination.ts';
import {
  type CalendarDate,
  isCalendarDate,
  parseDateColumn,
  toDateColumn,
} from '../../core/time/calendar-date.ts';
import { isExclusionViolation, isForeignKeyViolation } from '../../db/constraint-errors.ts';
import type { Prisma, ResourceType } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../errors.ts';
import { lockTeam } from '../teams/service.ts';
import { type Plan, toPlan, WITH_BENEFITS } from './plans.ts';

interface MembershipFilter {
  memberId?: string | undefined;
  teamId?: string | undefined;
  planId?: string | undefined;
  /** Only memberships that are active on this day. */
  activeOn?: CalendarDate | undefined;
}

/** The position of a membership in a list, which is sorted by start, latest first. */
export const toMembershipPosition = ({ startsOn, id }: Membership): [string, string] => [
  startsOn,
  id,
];
const LATEST_FIRST = [{ startsOn: 'desc' as const }, { id: 'desc' as const }];

/** Lists memberships by start, latest first. */
export async function listMemberships(
  { db }: Context,
  { activeOn, memberId, teamId, planId }: MembershipFilter,
  page: PageRequest,
): Promise<Page<Membership>> {
  const rows = await db.membership.findMany({
    ...MEMBERSHIP_SELECTION,
    where: {
      AND: [
        toCursorCondition(page.cursor),
        memberId ? { memberId } : {},
        teamId ? { teamId } : {},
        planId ? { planId } : {},
        activeOn ? toOverlapCondition(activeOn, activeOn) : {},
      ],
    },
    orderBy: LATEST_FIRST,
    take: page.limit + 1,
  });
  return toPage(rows.map(toMembership), page.limit, toMembershipPosition);
}

function toCursorCondition(cursor: string | undefined) {
  if (cursor === undefined) return {};
  const [day, id] = parseCursor(cursor, isCalendarDate);
  const startsOn = toDateColumn(day);
  return {
    startsOn: { lte: startsOn },
    OR: [{ startsOn: { lt: startsOn } }, { startsOn, id: { lt: id } }],
  };
}

/** @throws NOT_FOUND */
async function getMembership({ db }: Context, id: string): Promise<Membership> {
  const row = isUuid(id)
    ? await db.membership.findUnique({ ...MEMBERSHIP_SELECTION, where: { id } })
    : null;
  if (row === null) throw notFound('membership');
  return toMembership(row);
}

/** Finds the memberships of these members, or of these teams, latest first. */
export async function findMembershipsByHolder(
  { db }: Context,
  holder: 'memberId' | 'teamId',
  ids: string[],
): Promise<Map<string, Membership[]>> {
  const rows = await db.membership.findMany({
    ...MEMBERSHIP_SELECTION,
    where: { [holder]: { in: ids } },
    orderBy: LATEST_FIRST,
  });
  return new Map(ids.map((id) => [id, rows.filter((row) => row[holder] === id).map(toMembership)]));
}

/** Finds the membership that members book with on a day: their own, else their team's, else null. */
export async function findCurrentMemberships(
  { db }: Context,
  memberIds: string[],
  on: CalendarDate,
): Promise<Map<string, Membership | null>> {
  const members = await db.member.findMany({
    where: { id: { in: memberIds } },
    select: {
      id: true,
      memberships: { ...MEMBERSHIP_SELECTION, where: toOverlapCondition(on, on) },
      team: {
        select: { memberships: { ...MEMBERSHIP_SELECTION, where: toOverlapCondition(on, on) } },
      },
    },
  });
  return new Map(
    members.map(({ id, memberships, team }) => {
      const row = memberships[0] ?? team?.memberships[0];
      return [id, row ? toMembership(row) : null] as const;
    }),
  );
}

/**
 * Creates a membership of either a member or a team.
 *
 * @throws NOT_FOUND for the plan, member or team; VALIDATION for an inactive plan or an end before the start; CONFLICT,
 *   reason MEMBERSHIP_OVERLAPS, when the holder has a membership on some of these days
 */
export async function createMembership(
  ctx: Context,
  input: {
    planId: string;
    memberId?: string | undefined;
    teamId?: string | undefined;
    startsOn: CalendarDate;
    endsOn?: CalendarDate | undefined;
  },
): Promise<Membership> {
  const { planId, startsOn, endsOn = null } = input;
  const holder = toMembershipHolder(input);
  assertEndsAfterStart(startsOn, endsOn);
  const days = { startsOn: toDateColumn(startsOn), endsOn: endsOn && toDateColumn(endsOn) };
  const id = await runInTransaction(ctx, async (ctx) => {
    await lockPlanAndHolder(ctx, planId, holder);
    // Unlike `create`, this keeps the transaction usable when the exclusion constraint rejects the row.
    const [created] = await ctx.db.membership.createManyAndReturn({
      data: [{ planId, ...holder, ...days }],
      select: { id: true },
      skipDuplicates: true,
    });
    if (created === undefined) throw await toOverlapError(ctx, holder, startsOn, endsOn);
    return created.id;
  });
  return getMembership(ctx, id);
}

/**
 * Sets the last day of a membership, which can also extend it. Bookings that use it stay.
 *
 * @throws NOT_FOUND; VALIDATION for a day before its start; CONFLICT, reason MEMBERSHIP_OVERLAPS, when it would overlap
 *   the next membership
 */
export async function endMembership(
  ctx: Context,
  id: string,
  endsOn: CalendarDate,
): Promise<Membership> {
  const { startsOn, member, team } = await getMembership(ctx, id);
  assertEndsAfterStart(startsOn, endsOn);
  try {
    await ctx.db.membership.update({ where: { id }, data: { endsOn: toDateColumn(endsOn) } });
  } catch (error) {
    if (!isExclusionViolation(error)) throw error;
    const holder = { memberId: member?.id ?? null, teamId: team?.id ?? null };
    throw await toOverlapError(ctx, holder, startsOn, endsOn, id);
  }
  return getMembership(ctx, id);
}

/**
 * Deletes a membership that was created by mistake.
 *
 * @throws NOT_FOUND; CONFLICT, reason MEMBERSHIP_USED, when bookings use it
 */
export async function deleteMembership({ db }: Context, id: string): Promise<void> {
  try {
    const { count } = isUuid(id) ? await db.membership.deleteMany({ where: { id } }) : { count: 0 };
    if (count === 0) throw notFound('membership');
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    throw new DomainError('CONFLICT', 'Bookings use this membership. End it instead.', {
      reason: 'MEMBERSHIP_USED',
    });
  }
}

/** Either a member or a team. */
interface MembershipHolder {
  memberId: string | null;
  teamId: string | null;
}

/** @throws VALIDATION for both or neither */
export function toMembershipHolder(input: {
  memberId?: string | undefined;
  teamId?: string | undefined;
}): MembershipHolder {
  const { memberId = null, teamId = null } = input;
  if ((memberId === null) !== (teamId === null)) return { memberId, teamId };
  throw new DomainError('VALIDATION', 'Specify either memberId or teamId.', {
    reason: 'MEMBER_OR_TEAM',
  });
}

/** @throws VALIDATION */
export function assertEndsAfterStart(startsOn: CalendarDate, endsOn: CalendarDate | null): void {
  if (endsOn === null || endsOn >= startsOn) return;
  throw new DomainError(
    'VALIDATION',
    `endsOn: must not be before startsOn, which is ${startsOn}.`,
    {
      reason: 'ENDS_BEFORE_START',
    },
  );
}

/**
 * Locks the plan and the holder until the transaction ends, so that nobody deactivates or deletes them.
 *
 * @throws NOT_FOUND, VALIDATION for an inactive plan
 */
export async function lockPlanAndHolder(
  ctx: Context,
  planId: string,
  holder: MembershipHolder,
): Promise<void> {
  const [plan] = isUuid(planId)
    ? await ctx.db.$queryRaw<
        { name: string; active: boolean }[]
      >`SELECT name, active FROM plans WHERE id = ${planId}::uuid FOR SHARE`
    : [];
  if (plan === undefined) throw notFound('plan');
  if (!plan.active) {
    throw new DomainError(
      'VALIDATION',
      `The plan ${plan.name} is inactive. Choose another plan or activate it.`,
      { reason: 'PLAN_INACTIVE' },
    );
  }
  if (holder.memberId !== null) await lockMember(ctx, holder.memberId);
  if (holder.teamId !== null) await lockTeam(ctx, holder.teamId);
}

async function lockMember({ db }: Context, id: string): Promise<void> {
  const rows = isUuid(id)
    ? await db.$queryRaw<object[]>`SELECT 1 FROM members WHERE id = ${id}::uuid FOR KEY SHARE`
    : [];
  if (rows.length === 0) throw notFound('member');
}

/** The error for days that overlap another membership of the holder, which it names. */
export async function toOverlapError(
  { db }: Context,
  holder: MembershipHolder,
  startsOn: CalendarDate,
  endsOn: CalendarDate | null,
  excludedId?: string,
): Promise<DomainError> {
  const other = await db.membership.findFirst({
    where: {
      ...holder,
      ...toOverlapCondition(startsOn, endsOn),
      ...(excludedId && { id: { not: excludedId } }),
    },
    select: { id: true, startsOn: true, endsOn: true, plan: { select: { name: true } } },
    orderBy: { startsOn: 'asc' },
  });
  const details = { reason: 'MEMBERSHIP_OVERLAPS' as const };
  if (other === null) {
    return new DomainError(
      'CONFLICT',
      'There was another membership on these days. Try again.',
      details,
    );
  }
  const from = parseDateColumn(other.startsOn);
  const to = other.endsOn && parseDateColumn(other.endsOn);
  return new DomainError(
    'CONFLICT',
    `There is already a membership with the plan ${other.plan.name} from ${from}${to ? ` to ${to}` : ''}. End it earlier or choose other days.`,
    { ...details, with: { id: other.id, plan: other.plan.name, startsOn: from, endsOn: to } },
  );
}

/** The subscription of a member, or of a team whose members share it, to a plan. Each has at most one at a time. */
export interface Membership {
  id: string;
  plan: Plan;
  member: { id: string; name: string } | null;
  team: { id: string; name: string } | null;
  startsOn: CalendarDate;
  /** The last day; null: no end. */
  endsOn: CalendarDate | null;
}

const ID_AND_NAME = { select: { id: true, name: true } } as const;
export const MEMBERSHIP_SELECTION = {
  include: { plan: WITH_BENEFITS, member: ID_AND_NAME, team: ID_AND_NAME },
} as const;

export const toMembership = ({
  id,
  plan,
  member,
  team,
  startsOn,
  endsOn,
}: Prisma.MembershipGetPayload<typeof MEMBERSHIP_SELECTION>): Membership => ({
  id,
  plan: toPlan(plan),
  member,
  team,
  startsOn: parseDateColumn(startsOn),
  endsOn: endsOn && parseDateColumn(endsOn),
});

/** Matches memberships that overlap the days from `from` to `to`; null: no end. */
export const toOverlapCondition = (from: CalendarDate, to: CalendarDate | null) =>
  ({
    ...(to && { startsOn: { lte: toDateColumn(to) } }),
    OR: [{ endsOn: null }, { endsOn: { gte: toDateColumn(from) } }],
  }) satisfies Prisma.MembershipWhereInput;

/** How much of one type of resource a membership has used in a calendar month. */
export interface PlanUsage {
  resourceType: ResourceType;
  /** Minutes taken from the allowance. */
  includedMinutes: number;
  /** All booked minutes, including no-shows, without cancelled bookings. */
  bookedMinutes: number;
}

const SUM_MEMBERSHIP_USAGE = prepareStatement(`
  SELECT resource.type AS "resourceType",
    sum(booking.included_minutes)::int AS "includedMinutes",
    coalesce(sum(extract(epoch FROM booking.ends_at - booking.starts_at) / 60)
      FILTER (WHERE booking.status <> 'cancelled'), 0)::int AS "bookedMinutes"
  FROM bookings booking JOIN resources resource ON resource.id = booking.resource_id
  WHERE booking.membership_id = $1::uuid AND booking.usage_month = $2::date
  GROUP BY resource.type ORDER BY resource.type`);

/**
 * Sums what a membership has used in a month, which its first day (YYYY-MM-01) names. A booking counts for the month in
 * which it starts in its location's time zone. Types of resources without bookings are omitted.
 */
export const sumMembershipUsage = (
  { pipelinedSql }: Context,
  membershipId: string,
  month: CalendarDate,
): Promise<PlanUsage[]> => pipelinedSql<PlanUsage>(SUM_MEMBERSHIP_USAGE, [membershipId, month]);
