import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import type { GraphqlContext } from '../../graphql/context.ts';
import { byItsName, pagedBy } from '../../graphql/pages.ts';
import { text } from '../../validation.ts';
import { Team } from '../teams/graphql.ts';
import * as members from './service.ts';
import { MEMBER_STATUSES } from './statuses.ts';

const READ = { access: 'members:read' } as const;

type Brief = { id: string; name: string };

/** Everybody may read their own record; of others, who may read members. */
export const ownOrRead = (it: Brief, _: unknown, { ctx: { viewer } }: GraphqlContext) =>
  viewer.kind === 'member' && viewer.id === it.id ? true : READ;

/** What a booking says of a member is enough for its name; the rest is loaded when it is asked for. */
const full = async (it: Brief, { member }: GraphqlContext['loaders']) =>
  'email' in it ? (it as members.Member) : member.load(it.id);

const of = <T>(pick: (member: members.Member) => T) => ({
  authScopes: ownOrRead,
  resolve: (it: Brief, _: unknown, { loaders }: GraphqlContext) => full(it, loaders).then(pick),
});

export const MemberStatus = builder.enumType('MemberStatus', {
  values: {
    ACTIVE: { value: 'active' },
    PAUSED: { value: 'paused' },
    FORMER: { value: 'former' },
  } as const,
});

export const Member = builder.objectRef<Brief>('Member');
Member.implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.string(of((member) => member.email)),
    phone: t.string({ nullable: true, ...of((member) => member.phone) }),
    company: t.string({ nullable: true, ...of((member) => member.company) }),
    status: t.field({ type: MemberStatus, ...of((member) => member.status) }),
    code: t.string({
      description: "What the member's QR code says",
      ...of((member) => member.code),
    }),
    team: t.field({
      type: Team,
      nullable: true,
      authScopes: ownOrRead,
      resolve: async (it, _, { loaders }) => {
        const { teamId } = await full(it, loaders);
        return teamId === null ? null : loaders.team.load(teamId);
      },
    }),
    createdAt: t.field({ type: 'DateTime', ...of((member) => member.createdAt) }),
  }),
});

builder.objectField(Team, 'members', (t) =>
  t.field({
    type: [Member],
    description: 'By name',
    authScopes: READ,
    complexity: { field: 1, multiplier: 10 },
    resolve: ({ id }, _, { loaders }) => loaders.membersOfTeam.load(id),
  }),
);

const MemberFilter = builder.inputType('MemberFilter', {
  fields: (t) => ({
    q: t.string({ description: 'Part of the name or of the e-mail address' }),
    status: t.field({ type: MemberStatus }),
    teamId: t.id(),
  }),
});

const filter = z.object({
  q: text(200).optional(),
  status: z.enum(MEMBER_STATUSES).optional(),
  teamId: z.uuid().optional(),
});

builder.queryField('members', (t) =>
  t.connection({
    type: Member,
    authScopes: READ,
    args: { filter: t.arg({ type: MemberFilter }) },
    ...pagedBy(filter, members.list, byItsName),
  }),
);

builder.queryField('member', (t) =>
  t.field({
    type: Member,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => members.get(ctx, id),
  }),
);

builder.queryField('me', (t) =>
  t.field({
    type: Member,
    nullable: true,
    description: 'The own record of a member who has signed in; null for staff',
    authScopes: { access: 'signed-in' },
    resolve: (_, __, { ctx }) => members.ownRecord(ctx),
  }),
);
