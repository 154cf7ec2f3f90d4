import { z } from 'zod';
import { toCreatedPosition } from '../../core/pagination.ts';
import { ignoreNull, omitNull, parseInput, singleLine } from '../../core/validation.ts';
import { builder } from '../../graphql/builder.ts';
import {
  computePageComplexity,
  paginateField,
  toConnection,
  toPageRequest,
} from '../../graphql/connections.ts';
import type { Owner } from '../../integrations/webhooks/endpoint-owner.ts';
import { eventCatalog } from '../../integrations/webhooks/event-catalog.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  getDelivery,
  listDeliveries,
  replayDelivery,
  sendTestMessage,
} from './deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
  type Webhook,
  type WebhookWithSecret,
} from './endpoints.ts';

const DeliveryState = builder.enumType('WebhookDeliveryState', {
  values: {
    DELIVERED: { value: 'delivered', description: 'The endpoint accepted it with a 2xx status' },
    WAITING: { value: 'waiting', description: 'Waits for its next attempt' },
    FAILED: { value: 'failed', description: 'All attempts failed; it is not retried' },
  } as const,
});

const WebhookAttempt = builder.objectRef<DeliveryAttempt>('WebhookAttempt').implement({
  description: 'One attempt to deliver a message',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime' }),
    status: t.exposeInt('status', {
      nullable: true,
      description: 'HTTP status of the response; null if there was none',
    }),
    problem: t.exposeString('error', {
      nullable: true,
      description: 'Why the attempt failed; null if it succeeded',
    }),
    tookMs: t.exposeInt('durationMs'),
  }),
});

const WebhookDelivery = builder.objectRef<Delivery>('WebhookDelivery');
WebhookDelivery.implement({
  description: 'The delivery of one message to one webhook',
  fields: (t) => ({
    id: t.exposeID('id'),
    messageId: t.exposeID('messageId', {
      description: 'Sent in the header webhook-id; the same for every attempt',
    }),
    type: t.exposeString('type'),
    body: t.exposeString('body', {
      nullable: true,
      description: 'The JSON that is sent; null if the caller lacks the scope of the event',
    }),
    state: t.expose('state', { type: DeliveryState }),
    attemptCount: t.exposeInt('attempts', {
      description: 'Attempts since the delivery was created or last replayed',
    }),
    dueAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Earliest time of the next attempt; null if none is left',
    }),
    deliveredAt: t.expose('deliveredAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    attempts: t.field({
      type: [WebhookAttempt],
      description: 'The latest 30 attempts, newest first',
      complexity: { field: 1, multiplier: 10 },
      resolve: ({ id }, _, { loaders }) => loaders.attemptsByDelivery.load(id),
    }),
  }),
});

const WebhookOwnerKind = builder.enumType('WebhookOwnerKind', {
  values: {
    USER: { value: 'user' },
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
    kind: t.expose('kind', { type: WebhookOwnerKind }),
    id: t.exposeID('id', {
      nullable: true,
      description: 'Null for the system, and after the owner was deleted',
    }),
    name: t.exposeString('name', { nullable: true }),
  }),
});

const WebhookRef = builder.objectRef<Webhook>('Webhook');
WebhookRef.implement({
  description: 'A URL that receives events',
  fields: (t) => ({
    id: t.exposeID('id'),
    url: t.exposeString('url'),
    description: t.exposeString('description', { nullable: true }),
    events: t.exposeStringList('events', {
      description:
        'Names from webhookEvents, such as display.offline; display.* for all of a noun, * for all events',
    }),
    previousSecretUntil: t.expose('previousSecretUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until then, deliveries are also signed with the previous secret',
    }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Why it is disabled, such as that its token was revoked',
    }),
    owner: t.expose('owner', { type: WebhookOwner }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    deliveries: t.connection({
      type: WebhookDelivery,
      description: 'Newest first. Deliveries are deleted after 30 days',
      args: { state: t.arg({ type: DeliveryState }) },
      complexity: computePageComplexity,
      resolve: async ({ id }, args, { ctx }) => {
        const filter = { state: args.state ?? undefined };
        const page = await listDeliveries(ctx, id, filter, toPageRequest(args));
        return toConnection(page, toCreatedPosition, args.after);
      },
    }),
  }),
});

const WebhookEvent = builder.objectRef<(typeof eventCatalog)[number]>('WebhookEvent').implement({
  description: 'A type of event that webhooks can subscribe to',
  fields: (t) => ({
    name: t.exposeString('name'),
    description: t.exposeString('description'),
    scope: t.exposeString('scope', { description: 'The scope needed to subscribe to it' }),
    schema: t.string({
      description: 'JSON Schema of the field data, as a string',
      resolve: ({ payload }) => JSON.stringify(z.toJSONSchema(payload)),
    }),
  }),
});

