import { getUtcDate } from '../../../core/time/calendar-date.ts';
import { notFound } from '../../../errors.ts';
import { builder, createInputType } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import {
  getOrderEnum,
  listField,
  type RowExtension,
  relatedRow,
  relationField,
  rowField,
} from '../../../graphql/list-fields.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { Node } from '../../../graphql/node.ts';
import { withCost } from '../../../graphql/query-cost.ts';
import { addActions } from '../../../graphql/row-actions.ts';
import { showFields } from '../../../graphql/row-fields.ts';
import { authorizeOwnOrRead, Member } from '../../members/graphql/members.ts';
import { memberList } from '../../members/service/list-members.ts';
import { ResourceType } from '../../spaces/graphql/resources.ts';
import { Team } from '../../teams/graphql.ts';
import { teamList } from '../../teams/service.ts';
import { membershipActions } from '../allowed-actions.ts';
import {
  changePlanInput,
  createMembershipInput,
  endMembershipInput,
  membershipFilter,
  membershipIdInput,
  undoPlanChangeInput,
} from '../inputs.ts';
import { membershipRow } from '../rows.ts';
import { changePlan, undoPlanChange } from '../service/change-plan.ts';
import {
  type Membership as MembershipValue,
  membershipList,
  type PlanUsage,
  sumMembershipUsage,
  toMembershipProjection,
} from '../service/find-memberships.ts';
import { createMembership, deleteMembership, endMembership } from '../service/memberships.ts';
import { planList } from '../service/plans.ts';
import { Plan } from './plans.ts';

const READ = { access: 'members:read' } as const;

const MembershipUsage = builder.objectRef<PlanUsage>('MembershipUsage').implement({
  description: 'The usage of one type of resource in a calendar month',
  fields: (t) => ({
    resourceType: t.expose('resourceType', {
      type: ResourceType,
      description: 'The type of resource that was booked',
    }),
    includedMinutes: t.exposeInt('includedMinutes', {
      description: "Minutes that the plan's allowance covered",
    }),
    bookedMinutes: t.exposeInt('bookedMinutes', {
      description:
        'All booked minutes, including no-shows, without cancelled bookings. A resource that is booked by the day counts 1440 a day.',
    }),
  }),
});

export const Membership = builder.objectRef<MembershipValue>('Membership');
Membership.implement({
  description: 'The subscription of a member, or of a team whose members share it, to a plan',
  interfaces: [Node],
  extensions: { projection: toMembershipProjection },
  fields: (t) => ({
    ...showFields(t, membershipRow),
    plan: t.field({
      type: Plan,
      description: 'The plan with its price and benefits',
      extensions: rowField(planList, { reads: 'planId', toId: getPlanId }).extensions,
      resolve: ({ planId }, _, context) => loadPlan(planId, context),
    }),
    member: t.field({
      type: Member,
      description: 'The member who holds it. null: a team holds it.',
      ...rowField(memberList, {
        reads: 'memberId',
        toId: ({ memberId }: MembershipValue) => memberId,
      }),
    }),
    team: t.field({
      type: Team,
      description: 'The team that holds it. null: a member holds it.',
      ...rowField(teamList, { reads: 'teamId', toId: ({ teamId }: MembershipValue) => teamId }),
    }),
    nextMembership: t.field({
      type: Membership,
      description:
        'The membership that continues it with another plan. null: no change is planned.',
      ...relatedRow(membershipList, (row, membership) => `${row}.previous_id = ${membership}`),
    }),
    usage: t.field({
      type: [MembershipUsage],
      description: 'Usage by type of resource, without types that were not booked',
      ...withCost({ points: 5, items: 3 }), // one statement for each membership
      args: {
        month: t.arg({ type: 'Date', description: 'Any day of the month. Default: this month' }),
      },
      resolve: ({ id }, { month }, { ctx }) =>
        sumMembershipUsage(ctx, id, `${(month ?? getUtcDate(ctx.now())).slice(0, 7)}-01`),
    }),
  }),
});

addActions(Membership, {
  type: 'MembershipActions',
  noun: 'a membership',
  rules: membershipActions,
  actions: {
    end: 'Set its last day with endMembership, if no other membership covers some of the days',
    changePlan: 'Continue it with another plan with changePlan',
    undoPlanChange: 'Return to the previous plan with undoPlanChange',
    delete: 'Delete it with deleteMembership',
  },
});

/** As `findCurrentMemberships`. */
const isCurrentMembership: RowExtension['where'] = (row, { on }, { now, bind, parent }) => {
  const day = bind(on ?? getUtcDate(now()), 'date');
  const member = parent('id');
  const isActive = (membership: string) =>
    `${membership}.starts_on <= ${day} AND (${membership}.ends_on IS NULL OR ${membership}.ends_on >= ${day})`;
  return [
    `${row}.id = (SELECT held.id FROM memberships held WHERE ${isActive('held')}
      AND (held.member_id = ${member} OR held.team_id = (SELECT team_id FROM members WHERE id = ${member}))
      ORDER BY held.member_id IS NULL LIMIT 1)`,
  ];
};

const getPlanId = ({ planId }: MembershipValue) => planId;

