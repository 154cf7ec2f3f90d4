import { authenticateSession } from '../../auth/authenticate.ts';
import { toSecretGuess } from '../../auth/guesses.ts';
import { builder, createInputType, withArgs } from '../../graphql/builder.ts';
import type { GraphqlContext } from '../../graphql/context.ts';
import { getOrderEnum, listField, relationField, rowField } from '../../graphql/list-fields.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Node } from '../../graphql/node.ts';
import { addActions } from '../../graphql/row-actions.ts';
import { showFields } from '../../graphql/row-fields.ts';
import { Session, Viewer } from '../sign-in/graphql.ts';
import { ApiTokenFilter, ApiTokenOrder, ApiTokenRef } from '../tokens/graphql.ts';
import { type ApiToken, apiTokenList } from '../tokens/service.ts';
import { staffActions } from './allowed-actions.ts';
import {
  acceptStaffLinkInput,
  disableStaffInput,
  endStaffSessionsInput,
  inviteStaffInput,
  requestPasswordResetInput,
  setStaffRoleInput,
  staffFilter,
  staffLinkArgs,
  staffUserIdInput,
  updateMyAccountInput,
  updateNotificationSettingsInput,
} from './inputs.ts';
import {
  getNotificationSettings,
  type NotificationSettings as Settings,
  updateMyAccount,
  updateNotificationSettings,
} from './own-account.ts';
import { staffRow } from './rows.ts';
import { acceptStaffLink, getStaffLink } from './service/links.ts';
import { staffList, toStaffUserProjection } from './service/list-staff.ts';
import { requestPasswordReset } from './service/request-password-reset.ts';
import {
  disableStaff,
  enableStaff,
  endStaffSessions,
  getStaffUser,
  inviteStaff,
  resendInvitation,
  resetStaffPassword,
  setStaffRole,
  withdrawInvitation,
} from './service/staff.ts';
import type { IssuedStaffLink, StaffLink as Link, StaffUser as User } from './types.ts';

const MANAGE = { access: 'staff:manage' } as const;
const PUBLIC = { access: 'public' } as const;

builder.enumType('StaffStatus', {
  description: 'Whether a staff user can sign in',
  values: {
    ACTIVE: { value: 'active', description: 'Can sign in' },
    INVITED: { value: 'invited', description: 'Has not set a password yet' },
    DISABLED: {
      value: 'disabled',
      description: 'Cannot sign in until an owner enables the account',
    },
  } as const,
});

export const StaffUser = builder.objectRef<User>('StaffUser').implement({
  description: 'A person who signs in to the admin panel',
  interfaces: [Node],
  extensions: { projection: toStaffUserProjection },
  fields: (t) => ({
    ...showFields(t, staffRow),
    isYou: t.boolean({
      description: 'Whether this is your account',
      resolve: ({ id }, _, { ctx: { viewer } }) => viewer.kind === 'staff' && viewer.id === id,
    }),
  }),
});

addActions(StaffUser, {
  type: 'StaffUserActions',
  noun: 'a staff user',
  rules: staffActions,
  actions: {
    setRole: 'Change the role with setStaffRole',
    resetPassword: 'Reset the password of a person who has set one, with resetStaffPassword',
    disable: 'Disable the account with disableStaff',
    revokeTokens: 'Revoke the API tokens of a disabled account with disableStaff and revokeTokens',
    endSessions: 'Sign the person out with endStaffSessions',
    enable: 'Enable the account with enableStaff',
    resendInvitation: 'Send the invitation again with resendStaffInvitation',
    withdrawInvitation: 'Delete the account with withdrawStaffInvitation',
  },
});

const StaffFilter = createInputType('StaffFilter', staffFilter);
const StaffOrder = getOrderEnum('StaffUser', staffList);

builder.queryField('staff', (t) =>
  t.connection({
    type: StaffUser,
    description: 'Staff users, including invited and disabled ones, sorted by name',
    authScopes: MANAGE,
    args: {
      filter: t.arg({ type: StaffFilter, description: 'Which staff users to list' }),
      orderBy: t.arg({ type: StaffOrder, description: 'Default: NAME_ASC' }),
    },
    ...listField(staffList),
  }),
);

