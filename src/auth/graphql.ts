import { z } from 'zod';
import { builder } from '../graphql/builder.ts';
import type { GraphqlContext } from '../graphql/context.ts';
import { emailAddress, text, valid } from '../validation.ts';
import { toSecretGuess } from './rate-limits.ts';
import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session as OwnSession,
} from './sessions.ts';
import { changePassword, type SignedIn, signIn, signOut } from './sign-in.ts';
import { redeemSignInLink, requestSignInLink } from './sign-in-links.ts';
import { scopesOf, type Viewer as Value } from './viewer.ts';

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
    scopes: t.stringList({ resolve: (viewer) => [...scopesOf(viewer)] }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    authScopes: { access: 'public' },
    resolve: (_, __, { ctx }) => ctx.viewer,
  }),
);

const credentials = z.object({ email: text(254), password: z.string().min(1).max(1000) });

function keepSignedIn({ setSession, setBrowser }: GraphqlContext, { session, browser }: SignedIn) {
  setSession(session);
  setBrowser(browser);
}

builder.mutationField('signIn', (t) =>
  t.boolean({
    description: 'Opens a session, kept in a cookie',
    authScopes: { access: 'public' },
    args: { email: t.arg.string({ required: true }), password: t.arg.string({ required: true }) },
    resolve: async (_, args, context) => {
      const { ctx, deps, address, browser } = context;
      context.refuseForeignPage();
      const input = { ...valid(credentials, args), address, browser };
      keepSignedIn(context, await signIn(ctx, deps.rateLimits, input));
      return true;
    },
  }),
);

builder.mutationField('requestSignInLink', (t) =>
  t.boolean({
    description:
      'For members: sends a link that signs in once, by mail. Always true, whether the address is known or not',
    authScopes: { access: 'public' },
    args: { email: t.arg.string({ required: true }) },
    resolve: async (_, args, { ctx, deps, address, browser }) => {
      const { email } = valid(z.object({ email: emailAddress }), {
        email: args.email.trim(),
      });
      const { baseUrl } = deps.config;
      await requestSignInLink(ctx, deps.rateLimits, { email, address, browser, baseUrl });
      return true;
    },
  }),
);

builder.mutationField('redeemSignInLink', (t) =>
  t.boolean({
    description: 'Opens a session, kept in a cookie, with what stands after the # of the link',
    authScopes: { access: 'public' },
    args: { secret: t.arg.string({ required: true }) },
    guess: ({ secret }, { deps, address }) =>
      toSecretGuess(deps.rateLimits, address, 'signInLink', secret.trim()),
    resolve: async (_, { secret }, context) => {
      context.refuseForeignPage();
      keepSignedIn(context, await redeemSignInLink(context.ctx, secret.trim(), context.browser));
      return true;
    },
  }),
);

builder.mutationField('signOut', (t) =>
  t.boolean({
    description: 'Ends the session at once, everywhere',
    authScopes: { access: 'public' },
    resolve: async (_, __, { ctx, setSession }) => {
      await signOut(ctx);
      setSession('');
      return true;
    },
  }),
);

builder.mutationField('changePassword', (t) =>
  t.boolean({
    description: 'Ends every other session of the same person',
    authScopes: { access: 'signed-in' },
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
      description: 'Such as "Firefox on Linux"; null where the browser does not say',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When you signed in' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'To the minute',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    isCurrent: t.exposeBoolean('isCurrent', { description: 'Whether it is the one that asks' }),
  }),
});

builder.queryField('mySessions', (t) =>
  t.field({
    type: [Session],
    description: 'Where you are signed in, the newest first',
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
    description: 'Signs you out of one browser, at once',
    authScopes: { access: 'signed-in' },
    args: { input: t.arg({ type: EndSessionInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      endSession(ctx, valid(z.object({ id: z.uuid() }), input).id),
  }),
);

builder.mutationField('endOtherSessions', (t) =>
  t.field({
    type: [Session],
    description: 'Signs you out everywhere but here, at once; returns the sessions that ended',
    authScopes: { access: 'signed-in' },
    resolve: (_, __, { ctx }) => endOtherSessions(ctx),
  }),
);
