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
  /** That run on this day. */
  activeOn?: CalendarDate | undefined;
}

/** What a list is sorted by: the latest first. */
export const toMembershipPosition = ({ startsOn, id }: Membership): [string, string] => [
  startsOn,
  id,
];
const LATEST_FIRST = [{ startsOn: 'desc' as const }, { id: 'desc' as const }];

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

/** Throws NOT_FOUND. */
async function getMembership({ db }: Context, id: string): Promise<Membership> {
  const row = isUuid(id)
    ? await db.membership.findUnique({ ...MEMBERSHIP_SELECTION, where: { id } })
    : null;
  if (row === null) throw notFound('membership');
  return toMembership(row);
}

/** The contracts of these members, or of these teams, the latest first. */
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

/** What members book by on a day: their own contract, else their team's, else none. */
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
    // Says what was inserted, and leaves the transaction in order where the constraint refuses.
    const [made] = await ctx.db.membership.createManyAndReturn({
      data: [{ planId, ...holder, ...days }],
      select: { id: true },
      skipDuplicates: true,
    });
    if (made === undefined) throw await toOverlapError(ctx, holder, startsOn, endsOn);
    return made.id;
  });
  return getMembership(ctx, id);
}

/**
 * Its last day; a contract that was to end may also go on. Bookings that were made by it stay. Throws NOT_FOUND,
 * VALIDATION for a day before its first, CONFLICT, reason MEMBERSHIP_OVERLAPS, when it would run into the next one.
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

/** For one that was made by mistake. Throws NOT_FOUND, CONFLICT, reason MEMBERSHIP_USED, once something was booked by it. */
export async function deleteMembership({ db }: Context, id: string): Promise<void> {
  try {
    const { count } = isUuid(id) ? await db.membership.deleteMany({ where: { id } }) : { count: 0 };
    if (count === 0) throw notFound('membership');
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    throw new DomainError('CONFLICT', 'Bookings were made by it. End it instead.', {
      reason: 'MEMBERSHIP_USED',
    });
  }
}

/** Either a member or a team. */
interface MembershipHolder {
  memberId: string | null;
  teamId: string | null;
}

/** Throws VALIDATION for both or neither. */
export function toMembershipHolder(input: {
  memberId?: string | undefined;
  teamId?: string | undefined;
}): MembershipHolder {
  const { memberId = null, teamId = null } = input;
  if ((memberId === null) !== (teamId === null)) return { memberId, teamId };
  throw new DomainError('VALIDATION', 'Name either a memberId or a teamId.', {
    reason: 'MEMBER_OR_TEAM',
  });
}

/** Throws VALIDATION. */
export function assertEndsAfterStart(startsOn: CalendarDate, endsOn: CalendarDate | null): void {
  if (endsOn === null || endsOn >= startsOn) return;
  throw new DomainError(
    'VALIDATION',
    `endsOn: must not lie before startsOn, which is ${startsOn}.`,
    {
      reason: 'ENDS_BEFORE_START',
    },
  );
}

/** Until the transaction is over nobody withdraws the plan or deletes the holder. Throws NOT_FOUND, VALIDATION. */
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
      `The plan ${plan.name} is no longer offered. Choose another one, or make it active again.`,
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

/** Says with which contract these days collide. */
export async function toOverlapError(
  { db }: Context,
  holder: MembershipHolder,
  startsOn: CalendarDate,
  endsOn: CalendarDate | null,
  except?: string,
): Promise<DomainError> {
  const other = await db.membership.findFirst({
    where: {
      ...holder,
      ...toOverlapCondition(startsOn, endsOn),
      ...(except && { id: { not: except } }),
    },
    select: { id: true, startsOn: true, endsOn: true, plan: { select: { name: true } } },
    orderBy: { startsOn: 'asc' },
  });
  const details = { reason: 'MEMBERSHIP_OVERLAPS' as const };
  if (other === null) {
    return new DomainError(
      'CONFLICT',
      'There was a membership for these days. Try again.',
      details,
    );
  }
  const from = parseDateColumn(other.startsOn);
  const to = other.endsOn && parseDateColumn(other.endsOn);
  return new DomainError(
    'CONFLICT',
    `There is a membership on the plan ${other.plan.name} from ${from}${to ? ` to ${to}` : ''}. End it before, or choose other days.`,
    { ...details, with: { id: other.id, plan: other.plan.name, startsOn: from, endsOn: to } },
  );
}

/** The contract of a member, or of a team whose members share it. At most one at a time for each. */
export interface Membership {
  id: string;
  plan: Plan;
  member: { id: string; name: string } | null;
  team: { id: string; name: string } | null;
  startsOn: CalendarDate;
  /** The last day; null: open-ended. */
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

/** Whose days meet those from `from` to `to`; null: for ever. */
export const toOverlapCondition = (from: CalendarDate, to: CalendarDate | null) =>
  ({
    ...(to && { startsOn: { lte: toDateColumn(to) } }),
    OR: [{ endsOn: null }, { endsOn: { gte: toDateColumn(from) } }],
  }) satisfies Prisma.MembershipWhereInput;

/** What a membership has used of one type of resource in a calendar month. */
export interface PlanUsage {
  resourceType: ResourceType;
  /** Taken from the allowance. */
  includedMinutes: number;
  /** Booked altogether, whether they came or not; cancelled ones do not count. */
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

/** Of the month, named by its first day, in which the bookings begin by their location's clocks. Types without bookings are left out. */
export const sumMembershipUsage = (
  { pipelinedSql }: Context,
  membershipId: string,
  month: CalendarDate,
): Promise<PlanUsage[]> => pipelinedSql<PlanUsage>(SUM_MEMBERSHIP_USAGE, [membershipId, month]);
