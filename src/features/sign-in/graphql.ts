import { authenticateSession } from '../../auth/authenticate.ts';
import { toPasswordGuess, toSecretGuess } from '../../auth/guesses.ts';
import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session as OwnSession,
} from '../../auth/sessions.ts';
import { changePassword, type SignInSecrets, signIn, signOut } from '../../auth/sign-in.ts';
import { anonymous, getScopes, type Viewer as Value } from '../../auth/viewer.ts';
import { builder } from '../../graphql/builder.ts';
import type { GraphqlContext } from '../../graphql/context.ts';
import { addMutation } from '../../graphql/mutation.ts';
import {
  changePasswordInput,
  endSessionInput,
  redeemSignInLinkInput,
  requestSignInLinkInput,
  signInInput,
} from './inputs.ts';
import { redeemSignInLink, requestSignInLink } from './service.ts';

const ViewerKind = builder.enumType('ViewerKind', {
  description: 'The kinds of callers',
  values: {
    ANONYMOUS: { value: 'anonymous', description: 'A caller without credentials' },
    TOKEN: { value: 'token', description: 'A program with an API token' },
    STAFF: { value: 'staff', description: 'A staff user who is signed in' },
    MEMBER: { value: 'member', description: 'A member who is signed in' },
    DEVICE: { value: 'device', description: 'A display' },
    SYSTEM: {
      value: 'system',
      description: 'The service itself, such as a job or the command line',
    },
  } as const,
});

const StaffRole = builder.enumType('StaffRole', {
  description: 'What a staff user can do in the panel',
  values: {
    OWNER: { value: 'owner', description: 'Everything' },
    MANAGER: {
      value: 'manager',
      description: 'Everything except staff accounts and other settings of owners',
    },
    FRONT_DESK: { value: 'front_desk', description: 'Daily work: bookings, check-ins and orders' },
  } as const,
});

export const Viewer = builder.objectRef<Value>('Viewer');
Viewer.implement({
  description: 'The caller of a request',
  fields: (t) => ({
    kind: t.expose('kind', { type: ViewerKind, description: 'What kind of caller it is' }),
    callerId: t.id({
      nullable: true,
      description:
        'The id of the staff user, member, token or display; null for anonymous callers and the service itself',
      resolve: (viewer) => ('id' in viewer ? viewer.id : null),
    }),
    name: t.string({
      description: 'The name of the person, token or display; null for anonymous callers',
      nullable: true,
      resolve: (viewer) => ('name' in viewer ? viewer.name : null),
    }),
    role: t.field({
      type: StaffRole,
      description: 'The role of a staff user; null for other callers',
      nullable: true,
      resolve: (viewer) => (viewer.kind === 'staff' ? viewer.role : null),
    }),
    scopes: t.stringList({
      description: 'The permissions of the caller; * stands for all',
      resolve: (viewer) => [...getScopes(viewer)],
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'Who is calling, and with which permissions',
    authScopes: { access: 'public' },
    resolve: (_, __, { ctx }) => ctx.viewer,
  }),
);

/** Sets the cookies of a new session, and returns its viewer. */
async function startSession(
  { deps, setSessionCookie, setBrowserCookie }: GraphqlContext,
  { session, browser }: SignInSecrets,
): Promise<Value> {
  setSessionCookie(session);
  setBrowserCookie(browser);
  return authenticateSession(session, deps.credentials);
}

addMutation('signIn', {
  description: 'Signs in and sets the session cookie',
  access: 'public',
  input: signInInput,
  payload: { viewer: { type: Viewer, description: 'The person who is now signed in' } },
  ignoresIdempotencyKey: true,
  resolve: async (credentials, context) => {
    const { ctx, deps, address, browserSecret } = context;
    context.assertSameOrigin();
    const input = { ...credentials, address, browser: browserSecret };
    return { viewer: await startSession(context, await signIn(ctx, deps.rateLimits, input)) };
  },
});

addMutation('requestSignInLink', {
  description:
    'Emails a member a one-time sign-in link. The response is the same for all addresses, so that it does not reveal who is a member',
  access: 'public',
  input: requestSignInLinkInput,
  payload: {
    email: { type: 'String', description: 'The address, whether or not a link was sent' },
  },
  ignoresIdempotencyKey: true,
  resolve: async ({ email }, { ctx, deps, address, browserSecret }) => {
    const { baseUrl } = deps.config;
    await requestSignInLink(ctx, deps.rateLimits, {
      email,
      address,
      browser: browserSecret,
      baseUrl,
    });
    return { email };
  },
});

addMutation('redeemSignInLink', {
  description: 'Signs in with the part of the link after the # and sets the session cookie',
  access: 'public',
  input: redeemSignInLinkInput,
  payload: { viewer: { type: Viewer, description: 'The member who is now signed in' } },
  ignoresIdempotencyKey: true,
  guess: ({ secret }, { deps, address }) =>
    toSecretGuess(deps.rateLimits, address, 'signInLink', secret),
  resolve: async ({ secret }, context) => {
    context.assertSameOrigin();
    const secrets = await redeemSignInLink(context.ctx, secret, context.browserSecret);
    return { viewer: await startSession(context, secrets) };
  },
});

addMutation('signOut', {
  description: 'Ends the session immediately on every instance',
  access: 'public',

  payload: { viewer: { type: Viewer, description: 'The caller without the session: anonymous' } },
  ignoresIdempotencyKey: true,
  resolve: async (__, { ctx, setSessionCookie }) => {
    await signOut(ctx);
    setSessionCookie('');
    return { viewer: anonymous };
  },
});

addMutation('changePassword', {
  description: 'Changes your password and ends your other sessions',
  access: 'signed-in',
  input: changePasswordInput,
  payload: { viewer: { type: Viewer, description: 'The person whose password changed' } },
  ignoresIdempotencyKey: true,
  guess: (_, { ctx: { viewer }, deps }) =>
    'id' in viewer
      ? toPasswordGuess(deps.rateLimits.passwordChanges, { account: viewer.id })
      : null,
  resolve: async (input, { ctx }) => {
    await changePassword(ctx, input);
    return { viewer: ctx.viewer };
  },
});

export const Session = builder.objectRef<OwnSession>('Session').implement({
  description: 'A browser in which a person is signed in',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Identifies the session in endSession' }),
    browser: t.exposeString('browser', {
      nullable: true,
      description: 'Such as "Firefox on Linux"; null if unknown',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When this session started',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Updated at most once a minute',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the person will have to sign in again',
    }),
    isCurrent: t.exposeBoolean('isCurrent', {
      description: 'Whether this request uses the session',
    }),
  }),
});

builder.queryField('mySessions', (t) =>
  t.field({
    type: [Session],
    description: 'Your sessions, newest first',
    authScopes: { access: 'signed-in' },
    resolve: (_, __, { ctx }) => listSessions(ctx),
  }),
);

addMutation('endSession', {
  description: 'Signs you out of one browser immediately',
  access: 'signed-in',
  input: endSessionInput,
  payload: { session: { type: Session, description: 'The ended session' } },
  resolve: async (input, { ctx }) => ({ session: await endSession(ctx, input.id) }),
});

addMutation('endOtherSessions', {
  description: 'Signs you out of all other browsers immediately',
  access: 'signed-in',

  payload: { sessions: { type: [Session], description: 'The ended sessions' } },
  resolve: async (__, { ctx }) => ({ sessions: await endOtherSessions(ctx) }),
});
