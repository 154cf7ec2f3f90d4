import { canSeeAll, type Viewer } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import {
  type CalendarDate,
  parseDateColumn,
  toDateColumn,
} from '../../../core/time/calendar-date.ts';
import type { Prisma, ResourceType, Membership as Row } from '../../../db/generated/client.ts';
import { type Projection, projectUnescaped } from '../../../db/json-projection.ts';
import { type Bind, prepareStatement } from '../../../db/prepared-statement.ts';
import { notFound } from '../../../errors.ts';
import type { RowList } from '../../../lists/row-list.ts';
import { projectFields } from '../../../rows/projection.ts';
import { membershipRow } from '../rows.ts';

/** A subscription of a member or a team to a plan. The members of a team share it. A holder has at most one at a time. */
export type Membership = Omit<Row, 'startsOn' | 'endsOn'> & {
  startsOn: CalendarDate;
  /** The last day. Null if it has no end. */
  endsOn: CalendarDate | null;
};

const toMembership = ({ startsOn, endsOn, ...row }: Row): Membership => ({
  ...row,
  startsOn: parseDateColumn(startsOn),
  endsOn: endsOn && parseDateColumn(endsOn),
});

/** Returns the Prisma condition for memberships that overlap the days from `from` to `to`, where null means no end. */
export const toOverlapCondition = (from: CalendarDate, to: CalendarDate | null) =>
  ({
    ...(to && { startsOn: { lte: toDateColumn(to) } }),
    OR: [{ endsOn: null }, { endsOn: { gte: toDateColumn(from) } }],
  }) satisfies Prisma.MembershipWhereInput;

interface MembershipFilter {
  memberId?: string | undefined;
  teamId?: string | undefined;
  planId?: string | undefined;
  /** Only memberships that are active on this day. */
  activeOn?: CalendarDate | undefined;
  /** Only memberships whose last day is in [endsFrom, endsTo). */
  endsFrom?: CalendarDate | undefined;
  endsTo?: CalendarDate | undefined;
}

/** Memberships, by default the latest start first. Members see their own and those of their team. */
export const membershipList: RowList<Membership, MembershipFilter, 'STARTS_ON' | 'CREATED_AT'> = {
  name: 'memberships',
  table: 'memberships',
  sortKeys: {
    STARTS_ON: { column: 'starts_on', type: 'date', label: 'first day' },
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'STARTS_ON_DESC',
  where: (row, filter, { viewer, bind }) => [
    ...toVisibleConditions(row, viewer, bind),
    ...toFilterConditions(row, filter, bind),
  ],
  findByIds: async ({ db }, ids) =>
    (await db.membership.findMany({ where: { id: { in: ids } } })).map(toMembership),
};

/** Projects a membership. */
export const toMembershipProjection = (row: string): Projection => ({
  ...projectFields(membershipRow, row),
  planId: projectUnescaped(`${row}.plan_id`),
  memberId: projectUnescaped(`${row}.member_id`),
  teamId: projectUnescaped(`${row}.team_id`),
});

function toVisibleConditions(row: string, viewer: Viewer, bind: Bind): string[] {
  if (canSeeAll(viewer, 'members:read')) return [];
  if (viewer.kind !== 'member') return ['false'];
  const id = bind(viewer.id, 'uuid');
  return [
    `(${row}.member_id = ${id} OR ${row}.team_id = (SELECT team_id FROM members WHERE id = ${id}))`,
  ];
}

function toFilterConditions(row: string, filter: MembershipFilter, bind: Bind): string[] {
  const { memberId, teamId, planId, activeOn, endsFrom, endsTo } = filter;
  const conditions: string[] = [];
  if (memberId) conditions.push(`${row}.member_id = ${bind(memberId, 'uuid')}`);
  if (teamId) conditions.push(`${row}.team_id = ${bind(teamId, 'uuid')}`);
  if (planId) conditions.push(`${row}.plan_id = ${bind(planId, 'uuid')}`);
  if (activeOn) {
    const day = bind(activeOn, 'date');
    conditions.push(
      `${row}.starts_on <= ${day} AND (${row}.ends_on IS NULL OR ${row}.ends_on >= ${day})`,
    );
  }
  if (endsFrom) conditions.push(`${row}.ends_on >= ${bind(endsFrom, 'date')}`);
  if (endsTo) conditions.push(`${row}.ends_on < ${bind(endsTo, 'date')}`);
  return conditions;
}

/** Gets a membership. @throws NOT_FOUND */
export async function getMembership({ db }: Context, id: string): Promise<Membership> {
  const row = isUuid(id) ? await db.membership.findUnique({ where: { id } }) : null;
  if (row === null) throw notFound('membership');
  return toMembership(row);
}

/** Finds the memberships with which members book on a day, by member id: their own, otherwise that of their team, or null. */
export async function findCurrentMemberships(
  { db }: Context,
  memberIds: string[],
  on: CalendarDate,
): Promise<Map<string, Membership | null>> {
  const members = await db.member.findMany({
    where: { id: { in: memberIds } },
    select: {
      id: true,
      memberships: { where: toOverlapCondition(on, on) },
      team: { select: { memberships: { where: toOverlapCondition(on, on) } } },
    },
  });
  return new Map(
    members.map(({ id, memberships, team }) => {
      const row = memberships[0] ?? team?.memberships[0];
      return [id, row ? toMembership(row) : null] as const;
    }),
  );
}

/** The usage of one type of resource by a membership in a calendar month. */
export interface PlanUsage {
  resourceType: ResourceType;
  /** Minutes that the allowance covered. */
  includedMinutes: number;
  /** All booked minutes, including no-shows, without cancelled bookings. */
  bookedMinutes: number;
}

/** SQL: the minutes of a row of `bookings`, as plans, prices and limits count them. `countBookingMinutes` computes them. */
export const toBookingMinutesSql = (row: string) =>
  `extract(epoch FROM ${row}.ends_at - ${row}.starts_at) / 60 + ${row}.clock_change_minutes`;

const SUM_MEMBERSHIP_USAGE = prepareStatement(`
  SELECT resource.type AS "resourceType",
    sum(booking.included_minutes)::int AS "includedMinutes",
    coalesce(sum(${toBookingMinutesSql('booking')})
      FILTER (WHERE booking.status <> 'cancelled'), 0)::int AS "bookedMinutes"
  FROM bookings booking JOIN resources resource ON resource.id = booking.resource_id
  WHERE booking.membership_id = $1::uuid AND booking.usage_month = $2::date
  GROUP BY resource.type ORDER BY resource.type`);

/**
 * Sums the usage of a membership in a month, given by its first day (YYYY-MM-01). A booking counts for the month in which it
 * starts in its location's time zone. Types of resources without bookings are omitted.
 */
export const sumMembershipUsage = (
  { pipelinedSql }: Context,
  membershipId: string,
  month: CalendarDate,
): Promise<PlanUsage[]> => pipelinedSql<PlanUsage>(SUM_MEMBERSHIP_USAGE, [membershipId, month]);
