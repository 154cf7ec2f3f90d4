import { z } from 'zod';
import { builder } from '../graphql/builder.ts';
import { text, valid } from '../validation.ts';
import { changePassword, signIn, signOut } from './sign-in.ts';
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

const StaffRole = builder.enumType('StaffRole', {
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

builder.mutationField('signIn', (t) =>
  t.boolean({
    description: 'Opens a session, kept in a cookie',
    authScopes: { access: 'public' },
    args: { email: t.arg.string({ required: true }), password: t.arg.string({ required: true }) },
    resolve: async (_, args, { ctx, deps, address, refuseForeignPage, setSession }) => {
      refuseForeignPage();
      setSession(await signIn(ctx, deps.throttle, { ...valid(credentials, args), address }));
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
    resolve: async (_, args, { ctx, deps, address }) => {
      const { email } = valid(z.object({ email: z.email().max(254) }), {
        email: args.email.trim(),
      });
      const { baseUrl } = deps.config;
      await requestSignInLink(ctx, deps.linkThrottle, { email, address, baseUrl });
      return true;
    },
  }),
);

builder.mutationField('redeemSignInLink', (t) =>
  t.boolean({
    description: 'Opens a session, kept in a cookie, with what stands after the # of the link',
    authScopes: { access: 'public' },
    args: { secret: t.arg.string({ required: true }) },
    resolve: async (_, { secret }, { ctx, refuseForeignPage, setSession }) => {
      refuseForeignPage();
      setSession(await redeemSignInLink(ctx, secret.trim()));
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
    resolve: async (_, args, { ctx, deps, address }) => {
      await changePassword(ctx, deps.throttle, { ...args, address });
      return true;
    },
  }),
);
