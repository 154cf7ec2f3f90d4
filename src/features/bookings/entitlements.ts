import type { Context } from '../../context.ts';
import { toBatches } from '../../core/batches.ts';
import type { ResourceType } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { toBookingMinutesSql } from '../plans/service/find-memberships.ts';
import type { Booker } from './rules/booking-rules.ts';
import { createPublicEntitlement, type Entitlement } from './rules/pricing.ts';

/**
 * SQL: one row for each member with the memberships on the requested days. There is one for each day: the member's own takes precedence
 * over the team's.
 *
 * @param requested members `m` with each day that is requested for them
 * @param isRequested a condition on members `m`
 */
const toEntitlementsSql = (requested: string, isRequested: string) => `
  WITH membership AS MATERIALIZED (
    SELECT m.id AS member_id, requested.day, date_trunc('month', requested.day)::date AS month, current.id, current.plan_id, p.name
    FROM ${requested}
    CROSS JOIN LATERAL (
      SELECT c.id, c.plan_id FROM memberships c
      WHERE (c.member_id = m.id OR c.team_id = m.team_id)
        AND c.starts_on <= requested.day AND (c.ends_on IS NULL OR c.ends_on >= requested.day)
      ORDER BY c.member_id NULLS LAST LIMIT 1) current
    JOIN plans p ON p.id = current.plan_id
    WHERE ${isRequested})
  SELECT json_build_object(
    'booker', json_build_object('id', m.id, 'name', m.name, 'status', m.status),
    'memberships', (SELECT coalesce(json_agg(json_build_object(
        'day', day, 'month', month, 'membershipId', id, 'planName', name)), '[]'::json) FROM membership WHERE member_id = m.id),
    'benefits', (SELECT coalesce(json_agg(json_build_object(
        'membershipId', c.id, 'type', b.resource_type, 'includedHours', b.included_hours,
        'discountPercent', b.discount_percent, 'limitHours', b.limit_hours)), '[]'::json)
      FROM (SELECT DISTINCT id, plan_id FROM membership WHERE member_id = m.id) c JOIN plan_benefits b ON b.plan_id = c.plan_id),
    'usages', (SELECT coalesce(json_agg(json_build_object(
        'membershipId', u.id, 'month', u.month, 'type', u.type,
        'includedMinutes', u.included, 'bookedMinutes', u.booked)), '[]'::json)
      FROM (
        SELECT c.id, c.month, r.type, sum(b.included_minutes) AS included,
          coalesce(sum(${toBookingMinutesSql('b')})
            FILTER (WHERE b.status <> 'cancelled'), 0)::int AS booked
        FROM (SELECT DISTINCT id, month FROM membership WHERE member_id = m.id) c
        JOIN bookings b ON b.membership_id = c.id AND b.usage_month = c.month AND b.id <> ALL ($3::uuid[])
        JOIN resources r ON r.id = b.resource_id
        GROUP BY c.id, c.month, r.type) u)) AS entitlements
  FROM members m WHERE ${isRequested}`;

const FIND_ENTITLEMENTS = prepareStatement(
  toEntitlementsSql(
    'members m CROSS JOIN unnest($2::date[]) AS requested (day)',
    'm.id = $1::uuid',
  ),
);

const FIND_ENTITLEMENTS_OF_MEMBERS = prepareStatement(
  toEntitlementsSql(
    '(SELECT DISTINCT * FROM unnest($1::uuid[], $2::date[])) AS requested (member_id, day) JOIN members m ON m.id = requested.member_id',
    'm.id = ANY ($1::uuid[])',
  ),
);

interface MemberEntitlementRows {
  booker: Booker;
  memberships: { day: string; month: string; membershipId: string; planName: string }[];
  benefits: {
    membershipId: string;
    type: ResourceType;
    includedHours: number;
    discountPercent: number;
    limitHours: number | null;
  }[];
  usages: {
    membershipId: string;
    month: string;
    type: ResourceType;
    includedMinutes: number;
    bookedMinutes: number;
  }[];
}

/** The benefits of a member's plans on given days. */
export interface Entitlements {
  booker: Booker | null;
  /** In ascending order, in which they are locked. */
  membershipIds: string[];
  /** Returns the entitlement on a day (YYYY-MM-DD), minus the usage that `consume` has counted. */
  get(day: string, type: ResourceType): Entitlement;
  /** Counts a booking that will be inserted, so that later ones of the same series take it into account. */
  consume(
    entitlement: Pick<Entitlement, 'membershipId' | 'month'>,
    type: ResourceType,
    minutes: number,
    includedMinutes: number,
  ): void;
}

/** For guests, who have no plan. */
export const NO_ENTITLEMENTS: Entitlements = {
  booker: null,
  membershipIds: [],
  get: createPublicEntitlement,
  consume: () => {},
};

