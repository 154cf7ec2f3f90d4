import { scopeDescriptions, scopePresets } from '../../auth/scopes.ts';
import { builder, createInputType } from '../../graphql/builder.ts';
import { getOrderEnum, listField, relatedRow, rowField } from '../../graphql/list-fields.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Node } from '../../graphql/node.ts';
import { addActions } from '../../graphql/row-actions.ts';
import { showFields } from '../../graphql/row-fields.ts';
import { apiTokenActions } from './allowed-actions.ts';
import {
  apiTokenFilter,
  apiTokenIdInput,
  createApiTokenInput,
  rotateApiTokenInput,
} from './inputs.ts';
import { apiTokenRow } from './rows.ts';
import {
  type ApiToken,
  apiTokenList,
  createApiToken,
  revokeApiToken,
  rotateApiToken,
  toApiTokenProjection,
} from './service.ts';

const MANAGE_STAFF = { access: 'staff:manage' } as const;

export const ApiTokenRef = builder.objectRef<ApiToken>('ApiToken');
ApiTokenRef.implement({
  description: 'A credential with scopes, for a program',
  interfaces: [Node],
  extensions: { projection: toApiTokenProjection },
  fields: (t) => ({
    ...showFields(t, apiTokenRow),
    replacedBy: t.field({
      type: ApiTokenRef,
      description: 'After a rotation, the token that replaced it',
      authScopes: MANAGE_STAFF,
      ...rowField(apiTokenList, {
        reads: 'replacedById',
        toId: ({ replacedById }: ApiToken) => replacedById,
      }),
    }),
    replaces: t.field({
      type: ApiTokenRef,
      description: 'The token that it replaced in a rotation. null: none.',
      authScopes: MANAGE_STAFF,
      ...relatedRow(apiTokenList, (row, token) => `${row}.replaced_by_id = ${token}`),
    }),
  }),
});

addActions(ApiTokenRef, {
  type: 'ApiTokenActions',
  noun: 'an API token',
  rules: apiTokenActions,
  actions: {
    rotate: 'Replace it with rotateApiToken',
    revoke: 'Revoke it with revokeApiToken',
  },
});

export const ApiTokenFilter = createInputType('ApiTokenFilter', apiTokenFilter);
export const ApiTokenOrder = getOrderEnum('ApiToken', apiTokenList);

builder.queryField('apiTokens', (t) =>
  t.connection({
    type: ApiTokenRef,
    description: 'All API tokens, newest first, including expired and revoked ones',
    authScopes: MANAGE_STAFF,
    args: {
      filter: t.arg({ type: ApiTokenFilter, description: 'Which tokens to list' }),
      orderBy: t.arg({ type: ApiTokenOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...listField(apiTokenList),
  }),
);

const toPayload = ({ token, plainText }: { token: ApiToken; plainText: string }) => ({
  apiToken: token,
  secret: plainText,
});

addMutation('createApiToken', {
  description: 'Creates an API token',
  access: 'staff:manage',
  input: createApiTokenInput,
  payload: {
    apiToken: { type: ApiTokenRef, description: 'The new token' },
    secret: { type: 'String', description: 'The secret, which programs send. Shown only once.' },
  },
  creates: { apiToken: apiTokenList },
  resolve: async (input, { ctx }) => toPayload(await createApiToken(ctx, input)),
});

addMutation('revokeApiToken', {
  description: 'Revokes the token: its next request is rejected',
  access: 'staff:manage',
  input: apiTokenIdInput,
  payload: { apiToken: { type: ApiTokenRef, description: 'The revoked token' } },
  resolve: async ({ id }, { ctx }) => ({ apiToken: await revokeApiToken(ctx, id) }),
});

addMutation('rotateApiToken', {
  description:
    'Creates a token with the same name, scopes and expiry; the old one works until the overlap ends',
  access: 'staff:manage',
  input: rotateApiTokenInput,
  payload: {
    apiToken: { type: ApiTokenRef, description: 'The new token' },
    secret: {
      type: 'String',
      description: 'The new secret, which programs send. Shown only once.',
    },
  },
  creates: { apiToken: apiTokenList },
  resolve: async ({ id, overlapMinutes }, { ctx }) =>
    toPayload(await rotateApiToken(ctx, id, overlapMinutes)),
});

const ScopeDescription = builder
  .objectRef<{ scope: string; description: string }>('ScopeDescription')
  .implement({
    description: 'The meaning of one scope',
    fields: (t) => ({
      scope: t.exposeString('scope', { description: 'The scope, such as bookings:read' }),
      description: t.exposeString('description', {
        description: 'What the scope permits, in one sentence',
      }),
    }),
  });

const ScopePreset = builder.objectRef<{ name: string; scopes: string[] }>('ScopePreset').implement({
  description: 'The scopes for one kind of program',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The kind of program, such as Website' }),
    scopes: t.exposeStringList('scopes', { description: 'The scopes of the preset' }),
  }),
});

builder.queryField('scopes', (t) =>
  t.field({
    type: [ScopeDescription],
    description: 'All scopes and their meanings',
    authScopes: { access: 'public' },
    resolve: () => scopeDescriptions,
  }),
);

builder.queryField('scopePresets', (t) =>
  t.field({
    type: [ScopePreset],
    description:
      'Sets of scopes for common kinds of programs, to choose from when creating a token',
    authScopes: { access: 'public' },
    resolve: () => scopePresets,
  }),
);
