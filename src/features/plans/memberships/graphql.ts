import { z } from 'zod';
import { dayIn } from '../../../dates.ts';
import { builder } from '../../../graphql/builder.ts';
import { pagedBy } from '../../../graphql/pages.ts';
import { Member, ownOrRead } from '../../members/graphql.ts';
import { ResourceType } from '../../spaces/graphql.ts';
import { Team } from '../../teams/graphql.ts';
import { Plan } from '../graphql.ts';
import { type Usage, usageOf } from '../usage.ts';
import * as memberships from './service.ts';

const READ = { access: 'members:read' } as const;

const MembershipUsage = builder.objectRef<Usage>('MembershipUsage').implement({
  description: 'What has been used of one type of resource in a calendar month',
  fields: (t) => ({
    resourceType: t.expose('resourceType', { type: ResourceType }),
    includedMinutes: t.exposeInt('includedMinutes', { description: 'Taken from the allowance' }),
    bookedMinutes: t.exposeInt('bookedMinutes', {
      description: 'Booked altogether; cancelled ones do not count',
    }),
  }),
});

export const Membership = builder.objectRef<memberships.Membership>('Membership');
Membership.implement({
  description: 'The contract of a member, or of a team whose members share it',
  fields: (t) => ({
    id: t.exposeID('id'),
    plan: t.expose('plan', { type: Plan }),
    member: t.expose('member', { type: Member, nullable: true }),
    team: t.expose('team', { type: Team, nullable: true }),
    startsOn: t.expose('startsOn', { type: 'Date' }),
    endsOn: t.expose('endsOn', {
      type: 'Date',
      nullable: true,
      description: 'The last day; null: open-ended',
    }),
    usage: t.field({
      type: [MembershipUsage],
      description: 'Types of which nothing was booked are left out',
      complexity: { field: 5, multiplier: 3 }, // a statement for each membership
      args: {
        month: t.arg({ type: 'Date', description: 'Any day of it; this month, if left out' }),
      },
      resolve: ({ id }, { month }, { ctx }) =>
        usageOf(ctx, id, `${(month ?? dayIn(ctx.now())).slice(0, 7)}-01`),
    }),
  }),
});

builder.objectFields(Member, (t) => ({
  memberships: t.field({
    type: [Membership],
    description: 'Their own contracts, not those of their team; the latest first',
    authScopes: ownOrRead,
    complexity: { field: 1, multiplier: 3 },
    resolve: ({ id }, _, { loaders }) => loaders.membershipsOfMember.load(id),
  }),
  currentMembership: t.field({
    type: Membership,
    nullable: true,
    description: 'What they book by: their own contract, else the one of their team',
    authScopes: ownOrRead,
    args: { on: t.arg({ type: 'Date', description: 'Today in UTC, if left out' }) },
    resolve: ({ id }, { on }, { ctx, loaders }) =>
      loaders.currentMembership.load(id, on ?? dayIn(ctx.now())),
  }),
}));

builder.objectField(Team, 'memberships', (t) =>
  t.field({
    type: [Membership],
    description: 'The latest first',
    authScopes: READ,
    complexity: { field: 1, multiplier: 3 },
    resolve: ({ id }, _, { loaders }) => loaders.membershipsOfTeam.load(id),
  }),
);

const MembershipFilter = builder.inputType('MembershipFilter', {
  fields: (t) => ({
    memberId: t.id(),
    teamId: t.id(),
    planId: t.id(),
    activeOn: t.field({ type: 'Date', description: 'That run on this day' }),
  }),
});

const filter = z.object({
  memberId: z.uuid().optional(),
  teamId: z.uuid().optional(),
  planId: z.uuid().optional(),
  activeOn: z.string().optional(),
});

builder.queryField('memberships', (t) =>
  t.connection({
    type: Membership,
    description: 'The latest first',
    authScopes: READ,
    args: { filter: t.arg({ type: MembershipFilter }) },
    ...pagedBy(filter, memberships.list, memberships.position),
  }),
);
