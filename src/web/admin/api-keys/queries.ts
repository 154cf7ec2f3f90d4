import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { type RevealedSecret, useSecretMutation } from '../../components/SecretDialog.tsx';
import { capitalize } from '../../components/text.ts';
import type { ApiKeyFragment, CreateApiTokenInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 25;
const API_KEYS_KEY = ['api-keys'];

export type ApiKey = ApiKeyFragment;

graphql(`
  fragment ApiKey on ApiToken {
    id
    name
    prefix
    scopes
    createdAt
    createdBy {
      name
    }
    expiresAt
    revokedAt
    lastUsedAt
    replacedById
    allowedActions {
      rotate
      revoke
    }
  }
`);

const API_KEYS_QUERY = graphql(`
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
  usePagedQuery<ApiKey>({
    queryKey: API_KEYS_KEY,
    load: async (after, signal) =>
      (await request(API_KEYS_QUERY, { first: PAGE_SIZE, after }, signal)).apiTokens,
  });

const SCOPES_QUERY = graphql(`
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
  useQuery({ queryKey: ['scopes'], queryFn: () => request(SCOPES_QUERY), staleTime: Infinity });

const CREATE_API_KEY_MUTATION = graphql(`
  mutation CreateApiKey($input: CreateApiTokenInput!) {
    createApiToken(input: $input) {
      secret
      apiToken {
        ...ApiKey
      }
    }
  }
`);

const ROTATE_API_KEY_MUTATION = graphql(`
  mutation RotateApiKey($id: ID!, $overlapMinutes: Int!) {
    rotateApiToken(input: { id: $id, overlapMinutes: $overlapMinutes }) {
      secret
      apiToken {
        ...ApiKey
      }
    }
  }
`);

const REVOKE_API_KEY_MUTATION = graphql(`
  mutation RevokeApiKey($id: ID!) {
    revokeApiToken(input: { id: $id }) {
      apiToken {
        ...ApiKey
      }
    }
  }
`);

export const useCreateApiKey = (onSuccess: () => void) =>
  useSecretMutation(
    async (input: CreateApiTokenInput) =>
      (await request(CREATE_API_KEY_MUTATION, { input })).createApiToken,
    [API_KEYS_KEY],
    ({ apiToken, secret }) => toNewKeySecret(apiToken.name, secret),
    onSuccess,
  );

export const useRotateApiKey = (id: string, onSuccess: () => void) =>
  useSecretMutation(
    async (overlapHours: number) =>
      (await request(ROTATE_API_KEY_MUTATION, { id, overlapMinutes: overlapHours * 60 }))
        .rotateApiToken,
    [API_KEYS_KEY],
    ({ apiToken, secret }) => toRotatedKeySecret(apiToken.name, secret),
    onSuccess,
  );

export const useRevokeApiKey = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(REVOKE_API_KEY_MUTATION, { id }),
    [API_KEYS_KEY],
    onSuccess,
  );

const toNewKeySecret = (name: string, plainText: string): RevealedSecret => ({
  title: `${name} is ready`,
  explanation: 'Send this key with each request in the header “Authorization: Bearer …”.',
  label: 'API key',
  plainText,
});

const toRotatedKeySecret = (name: string, plainText: string): RevealedSecret => ({
  title: `New secret for ${name}`,
  explanation: 'Replace the old key in the settings of each program that uses it.',
  label: 'API key',
  plainText,
});

export interface NounScopes {
  noun: string;
  verbs: string[];
}

export const ALL_SCOPES = '*';

/** Groups scopes such as "bookings:read" by noun. Keeps their order. */
export function groupScopesByNoun(scopes: readonly string[]): NounScopes[] {
  const nouns = new Map<string, string[]>();
  for (const scope of scopes) {
    const [noun = scope, verb] = scope.split(':');
    if (verb) nouns.set(noun, [...(nouns.get(noun) ?? []), verb]);
  }
  return [...nouns].map(([noun, verbs]) => ({ noun, verbs }));
}

export function formatScopeNoun(noun: string): string {
  const label = noun === 'check-ins' ? noun : noun.replaceAll('-', ' ');
  return capitalize(label);
}

export const isSameSet = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((scope) => b.includes(scope));
