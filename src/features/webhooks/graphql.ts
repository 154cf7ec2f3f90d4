import { z } from 'zod';
import { builder, createInputType, withArgs } from '../../graphql/builder.ts';
import { getOrderEnum, listField, relationField } from '../../graphql/list-fields.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Node } from '../../graphql/node.ts';
import { withCost } from '../../graphql/query-cost.ts';
import { addActions } from '../../graphql/row-actions.ts';
import { showFields } from '../../graphql/row-fields.ts';
import type { Owner } from '../../integrations/webhooks/endpoint-owner.ts';
import { eventCatalog } from '../../integrations/webhooks/event-catalog.ts';
import type { ChangeType } from '../../journal/catalog.ts';
import { PAYLOAD_SCHEMAS } from '../../objects/payloads.ts';
import { StaffUser } from '../staff/graphql.ts';
import { staffList } from '../staff/service/list-staff.ts';
import { ApiTokenRef } from '../tokens/graphql.ts';
import { apiTokenList } from '../tokens/service.ts';
import { deliveryActions, webhookActions } from './allowed-actions.ts';
import {
  createWebhookInput,
  deliveryIdInput,
  rotateWebhookSecretInput,
  updateWebhookInput,
  webhookDeliveryFilter,
  webhookFilter,
  webhookIdInput,
} from './inputs.ts';
import { webhookAttemptRow, webhookDeliveryRow, webhookRow } from './rows.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  deliveryList,
  getDelivery,
  replayDelivery,
  sendTestMessage,
} from './service/deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type Webhook,
  webhookList,
} from './service/endpoints.ts';

const MANAGE = { access: 'staff:manage' } as const;

const DeliveryState = builder.enumType('WebhookDeliveryState', {
  description: 'The state of a delivery',
  values: {
    DELIVERED: { value: 'delivered', description: 'The endpoint accepted it with a 2xx status' },
    WAITING: { value: 'waiting', description: 'Waits for its next attempt' },
    FAILED: { value: 'failed', description: 'All attempts failed; it is not retried' },
  } as const,
});

const WebhookAttempt = builder.objectRef<DeliveryAttempt>('WebhookAttempt').implement({
  description: 'One attempt to deliver a message',
  fields: (t) => showFields(t, webhookAttemptRow),
});

const WebhookRef = builder.objectRef<Webhook>('Webhook');
const WebhookDelivery = builder.objectRef<Delivery>('WebhookDelivery');
WebhookDelivery.implement({
  description: 'The delivery of one message to one webhook',
  interfaces: [Node],
  fields: (t) => ({
    ...showFields(t, webhookDeliveryRow),
    webhook: t.field({
      type: WebhookRef,
      nullable: true,
      description: 'The webhook that it goes to',
      resolve: ({ endpointId }, _, { lists }) => lists.loadRow(webhookList, endpointId),
    }),
    type: t.exposeString('type', { description: 'The name of the event, such as display.offline' }),
    body: t.exposeString('body', {
      nullable: true,
      description: 'The JSON that is sent; null if the caller lacks the scope of the event',
    }),
    state: t.expose('state', { type: DeliveryState, description: 'Whether it was accepted' }),
    attempts: t.field({
      type: [WebhookAttempt],
      description: 'The latest 30 attempts, newest first',
      ...withCost({ items: 10 }),
      resolve: ({ id }, _, { loaders }) => loaders.attemptsByDelivery.load(id),
    }),
  }),
});

const WebhookOwnerKind = builder.enumType('WebhookOwnerKind', {
  description: 'Who owns a webhook',
  values: {
    USER: { value: 'user', description: 'A staff user' },
    TOKEN: { value: 'token', description: 'An API token' },
    SYSTEM: {
      value: 'system',
      description: 'The command line, or a webhook created before owners were recorded',
    },
  } as const,
});

const WebhookOwner = builder.objectRef<Owner>('WebhookOwner').implement({
  description:
    'The user or token whose permissions a webhook uses. The webhook is disabled when they end',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: WebhookOwnerKind,
      description: 'Whether it is a user, a token or the system',
    }),
    id: t.exposeID('id', {
      nullable: true,
      description: 'Null for the system, and after the owner was deleted',
    }),
    name: t.exposeString('name', {
      description: 'The name of the user or token; null if it was deleted',
      nullable: true,
    }),
    staffUser: t.field({
      type: StaffUser,
      nullable: true,
      description: 'The staff user. null: another kind of owner.',
      authScopes: MANAGE,
      resolve: ({ kind, id }, _, { lists }) =>
        kind === 'user' && id !== null ? lists.loadRow(staffList, id) : null,
    }),
    apiToken: t.field({
      type: ApiTokenRef,
      nullable: true,
      description: 'The API token. null: another kind of owner.',
      authScopes: MANAGE,
      resolve: ({ kind, id }, _, { lists }) =>
        kind === 'token' && id !== null ? lists.loadRow(apiTokenList, id) : null,
    }),
  }),
});

