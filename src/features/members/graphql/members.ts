import { canReadCodes, type Viewer } from '../../../auth/viewer.ts';
import type { Member as MemberValue } from '../../../db/generated/client.ts';
import { notFound } from '../../../errors.ts';
import { builder, createInputType } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import {
  getOrderEnum,
  listField,
  type RowExtension,
  relationField,
  selectById,
} from '../../../graphql/list-fields.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { Node } from '../../../graphql/node.ts';
import { addActions } from '../../../graphql/row-actions.ts';
import { showFields } from '../../../graphql/row-fields.ts';
import { endMemberSessions, sendMemberSignInLink } from '../../sign-in/service.ts';
import { Team } from '../../teams/graphql.ts';
import { teamList } from '../../teams/service.ts';
import { memberActions } from '../allowed-actions.ts';
import { createMemberInput, memberFilter, memberIdInput, updateMemberInput } from '../inputs.ts';
import { memberRow } from '../rows.ts';
import {
  type findEmailChanges,
  toEmailChangeConditions,
  toEmailChangeProjection,
} from '../service/email-change.ts';
import { memberList } from '../service/list-members.ts';
import { createMember, findOwnMember, getMember, updateMember } from '../service/members.ts';
import { toMemberProjection } from '../types.ts';

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
async function loadMember(summary: MemberSummary, { lists }: GraphqlContext): Promise<MemberValue> {
  if ('email' in summary) return summary as MemberValue;
  const member = await lists.loadRow(memberList, summary.id);
  if (member === null) throw notFound('member');
  return member;
}

builder.enumType('MemberStatus', {
  description: 'The state of a member',
  values: {
    ACTIVE: { value: 'active', description: 'Can book and check in' },
    PAUSED: {
      value: 'paused',
      description: 'Takes a break; can sign in, but not book or check in',
    },
    FORMER: { value: 'former', description: 'Has left; cannot sign in, book or check in' },
  } as const,
});

type EmailChange = NonNullable<
  Awaited<ReturnType<typeof findEmailChanges>> extends Map<string, infer Value> ? Value : never
>;

const MemberEmailChange = builder.objectRef<EmailChange>('MemberEmailChange').implement({
  description: 'A new email address of a member that is not in use yet',
  extensions: { projection: toEmailChangeProjection },
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The new address' }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the new address was confirmed',
    }),
    approvedAt: t.expose('approvedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the change was approved from the current address or by a manager. Changes by staff are approved immediately.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the change was requested',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the request ends without effect',
    }),
  }),
});

export const Member = builder.objectRef<MemberSummary>('Member');
Member.implement({
  description: 'A person with a member record',
  extensions: { projection: toMemberProjection },
  interfaces: [Node],
  fields: (t) => ({
    ...showFields(t, memberRow, { load: loadMember, authorize: authorizeOwnOrRead }),
    emailChange: t.field({
      type: MemberEmailChange,
      nullable: true,
      description: 'A pending new address',
      extensions: {
        sufficientAccess: READ.access,
        row: {
          table: 'member_email_changes',
          where: (row, _, { parent, bind, now }) =>
            toEmailChangeConditions(row, parent('id'), bind(now(), 'timestamptz')),
        } satisfies RowExtension,
      },
      authScopes: authorizeOwnOrRead,
      resolve: ({ id }, _, { loaders }) => loaders.emailChangeByMember.load(id),
    }),
    code: t.string({
      nullable: true,
      description:
        "The content of the member's QR code. null for other members and for callers with neither members:write nor check-ins:write.",
      authScopes: authorizeOwnOrRead,
      extensions: { reads: 'code', sufficientAccess: READ.access },
      resolve: async (summary, _, context) =>
        isOwnRecord(context.ctx.viewer, summary) ||
        canReadCodes(context.ctx.viewer, 'members:write')
          ? (await loadMember(summary, context)).code
          : null,
    }),
    team: t.field({
      type: Team,
      description: 'The team that the member belongs to; null if there is none',
      nullable: true,
      authScopes: authorizeOwnOrRead,
      extensions: { reads: 'team', sufficientAccess: READ.access },
      resolve: async (summary, _, context) => {
        const { teamId } = await loadMember(summary, context);
        return teamId === null ? null : context.lists.loadRow(teamList, teamId);
      },
    }),
  }),
});

addActions(Member, {
  type: 'MemberActions',
  noun: 'a member',
  rules: memberActions,
  actions: {
    update: 'Change the member with updateMember',
    resendConfirmation: 'Send a new link to the pending address with resendMemberConfirmation',
    approveEmailChange:
      'Approve the new address with approveMemberEmailChange, if no other account has confirmed it',
    cancelEmailChange: 'Keep the current address with cancelMemberEmailChange',
    sendSignInLink: 'Email a sign-in link with sendMemberSignInLink',
    endSessions: 'Sign the member out everywhere with endMemberSessions',
  },
});

const MemberFilter = createInputType('MemberFilter', memberFilter);
const MemberOrder = getOrderEnum('Member', memberList);

builder.queryField('members', (t) =>
  t.connection({
    type: Member,
    description: 'Members by name',
    authScopes: READ,
    args: {
      filter: t.arg({ type: MemberFilter, description: 'Which members to list' }),
      orderBy: t.arg({ type: MemberOrder, description: 'Default: NAME_ASC' }),
    },
    ...listField(memberList),
  }),
);

builder.objectField(Team, 'members', (t) =>
  t.connection({
    type: Member,
    description: 'Its members, sorted by name',
    authScopes: READ,
    args: {
      filter: t.arg({ type: MemberFilter, description: 'Which members to list' }),
      orderBy: t.arg({ type: MemberOrder, description: 'Default: NAME_ASC' }),
    },
    ...relationField(memberList, (row, team) => `${row}.team_id = ${team}`),
  }),
);

builder.queryField('member', (t) =>
  t.field({
    type: Member,
    description: 'Gets a member. Members can get only themselves.',
    authScopes: READ,
    args: { id: t.arg.id({ description: 'The id of the member', required: true }) },
    extensions: { row: selectById(memberList) },
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

addMutation('createMember', {
  description: 'Creates a member',
  access: 'members:write',
  input: createMemberInput,
  payload: { member: { type: Member, description: 'The new member' } },
  creates: { member: memberList },
  resolve: async (input, { ctx }) => ({ member: await createMember(ctx, input) }),
});

addMutation('sendMemberSignInLink', {
  description:
    'Emails a link to a member that signs in once within 15 minutes. Without a mail server it is only stored: see hasMailServer.',
  access: 'members:write',
  input: memberIdInput,
  payload: { member: { type: Member, description: 'The member who gets the link' } },
  resolve: async ({ id }, { ctx }) => {
    await sendMemberSignInLink(ctx, id);
    return { member: await getMember(ctx, id) };
  },
});

addMutation('endMemberSessions', {
  description:
    'Signs a member out of all browsers immediately. Sign-in links that were sent before stop working.',
  access: 'members:write',
  input: memberIdInput,
  payload: { member: { type: Member, description: 'The member who is signed out' } },
  resolve: async ({ id }, { ctx }) => {
    await endMemberSessions(ctx, id);
    return { member: await getMember(ctx, id) };
  },
});

addMutation('updateMember', {
  description: 'Changes a member. A new email address may need confirmation first.',
  access: 'members:write',
  input: updateMemberInput,
  takesVersion: true,
  payload: { member: { type: Member, description: 'The changed member' } },
  resolve: async ({ id, ...change }, { ctx }) => ({ member: await updateMember(ctx, id, change) }),
});
