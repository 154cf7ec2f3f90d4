import { useMutation, useQueryClient } from '@tanstack/react-query';
import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { CreateDisplayInput, DisplayFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 50;
const REFRESH_SECONDS = 15;
const KEY = 'displays';

export type Display = DisplayFragment;

graphql(`
  fragment Display on Display {
    id
    name
    kind
    status
    tokenPrefix
    lastSeenAt
    revokedAt
    createdAt
    location {
      id
      name
    }
    resource {
      id
      name
    }
  }
`);

const LIST = graphql(`
  query Displays($first: Int!, $after: String, $locationId: ID) {
    displays(first: $first, after: $after, locationId: $locationId) {
      edges {
        node {
          ...Display
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useDisplays = (locationId: string | null) =>
  usePages<Display>({
    queryKey: [KEY, locationId],
    load: async (after, signal) =>
      (await request(LIST, { first: PAGE_SIZE, after, locationId }, signal)).displays,
    refreshSeconds: REFRESH_SECONDS,
  });

const CREATE = graphql(`
  mutation CreateDisplay($input: CreateDisplayInput!) {
    createDisplay(input: $input) {
      deviceToken
      display {
        ...Display
      }
    }
  }
`);

export function useCreateDisplay(onSuccess: (deviceToken: string, display: Display) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: CreateDisplayInput) =>
      (await request(CREATE, { input })).createDisplay,
    gcTime: 0, // the answer holds a secret: it is not to be kept
    onSuccess: ({ deviceToken, display }) => {
      onSuccess(deviceToken, display);
      void client.invalidateQueries({ queryKey: [KEY] });
    },
  });
}

const REVOKE = graphql(`
  mutation RevokeDisplay($id: ID!) {
    revokeDisplay(id: $id) {
      ...Display
    }
  }
`);

export function useRevokeDisplay(onSuccess: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(REVOKE, { id }),
    onSuccess: () => {
      onSuccess();
      void client.invalidateQueries({ queryKey: [KEY] });
    },
  });
}