WebhookRef.implement({
  description: 'A URL that receives events',
  interfaces: [Node],
  fields: (t) => ({
    ...showFields(t, webhookRow),
    owner: t.expose('owner', { type: WebhookOwner, description: 'Whose permissions it uses' }),
    withheldEvents: t.exposeStringList('withheldEvents', {
      description:
        'Those of its events that are not sent, because its owner cannot read them now, such as staff.*',
    }),
  }),
});

addActions(WebhookRef, {
  type: 'WebhookActions',
  noun: 'a webhook',
  rules: webhookActions,
  actions: {
    update: 'Change its description with updateWebhook',
    updateEvents: 'Change its URL and its events with updateWebhook',
    rotateSecret: 'Replace its secret with rotateWebhookSecret',
    enable: 'Enable it with enableWebhook',
    disable: 'Disable it with disableWebhook',
    delete: 'Delete it with deleteWebhook',
    sendTest: 'Send a test message with sendTestWebhook',
  },
});

addActions(WebhookDelivery, {
  type: 'WebhookDeliveryActions',
  noun: 'a delivery',
  rules: deliveryActions,
  actions: { replay: 'Send it again with replayDelivery' },
});

/** Formats say what the patterns of ids and times check, in a tenth of the size. */
const toSchemaText = (name: ChangeType): string =>
  JSON.stringify(
    z.toJSONSchema(PAYLOAD_SCHEMAS[name], {
      override: ({ jsonSchema }) => {
        if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      },
    }),
  );

const WebhookEvent = builder.objectRef<(typeof eventCatalog)[number]>('WebhookEvent').implement({
  description: 'A type of event that webhooks can subscribe to',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The name to subscribe to, such as display.offline',
    }),
    description: t.exposeString('description', {
      description: 'When the event happens, in one sentence',
    }),
    scope: t.exposeString('scope', { description: 'The scope needed to subscribe to it' }),
    schema: t.string({
      description: 'JSON Schema of the field data, as a string',
      resolve: ({ name }) => toSchemaText(name),
    }),
  }),
});

const READ = { access: 'webhooks:read' } as const;
const WebhookFilter = createInputType('WebhookFilter', webhookFilter);
const WebhookOrder = getOrderEnum('Webhook', webhookList);

