import { z } from 'zod';
import { StaffRole } from '../../auth/graphql.ts';
import { toSecretGuess } from '../../auth/rate-limits.ts';
import { emailAddress, omitNull, parseInput, personName } from '../../core/validation.ts';
import { builder } from '../../graphql/builder.ts';
import { paginateField, toNamePosition } from '../../graphql/connections.ts';
import type { GraphqlContext } from '../../graphql/context.ts';
import { acceptStaffLink, getStaffLink } from './links.ts';
import {
  disableStaff,
  enableStaff,
  getStaffUser,
  inviteStaff,
  listStaff,
  resendInvitation,
  resetStaffPassword,
  setStaffRole,
  withdrawInvitation,
} from './service.ts';
import type { IssuedStaffLink, StaffLink as Link, StaffUser as User } from './types.ts';

const MANAGE = { access: 'staff:manage' } as const;
const OWNER = { access: 'staff:owner' } as const;
const PUBLIC = { access: 'public' } as const;

const StaffStatus = builder.enumType('StaffStatus', {
  description: 'Whether a staff user can sign in',
  values: {
    ACTIVE: { value: 'active' },
    INVITED: { value: 'invited', description: 'Has not set a password yet' },
    DISABLED: {
      value: 'disabled',
      description: 'Cannot sign in until an owner enables the account',
    },
  } as const,
});

const StaffUser = builder.objectRef<User>('StaffUser').implement({
  description: 'A person who signs in to the admin panel',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    role: t.expose('role', { type: StaffRole }),
    status: t.expose('status', { type: StaffStatus }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastActiveAt: t.expose('lastActiveAt', {
      type: 'DateTime',
      nullable: true,
      description: 'To the minute; null for a person who has never signed in',
    }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
    linkExpiresAt: t.expose('linkExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the open invitation or password reset ends, or ended; null without one',
    }),
    activeTokenCount: t.exposeInt('activeTokenCount', {
      description: 'How many API tokens of this person still work',
    }),
    isYou: t.boolean({
      description: 'Whether this is the account that asks',
      resolve: ({ id }, _, { ctx: { viewer } }) => viewer.kind === 'staff' && viewer.id === id,
    }),
  }),
});

builder.queryField('staff', (t) =>
  t.connection({
    type: StaffUser,
    description: 'Staff users by name, invited and disabled ones too',
    authScopes: MANAGE,
    ...paginateField(listStaff, toNamePosition),
  }),
);

const StaffLinkPayload = builder
  .objectRef<{ staffUser: User; url: string | null }>('StaffLinkPayload')
  .implement({
    description: 'A staff user who was sent a one-time link to set a password',
    fields: (t) => ({
      staffUser: t.expose('staffUser', { type: StaffUser }),
      url: t.exposeString('url', {
        nullable: true,
        description:
          'The link, shown once, for you to pass on. Null where a mail server is configured: then only the mail holds it',
      }),
    }),
  });

/** Where a mail server is configured, only the person's mailbox gets the link. */
const toPayload = ({ staffUser, url }: IssuedStaffLink, { deps }: GraphqlContext) => ({
  staffUser,
  url: deps.config.smtpUrl === undefined ? url : null,
});

const ROLES = ['owner', 'manager', 'front_desk'] as const;
const staffUserIdInput = z.object({ id: z.uuid() });

const InviteStaffInput = builder.inputType('InviteStaffInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    email: t.string({ required: true }),
    role: t.field({ type: StaffRole, required: true }),
  }),
});
const inviteInput = z.object({
  name: personName,
  email: z.string().trim().pipe(emailAddress),
  role: z.enum(ROLES),
});

builder.mutationField('inviteStaff', (t) =>
  t.field({
    type: StaffLinkPayload,
    description:
      'Creates a staff account and mails a link to set its password, good once for three days',
    authScopes: OWNER,
    args: { input: t.arg({ type: InviteStaffInput, required: true }) },
    resolve: async (_, { input }, context) =>
      toPayload(await inviteStaff(context.ctx, parseInput(inviteInput, input)), context),
  }),
);

const StaffUserInput = builder.inputType('StaffUserInput', {
  description: 'Names a staff user',
  fields: (t) => ({ id: t.id({ required: true }) }),
});

