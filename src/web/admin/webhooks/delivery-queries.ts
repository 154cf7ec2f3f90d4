import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { type Connection, usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  DeliveryFragment,
  FullDeliveryFragment,
  WebhookDeliveryState,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { WEBHOOKS_KEY, type Webhook } from './queries.ts';

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
    nextAttemptAt
    deliveredAt
    attempts {
      error
    }
  }
`);

graphql(`
  fragment FullDelivery on WebhookDelivery {
    ...Delivery
    messageId
    body
    allowedActions {
      replay
    }
    attempts {
      at
      status
      durationMs
    }
  }
`);

const WEBHOOK_PAGE_QUERY = graphql(`
  query WebhookPage($id: ID!, $first: Int!, $after: String, $state: [WebhookDeliveryState!]) {
    webhook(id: $id) {
      ...Webhook
      deliveries(first: $first, after: $after, filter: { state: $state }) {
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

interface DeliveryPage extends Connection<Delivery> {
  webhook: Webhook;
}

/** Loads the deliveries of a webhook page by page, each with the webhook itself. */
export const useWebhookPage = (id: string, state: WebhookDeliveryState | null) =>
  usePagedQuery<Delivery, DeliveryPage>({
    queryKey: [WEBHOOKS_KEY, 'one', id, state],
    load: async (after, signal) => {
      const variables = { id, first: PAGE_SIZE, after, state: state && [state] };
      const { deliveries, ...webhook } = (await request(WEBHOOK_PAGE_QUERY, variables, signal))
        .webhook;
      return { ...deliveries, webhook };
    },
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
    replayDelivery(input: { id: $id }) {
      webhookDelivery {
        id
      }
    }
  }
`);

export const useReplayDelivery = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(REPLAY_DELIVERY_MUTATION, { id }),
    [[WEBHOOKS_KEY]],
    onSuccess,
  );