/** Memberships keep their plan from being deleted. */
async function loadPlan(id: string, { lists }: GraphqlContext) {
  const plan = await lists.loadRow(planList, id);
  if (plan === null) throw notFound('plan');
  return plan;
}

const MembershipFilter = createInputType('MembershipFilter', membershipFilter);
const MembershipOrder = getOrderEnum('Membership', membershipList);

builder.queryField('memberships', (t) =>
  t.connection({
    type: Membership,
    description: 'Memberships of members and teams, latest start first',
    authScopes: READ,
    args: {
      filter: t.arg({ type: MembershipFilter, description: 'Which memberships to list' }),
      orderBy: t.arg({ type: MembershipOrder, description: 'Default: STARTS_ON_DESC' }),
    },
    ...listField(membershipList),
  }),
);

builder.objectFields(Member, (t) => ({
  memberships: t.connection({
    type: Membership,
    description: 'Their own memberships, without those of their team, latest start first',
    authScopes: authorizeOwnOrRead,
    args: {
      filter: t.arg({ type: MembershipFilter, description: 'Which memberships to list' }),
      orderBy: t.arg({ type: MembershipOrder, description: 'Default: STARTS_ON_DESC' }),
    },
    ...relationField(membershipList, (row, member) => `${row}.member_id = ${member}`, READ.access),
  }),
  currentMembership: t.field({
    type: Membership,
    nullable: true,
    description: "The membership that applies to their bookings: their own, otherwise their team's",
    authScopes: authorizeOwnOrRead,
    args: { on: t.arg({ type: 'Date', description: 'Default: today in UTC' }) },
    extensions: {
      sufficientAccess: READ.access,
      row: {
        table: membershipList.table,
        where: isCurrentMembership,
      } satisfies RowExtension,
    },
    resolve: ({ id }, { on }, { ctx, loaders }) =>
      loaders.currentMembership.load(id, on ?? getUtcDate(ctx.now())),
  }),
}));

builder.objectField(Team, 'memberships', (t) =>
  t.connection({
    type: Membership,
    description: 'Its memberships, latest start first',
    authScopes: READ,
    args: {
      filter: t.arg({ type: MembershipFilter, description: 'Which memberships to list' }),
      orderBy: t.arg({ type: MembershipOrder, description: 'Default: STARTS_ON_DESC' }),
    },
    ...relationField(membershipList, (row, team) => `${row}.team_id = ${team}`),
  }),
);

builder.objectField(Plan, 'memberships', (t) =>
  t.connection({
    type: Membership,
    description: 'The memberships with this plan, latest start first',
    authScopes: READ,
    args: {
      filter: t.arg({ type: MembershipFilter, description: 'Which memberships to list' }),
      orderBy: t.arg({ type: MembershipOrder, description: 'Default: STARTS_ON_DESC' }),
    },
    ...relationField(membershipList, (row, plan) => `${row}.plan_id = ${plan}`),
  }),
);

addMutation('createMembership', {
  description: 'Assigns a plan to a member or a team',
  access: 'members:write',
  input: createMembershipInput,
  payload: { membership: { type: Membership, description: 'The new membership' } },
  creates: { membership: membershipList },
  resolve: async (input, { ctx }) => ({ membership: await createMembership(ctx, input) }),
});

addMutation('endMembership', {
  description: 'Sets the last day of a membership. Bookings that use it are kept.',
  access: 'members:write',
  input: endMembershipInput,
  takesVersion: true,
  payload: { membership: { type: Membership, description: 'The membership with its last day' } },
  resolve: async ({ id, endsOn }, { ctx }) => ({
    membership: await endMembership(ctx, id, endsOn),
  }),
});

addMutation('changePlan', {
  description:
    'Continues a membership with another plan from a day on: it ends the day before, and a new one begins. The holder gets one email. Bookings that use it are kept.',
  access: 'members:write',
  input: changePlanInput,
  takesVersion: true,
  payload: {
    membership: {
      type: Membership,
      description: 'The membership with its last day. Its nextMembership is the new one.',
    },
  },
  resolve: async (input, { ctx }) => ({ membership: (await changePlan(ctx, input)).ended }),
});

addMutation('undoPlanChange', {
  description:
    'Undoes changePlan: deletes the membership with the new plan, and the previous one continues. Rejected if bookings use the new one.',
  access: 'members:write',
  input: undoPlanChangeInput,
  payload: {
    membership: { type: Membership, description: 'The previous membership, which continues' },
    deletedMembershipId: { type: 'ID', description: 'The id of the membership with the new plan' },
  },
  resolve: async ({ id }, { ctx }) => ({
    membership: await undoPlanChange(ctx, id),
    deletedMembershipId: id,
  }),
});

addMutation('deleteMembership', {
  description: 'Deletes a membership that was created by mistake. Rejected if bookings use it.',
  access: 'members:write',
  input: membershipIdInput,
  payload: { deletedMembershipId: { type: 'ID', description: 'The id of the deleted membership' } },
  resolve: async ({ id }, { ctx }) => {
    await deleteMembership(ctx, id);
    return { deletedMembershipId: id };
  },
});
