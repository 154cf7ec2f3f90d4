import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { type RevealedSecret, useSecretMutation } from '../../components/SecretDialog.tsx';
import type {
  CreateWebhookInput,
  UpdateWebhookInput,
  WebhookEventsQuery,
  WebhookFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 25;
/** Responses of the receiver can disable a webhook at any time. */
const REFRESH_INTERVAL_SECONDS = 15;

export const WEBHOOKS_KEY = 'webhooks';

export type Webhook = WebhookFragment;
export type WebhookEvent = WebhookEventsQuery['webhookEvents'][number];

graphql(`
  fragment Webhook on Webhook {
    id
    updatedAt
    url
    description
    events
    createdAt
    disabledAt
    disabledReason
    withheldEvents
    owner {
      kind
      name
    }
    previousSecretUntil
    allowedActions {
      update
      rotateSecret
      enable
      disable
      delete
      sendTest
    }
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
/** Without the deleted webhook itself. */
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
  mutation UpdateWebhook($input: UpdateWebhookInput!) {
    updateWebhook(input: $input) {
      webhook {
        ...Webhook
      }
    }
  }
`);

const ROTATE_WEBHOOK_SECRET_MUTATION = graphql(`
  mutation RotateWebhookSecret($id: ID!, $overlapHours: Int!) {
    rotateWebhookSecret(input: { id: $id, overlapHours: $overlapHours }) {
      secret
      webhook {
        ...Webhook
      }
    }
  }
`);

const ENABLE_WEBHOOK_MUTATION = graphql(`
  mutation EnableWebhook($id: ID!) {
    enableWebhook(input: { id: $id }) {
      webhook {
        ...Webhook
      }
    }
  }
`);

const DISABLE_WEBHOOK_MUTATION = graphql(`
  mutation DisableWebhook($id: ID!) {
    disableWebhook(input: { id: $id }) {
      webhook {
        ...Webhook
      }
    }
  }
`);

const DELETE_WEBHOOK_MUTATION = graphql(`
  mutation DeleteWebhook($id: ID!) {
    deleteWebhook(input: { id: $id }) {
      deletedWebhookId
    }
  }
`);

const SEND_TEST_WEBHOOK_MUTATION = graphql(`
  mutation SendTestWebhook($id: ID!) {
    sendTestWebhook(input: { id: $id }) {
      webhookDelivery {
        id
      }
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

export type WebhookUpdate = Omit<UpdateWebhookInput, 'id'>;

export const useUpdateWebhook = (id: string, onSuccess: () => void) =>
  useInvalidatingMutation(
    (change: WebhookUpdate) => request(UPDATE_WEBHOOK_MUTATION, { input: { id, ...change } }),
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

/** The description, or the host of the URL. */
export const formatWebhookName = ({
  description,
  url,
}: {
  description: string | null;
  url: string;
}) => description ?? new URL(url).host;
