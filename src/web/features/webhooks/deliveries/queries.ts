import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { usePages } from '../../../api/pages.ts';
import { request } from '../../../api/request.ts';
import type {
  DeliveryFragment,
  FullDeliveryFragment,
  WebhookDeliveryState,
} from '../../../gql/graphql.ts';
import { graphql } from '../../../gql/index.ts';
import { WEBHOOKS } from '../queries.ts';

const PAGE_SIZE = 10;
/** Who has just sent a test looks on. */
const REFRESH_SECONDS = 3;

export type Delivery = DeliveryFragment;
export type FullDelivery = FullDeliveryFragment;
export type Attempt = FullDelivery['attempts'][number];

graphql(`
  fragment Delivery on WebhookDelivery {
    id
    type
    state
    attemptCount
    createdAt
    dueAt
    deliveredAt
    attempts {
      problem
    }
  }
`);

graphql(`
  fragment FullDelivery on WebhookDelivery {
    ...Delivery
    messageId
    body
    attempts {
      at
      status
      tookMs
    }
  }
`);

const LIST = graphql(`
  query WebhookDeliveries($id: ID!, $first: Int!, $after: String, $state: WebhookDeliveryState) {
    webhook(id: $id) {
      deliveries(first: $first, after: $after, state: $state) {
        edges {
          node {
            ...Delivery
          }
        }
        pageInfo {
          endCursor
          hasNextPage
        }
      }
    }
  }
`);

export const useDeliveries = (id: string, state: WebhookDeliveryState | null) =>
  usePages<Delivery>({
    queryKey: [WEBHOOKS, 'deliveries', id, state],
    load: async (after, signal) =>
      (await request(LIST, { id, first: PAGE_SIZE, after, state }, signal)).webhook.deliveries,
    refreshSeconds: REFRESH_SECONDS,
  });

const ONE = graphql(`
  query WebhookDelivery($id: ID!) {
    webhookDelivery(id: $id) {
      ...FullDelivery
    }
  }
`);

export const useDelivery = (id: string) =>
  useQuery({
    queryKey: [WEBHOOKS, 'delivery', id],
    queryFn: async ({ signal }) => (await request(ONE, { id }, signal)).webhookDelivery,
    refetchInterval: REFRESH_SECONDS * 1000,
  });

const REPLAY = graphql(`
  mutation ReplayDelivery($id: ID!) {
    replayDelivery(id: $id) {
      id
    }
  }
`);

export function useReplay(onSuccess: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(REPLAY, { id }),
    onSuccess: () => {
      onSuccess();
      void client.invalidateQueries({ queryKey: [WEBHOOKS] });
    },
  });
}
