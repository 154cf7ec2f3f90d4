import { z } from 'zod';
import { canReadCodes, type Viewer } from '../../../auth/viewer.ts';
import {
  boundedText,
  emailAddress,
  ignoreNull,
  omitNull,
  parseInput,
  personName,
} from '../../../core/validation.ts';
import { builder } from '../../../graphql/builder.ts';
import { paginateFilteredField, toNamePosition } from '../../../graphql/connections.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { Team } from '../../teams/graphql.ts';
import { findEmailChange } from '../email-change.ts';
import {
  createMember,
  findOwnMember,
  getMember,
  listMembers,
  type Member as MemberValue,
  updateMember,
} from '../service.ts';
import { MEMBER_STATUSES } from '../types.ts';

const READ = { access: 'members:read' } as const;

type MemberSummary = { id: string; name: string };

/** Members can read their own record. Other records require members:read. */
export const authorizeOwnOrRead = (
  member: MemberSummary,
  _: unknown,
  { ctx: { viewer } }: GraphqlContext,
) => (isOwnRecord(viewer, member) ? true : READ);

const isOwnRecord = (viewer: Viewer, { id }: MemberSummary) =>
  viewer.kind === 'member' && viewer.id === id;

/** Other types, such as bookings, provide id and name; the remaining fields are loaded on demand. */
const loadMember = async (summary: MemberSummary, { member }: GraphqlContext['loaders']) =>
  'email' in summary ? (summary as MemberValue) : member.load(summary.id);

const memberField = <T>(pick: (member: MemberValue) => T) => ({
  authScopes: authorizeOwnOrRead,
  resolve: (summary: MemberSummary, _: unknown, { loaders }: GraphqlContext) =>
    loadMember(summary, loaders).then(pick),
});

const MemberStatus = builder.enumType('MemberStatus', {
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
        description: 'When the new address was confirmed',
      }),
      approvedAt: t.expose('approvedAt', {
        type: 'DateTime',
        nullable: true,
        description:
          'When the current address or a manager approved. Changes by staff are approved immediately.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    }),
  });

export const Member = builder.objectRef<MemberSummary>('Member');
Member.implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.string(memberField((member) => member.email)),
    emailConfirmed: t.boolean({
      description:
        'Whether the member can sign in with this address. Members created by a token confirm it first.',
      ...memberField((member) => member.emailConfirmedAt !== null),
    }),
    emailChange: t.field({
      type: MemberEmailChange,
      nullable: true,
      description: 'A pending new address',
      authScopes: authorizeOwnOrRead,
      resolve: ({ id }, _, { ctx }) => findEmailChange(ctx, id),
    }),
    phone: t.string({ nullable: true, ...memberField((member) => member.phone) }),
    company: t.string({ nullable: true, ...memberField((member) => member.company) }),
    status: t.field({ type: MemberStatus, ...memberField((member) => member.status) }),
    code: t.string({
      nullable: true,
      description:
        "The content of the member's QR code. null for other members and for callers with neither members:write nor check-ins:write.",
      authScopes: authorizeOwnOrRead,
      resolve: async (summary, _, { ctx: { viewer }, loaders }) =>
        isOwnRecord(viewer, summary) || canReadCodes(viewer, 'members:write')
          ? (await loadMember(summary, loaders)).code
          : null,
    }),
    team: t.field({
      type: Team,
      nullable: true,
      authScopes: authorizeOwnOrRead,
      resolve: async (summary, _, { loaders }) => {
        const { teamId } = await loadMember(summary, loaders);
        return teamId === null ? null : loaders.team.load(teamId);
      },
    }),
    createdAt: t.field({ type: 'DateTime', ...memberField((member) => member.createdAt) }),
  }),
});

builder.objectField(Team, 'members', (t) =>
  t.field({
    type: [Member],
    description: 'Members by name',
    authScopes: READ,
    complexity: { field: 1, multiplier: 10 },
    resolve: ({ id }, _, { loaders }) => loaders.membersByTeam.load(id),
  }),
);

const MemberFilter = builder.inputType('MemberFilter', {
  fields: (t) => ({
    q: t.string({ description: 'Part of the name or email address' }),
    status: t.field({ type: MemberStatus }),
    teamId: t.id(),
  }),
});

const memberFilter = z.object({
  q: boundedText(200).optional(),
  status: z.enum(MEMBER_STATUSES).optional(),
  teamId: z.uuid().optional(),
});

builder.queryField('members', (t) =>
  t.connection({
    type: Member,
    authScopes: READ,
    args: { filter: t.arg({ type: MemberFilter }) },
    ...paginateFilteredField(memberFilter, listMembers, toNamePosition),
  }),
);

builder.queryField('member', (t) =>
  t.field({
    type: Member,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => getMember(ctx, id),
  }),
);

builder.queryField('me', (t) =>
  t.field({
    type: Member,
    nullable: true,
    description: 'The record of the member who is signed in. null for staff.',
    authScopes: { access: 'signed-in' },
    resolve: (_, __, { ctx }) => findOwnMember(ctx),
  }),
);

const WRITE = { access: 'members:write' } as const;

const CreateMemberInput = builder.inputType('CreateMemberInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    email: t.string({ required: true }),
    phone: t.string(),
    company: t.string(),
    teamId: t.id(),
  }),
});

const name = personName;
const email = emailAddress;
const phone = boundedText(50);
const company = boundedText(200);

const createInput = z.object({
  name,
  email,
  phone: phone.optional(),
  company: company.optional(),
  teamId: z.uuid().optional(),
});

builder.mutationField('createMember', (t) =>
  t.field({
    type: Member,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateMemberInput, required: true }) },
    resolve: (_, { input }, { ctx }) => createMember(ctx, parseInput(createInput, omitNull(input))),
  }),
);

const UpdateMemberInput = builder.inputType('UpdateMemberInput', {
  description: 'Omitted fields stay as they are; null clears phone, company and team',
  fields: (t) => ({
    name: t.string(),
    email: t.string(),
    phone: t.string(),
    company: t.string(),
    status: t.field({ type: MemberStatus, description: 'Former members are signed out' }),
    teamId: t.id(),
  }),
});

const updateInput = z.object({
  name: ignoreNull(name),
  email: ignoreNull(email),
  phone: phone.nullish(),
  company: company.nullish(),
  status: ignoreNull(z.enum(MEMBER_STATUSES)),
  teamId: z.uuid().nullish(),
});

builder.mutationField('updateMember', (t) =>
  t.field({
    type: Member,
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateMemberInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) => updateMember(ctx, id, parseInput(updateInput, input)),
  }),
);
