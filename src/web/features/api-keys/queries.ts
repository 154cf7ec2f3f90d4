import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { ApiKeyFragment, CreateApiTokenInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { useSecretChange } from '../../ui/secret/use-secret-change.ts';
import { newKey, rotatedKey } from './key-secret.ts';

const PAGE_SIZE = 25;
const KEYS = ['api-keys'];

export type ApiKey = ApiKeyFragment;

graphql(`
  fragment ApiKey on ApiToken {
    id
    name
    prefix
    scopes
    createdAt
    createdBy
    expiresAt
    revokedAt
    lastUsedAt
    replacedById
  }
`);

const LIST = graphql(`
  query ApiKeys($first: Int!, $after: String) {
    apiTokens(first: $first, after: $after) {
      edges {
        node {
          ...ApiKey
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useApiKeys = () =>
  usePages<ApiKey>({
    queryKey: KEYS,
    load: async (after, signal) =>
      (await request(LIST, { first: PAGE_SIZE, after }, signal)).apiTokens,
  });

const SCOPES = graphql(`
  query Scopes {
    scopes {
      scope
      description
    }
    scopePresets {
      name
      scopes
    }
  }
`);

export const useScopes = () =>
  useQuery({ queryKey: ['scopes'], queryFn: () => request(SCOPES), staleTime: Infinity });

const CREATE = graphql(`
  mutation CreateApiKey($input: CreateApiTokenInput!) {
    createApiToken(input: $input) {
      plainText
      token {
        ...ApiKey
      }
    }
  }
`);

const ROTATE = graphql(`
  mutation RotateApiKey($id: ID!, $overlapMinutes: Int!) {
    rotateApiToken(id: $id, overlapMinutes: $overlapMinutes) {
      plainText
      token {
        ...ApiKey
      }
    }
  }
`);

const REVOKE = graphql(`
  mutation RevokeApiKey($id: ID!) {
    revokeApiToken(id: $id) {
      ...ApiKey
    }
  }
`);

export const useCreateApiKey = (onSuccess: () => void) =>
  useSecretChange(
    async (input: CreateApiTokenInput) => (await request(CREATE, { input })).createApiToken,
    [KEYS],
    ({ token, plainText }) => newKey(token.name, plainText),
    onSuccess,
  );

export const useRotateApiKey = (id: string, onSuccess: () => void) =>
  useSecretChange(
    async (overlapHours: number) =>
      (await request(ROTATE, { id, overlapMinutes: overlapHours * 60 })).rotateApiToken,
    [KEYS],
    ({ token, plainText }) => rotatedKey(token.name, plainText),
    onSuccess,
  );

export const useRevokeApiKey = (onSuccess: () => void) =>
  useChange((id: string) => request(REVOKE, { id }), [KEYS], onSuccess);