builder.queryField('webhooks', (t) =>
  t.connection({
    type: WebhookRef,
    description: 'All webhooks, newest first, including disabled ones',
    authScopes: READ,
    args: {
      filter: t.arg({ type: WebhookFilter, description: 'Which webhooks to list' }),
      orderBy: t.arg({ type: WebhookOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...listField(webhookList),
  }),
);

builder.objectField(StaffUser, 'webhooks', (t) =>
  t.connection({
    type: WebhookRef,
    description: 'Webhooks that use the permissions of the person, newest first',
    authScopes: READ,
    args: {
      filter: t.arg({ type: WebhookFilter, description: 'Which webhooks to list' }),
      orderBy: t.arg({ type: WebhookOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...relationField(webhookList, (row, user) => `${row}.owner_user_id = ${user}`),
  }),
);

builder.objectField(ApiTokenRef, 'webhooks', (t) =>
  t.connection({
    type: WebhookRef,
    description: 'Webhooks that use the permissions of the token, newest first',
    authScopes: READ,
    args: {
      filter: t.arg({ type: WebhookFilter, description: 'Which webhooks to list' }),
      orderBy: t.arg({ type: WebhookOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...relationField(webhookList, (row, token) => `${row}.owner_token_id = ${token}`),
  }),
);

const DeliveryFilter = createInputType('WebhookDeliveryFilter', webhookDeliveryFilter);
const DeliveryOrder = getOrderEnum('WebhookDelivery', deliveryList);

builder.queryField('webhookDeliveries', (t) =>
  t.connection({
    type: WebhookDelivery,
    description: 'Deliveries of all webhooks, newest first. They are deleted after 30 days.',
    authScopes: READ,
    args: {
      filter: t.arg({ type: DeliveryFilter, description: 'Which deliveries to list' }),
      orderBy: t.arg({ type: DeliveryOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...listField(deliveryList),
  }),
);

builder.objectField(WebhookRef, 'deliveries', (t) =>
  t.connection({
    type: WebhookDelivery,
    description: 'Its deliveries, newest first. They are deleted after 30 days.',
    authScopes: READ,
    args: {
      filter: t.arg({ type: DeliveryFilter, description: 'Which deliveries to list' }),
      orderBy: t.arg({ type: DeliveryOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...relationField(deliveryList, (row, webhook) => `${row}.endpoint_id = ${webhook}`),
  }),
);

builder.queryField('webhook', (t) =>
  t.field({
    type: WebhookRef,
    description: 'Gets a webhook',
    authScopes: READ,
    ...withArgs(webhookIdInput, ({ id }, { ctx }) => getWebhook(ctx, id)),
  }),
);

builder.queryField('webhookDelivery', (t) =>
  t.field({
    type: WebhookDelivery,
    description: 'Gets a delivery with its attempts',
    authScopes: READ,
    ...withArgs(deliveryIdInput, ({ id }, { ctx }) => getDelivery(ctx, id)),
  }),
);

builder.queryField('webhookEvents', (t) =>
  t.field({
    type: [WebhookEvent],
    description: 'The types of events that webhooks can subscribe to',
    authScopes: READ,
    resolve: () => eventCatalog,
  }),
);

addMutation('createWebhook', {
  description: 'Creates a webhook',
  access: 'webhooks:write',
  input: createWebhookInput,
  payload: {
    webhook: { type: WebhookRef, description: 'The new webhook' },
    secret: {
      type: 'String',
      description: 'The secret that verifies deliveries. Shown only once.',
    },
  },
  creates: { webhook: webhookList },
  resolve: (input, { ctx }) => createWebhook(ctx, input),
});

addMutation('updateWebhook', {
  description: 'Changes a webhook',
  access: 'webhooks:write',
  input: updateWebhookInput,
  takesVersion: true,
  payload: { webhook: { type: WebhookRef, description: 'The changed webhook' } },
  resolve: async ({ id, ...change }, { ctx }) => ({
    webhook: await updateWebhook(ctx, id, change),
  }),
});

addMutation('rotateWebhookSecret', {
  description:
    'Creates a new secret. During the overlap, messages are signed with both. Needs the scopes of all events that the webhook receives',
  access: 'webhooks:write',
  input: rotateWebhookSecretInput,
  payload: {
    webhook: { type: WebhookRef, description: 'The webhook of the secret' },
    secret: {
      type: 'String',
      description: 'The new secret that verifies deliveries. Shown only once.',
    },
  },
  resolve: ({ id, overlapHours }, { ctx }) => rotateWebhookSecret(ctx, id, overlapHours),
});

addMutation('enableWebhook', {
  description:
    'Enables the webhook and delivers its waiting messages. The caller becomes its owner and needs the scopes of all its events',
  access: 'webhooks:write',
  input: webhookIdInput,
  payload: { webhook: { type: WebhookRef, description: 'The enabled webhook' } },
  resolve: async ({ id }, { ctx }) => ({ webhook: await enableWebhook(ctx, id) }),
});

addMutation('disableWebhook', {
  description:
    'Stops deliveries. New events are not queued; waiting messages are delivered once the webhook is enabled',
  access: 'webhooks:write',
  input: webhookIdInput,
  payload: { webhook: { type: WebhookRef, description: 'The disabled webhook' } },
  resolve: async ({ id }, { ctx }) => ({ webhook: await disableWebhook(ctx, id) }),
});

addMutation('deleteWebhook', {
  description: 'Deletes the webhook and its deliveries',
  access: 'webhooks:write',
  input: webhookIdInput,
  payload: { deletedWebhookId: { type: 'ID', description: 'The id of the deleted webhook' } },
  resolve: async ({ id }, { ctx }) => {
    await deleteWebhook(ctx, id);
    return { deletedWebhookId: id };
  },
});

addMutation('replayDelivery', {
  description: 'Sends the message again now, with the same id',
  access: 'webhooks:write',
  input: deliveryIdInput,
  payload: {
    webhookDelivery: { type: WebhookDelivery, description: 'The delivery of the message' },
  },
  resolve: async ({ id }, { ctx }) => ({ webhookDelivery: await replayDelivery(ctx, id) }),
});

addMutation('sendTestWebhook', {
  description: 'Sends a message of type webhook.test to this webhook only',
  access: 'webhooks:write',
  input: webhookIdInput,
  payload: {
    webhookDelivery: { type: WebhookDelivery, description: 'The delivery of the test message' },
  },
  creates: { webhookDelivery: deliveryList },
  resolve: async ({ id }, { ctx }) => ({ webhookDelivery: await sendTestMessage(ctx, id) }),
});
