import { useQuery } from '@tanstack/react-query';
import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { WebhookEventsQuery, WebhookFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 25;
/** One may be disabled by what its receiver answers. */
const REFRESH_SECONDS = 15;

export const WEBHOOKS = 'webhooks';

export type Webhook = WebhookFragment;
export type WebhookEvent = WebhookEventsQuery['webhookEvents'][number];

graphql(`
  fragment Webhook on Webhook {
    id
    url
    description
    events
    createdAt
    disabledAt
    disabledReason
    owner {
      kind
      name
    }
    previousSecretUntil
  }
`);

const LIST = graphql(`
  query Webhooks($first: Int!, $after: String) {
    webhooks(first: $first, after: $after) {
      edges {
        node {
          ...Webhook
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useWebhooks = () =>
  usePages<Webhook>({
    queryKey: [WEBHOOKS, 'list'],
    load: async (after, signal) =>
      (await request(LIST, { first: PAGE_SIZE, after }, signal)).webhooks,
    refreshSeconds: REFRESH_SECONDS,
  });

const ONE = graphql(`
  query WebhookPage($id: ID!) {
    webhook(id: $id) {
      ...Webhook
    }
  }
`);

export const useWebhook = (id: string) =>
  useQuery({
    queryKey: [WEBHOOKS, 'one', id],
    queryFn: async ({ signal }) => (await request(ONE, { id }, signal)).webhook,
    refetchInterval: REFRESH_SECONDS * 1000,
  });

const EVENTS = graphql(`
  query WebhookEvents {
    webhookEvents {
      name
      description
      scope
    }
  }
`);

export const useWebhookEvents = () =>
  useQuery({
    queryKey: ['webhook-events'],
    queryFn: async () => (await request(EVENTS)).webhookEvents,
    staleTime: Infinity,
  });