builder.mutationField('withdrawStaffInvitation', (t) =>
  t.field({
    type: StaffUser,
    description: 'Deletes an account whose invitation was not accepted; its link stops working',
    authScopes: OWNER,
    args: { input: t.arg({ type: StaffUserInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      withdrawInvitation(ctx, parseInput(staffUserIdInput, input).id),
  }),
);

builder.mutationField('enableStaff', (t) =>
  t.field({
    type: StaffUser,
    description: 'Lets a disabled staff user sign in again, with the same password',
    authScopes: OWNER,
    args: { input: t.arg({ type: StaffUserInput, required: true }) },
    resolve: (_, { input }, { ctx }) => enableStaff(ctx, parseInput(staffUserIdInput, input).id),
  }),
);

builder.mutationField('resendStaffInvitation', (t) =>
  t.field({
    type: StaffLinkPayload,
    description: 'Mails a new link; the one before stops working',
    authScopes: OWNER,
    args: { input: t.arg({ type: StaffUserInput, required: true }) },
    resolve: async (_, { input }, context) =>
      toPayload(
        await resendInvitation(context.ctx, parseInput(staffUserIdInput, input).id),
        context,
      ),
  }),
);

builder.mutationField('resetStaffPassword', (t) =>
  t.field({
    type: StaffLinkPayload,
    description:
      'Ends the password and all sessions of a staff user at once, and mails a link to set a new password',
    authScopes: OWNER,
    args: { input: t.arg({ type: StaffUserInput, required: true }) },
    resolve: async (_, { input }, context) =>
      toPayload(
        await resetStaffPassword(context.ctx, parseInput(staffUserIdInput, input)),
        context,
      ),
  }),
);

const REVOKE_TOKENS = 'Also revoke the API tokens that this person created; false if left out';

const SetStaffRoleInput = builder.inputType('SetStaffRoleInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    role: t.field({ type: StaffRole, required: true }),
    revokeTokens: t.boolean({ description: REVOKE_TOKENS }),
  }),
});
const roleInput = staffUserIdInput.extend({
  role: z.enum(ROLES),
  revokeTokens: z.boolean().default(false),
});

builder.mutationField('setStaffRole', (t) =>
  t.field({
    type: StaffUser,
    description: 'Counts from the next request of the person on. The last active owner stays one',
    authScopes: OWNER,
    args: { input: t.arg({ type: SetStaffRoleInput, required: true }) },
    resolve: (_, { input }, { ctx }) => setStaffRole(ctx, parseInput(roleInput, omitNull(input))),
  }),
);

const DisableStaffInput = builder.inputType('DisableStaffInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    revokeTokens: t.boolean({ description: REVOKE_TOKENS }),
  }),
});
const disableInput = staffUserIdInput.extend({ revokeTokens: z.boolean().default(false) });

builder.mutationField('disableStaff', (t) =>
  t.field({
    type: StaffUser,
    description:
      'Ends the sessions of a staff user at once; nobody can sign in with the account until it is enabled',
    authScopes: OWNER,
    args: { input: t.arg({ type: DisableStaffInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      disableStaff(ctx, parseInput(disableInput, omitNull(input))),
  }),
);

const StaffLinkPurpose = builder.enumType('StaffLinkPurpose', {
  description: 'What a one-time link for a staff user is for',
  values: {
    INVITATION: { value: 'invitation' },
    PASSWORD_RESET: { value: 'password_reset' },
  } as const,
});

const StaffLink = builder.objectRef<Link>('StaffLink').implement({
  description: 'A one-time link to set a password, as its holder sees it',
  fields: (t) => ({
    purpose: t.expose('purpose', { type: StaffLinkPurpose }),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
});

builder.queryField('staffLink', (t) =>
  t.field({
    type: StaffLink,
    description: 'Shows what a link is for, without using it, by what stands after its #',
    authScopes: PUBLIC,
    args: { secret: t.arg.string({ required: true }) },
    guess: ({ secret }, { deps, address }) =>
      toSecretGuess(deps.rateLimits, address, 'staffLink', secret.trim()),
    resolve: (_, { secret }, { ctx }) => getStaffLink(ctx, secret.trim()),
  }),
);

const AcceptStaffLinkInput = builder.inputType('AcceptStaffLinkInput', {
  fields: (t) => ({
    secret: t.string({ required: true, description: 'What stands after the # of the link' }),
    password: t.string({ required: true }),
  }),
});
const acceptInput = z.object({
  secret: z.string().trim(),
  password: z.string().min(1).max(1000),
});

builder.mutationField('acceptStaffLink', (t) =>
  t.field({
    type: StaffUser,
    description:
      'Sets a password with a one-time link, ends the other sessions of the account and opens one, kept in a cookie',
    authScopes: PUBLIC,
    ignoresIdempotencyKey: true,
    rateLimit: (_, { deps, address }) => deps.rateLimits.publicWrites.consume({ address }),
    guess: ({ input: { secret } }, { deps, address }) =>
      toSecretGuess(deps.rateLimits, address, 'staffLink', secret.trim()),
    args: { input: t.arg({ type: AcceptStaffLinkInput, required: true }) },
    resolve: async (_, { input }, { ctx, assertSameOrigin, setSessionCookie }) => {
      assertSameOrigin();
      const { userId, sessionSecret } = await acceptStaffLink(ctx, parseInput(acceptInput, input));
      setSessionCookie(sessionSecret);
      return getStaffUser(ctx, userId);
    },
  }),
);
