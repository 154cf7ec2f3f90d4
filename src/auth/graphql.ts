import { z } from 'zod';
import { boundedText, emailAddress, parseInput } from '../core/validation.ts';
import { builder } from '../graphql/builder.ts';
import type { GraphqlContext } from '../graphql/context.ts';
import { toSecretGuess } from './rate-limits.ts';
import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session as OwnSession,
} from './sessions.ts';
import { changePassword, type SignInSecrets, signIn, signOut } from './sign-in.ts';
import { redeemSignInLink, requestSignInLink } from './sign-in-links.ts';
import { getScopes, type Viewer as Value } from './viewer.ts';

const ViewerKind = builder.enumType('ViewerKind', {
  values: {
    ANONYMOUS: { value: 'anonymous' },
    TOKEN: { value: 'token', description: 'A program with an API token' },
    STAFF: { value: 'staff' },
    MEMBER: { value: 'member' },
    DEVICE: { value: 'device', description: 'A display' },
    SYSTEM: { value: 'system' },
  } as const,
});

export const StaffRole = builder.enumType('StaffRole', {
  values: {
    OWNER: { value: 'owner' },
    MANAGER: { value: 'manager' },
    FRONT_DESK: { value: 'front_desk' },
  } as const,
});

const Viewer = builder.objectRef<Value>('Viewer');
Viewer.implement({
  description: 'Who is calling',
  fields: (t) => ({
    kind: t.expose('kind', { type: ViewerKind }),
    name: t.string({
      nullable: true,
      resolve: (viewer) => ('name' in viewer ? viewer.name : null),
    }),
    role: t.field({
      type: StaffRole,
      nullable: true,
      resolve: (viewer) => (viewer.kind === 'staff' ? viewer.role : null),
    }),
    scopes: t.stringList({ resolve: (viewer) => [...getScopes(viewer)] }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    authScopes: { access: 'public' },
    resolve: (_, __, { ctx }) => ctx.viewer,
  }),
);

const credentialsInput = z.object({
  email: boundedText(254),
  password: z.string().min(1).max(1000),
});

function setSignInCookies(
  { setSessionCookie, setBrowserCookie }: GraphqlContext,
  { session, browser }: SignInSecrets,
) {
  setSessionCookie(session);
  setBrowserCookie(browser);
}

builder.mutationField('signIn', (t) =>
  t.boolean({
    description: 'Signs in and sets the session cookie',
    authScopes: { access: 'public' },
    ignoresIdempotencyKey: true,
    args: { email: t.arg.string({ required: true }), password: t.arg.string({ required: true }) },
    resolve: async (_, args, context) => {
      const { ctx, deps, address, browserSecret } = context;
      context.assertSameOrigin();
      const input = { ...parseInput(credentialsInput, args), address, browser: browserSecret };
      setSignInCookies(context, await signIn(ctx, deps.rateLimits, input));
      return true;
    },
  }),
);

builder.mutationField('requestSignInLink', (t) =>
  t.boolean({
    description:
      'E-mails a member a link that signs in once. Always returns true, so that it does not reveal who is a member',
    authScopes: { access: 'public' },
    ignoresIdempotencyKey: true,
    args: { email: t.arg.string({ required: true }) },
    resolve: async (_, args, { ctx, deps, address, browserSecret }) => {
      const { email } = parseInput(z.object({ email: emailAddress }), {
        email: args.email.trim(),
      });
      const { baseUrl } = deps.config;
      await requestSignInLink(ctx, deps.rateLimits, {
        email,
        address,
        browser: browserSecret,
        baseUrl,
      });
      return true;
    },
  }),
);

builder.mutationField('redeemSignInLink', (t) =>
  t.boolean({
    description: 'Signs in with the part of the link after the # and sets the session cookie',
    authScopes: { access: 'public' },
    ignoresIdempotencyKey: true,
    args: { secret: t.arg.string({ required: true }) },
    guess: ({ secret }, { deps, address }) =>
      toSecretGuess(deps.rateLimits, address, 'signInLink', secret.trim()),
    resolve: async (_, { secret }, context) => {
      context.assertSameOrigin();
      setSignInCookies(
        context,
        await redeemSignInLink(context.ctx, secret.trim(), context.browserSecret),
      );
      return true;
    },
  }),
);

builder.mutationField('signOut', (t) =>
  t.boolean({
    description: 'Ends the session immediately on every instance',
    authScopes: { access: 'public' },
    ignoresIdempotencyKey: true,
    resolve: async (_, __, { ctx, setSessionCookie }) => {
      await signOut(ctx);
      setSessionCookie('');
      return true;
    },
  }),
);

builder.mutationField('changePassword', (t) =>
  t.boolean({
    description: 'Changes your password and ends your other sessions',
    authScopes: { access: 'signed-in' },
    ignoresIdempotencyKey: true,
    args: { current: t.arg.string({ required: true }), next: t.arg.string({ required: true }) },
    resolve: async (_, args, { ctx, deps }) => {
      await changePassword(ctx, deps.rateLimits, args);
      return true;
    },
  }),
);

const Session = builder.objectRef<OwnSession>('Session').implement({
  description: 'A browser in which you are signed in',
  fields: (t) => ({
    id: t.exposeID('id'),
    browser: t.exposeString('browser', {
      nullable: true,
      description: 'Such as "Firefox on Linux"; null if unknown',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When you signed in' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Updated at most once a minute',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
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

const EndSessionInput = builder.inputType('EndSessionInput', {
  fields: (t) => ({ id: t.id({ required: true }) }),
});

builder.mutationField('endSession', (t) =>
  t.field({
    type: Session,
    description: 'Signs you out of one browser immediately',
    authScopes: { access: 'signed-in' },
    args: { input: t.arg({ type: EndSessionInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      endSession(ctx, parseInput(z.object({ id: z.uuid() }), input).id),
  }),
);

builder.mutationField('endOtherSessions', (t) =>
  t.field({
    type: [Session],
    description: 'Signs you out of all other browsers immediately and returns the ended sessions',
    authScopes: { access: 'signed-in' },
    resolve: (_, __, { ctx }) => endOtherSessions(ctx),
  }),
);
