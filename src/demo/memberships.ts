import { Temporal } from 'temporal-polyfill';
import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import { toDateColumn } from '../core/time/calendar-date.ts';
import type { PlanInterval, ResourceType } from '../db/generated/enums.ts';
import { toDate } from './calendar.ts';
import type { DemoMember, DemoTeam } from './people.ts';

type PlanName = 'Nomad' | 'Resident' | 'Studio';

type PlanRow = {
  name: PlanName;
  priceAmount: number;
  interval: PlanInterval;
  benefits: { type: ResourceType; included: number; discount: number; limit?: number }[];
};

const demoPlans: readonly PlanRow[] = [
  {
    name: 'Nomad',
    priceAmount: 9_900,
    interval: 'month',
    benefits: [
      { type: 'desk', included: 20, discount: 10, limit: 80 },
      { type: 'room', included: 2, discount: 10 },
    ],
  },
  {
    name: 'Resident',
    priceAmount: 24_900,
    interval: 'month',
    benefits: [
      { type: 'desk', included: 120, discount: 50 },
      { type: 'room', included: 10, discount: 20 },
      { type: 'equipment', included: 5, discount: 20, limit: 40 },
    ],
  },
  {
    name: 'Studio',
    priceAmount: 165_000,
    interval: 'quarter',
    benefits: [
      { type: 'desk', included: 400, discount: 50 },
      { type: 'room', included: 40, discount: 25, limit: 120 },
      { type: 'equipment', included: 20, discount: 25 },
    ],
  },
];

/** The members of these teams have plans of their own. */
const TEAMS_WITHOUT_PLAN = ['Papierkranich', 'Maré Surf Maps'];

export async function addPlans(ctx: Context, members: DemoMember[]): Promise<void> {
  const now = Temporal.Instant.fromEpochMilliseconds(ctx.now().getTime()).toZonedDateTimeISO('UTC');
  const createdAt = toDate(now.subtract({ years: 2 }));
  const ids = Object.fromEntries(demoPlans.map(({ name }) => [name, v7()])) as Record<
    PlanName,
    string
  >;
  await ctx.db.plan.createMany({
    data: demoPlans.map(({ benefits: _, ...plan }) => ({
      id: ids[plan.name],
      ...plan,
      createdAt,
      updatedAt: createdAt,
    })),
  });
  await ctx.db.planBenefit.createMany({
    data: demoPlans.flatMap(({ name, benefits }) =>
      benefits.map(({ type, included, discount, limit }) => ({
        planId: ids[name],
        resourceType: type,
        includedHours: included,
        discountPercent: discount,
        limitHours: limit ?? null,
      })),
    ),
  });
  await ctx.db.membership.createMany({
    data: planMemberships(members, now).map(({ plan, startsAt, endsAt, ...holder }) => ({
      ...holder,
      planId: ids[plan],
      startsOn: toLocalDateColumn(startsAt),
      endsOn: endsAt ? toLocalDateColumn(endsAt) : null,
      createdAt: toDate(startsAt),
      updatedAt: toDate(startsAt),
    })),
  });
}

type PlannedMembership = {
  plan: PlanName;
  memberId?: string;
  teamId?: string;
  startsAt: Temporal.ZonedDateTime;
  endsAt?: Temporal.ZonedDateTime;
};

function planMemberships(members: DemoMember[], now: Temporal.ZonedDateTime): PlannedMembership[] {
  const teams = new Map<string, DemoTeam>();
  for (const { team } of members) {
    if (team && !TEAMS_WITHOUT_PLAN.includes(team.name)) teams.set(team.id, team);
  }
  const teamMemberships = [...teams.keys()].map((teamId, index): PlannedMembership => {
    return { plan: 'Studio', teamId, startsAt: now.subtract({ days: 50 + index * 30 }) };
  });
  const others = members.filter(({ team }) => team === null || !teams.has(team.id));
  return [
    ...teamMemberships,
    ...others.flatMap((member, index) => planOwnMemberships(member, index, now)),
  ];
}

/**
 * Alternates between Resident and Nomad. Every fifth member has no plan, and members who joined long ago changed from
 * Nomad to Resident.
 */
function planOwnMemberships(
  { id: memberId, status, joinedAt }: DemoMember,
  index: number,
  now: Temporal.ZonedDateTime,
): PlannedMembership[] {
  if (status === 'paused' || index % 5 === 4) return [];
  const plan: PlanName = index % 2 === 0 ? 'Resident' : 'Nomad';
  // Former members have bookings in the first of the booked weeks, so they left after it.
  const end = status === 'former' ? { endsAt: now.subtract({ days: 9 }) } : {};
  const changesAt = joinedAt.add({ days: 182 });
  if (plan === 'Nomad' || Temporal.ZonedDateTime.compare(changesAt, now.subtract({ days: 90 })) > 0)
    return [{ plan, memberId, startsAt: joinedAt, ...end }];
  return [
    { plan: 'Nomad', memberId, startsAt: joinedAt, endsAt: changesAt.subtract({ days: 1 }) },
    { plan, memberId, startsAt: changesAt, ...end },
  ];
}

const toLocalDateColumn = (time: Temporal.ZonedDateTime) =>
  toDateColumn(time.toPlainDate().toString());
