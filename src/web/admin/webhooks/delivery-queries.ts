import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  DeliveryFragment,
  FullDeliveryFragment,
  WebhookDeliveryState,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { WEBHOOKS_KEY } from './queries.ts';

const PAGE_SIZE = 10;
/** Polls often, so that the result of a test appears soon. */
const REFRESH_INTERVAL_SECONDS = 3;

export type Delivery = DeliveryFragment;
export type FullDelivery = FullDeliveryFragment;
export type DeliveryAttempt = FullDelivery['attempts'][number];

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

const WEBHOOK_DELIVERIES_QUERY = graphql(`
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
  usePagedQuery<Delivery>({
    queryKey: [WEBHOOKS_KEY, 'deliveries', id, state],
    load: async (after, signal) =>
      (await request(WEBHOOK_DELIVERIES_QUERY, { id, first: PAGE_SIZE, after, state }, signal))
        .webhook.deliveries,
    refreshSeconds: REFRESH_INTERVAL_SECONDS,
  });

const WEBHOOK_DELIVERY_QUERY = graphql(`
  query WebhookDelivery($id: ID!) {
    webhookDelivery(id: $id) {
      ...FullDelivery
    }
  }
`);

export const useDelivery = (id: string) =>
  useQuery({
    queryKey: [WEBHOOKS_KEY, 'delivery', id],
    queryFn: async ({ signal }) =>
      (await request(WEBHOOK_DELIVERY_QUERY, { id }, signal)).webhookDelivery,
    refetchInterval: REFRESH_INTERVAL_SECONDS * 1000,
  });

const REPLAY_DELIVERY_MUTATION = graphql(`
  mutation ReplayDelivery($id: ID!) {
    replayDelivery(id: $id) {
      id
    }
  }
`);

export function useReplayDelivery(onSuccess: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(REPLAY_DELIVERY_MUTATION, { id }),
    onSuccess: () => {
      onSuccess();
      void client.invalidateQueries({ queryKey: [WEBHOOKS_KEY] });
    },
  });
}
