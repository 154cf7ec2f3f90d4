import { type Day, fromColumn, toColumn } from '../../../dates.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import { type Plan, toPlan, WITH_BENEFITS } from '../service.ts';

/** The contract of a member, or of a team whose members share it. At most one at a time for each. */
export interface Membership {
  id: string;
  plan: Plan;
  member: { id: string; name: string } | null;
  team: { id: string; name: string } | null;
  startsOn: Day;
  /** The last day; null: open-ended. */
  endsOn: Day | null;
}

const named = { select: { id: true, name: true } } as const;
export const SHOWN = {
  include: { plan: WITH_BENEFITS, member: named, team: named },
} as const;

export const toMembership = ({
  id,
  plan,
  member,
  team,
  startsOn,
  endsOn,
}: Prisma.MembershipGetPayload<typeof SHOWN>): Membership => ({
  id,
  plan: toPlan(plan),
  member,
  team,
  startsOn: fromColumn(startsOn),
  endsOn: endsOn && fromColumn(endsOn),
});

/** Whose days meet those from `from` to `to`; null: for ever. */
export const meets = (from: Day, to: Day | null) =>
  ({
    ...(to && { startsOn: { lte: toColumn(to) } }),
    OR: [{ endsOn: null }, { endsOn: { gte: toColumn(from) } }],
  }) satisfies Prisma.MembershipWhereInput;
