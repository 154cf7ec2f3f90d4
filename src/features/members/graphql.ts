import { z } from 'zod';
import { canReadCodes, type Viewer } from '../../auth/viewer.ts';
import { builder } from '../../graphql/builder.ts';
import type { GraphqlContext } from '../../graphql/context.ts';
import { byItsName, pagedBy } from '../../graphql/pages.ts';
import { text } from '../../validation.ts';
import { Team } from '../teams/graphql.ts';
import { findEmailChange } from './email-change.ts';
import * as members from './service.ts';
import { MEMBER_STATUSES } from './statuses.ts';

const READ = { access: 'members:read' } as const;

type Brief = { id: string; name: string };

/** Everybody may read their own record; of others, who may read members. */
export const ownOrRead = (it: Brief, _: unknown, { ctx: { viewer } }: GraphqlContext) =>
  isOwn(viewer, it) ? true : READ;

const isOwn = (viewer: Viewer, { id }: Brief) => viewer.kind === 'member' && viewer.id === id;

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

const MemberEmailChange = builder
  .objectRef<NonNullable<Awaited<ReturnType<typeof findEmailChange>>>>('MemberEmailChange')
  .implement({
    fields: (t) => ({
      email: t.exposeString('email'),
      confirmedAt: t.expose('confirmedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When the link in the new mailbox was opened',
      }),
      approvedAt: t.expose('approvedAt', {
        type: 'DateTime',
        nullable: true,
        description:
          'When the holder of the present address or a manager agreed; at once where staff changes the address',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    }),
  });

export const Member = builder.objectRef<Brief>('Member');
Member.implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.string(of((member) => member.email)),
    emailConfirmed: t.boolean({
      description:
        'Whether the member can sign in with this address; members that a token made confirm it first',
      ...of((member) => member.emailConfirmedAt !== null),
    }),
    emailChange: t.field({
      type: MemberEmailChange,
      nullable: true,
      description: 'A new address that waits to be confirmed',
      authScopes: ownOrRead,
      resolve: ({ id }, _, { ctx }) => findEmailChange(ctx, id),
    }),
    phone: t.string({ nullable: true, ...of((member) => member.phone) }),
    company: t.string({ nullable: true, ...of((member) => member.company) }),
    status: t.field({ type: MemberStatus, ...of((member) => member.status) }),
    code: t.string({
      nullable: true,
      description:
        "What the member's QR code says; null for callers with neither members:write nor check-ins:write, but for the member",
      authScopes: ownOrRead,
      resolve: async (it, _, { ctx: { viewer }, loaders }) =>
        isOwn(viewer, it) || canReadCodes(viewer, 'members:write')
          ? (await full(it, loaders)).code
          : null,
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
