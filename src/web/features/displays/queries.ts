import { useQueryClient } from '@tanstack/react-query';
import { useLive } from '../../api/live.ts';
import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { DisplayFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 50;
const REFRESH_SECONDS = 15;

export type Display = DisplayFragment;
/** What is read of displays goes by this, so that a change knows what to read again. */
export const displaysKey = ['displays'];

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
    appVersion
    uptimeSeconds
    batteryPercent
    statusChanges(last: 8) {
      was
      status
      at
    }
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

export function useDisplays(locationId: string | null) {
  const client = useQueryClient();
  useLive(CHANGED, { locationId }, () => client.invalidateQueries({ queryKey: displaysKey }));
  return usePages<Display>({
    queryKey: [...displaysKey, locationId],
    load: async (after, signal) =>
      (await request(LIST, { first: PAGE_SIZE, after, locationId }, signal)).displays,
    refreshSeconds: REFRESH_SECONDS, // also tells when each was last seen
  });
}

const CHANGED = graphql(`
  subscription DisplayStatusChanged($locationId: ID) {
    displayStatusChanged(locationId: $locationId) {
      status
    }
  }
`);