const READ = { access: 'webhooks:read' } as const;
const WRITE = { access: 'webhooks:write' } as const;

const parseWebhookId = (id: string) => parseInput(z.uuid('id: must be a UUID'), id);

builder.queryField('webhooks', (t) =>
  t.connection({
    type: WebhookRef,
    description: 'All webhooks, newest first, including disabled ones',
    authScopes: READ,
    ...paginateField(listWebhooks, toCreatedPosition),
  }),
);

builder.queryField('webhook', (t) =>
  t.field({
    type: WebhookRef,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, args, { ctx }) => getWebhook(ctx, parseWebhookId(args.id)),
  }),
);

builder.queryField('webhookDelivery', (t) =>
  t.field({
    type: WebhookDelivery,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, args, { ctx }) => getDelivery(ctx, parseWebhookId(args.id)),
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

const url = z
  .url({ protocol: /^https?$/, error: 'must be an https:// or http:// URL' })
  .max(2_000)
  .refine(
    hasNoUser,
    'must not contain a user or password: verify the signature of deliveries instead',
  );
const events = z.array(z.string().max(100)).max(100);

const CreateWebhookInput = builder.inputType('CreateWebhookInput', {
  fields: (t) => ({
    url: t.string({ required: true, description: 'Use https:// outside of private networks' }),
    description: t.string(),
    events: t.stringList({
      required: true,
      description:
        'Names from webhookEvents, such as display.offline; display.* for all of a noun, * for all events',
    }),
  }),
});

const createInput = z.object({ url, events, description: singleLine(200).nullish() });

const CreateWebhookPayload = builder
  .objectRef<WebhookWithSecret>('CreateWebhookPayload')
  .implement({
    fields: (t) => ({
      secret: t.exposeString('secret', {
        description: 'The secret that verifies deliveries. Shown only once',
      }),
      webhook: t.expose('webhook', { type: WebhookRef }),
    }),
  });

builder.mutationField('createWebhook', (t) =>
  t.field({
    type: CreateWebhookPayload,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateWebhookInput, required: true }) },
    resolve: (_, { input }, { ctx }) => {
      const { description = null, ...details } = parseInput(createInput, omitNull(input));
      return createWebhook(ctx, { description, ...details });
    },
  }),
);

const UpdateWebhookInput = builder.inputType('UpdateWebhookInput', {
  description: 'Omitted fields stay unchanged; null removes the description',
  fields: (t) => ({ url: t.string(), description: t.string(), events: t.stringList() }),
});

const updateInput = z.object({
  url: ignoreNull(url),
  events: ignoreNull(events),
  description: singleLine(200).nullish(),
});

builder.mutationField('updateWebhook', (t) =>
  t.field({
    type: WebhookRef,
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateWebhookInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) =>
      updateWebhook(ctx, parseWebhookId(id), parseInput(updateInput, input)),
  }),
);

builder.mutationField('rotateWebhookSecret', (t) =>
  t.field({
    type: CreateWebhookPayload,
    description:
      'Creates a new secret; the old one also signs during the overlap. Needs the scopes of all events that the webhook receives',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      overlapHours: t.arg.int({
        required: true,
        description: 'How long the old secret also signs: 0 to 72',
      }),
    },
    resolve: (_, { id, overlapHours }, { ctx }) =>
      rotateWebhookSecret(ctx, parseWebhookId(id), overlapHours),
  }),
);

const webhookMutation = { type: WebhookRef, authScopes: WRITE } as const;

builder.mutationField('enableWebhook', (t) =>
  t.field({
    ...webhookMutation,
    description:
      'Enables the webhook and delivers its waiting messages. The caller becomes its owner and needs the scopes of all its events',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => enableWebhook(ctx, parseWebhookId(id)),
  }),
);

builder.mutationField('disableWebhook', (t) =>
  t.field({
    ...webhookMutation,
    description:
      'Stops deliveries. New events are not queued; waiting messages are delivered once the webhook is enabled',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => disableWebhook(ctx, parseWebhookId(id)),
  }),
);

builder.mutationField('deleteWebhook', (t) =>
  t.field({
    ...webhookMutation,
    description: 'Deletes the webhook and its deliveries',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deleteWebhook(ctx, parseWebhookId(id)),
  }),
);

builder.mutationField('replayDelivery', (t) =>
  t.field({
    type: WebhookDelivery,
    description: 'Sends the message again now, with the same id',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => replayDelivery(ctx, parseWebhookId(id)),
  }),
);

builder.mutationField('sendTestWebhook', (t) =>
  t.field({
    type: WebhookDelivery,
    description: 'Sends a message of type webhook.test to this webhook only',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => sendTestMessage(ctx, parseWebhookId(id)),
  }),
);

function hasNoUser(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
