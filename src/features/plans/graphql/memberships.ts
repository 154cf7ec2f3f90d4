import { z } from 'zod';
import { getUtcDate } from '../../../core/time/calendar-date.ts';
import { omitNull, parseInput } from '../../../core/validation.ts';
import { builder } from '../../../graphql/builder.ts';
import { paginateFilteredField } from '../../../graphql/connections.ts';
import { authorizeOwnOrRead, Member } from '../../members/graphql/members.ts';
import { ResourceType } from '../../spaces/graphql.ts';
import { Team } from '../../teams/graphql.ts';
import {
  createMembership,
  deleteMembership,
  endMembership,
  listMemberships,
  type Membership as MembershipValue,
  type PlanUsage,
  sumMembershipUsage,
  toMembershipPosition,
} from '../memberships.ts';
import { Plan } from './plans.ts';

const READ = { access: 'members:read' } as const;

const MembershipUsage = builder.objectRef<PlanUsage>('MembershipUsage').implement({
  description: 'How much of one type of resource was used in a calendar month',
  fields: (t) => ({
    resourceType: t.expose('resourceType', { type: ResourceType }),
    includedMinutes: t.exposeInt('includedMinutes', {
      description: 'Minutes taken from the allowance',
    }),
    bookedMinutes: t.exposeInt('bookedMinutes', {
      description: 'All booked minutes, without cancelled bookings',
    }),
  }),
});

const Membership = builder.objectRef<MembershipValue>('Membership');
Membership.implement({
  description: 'The subscription of a member, or of a team whose members share it, to a plan',
  fields: (t) => ({
    id: t.exposeID('id'),
    plan: t.expose('plan', { type: Plan }),
    member: t.expose('member', { type: Member, nullable: true }),
    team: t.expose('team', { type: Team, nullable: true }),
    startsOn: t.expose('startsOn', { type: 'Date' }),
    endsOn: t.expose('endsOn', {
      type: 'Date',
      nullable: true,
      description: 'The last day. null: no end.',
    }),
    usage: t.field({
      type: [MembershipUsage],
      description: 'Usage by type of resource, without types that were not booked',
      complexity: { field: 5, multiplier: 3 }, // one statement for each membership
      args: {
        month: t.arg({ type: 'Date', description: 'Any day of the month. Default: this month' }),
      },
      resolve: ({ id }, { month }, { ctx }) =>
        sumMembershipUsage(ctx, id, `${(month ?? getUtcDate(ctx.now())).slice(0, 7)}-01`),
    }),
  }),
});

builder.objectFields(Member, (t) => ({
  memberships: t.field({
    type: [Membership],
    description: 'Their own memberships, without those of their team, latest first',
    authScopes: authorizeOwnOrRead,
    complexity: { field: 1, multiplier: 3 },
    resolve: ({ id }, _, { loaders }) => loaders.membershipsByMember.load(id),
  }),
  currentMembership: t.field({
    type: Membership,
    nullable: true,
    description: 'The membership that they book with: their own, else that of their team',
    authScopes: authorizeOwnOrRead,
    args: { on: t.arg({ type: 'Date', description: 'Default: today in UTC' }) },
    resolve: ({ id }, { on }, { ctx, loaders }) =>
      loaders.currentMembership.load(id, on ?? getUtcDate(ctx.now())),
  }),
}));

builder.objectField(Team, 'memberships', (t) =>
  t.field({
    type: [Membership],
    description: 'Sorted by start, latest first',
    authScopes: READ,
    complexity: { field: 1, multiplier: 3 },
    resolve: ({ id }, _, { loaders }) => loaders.membershipsByTeam.load(id),
  }),
);

const MembershipFilter = builder.inputType('MembershipFilter', {
  fields: (t) => ({
    memberId: t.id(),
    teamId: t.id(),
    planId: t.id(),
    activeOn: t.field({
      type: 'Date',
      description: 'Only memberships that are active on this day',
    }),
  }),
});

const membershipFilter = z.object({
  memberId: z.uuid().optional(),
  teamId: z.uuid().optional(),
  planId: z.uuid().optional(),
  activeOn: z.string().optional(),
});

builder.queryField('memberships', (t) =>
  t.connection({
    type: Membership,
    description: 'Sorted by start, latest first',
    authScopes: READ,
    args: { filter: t.arg({ type: MembershipFilter }) },
    ...paginateFilteredField(membershipFilter, listMemberships, toMembershipPosition),
  }),
);

const WRITE = { access: 'members:write' } as const;

const CreateMembershipInput = builder.inputType('CreateMembershipInput', {
  description: 'Either memberId or teamId',
  fields: (t) => ({
    planId: t.id({ required: true }),
    memberId: t.id(),
    teamId: t.id(),
    startsOn: t.field({ type: 'Date', required: true }),
    endsOn: t.field({ type: 'Date', description: 'The last day. Default: no end' }),
  }),
});

const createInput = z.object({
  planId: z.uuid(),
  memberId: z.uuid().optional(),
  teamId: z.uuid().optional(),
  startsOn: z.string(),
  endsOn: z.string().optional(),
});

builder.mutationField('createMembership', (t) =>
  t.field({
    type: Membership,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateMembershipInput, required: true }) },
    resolve: (_, args, { ctx }) =>
      createMembership(ctx, parseInput(createInput, omitNull(args.input))),
  }),
);

builder.mutationField('endMembership', (t) =>
  t.field({
    type: Membership,
    description: 'Sets the last day of a membership. Bookings that use it stay.',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      endsOn: t.arg({ type: 'Date', required: true }),
    },
    resolve: (_, { id, endsOn }, { ctx }) => endMembership(ctx, id, endsOn),
  }),
);

builder.mutationField('deleteMembership', (t) =>
  t.boolean({
    description: 'Deletes a membership that was created by mistake. Rejected when bookings use it.',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, { ctx }) => {
      await deleteMembership(ctx, id);
      return true;
    },
  }),
);
