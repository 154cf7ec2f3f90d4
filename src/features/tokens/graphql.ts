import { z } from 'zod';
import { scopeDescriptions, scopePresets } from '../../auth/scopes.ts';
import { toCreatedPosition } from '../../core/pagination.ts';
import { boundedText, omitNull, parseInput } from '../../core/validation.ts';
import { builder } from '../../graphql/builder.ts';
import { paginateField } from '../../graphql/connections.ts';
import * as tokens from './service.ts';

const MANAGE_STAFF = { access: 'staff:manage' } as const;
const id = z.uuid('id: must be a UUID');

const ApiToken = builder.objectRef<tokens.ApiToken>('ApiToken');
ApiToken.implement({
  description: 'A named credential with scopes, for a program',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    prefix: t.exposeString('prefix', {
      description: 'Enough to recognise it, never enough to use it',
    }),
    scopes: t.exposeStringList('scopes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    createdBy: t.string({
      nullable: true,
      description: 'Null where it was made on the command line, or by an account that was deleted',
      resolve: (token) => token.createdBy?.name,
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'To the minute',
    }),
    replacedById: t.exposeID('replacedById', {
      nullable: true,
      description: 'Its successor, once rotated',
    }),
  }),
});

builder.queryField('apiTokens', (t) =>
  t.connection({
    type: ApiToken,
    description: 'Newest first, ended ones too',
    authScopes: MANAGE_STAFF,
    ...paginateField(tokens.listApiTokens, toCreatedPosition),
  }),
);

const CreateApiTokenPayload = builder
  .objectRef<{ plainText: string; token: tokens.ApiToken }>('IssuedApiToken')
  .implement({
    fields: (t) => ({
      plainText: t.exposeString('plainText', { description: 'Shown this once' }),
      token: t.expose('token', { type: ApiToken }),
    }),
  });

const CreateApiTokenInput = builder.inputType('CreateApiTokenInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    scopes: t.stringList({ required: true }),
    expiresAt: t.field({ type: 'DateTime', description: 'Never, if left out' }),
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
      tokens.createApiToken(ctx, parseInput(createInput, omitNull(input))),
  }),
);

builder.mutationField('revokeApiToken', (t) =>
  t.field({
    type: ApiToken,
    description: 'The very next request with it is refused',
    authScopes: MANAGE_STAFF,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, args, { ctx }) => tokens.revokeApiToken(ctx, parseInput(id, args.id)),
  }),
);

builder.mutationField('rotateApiToken', (t) =>
  t.field({
    type: CreateApiTokenPayload,
    description: 'Makes a successor; the old one lives on for the overlap',
    authScopes: MANAGE_STAFF,
    args: {
      id: t.arg.id({ required: true }),
      overlapMinutes: t.arg.int({
        required: true,
        description: '0 ends the old one at once; a week at most',
      }),
    },
    resolve: (_, args, { ctx }) =>
      tokens.rotateApiToken(ctx, parseInput(id, args.id), args.overlapMinutes),
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
