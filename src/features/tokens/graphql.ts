import { z } from 'zod';
import { scopeDescriptions, scopePresets } from '../../auth/scopes.ts';
import { toCreatedPosition } from '../../core/pagination.ts';
import { boundedText, omitNull, parseInput } from '../../core/validation.ts';
import { builder } from '../../graphql/builder.ts';
import { paginateField } from '../../graphql/connections.ts';
import {
  type ApiToken,
  createApiToken,
  listApiTokens,
  revokeApiToken,
  rotateApiToken,
} from './service.ts';

const MANAGE_STAFF = { access: 'staff:manage' } as const;
const tokenId = z.uuid('id: must be a UUID');

const ApiTokenRef = builder.objectRef<ApiToken>('ApiToken');
ApiTokenRef.implement({
  description: 'A credential with scopes, for a program',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    prefix: t.exposeString('prefix', {
      description: 'The first characters of the secret, to recognize the token',
    }),
    scopes: t.exposeStringList('scopes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    createdBy: t.string({
      nullable: true,
      description: 'Null if it was created on the command line, or by an account that was deleted',
      resolve: (token) => token.createdBy?.name,
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Accurate to a minute',
    }),
    replacedById: t.exposeID('replacedById', {
      nullable: true,
      description: 'The token that replaced it, once it was rotated',
    }),
  }),
});

builder.queryField('apiTokens', (t) =>
  t.connection({
    type: ApiTokenRef,
    description: 'All API tokens, newest first, including expired and revoked ones',
    authScopes: MANAGE_STAFF,
    ...paginateField(listApiTokens, toCreatedPosition),
  }),
);

const CreateApiTokenPayload = builder
  .objectRef<{ plainText: string; token: ApiToken }>('CreateApiTokenPayload')
  .implement({
    fields: (t) => ({
      plainText: t.exposeString('plainText', { description: 'The secret. Shown only once' }),
      token: t.expose('token', { type: ApiTokenRef }),
    }),
  });

const CreateApiTokenInput = builder.inputType('CreateApiTokenInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    scopes: t.stringList({ required: true }),
    expiresAt: t.field({ type: 'DateTime', description: 'Never, if omitted' }),
  }),
});

const createInput = z.object({
  name: boundedText(200),
  scopes: z.array(z.string()).max(100),
  expiresAt: z.date().optional(),
});

builder.mutationField('createApiToken', (t) =>
  t.field({
    type: CreateApiTokenPayload,
    authScopes: MANAGE_STAFF,
    args: { input: t.arg({ type: CreateApiTokenInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      createApiToken(ctx, parseInput(createInput, omitNull(input))),
  }),
);

builder.mutationField('revokeApiToken', (t) =>
  t.field({
    type: ApiTokenRef,
    description: 'Revokes the token: its next request is rejected',
    authScopes: MANAGE_STAFF,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, args, { ctx }) => revokeApiToken(ctx, parseInput(tokenId, args.id)),
  }),
);

builder.mutationField('rotateApiToken', (t) =>
  t.field({
    type: CreateApiTokenPayload,
    description:
      'Creates a token with the same name, scopes and expiry; the old one works until the overlap ends',
    authScopes: MANAGE_STAFF,
    args: {
      id: t.arg.id({ required: true }),
      overlapMinutes: t.arg.int({
        required: true,
        description: 'How long the old token works: 0 to 10080, a week',
      }),
    },
    resolve: (_, args, { ctx }) =>
      rotateApiToken(ctx, parseInput(tokenId, args.id), args.overlapMinutes),
  }),
);

const ScopeDescription = builder
  .objectRef<{ scope: string; description: string }>('ScopeDescription')
  .implement({
    fields: (t) => ({ scope: t.exposeString('scope'), description: t.exposeString('description') }),
  });

const ScopePreset = builder.objectRef<{ name: string; scopes: string[] }>('ScopePreset').implement({
  fields: (t) => ({ name: t.exposeString('name'), scopes: t.exposeStringList('scopes') }),
});

builder.queryField('scopes', (t) =>
  t.field({
    type: [ScopeDescription],
    authScopes: { access: 'public' },
    resolve: () => scopeDescriptions,
  }),
);

builder.queryField('scopePresets', (t) =>
  t.field({ type: [ScopePreset], authScopes: { access: 'public' }, resolve: () => scopePresets }),
);