builder.objectField(StaffUser, 'apiTokens', (t) =>
  t.connection({
    type: ApiTokenRef,
    description: 'API tokens that the person created, newest first, including revoked ones',
    authScopes: MANAGE,
    args: {
      filter: t.arg({ type: ApiTokenFilter, description: 'Which tokens to list' }),
      orderBy: t.arg({ type: ApiTokenOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...relationField(apiTokenList, (row, user) => `${row}.created_by_id = ${user}`),
  }),
);

builder.objectField(ApiTokenRef, 'createdBy', (t) =>
  t.field({
    type: StaffUser,
    description: 'Who created it. null: the command line, or an account that was deleted.',
    authScopes: MANAGE,
    ...rowField(staffList, {
      reads: 'createdById',
      toId: ({ createdById }: ApiToken) => createdById,
    }),
  }),
);

const LINK_URL = {
  type: 'String',
  nullable: true,
  description:
    'The one-time link for you to pass on, shown only once. Null if a mail server is configured: then it is emailed',
} as const;

/** With a mail server, only the person gets the link, by email. */
const toLinkPayload = ({ staffUser, url }: IssuedStaffLink, { deps }: GraphqlContext) => ({
  staffUser,
  url: deps.config.smtpUrl === undefined ? url : null,
});
addMutation('inviteStaff', {
  description:
    'Creates a staff account and emails a one-time link to set its password, valid for three days',
  access: 'staff:owner',
  input: inviteStaffInput,
  payload: {
    staffUser: { type: StaffUser, description: 'The invited person' },
    url: LINK_URL,
  },
  creates: { staffUser: staffList },
  resolve: async (input, context) => toLinkPayload(await inviteStaff(context.ctx, input), context),
});

addMutation('withdrawStaffInvitation', {
  description: 'Deletes an account that has not accepted its invitation. The link stops working.',
  access: 'staff:owner',
  input: staffUserIdInput,
  payload: { deletedStaffUserId: { type: 'ID', description: 'The id of the deleted account' } },
  resolve: async (input, { ctx }) => {
    await withdrawInvitation(ctx, input.id);
    return { deletedStaffUserId: input.id };
  },
});

addMutation('enableStaff', {
  description: 'Lets a disabled staff user sign in again, with the same password',
  access: 'staff:owner',
  input: staffUserIdInput,
  payload: { staffUser: { type: StaffUser, description: 'The enabled staff user' } },
  resolve: async (input, { ctx }) => ({ staffUser: await enableStaff(ctx, input.id) }),
});

addMutation('resendStaffInvitation', {
  description: 'Emails a new link. The previous link stops working.',
  access: 'staff:owner',
  input: staffUserIdInput,
  payload: {
    staffUser: { type: StaffUser, description: 'The invited person' },
    url: LINK_URL,
  },
  resolve: async (input, context) =>
    toLinkPayload(await resendInvitation(context.ctx, input.id), context),
});

addMutation('resetStaffPassword', {
  description:
    'Resets the password of a staff user, ends all their sessions and emails a link to set a new password',
  access: 'staff:owner',
  input: staffUserIdInput,
  payload: {
    staffUser: { type: StaffUser, description: 'The person who gets the link' },
    url: LINK_URL,
  },
  resolve: async (input, context) =>
    toLinkPayload(await resetStaffPassword(context.ctx, input), context),
});

builder.objectField(StaffUser, 'sessions', (t) =>
  t.field({
    type: [Session],
    description: 'The browsers in which the person is signed in, newest first',
    authScopes: { access: 'staff:owner' },
    resolve: ({ id }, _, { loaders }) => loaders.sessionsByUser.load(id),
  }),
);

addMutation('endStaffSessions', {
  description: 'Signs a staff user out of one browser or of all immediately',
  access: 'staff:owner',
  input: endStaffSessionsInput,
  payload: { staffUser: { type: StaffUser, description: 'The person who is signed out' } },
  resolve: async (input, { ctx }) => ({ staffUser: await endStaffSessions(ctx, input) }),
});

addMutation('setStaffRole', {
  description:
    'Changes the role of a staff user, effective with their next request. The last active owner cannot be demoted.',
  access: 'staff:owner',
  input: setStaffRoleInput,
  payload: { staffUser: { type: StaffUser, description: 'The staff user with the new role' } },
  resolve: async (input, { ctx }) => ({ staffUser: await setStaffRole(ctx, input) }),
});
addMutation('disableStaff', {
  description: 'Ends the sessions of a staff user, who cannot sign in until the account is enabled',
  access: 'staff:owner',
  input: disableStaffInput,
  payload: { staffUser: { type: StaffUser, description: 'The disabled staff user' } },
  resolve: async (input, { ctx }) => ({ staffUser: await disableStaff(ctx, input) }),
});

const StaffLinkPurpose = builder.enumType('StaffLinkPurpose', {
  description: 'The purpose of a one-time link for a staff user',
  values: {
    INVITATION: { value: 'invitation', description: 'Set the first password' },
    PASSWORD_RESET: { value: 'password_reset', description: 'Replace a forgotten password' },
  } as const,
});

const StaffLink = builder.objectRef<Link>('StaffLink').implement({
  description: 'A one-time link to set a password',
  fields: (t) => ({
    purpose: t.expose('purpose', { type: StaffLinkPurpose, description: 'What the link is for' }),
    name: t.exposeString('name', { description: 'The name of the staff user' }),
    email: t.exposeString('email', { description: 'The email address of the staff user' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the link stops working',
    }),
  }),
});

builder.queryField('staffLink', (t) =>
  t.field({
    type: StaffLink,
    description:
      'Shows the purpose of a link without using it. Takes the part of the link after the #.',
    authScopes: PUBLIC,
    guess: ({ secret }, { deps, address }) =>
      toSecretGuess(deps.rateLimits, address, 'staffLink', secret),
    ...withArgs(staffLinkArgs, ({ secret }, { ctx }) => getStaffLink(ctx, secret)),
  }),
);
addMutation('requestPasswordReset', {
  description:
    'Emails a staff user who has forgotten the password a one-time link to set a new one, valid for an hour. The response is the same for all addresses, so that it does not reveal who works here. Without a mail server the link is only stored: see hasMailServer of setup.',
  access: 'public',
  input: requestPasswordResetInput,
  payload: {
    email: { type: 'String', description: 'The address, whether or not a link was sent' },
  },
  ignoresIdempotencyKey: true,
  resolve: async ({ email }, { ctx, deps, address, browserSecret }) => {
    await requestPasswordReset(ctx, deps.rateLimits, { email, address, browser: browserSecret });
    return { email };
  },
});

addMutation('acceptStaffLink', {
  description:
    'Sets a password with a one-time link, ends all other sessions of the account and sets the session cookie',
  access: 'public',
  input: acceptStaffLinkInput,
  payload: {
    viewer: { type: Viewer, description: 'The person who is now signed in' },
    staffUser: { type: StaffUser, description: 'The account of this person' },
  },
  ignoresIdempotencyKey: true,
  rateLimit: (_, { deps, address }) => deps.rateLimits.staffPasswords.consume({ address }),
  guess: ({ secret }, { deps, address }) =>
    toSecretGuess(deps.rateLimits, address, 'staffLink', secret),
  resolve: async (input, { ctx, deps, assertSameOrigin, setSessionCookie }) => {
    assertSameOrigin();
    const { userId, sessionSecret } = await acceptStaffLink(ctx, input);
    setSessionCookie(sessionSecret);
    return {
      viewer: await authenticateSession(sessionSecret, deps.credentials),
      staffUser: await getStaffUser(ctx, userId),
    };
  },
});

const NotificationSettings = builder.objectRef<Settings>('NotificationSettings').implement({
  description: 'Which emails a staff user wants, besides those about their own account',
  fields: (t) => ({
    offlineDisplays: t.exposeBoolean('offlineDisplays', {
      description: 'Displays that have been offline for 15 minutes',
    }),
    bookingRequests: t.exposeBoolean('bookingRequests', {
      description: 'Bookings that need approval. Default: true for owners and managers.',
    }),
  }),
});

builder.queryField('notificationSettings', (t) =>
  t.field({
    type: NotificationSettings,
    description: 'Which emails you want as staff',
    authScopes: { access: 'staff' },
    resolve: (_, __, { ctx }) => getNotificationSettings(ctx),
  }),
);

addMutation('updateNotificationSettings', {
  description: 'Chooses which emails you want as staff. Omitted settings stay unchanged.',
  access: 'staff',
  input: updateNotificationSettingsInput,
  payload: {
    notificationSettings: { type: NotificationSettings, description: 'The new settings' },
  },
  resolve: async (input, { ctx }) => ({
    notificationSettings: await updateNotificationSettings(ctx, input),
  }),
});

addMutation('updateMyAccount', {
  description: 'Changes your name as staff',
  access: 'staff',
  input: updateMyAccountInput,
  payload: { viewer: { type: Viewer, description: 'You, with the new name' } },
  resolve: async (input, { ctx }) => {
    await updateMyAccount(ctx, input);
    return { viewer: { ...ctx.viewer, name: input.name } };
  },
});
