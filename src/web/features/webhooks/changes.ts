import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { CreateWebhookInput, UpdateWebhookInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { WEBHOOKS, type Webhook } from './queries.ts';

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

export const useCreateWebhook = (onSuccess: (secret: string, webhook: Webhook) => void) =>
  useWebhookMutation(
    async (input: CreateWebhookInput) => (await request(CREATE, { input })).createWebhook,
    ({ secret, webhook }) => onSuccess(secret, webhook),
  );

export const useUpdateWebhook = (id: string, onSuccess: () => void) =>
  useWebhookMutation((input: UpdateWebhookInput) => request(UPDATE, { id, input }), onSuccess);

export const useRotateSecret = (id: string, onSuccess: (secret: string) => void) =>
  useWebhookMutation(
    async (overlapHours: number) =>
      (await request(ROTATE, { id, overlapHours })).rotateWebhookSecret,
    ({ secret }) => onSuccess(secret),
  );

export const useEnableWebhook = (id: string, onSuccess: () => void) =>
  useWebhookMutation(() => request(ENABLE, { id }), onSuccess);

export const useDisableWebhook = (id: string, onSuccess: () => void) =>
  useWebhookMutation(() => request(DISABLE, { id }), onSuccess);

export const useSendTest = (id: string, onSuccess: () => void) =>
  useWebhookMutation(() => request(TEST, { id }), onSuccess);

/** Of the deleted one nothing is asked again. */
export const useDeleteWebhook = (id: string, onSuccess: () => void) =>
  useWebhookMutation(() => request(DELETE, { id }), onSuccess, [WEBHOOKS, 'list']);

function useWebhookMutation<Result, Input = void>(
  mutationFn: (input: Input) => Promise<Result>,
  onSuccess: (result: Result) => void,
  changed: string[] = [WEBHOOKS],
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    gcTime: 0, // an answer may hold a secret: it is not to be kept
    onSuccess: (result) => {
      onSuccess(result);
      void client.invalidateQueries({ queryKey: changed });
    },
  });
}
