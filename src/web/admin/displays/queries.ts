import { useQueryClient } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { useSubscription } from '../../api/subscriptions.ts';
import { toServiceUrl } from '../../api/urls.ts';
import { type RevealedSecret, useSecretMutation } from '../../components/use-secret-dialog.ts';
import type {
  ClaimPairingInput,
  CreateDisplayInput,
  DisplayFragment,
  UpdateDisplayInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 50;
const REFRESH_INTERVAL_SECONDS = 15;

export type Display = DisplayFragment;
/** The prefix of all display queries, so that mutations can invalidate them. */
const DISPLAYS_KEY = ['displays'];

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

const DISPLAYS_QUERY = graphql(`
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
  useSubscription(DISPLAY_STATUS_CHANGED_SUBSCRIPTION, { locationId }, () =>
    client.invalidateQueries({ queryKey: DISPLAYS_KEY }),
  );
  return usePagedQuery<Display>({
    queryKey: [...DISPLAYS_KEY, locationId],
    load: async (after, signal) =>
      (await request(DISPLAYS_QUERY, { first: PAGE_SIZE, after, locationId }, signal)).displays,
    refreshSeconds: REFRESH_INTERVAL_SECONDS, // also tells when each was last seen
  });
}

const DISPLAY_STATUS_CHANGED_SUBSCRIPTION = graphql(`
  subscription DisplayStatusChanged($locationId: ID) {
    displayStatusChanged(locationId: $locationId) {
      status
    }
  }
`);

const CREATE_DISPLAY_MUTATION = graphql(`
  mutation CreateDisplay($input: CreateDisplayInput!) {
    createDisplay(input: $input) {
      deviceToken
      display {
        ...Display
      }
    }
  }
`);

export const useCreateDisplay = (onSuccess: () => void) =>
  useSecretMutation(
    async (input: CreateDisplayInput) =>
      (await request(CREATE_DISPLAY_MUTATION, { input })).createDisplay,
    [DISPLAYS_KEY],
    ({ deviceToken, display }) => toDeviceTokenSecret(`${display.name} is ready`, deviceToken),
    onSuccess,
  );

const REVOKE_DISPLAY_MUTATION = graphql(`
  mutation RevokeDisplay($id: ID!) {
    revokeDisplay(id: $id) {
      ...Display
    }
  }
`);

const UPDATE_DISPLAY_MUTATION = graphql(`
  mutation UpdateDisplay($id: ID!, $input: UpdateDisplayInput!) {
    updateDisplay(id: $id, input: $input) {
      ...Display
    }
  }
`);

const CLAIM_PAIRING_MUTATION = graphql(`
  mutation ClaimPairing($input: ClaimPairingInput!) {
    claimPairing(input: $input) {
      display {
        ...Display
      }
    }
  }
`);

const ROTATE_DISPLAY_TOKEN_MUTATION = graphql(`
  mutation RotateDisplayToken($id: ID!, $overlapMinutes: Int!) {
    rotateDisplayToken(id: $id, overlapMinutes: $overlapMinutes) {
      deviceToken
      display {
        ...Display
      }
    }
  }
`);

export const useRevokeDisplay = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(REVOKE_DISPLAY_MUTATION, { id }),
    [DISPLAYS_KEY],
    onSuccess,
  );

export const useUpdateDisplay = (id: string, onSuccess: (display: Display) => void) =>
  useInvalidatingMutation(
    async (input: UpdateDisplayInput) =>
      (await request(UPDATE_DISPLAY_MUTATION, { id, input })).updateDisplay,
    [DISPLAYS_KEY],
    onSuccess,
  );

export const useClaimPairing = (onSuccess: (display: Display) => void) =>
  useInvalidatingMutation(
    async (input: ClaimPairingInput) =>
      (await request(CLAIM_PAIRING_MUTATION, { input })).claimPairing.display,
    [DISPLAYS_KEY],
    onSuccess,
  );

export const useRotateDisplayToken = (id: string, onSuccess: () => void) =>
  useSecretMutation(
    async (overlapHours: number) =>
      (await request(ROTATE_DISPLAY_TOKEN_MUTATION, { id, overlapMinutes: overlapHours * 60 }))
        .rotateDisplayToken,
    [DISPLAYS_KEY],
    ({ deviceToken, display }) => toDeviceTokenSecret(`New token for ${display.name}`, deviceToken),
    onSuccess,
  );

const toDeviceTokenSecret = (title: string, token: string): RevealedSecret => ({
  title,
  explanation:
    'Open the browser URL on the screen. If you run your own program, let it poll the state URL and send heartbeats to the other.',
  label: 'Device token',
  plainText: token,
  urls: [
    { label: 'Browser URL', value: toServiceUrl(`display#${token}`) },
    { label: 'State URL', value: toServiceUrl(`displays/state/${token}`) },
    { label: 'Heartbeat URL', value: toServiceUrl(`displays/heartbeat/${token}`) },
  ],
});