/**
 * Finds the entitlements of a member on these days (YYYY-MM-DD), or null if the member does not exist. The bookings
 * `excludedIds` are being replaced, so their usage does not count.
 */
export async function findEntitlements(
  { pipelinedSql }: Context,
  memberId: string,
  days: string[],
  excludedIds: string[] = [],
): Promise<Entitlements | null> {
  const [row] = await pipelinedSql<{ entitlements: MemberEntitlementRows }>(FIND_ENTITLEMENTS, [
    memberId,
    [...new Set(days)],
    excludedIds,
  ]);
  return row ? toEntitlements(row.entitlements) : null;
}

/** Each search takes the days of so many members: within one, every member looks through all of them. */
const MAX_MEMBERS_PER_STATEMENT = 20;

/**
 * Finds the entitlements of members on days (YYYY-MM-DD), by their ids. Members who share the membership of a team share its usage.
 * Members that do not exist are left out.
 */
export async function findEntitlementsOfMembers(
  { pipelinedSql }: Context,
  requests: { memberId: string; day: string }[],
): Promise<Map<string, Entitlements>> {
  const daysByMember = new Map<string, Set<string>>();
  for (const { memberId, day } of requests)
    daysByMember.set(memberId, (daysByMember.get(memberId) ?? new Set()).add(day));
  const usageByKey: UsageByKey = new Map();
  const found = new Map<string, Entitlements>();
  for (const batch of toBatches([...daysByMember], MAX_MEMBERS_PER_STATEMENT)) {
    const pairs = batch.flatMap(([memberId, days]) => [...days].map((day) => ({ memberId, day })));
    const rows = await pipelinedSql<{ entitlements: MemberEntitlementRows }>(
      FIND_ENTITLEMENTS_OF_MEMBERS,
      [pairs.map(({ memberId }) => memberId), pairs.map(({ day }) => day), []],
    );
    for (const { entitlements } of rows)
      found.set(entitlements.booker.id, toEntitlements(entitlements, usageByKey));
  }
  return found;
}

type UsageByKey = Map<string, MemberEntitlementRows['usages'][number]>;

function toEntitlements(
  { booker, memberships, benefits, usages }: MemberEntitlementRows,
  usageByKey: UsageByKey = new Map(),
): Entitlements {
  const byDay = new Map(memberships.map((membership) => [membership.day, membership]));
  for (const usage of usages) usageByKey.set(toUsageKey(usage, usage.type), usage);
  return {
    booker,
    membershipIds: [...new Set(memberships.map(({ membershipId }) => membershipId))].sort(),
    get: (day, type) => {
      const membership = byDay.get(day);
      if (!membership) return createPublicEntitlement(day);
      const { membershipId, month, planName } = membership;
      const benefit = benefits.find(
        (candidate) => candidate.membershipId === membershipId && candidate.type === type,
      );
      const usage = usageByKey.get(toUsageKey(membership, type));
      const includedMinutes = (benefit?.includedHours ?? 0) * 60;
      return {
        membershipId,
        month,
        planName,
        includedMinutesLeft: Math.max(0, includedMinutes - (usage?.includedMinutes ?? 0)),
        discountPercent: benefit?.discountPercent ?? 0,
        limitMinutes: benefit?.limitHours == null ? null : benefit.limitHours * 60,
        bookedMinutes: usage?.bookedMinutes ?? 0,
      };
    },
    consume: ({ membershipId, month }, type, minutes, includedMinutes) => {
      if (membershipId === null) return;
      const key = toUsageKey({ membershipId, month }, type);
      const usage = usageByKey.get(key);
      usageByKey.set(key, {
        membershipId,
        month,
        type,
        includedMinutes: (usage?.includedMinutes ?? 0) + includedMinutes,
        bookedMinutes: (usage?.bookedMinutes ?? 0) + minutes,
      });
    },
  };
}

const toUsageKey = (
  { membershipId, month }: { membershipId: string; month: string },
  type: ResourceType,
) => `${membershipId} ${month} ${type}`;

/**
 * Locks these memberships until the transaction ends, so that two concurrent bookings cannot use the same included hour. Pass
 * the ids in ascending order: all callers must lock in the same order.
 */
export async function lockMemberships({ db }: Context, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.$queryRaw`SELECT 1 FROM memberships WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
}

/** Reads entitlements until all their memberships are locked: one can begin between two reads. */
export async function readWithLockedMemberships<Read>(
  ctx: Context,
  read: () => Promise<Read>,
  listMembershipIds: (read: Read) => string[],
): Promise<Read> {
  const locked = new Set<string>();
  for (;;) {
    const result = await read();
    const others = listMembershipIds(result).filter((id) => !locked.has(id));
    if (others.length === 0) return result;
    await lockMemberships(ctx, others);
    for (const id of others) locked.add(id);
  }
}
