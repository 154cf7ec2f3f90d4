import type { Context } from '../../context.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import type { ResourceType } from '../spaces/service.ts';
import type { Booker } from './rules/booking-rules.ts';
import { createPublicEntitlement, type Entitlement } from './rules/pricing.ts';

// One contract a day: a member's own before the team's.
const FIND_ENTITLEMENTS = prepareStatement(`
  WITH contract AS MATERIALIZED (
    SELECT wanted.day, date_trunc('month', wanted.day)::date AS month, own.id, own.plan_id, p.name
    FROM members m
    CROSS JOIN unnest($2::date[]) AS wanted (day)
    CROSS JOIN LATERAL (
      SELECT c.id, c.plan_id FROM memberships c
      WHERE (c.member_id = m.id OR c.team_id = m.team_id)
        AND c.starts_on <= wanted.day AND (c.ends_on IS NULL OR c.ends_on >= wanted.day)
      ORDER BY c.member_id NULLS LAST LIMIT 1) own
    JOIN plans p ON p.id = own.plan_id
    WHERE m.id = $1::uuid)
  SELECT json_build_object(
    'booker', json_build_object('id', m.id, 'name', m.name, 'status', m.status),
    'contracts', (SELECT coalesce(json_agg(json_build_object(
        'day', day, 'month', month, 'membershipId', id, 'planName', name)), '[]'::json) FROM contract),
    'benefits', (SELECT coalesce(json_agg(json_build_object(
        'membershipId', c.id, 'type', b.resource_type, 'includedHours', b.included_hours,
        'discountPercent', b.discount_percent, 'limitHours', b.limit_hours)), '[]'::json)
      FROM (SELECT DISTINCT id, plan_id FROM contract) c JOIN plan_benefits b ON b.plan_id = c.plan_id),
    'usages', (SELECT coalesce(json_agg(json_build_object(
        'membershipId', u.id, 'month', u.month, 'type', u.type,
        'includedMinutes', u.included, 'bookedMinutes', u.booked)), '[]'::json)
      FROM (
        SELECT c.id, c.month, r.type, sum(b.included_minutes) AS included,
          coalesce(sum(extract(epoch FROM b.ends_at - b.starts_at) / 60)
            FILTER (WHERE b.status <> 'cancelled'), 0)::int AS booked
        FROM (SELECT DISTINCT id, month FROM contract) c
        JOIN bookings b ON b.membership_id = c.id AND b.usage_month = c.month AND b.id <> ALL ($3::uuid[])
        JOIN resources r ON r.id = b.resource_id
        GROUP BY c.id, c.month, r.type) u)) AS found
  FROM members m WHERE m.id = $1::uuid`);

interface MemberEntitlementRows {
  booker: Booker;
  contracts: { day: string; month: string; membershipId: string; planName: string }[];
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

/** What a member's plans mean on some days. */
export interface Entitlements {
  booker: Booker | null;
  /** In the order in which locks are taken. */
  membershipIds: string[];
  /** Terms on a day (YYYY-MM-DD), as they stand after what was `taken` so far. */
  get(day: string, type: ResourceType): Entitlement;
  /** Counts what is about to be booked. */
  consume(terms: Entitlement, type: ResourceType, minutes: number, includedMinutes: number): void;
}

/** Guests have none. */
export const NO_ENTITLEMENTS: Entitlements = {
  booker: null,
  membershipIds: [],
  get: createPublicEntitlement,
  consume: () => {},
};

/** The contracts of a member on these days (YYYY-MM-DD), leaving out some bookings; null where there is no such member. */
export async function findEntitlements(
  { pipelinedSql }: Context,
  memberId: string,
  days: string[],
  except: string[] = [],
): Promise<Entitlements | null> {
  const [row] = await pipelinedSql<{ found: MemberEntitlementRows }>(FIND_ENTITLEMENTS, [
    memberId,
    [...new Set(days)],
    except,
  ]);
  return row ? toEntitlements(row.found) : null;
}

function toEntitlements({
  booker,
  contracts,
  benefits,
  usages,
}: MemberEntitlementRows): Entitlements {
  const byDay = new Map(contracts.map((contract) => [contract.day, contract]));
  const usage = new Map(usages.map((used) => [toUsageKey(used, used.type), used]));
  return {
    booker,
    membershipIds: [...new Set(contracts.map(({ membershipId }) => membershipId))].sort(),
    get: (day, type) => {
      const contract = byDay.get(day);
      if (!contract) return createPublicEntitlement(day);
      const { membershipId, month, planName } = contract;
      const benefit = benefits.find(
        (one) => one.membershipId === membershipId && one.type === type,
      );
      const used = usage.get(toUsageKey(contract, type));
      const included = (benefit?.includedHours ?? 0) * 60;
      return {
        membershipId,
        month,
        planName,
        includedMinutesLeft: Math.max(0, included - (used?.includedMinutes ?? 0)),
        discountPercent: benefit?.discountPercent ?? 0,
        limitMinutes: benefit?.limitHours == null ? null : benefit.limitHours * 60,
        bookedMinutes: used?.bookedMinutes ?? 0,
      };
    },
    consume: ({ membershipId, month }, type, minutes, includedMinutes) => {
      if (membershipId === null) return;
      const key = toUsageKey({ membershipId, month }, type);
      const used = usage.get(key);
      usage.set(key, {
        membershipId,
        month,
        type,
        includedMinutes: (used?.includedMinutes ?? 0) + includedMinutes,
        bookedMinutes: (used?.bookedMinutes ?? 0) + minutes,
      });
    },
  };
}

const toUsageKey = (of: { membershipId: string; month: string }, type: ResourceType) =>
  `${of.membershipId} ${of.month} ${type}`;

/** Others who book on these memberships wait until the transaction ends, so that no hour is given out twice. */
export async function lockMemberships({ db }: Context, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.$queryRaw`SELECT 1 FROM memberships WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
}
