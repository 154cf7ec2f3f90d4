import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { ApiKeyFragment, CreateApiTokenInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

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

export const useCreateApiKey = (onSuccess: (plainText: string, key: ApiKey) => void) =>
  useKeyMutation(
    async (input: CreateApiTokenInput) => (await request(CREATE, { input })).createApiToken,
    ({ plainText, token }) => onSuccess(plainText, token),
  );

export const useRotateApiKey = (onSuccess: (plainText: string, key: ApiKey) => void) =>
  useKeyMutation(
    async (input: { id: string; overlapMinutes: number }) =>
      (await request(ROTATE, input)).rotateApiToken,
    ({ plainText, token }) => onSuccess(plainText, token),
  );

export const useRevokeApiKey = (onSuccess: () => void) =>
  useKeyMutation((id: string) => request(REVOKE, { id }), onSuccess);

function useKeyMutation<Input, Result>(
  mutationFn: (input: Input) => Promise<Result>,
  onSuccess: (result: Result) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    gcTime: 0, // an answer may hold a secret: it is not to be kept
    onSuccess: (result) => {
      onSuccess(result);
      void client.invalidateQueries({ queryKey: KEYS });
    },
  });
}
