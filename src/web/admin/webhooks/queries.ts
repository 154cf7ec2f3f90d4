import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { type RevealedSecret, useSecretMutation } from '../../components/use-secret-dialog.ts';
import type {
  CreateWebhookInput,
  UpdateWebhookInput,
  WebhookEventsQuery,
  WebhookFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { formatWebhookName } from './webhook-form-values.ts';

const PAGE_SIZE = 25;
/** Polls, as the responses of the receiver can disable a webhook. */
const REFRESH_INTERVAL_SECONDS = 15;

export const WEBHOOKS_KEY = 'webhooks';

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

const WEBHOOKS_QUERY = graphql(`
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
  usePagedQuery<Webhook>({
    queryKey: [WEBHOOKS_KEY, 'list'],
    load: async (after, signal) =>
      (await request(WEBHOOKS_QUERY, { first: PAGE_SIZE, after }, signal)).webhooks,
    refreshSeconds: REFRESH_INTERVAL_SECONDS,
  });

const WEBHOOK_PAGE_QUERY = graphql(`
  query WebhookPage($id: ID!) {
    webhook(id: $id) {
      ...Webhook
    }
  }
`);

export const useWebhook = (id: string) =>
  useQuery({
    queryKey: [WEBHOOKS_KEY, 'one', id],
    queryFn: async ({ signal }) => (await request(WEBHOOK_PAGE_QUERY, { id }, signal)).webhook,
    refetchInterval: REFRESH_INTERVAL_SECONDS * 1000,
  });

const WEBHOOK_EVENTS_QUERY = graphql(`
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
    queryFn: async () => (await request(WEBHOOK_EVENTS_QUERY)).webhookEvents,
    staleTime: Infinity,
  });

const ALL_WEBHOOK_KEYS = [[WEBHOOKS_KEY]];
/** Skips the deleted webhook itself. */
const WEBHOOK_LIST_KEYS = [[WEBHOOKS_KEY, 'list']];

const CREATE_WEBHOOK_MUTATION = graphql(`
  mutation CreateWebhook($input: CreateWebhookInput!) {
    createWebhook(input: $input) {
      secret
      webhook {
        ...Webhook
      }
    }
  }
`);

const UPDATE_WEBHOOK_MUTATION = graphql(`
  mutation UpdateWebhook($id: ID!, $input: UpdateWebhookInput!) {
    updateWebhook(id: $id, input: $input) {
      ...Webhook
    }
  }
`);

const ROTATE_WEBHOOK_SECRET_MUTATION = graphql(`
  mutation RotateWebhookSecret($id: ID!, $overlapHours: Int!) {
    rotateWebhookSecret(id: $id, overlapHours: $overlapHours) {
      secret
      webhook {
        ...Webhook
      }
    }
  }
`);

const ENABLE_WEBHOOK_MUTATION = graphql(`
  mutation EnableWebhook($id: ID!) {
    enableWebhook(id: $id) {
      ...Webhook
    }
  }
`);

const DISABLE_WEBHOOK_MUTATION = graphql(`
  mutation DisableWebhook($id: ID!) {
    disableWebhook(id: $id) {
      ...Webhook
    }
  }
`);

const DELETE_WEBHOOK_MUTATION = graphql(`
  mutation DeleteWebhook($id: ID!) {
    deleteWebhook(id: $id) {
      id
    }
  }
`);

const SEND_TEST_WEBHOOK_MUTATION = graphql(`
  mutation SendTestWebhook($id: ID!) {
    sendTestWebhook(id: $id) {
      id
    }
  }
`);

export const useCreateWebhook = (onSuccess: (webhook: Webhook) => void) =>
  useSecretMutation(
    async (input: CreateWebhookInput) =>
      (await request(CREATE_WEBHOOK_MUTATION, { input })).createWebhook,
    ALL_WEBHOOK_KEYS,
    ({ secret, webhook }) => toSigningSecret(`${formatWebhookName(webhook)} is ready`, secret),
    ({ webhook }) => onSuccess(webhook),
  );

export const useUpdateWebhook = (id: string, onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: UpdateWebhookInput) => request(UPDATE_WEBHOOK_MUTATION, { id, input }),
    ALL_WEBHOOK_KEYS,
    onSuccess,
  );

export const useRotateWebhookSecret = (id: string, onSuccess: () => void) =>
  useSecretMutation(
    async (overlapHours: number) =>
      (await request(ROTATE_WEBHOOK_SECRET_MUTATION, { id, overlapHours })).rotateWebhookSecret,
    ALL_WEBHOOK_KEYS,
    ({ secret, webhook }) =>
      toSigningSecret(`New secret for ${formatWebhookName(webhook)}`, secret),
    onSuccess,
  );

export const useEnableWebhook = (id: string, onSuccess: () => void) =>
  useInvalidatingMutation(
    () => request(ENABLE_WEBHOOK_MUTATION, { id }),
    ALL_WEBHOOK_KEYS,
    onSuccess,
  );

export const useDisableWebhook = (id: string, onSuccess: () => void) =>
  useInvalidatingMutation(
    () => request(DISABLE_WEBHOOK_MUTATION, { id }),
    ALL_WEBHOOK_KEYS,
    onSuccess,
  );

export const useSendTestWebhook = (id: string, onSuccess: () => void) =>
  useInvalidatingMutation(
    () => request(SEND_TEST_WEBHOOK_MUTATION, { id }),
    ALL_WEBHOOK_KEYS,
    onSuccess,
  );

export const useDeleteWebhook = (id: string, onSuccess: () => void) =>
  useInvalidatingMutation(
    () => request(DELETE_WEBHOOK_MUTATION, { id }),
    WEBHOOK_LIST_KEYS,
    onSuccess,
  );

const toSigningSecret = (title: string, plainText: string): RevealedSecret => ({
  title,
  explanation:
    'The receiver uses this secret to verify messages, as described at standardwebhooks.com.',
  label: 'Signing secret',
  plainText,
});
