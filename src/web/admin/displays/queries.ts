import { pairDevice } from '@foyer/client/device';
import { useQueryClient } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { type Connection, usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { useSubscription } from '../../api/subscriptions.ts';
import { toServiceUrl } from '../../api/urls.ts';
import { type RevealedSecret, useSecretMutation } from '../../components/SecretDialog.tsx';
import { clearDevice, saveToken } from '../../display/device-storage.ts';
import { createDeviceTransport } from '../../display/device-transport.ts';
import type {
  ClaimPairingInput,
  CreateDisplayInput,
  DisplayFragment,
  DisplaysQuery,
  UpdateDisplayInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { fetchRemainingLocations, type LocationChoice } from '../spaces/location-queries.ts';

const PAGE_SIZE = 50;
const REFRESH_INTERVAL_SECONDS = 15;

export type Display = DisplayFragment;
/** The prefix of all display queries, so that mutations can invalidate them. */
const DISPLAYS_KEY = ['displays'];

graphql(`
  fragment Display on Display {
    id
    updatedAt
    name
    kind
    status
    tokenPrefix
    lastSeenAt
    revokedAt
    createdAt
    allowedActions {
      update
      claimPairing
      rotateToken
      revoke
    }
    appVersion
    uptimeSeconds
    batteryPercent
    statusChanges(last: 8) {
      previousStatus
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
  query Displays(
    $first: Int!
    $after: String
    $filter: DisplayFilter
    $locationId: ID
    $isFirstPage: Boolean!
  ) {
    displays(first: $first, after: $after, filter: $filter) {
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
    locations(first: 100) @include(if: $isFirstPage) {
      ...LocationChoices
    }
    announcements(first: 10, filter: { locationId: $locationId }) @include(if: $isFirstPage) {
      nodes {
        ...Announcement
      }
      totalCount {
        value
        text
      }
    }
  }
`);

/** A page of displays. Only the first one has the locations and announcements. */
export interface DisplaysPageData extends Connection<Display> {
  locations: LocationChoice[];
  announcements: DisplaysQuery['announcements'];
}

export function useDisplays(locationId: string | null) {
  const client = useQueryClient();
  useSubscription(DISPLAY_STATUS_CHANGED_SUBSCRIPTION, { locationId }, () =>
    client.invalidateQueries({ queryKey: DISPLAYS_KEY }),
  );
  return usePagedQuery<Display, DisplaysPageData>({
    queryKey: [...DISPLAYS_KEY, locationId],
    load: async (after, signal) => {
      const { displays, locations, announcements } = await request(
        DISPLAYS_QUERY,
        {
          first: PAGE_SIZE,
          after,
          filter: { locationId },
          locationId,
          isFirstPage: after === null,
        },
        signal,
      );
      return {
        ...displays,
        announcements,
        locations: locations ? await fetchRemainingLocations(locations, signal) : [],
      };
    },
    refreshSeconds: REFRESH_INTERVAL_SECONDS, // updates “Last seen”, too
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
    revokeDisplay(input: { id: $id }) {
      display {
        ...Display
      }
    }
  }
`);

const UPDATE_DISPLAY_MUTATION = graphql(`
  mutation UpdateDisplay($input: UpdateDisplayInput!) {
    updateDisplay(input: $input) {
      display {
        ...Display
      }
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
    rotateDisplayToken(input: { id: $id, overlapMinutes: $overlapMinutes }) {
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
    async (change: Omit<UpdateDisplayInput, 'id'>) =>
      (await request(UPDATE_DISPLAY_MUTATION, { input: { id, ...change } })).updateDisplay.display,
    [DISPLAYS_KEY],
    onSuccess,
  );

const claimPairing = async (input: ClaimPairingInput): Promise<Display> =>
  (await request(CLAIM_PAIRING_MUTATION, { input })).claimPairing.display;

export const useClaimPairing = (onSuccess: (display: Display) => void) =>
  useInvalidatingMutation(claimPairing, [DISPLAYS_KEY], onSuccess);

/**
 * Makes this browser a kiosk of a location. It pairs as a screen does: it starts a pairing, and claims the code with the permission of
 * the person who is signed in. So the token never is in an address, and the kiosk goes on after that person has signed out.
 */
export const usePairThisBrowser = (onSuccess: () => void) =>
  useInvalidatingMutation(
    async ({ id: locationId, name }: { id: string; name: string }) => {
      const controller = new AbortController();
      const claimed = new EventTarget();
      let problem: unknown = null;
      const claim = async (pairingCode: string) => {
        try {
          await claimPairing({ pairingCode, kind: 'KIOSK', locationId, name });
          claimed.dispatchEvent(new Event('online')); // fetches the token at once
        } catch (error) {
          problem = error;
          controller.abort();
        }
      };
      const token = await pairDevice(createDeviceTransport(), {
        onCode: ({ text }) => void claim(text),
        wakeUp: claimed,
        signal: controller.signal,
      });
      if (token === null) throw problem;
      clearDevice();
      saveToken(token);
    },
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
    'Open the browser URL on the screen. A program of your own polls the state URL and sends heartbeats to the heartbeat URL.',
  label: 'Device token',
  plainText: token,
  urls: [
    { label: 'Browser URL', value: toServiceUrl(`display#${token}`) },
    { label: 'State URL', value: toServiceUrl(`displays/state/${token}`) },
    { label: 'Heartbeat URL', value: toServiceUrl(`displays/heartbeat/${token}`) },
  ],
});
