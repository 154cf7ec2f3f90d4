import { useChange } from '../../api/change.ts';
import { request } from '../../api/request.ts';
import type { CreateWebhookInput, UpdateWebhookInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { useSecretChange } from '../../ui/secret/use-secret-change.ts';
import { WEBHOOKS, type Webhook } from './queries.ts';
import { secretOf } from './signing-secret.ts';
import { nameOf } from './webhook-form.ts';

const ALL = [[WEBHOOKS]];
/** Of a deleted one nothing is asked again. */
const THE_LIST = [[WEBHOOKS, 'list']];

const CREATE = graphql(`
  mutation CreateWebhook($input: CreateWebhookInput!) {
    createWebhook(input: $input) {
      secret
      webhook {
        ...Webhook
      }
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateWebhook($id: ID!, $input: UpdateWebhookInput!) {
    updateWebhook(id: $id, input: $input) {
      ...Webhook
    }
  }
`);

const ROTATE = graphql(`
  mutation RotateWebhookSecret($id: ID!, $overlapHours: Int!) {
    rotateWebhookSecret(id: $id, overlapHours: $overlapHours) {
      secret
      webhook {
        ...Webhook
      }
    }
  }
`);

const ENABLE = graphql(`
  mutation EnableWebhook($id: ID!) {
    enableWebhook(id: $id) {
      ...Webhook
    }
  }
`);

const DISABLE = graphql(`
  mutation DisableWebhook($id: ID!) {
    disableWebhook(id: $id) {
      ...Webhook
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteWebhook($id: ID!) {
    deleteWebhook(id: $id) {
      id
    }
  }
`);

const TEST = graphql(`
  mutation SendTestWebhook($id: ID!) {
    sendTestWebhook(id: $id) {
      id
    }
  }
`);

export const useCreateWebhook = (onSuccess: (webhook: Webhook) => void) =>
  useSecretChange(
    async (input: CreateWebhookInput) => (await request(CREATE, { input })).createWebhook,
    ALL,
    ({ secret, webhook }) => secretOf(`${nameOf(webhook)} is ready`, secret),
    ({ webhook }) => onSuccess(webhook),
  );

export const useUpdateWebhook = (id: string, onSuccess: () => void) =>
  useChange((input: UpdateWebhookInput) => request(UPDATE, { id, input }), ALL, onSuccess);

export const useRotateSecret = (id: string, onSuccess: () => void) =>
  useSecretChange(
    async (overlapHours: number) =>
      (await request(ROTATE, { id, overlapHours })).rotateWebhookSecret,
    ALL,
    ({ secret, webhook }) => secretOf(`New secret for ${nameOf(webhook)}`, secret),
    onSuccess,
  );

export const useEnableWebhook = (id: string, onSuccess: () => void) =>
  useChange(() => request(ENABLE, { id }), ALL, onSuccess);

export const useDisableWebhook = (id: string, onSuccess: () => void) =>
  useChange(() => request(DISABLE, { id }), ALL, onSuccess);

export const useSendTest = (id: string, onSuccess: () => void) =>
  useChange(() => request(TEST, { id }), ALL, onSuccess);

export const useDeleteWebhook = (id: string, onSuccess: () => void) =>
  useChange(() => request(DELETE, { id }), THE_LIST, onSuccess);
