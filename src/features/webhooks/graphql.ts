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
import * as deliveries from './deliveries.ts';
import { getDelivery, replayDelivery, sendTestMessage } from './deliveries.ts';
import type * as webhooks from './endpoints.ts';
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookWithSecret,
} from './endpoints.ts';

const DeliveryState = builder.enumType('WebhookDeliveryState', {
  values: {
    DELIVERED: { value: 'delivered', description: 'The receiver has taken it' },
    WAITING: { value: 'waiting', description: 'For its next attempt' },
    FAILED: { value: 'failed', description: 'No more attempts are made' },
  } as const,
});

const WebhookAttempt = builder.objectRef<deliveries.DeliveryAttempt>('WebhookAttempt').implement({
  description: 'One attempt to deliver, as it went',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime' }),
    status: t.exposeInt('status', { nullable: true, description: 'Null where nothing answered' }),
    problem: t.exposeString('error', { nullable: true, description: 'Null where it arrived' }),
    tookMs: t.exposeInt('durationMs'),
  }),
});

const Delivery = builder.objectRef<deliveries.Delivery>('WebhookDelivery');
Delivery.implement({
  description: 'One message on its way to one webhook',
  fields: (t) => ({
    id: t.exposeID('id'),
    messageId: t.exposeID('messageId', { description: 'What the header webhook-id says' }),
    type: t.exposeString('type'),
    body: t.exposeString('body', {
      nullable: true,
      description: 'JSON, as it is sent; null for who may not read such things',
    }),
    state: t.expose('state', { type: DeliveryState }),
    attemptCount: t.exposeInt('attempts', { description: 'Since it was last replayed' }),
    dueAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The next attempt, at the earliest',
    }),
    deliveredAt: t.expose('deliveredAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    attempts: t.field({
      type: [WebhookAttempt],
      description: 'The latest 30, newest first',
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
      description: 'The command line, or a webhook from before owners were recorded',
    },
  } as const,
});

const WebhookOwner = builder.objectRef<Owner>('WebhookOwner').implement({
  description: 'Whose rights a webhook uses: it is disabled when they end',
  fields: (t) => ({
    kind: t.expose('kind', { type: WebhookOwnerKind }),
    id: t.exposeID('id', { nullable: true, description: 'Null for the system, and once deleted' }),
    name: t.exposeString('name', { nullable: true }),
  }),
});

const Webhook = builder.objectRef<webhooks.Webhook>('Webhook');
Webhook.implement({
  description: 'An address that is told what happens',
  fields: (t) => ({
    id: t.exposeID('id'),
    url: t.exposeString('url'),
    description: t.exposeString('description', { nullable: true }),
    events: t.exposeStringList('events', {
      description: 'Names of webhookEvents; display.* means all of a noun, * everything',
    }),
    previousSecretUntil: t.expose('previousSecretUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until then the secret before the last rotation signs, too',
    }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Such as that the token which owns it was revoked',
    }),
    owner: t.expose('owner', { type: WebhookOwner }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    deliveries: t.connection({
      type: Delivery,
      description: 'Newest first; kept for 30 days',
      args: { state: t.arg({ type: DeliveryState }) },
      complexity: computePageComplexity,
      resolve: async ({ id }, args, { ctx }) => {
        const filter = { state: args.state ?? undefined };
        const page = await deliveries.listDeliveries(ctx, id, filter, toPageRequest(args));
        return toConnection(page, toCreatedPosition, args.after);
      },
    }),
  }),
});

const WebhookEvent = builder.objectRef<(typeof eventCatalog)[number]>('WebhookEvent').implement({
  description: 'Something that webhooks can be told of',
  fields: (t) => ({
    name: t.exposeString('name'),
    description: t.exposeString('description'),
    scope: t.exposeString('scope', { description: 'Needed to be told of it' }),
    schema: t.string({
      description: 'The JSON Schema of its data, as JSON',
      resolve: ({ payload }) => JSON.stringify(z.toJSONSchema(payload)),
    }),
  }),
});

const READ = { access: 'webhooks:read' } as const;
const WRITE = { access: 'webhooks:write' } as const;

const parseWebhookId = (id: string) => parseInput(z.uuid('id: must be a UUID'), id);

builder.queryField('webhooks', (t) =>
  t.connection({
    type: Webhook,
    description: 'Newest first, disabled ones too',
    authScopes: READ,
    ...paginateField(listWebhooks, toCreatedPosition),
  }),
);

builder.queryField('webhook', (t) =>
  t.field({
    type: Webhook,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, args, { ctx }) => getWebhook(ctx, parseWebhookId(args.id)),
  }),
);

builder.queryField('webhookDelivery', (t) =>
  t.field({
    type: Delivery,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, args, { ctx }) => getDelivery(ctx, parseWebhookId(args.id)),
  }),
);

builder.queryField('webhookEvents', (t) =>
  t.field({
    type: [WebhookEvent],
    description: 'What webhooks can be told of',
    authScopes: READ,
    resolve: () => eventCatalog,
  }),
);

const url = z
  .url({ protocol: /^https?$/, error: 'must be an https:// or http:// address' })
  .max(2_000)
  .refine(hasNoUser, 'must hold no user or password: messages are signed, verify that');
const events = z.array(z.string().max(100)).max(100);

const CreateWebhookInput = builder.inputType('CreateWebhookInput', {
  fields: (t) => ({
    url: t.string({ required: true, description: 'https:// is recommended' }),
    description: t.string(),
    events: t.stringList({
      required: true,
      description: 'Names of webhookEvents; display.* means all of a noun, * everything',
    }),
  }),
});

const createInput = z.object({ url, events, description: singleLine(200).nullish() });

const CreateWebhookPayload = builder.objectRef<WebhookWithSecret>('IssuedWebhook').implement({
  fields: (t) => ({
    secret: t.exposeString('secret', { description: 'Verifies what is sent. Shown this once' }),
    webhook: t.expose('webhook', { type: Webhook }),
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
  description: 'What is left out stays; null takes the description away',
  fields: (t) => ({ url: t.string(), description: t.string(), events: t.stringList() }),
});

const updateInput = z.object({
  url: ignoreNull(url),
  events: ignoreNull(events),
  description: singleLine(200).nullish(),
});

builder.mutationField('updateWebhook', (t) =>
  t.field({
    type: Webhook,
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
      'Makes a new secret; the old one signs besides for the overlap. Needs the rights to all that it receives',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      overlapHours: t.arg.int({
        required: true,
        description: '0 ends the old one at once; 72 at most',
      }),
    },
    resolve: (_, { id, overlapHours }, { ctx }) =>
      rotateWebhookSecret(ctx, parseWebhookId(id), overlapHours),
  }),
);

const webhookMutation = { type: Webhook, authScopes: WRITE } as const;

builder.mutationField('enableWebhook', (t) =>
  t.field({
    ...webhookMutation,
    description:
      'What waits for it is delivered from now on; the caller, who must be able to read it, becomes its owner',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => enableWebhook(ctx, parseWebhookId(id)),
  }),
);

builder.mutationField('disableWebhook', (t) =>
  t.field({
    ...webhookMutation,
    description: 'It is told nothing that happens from now on; what waits, waits',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => disableWebhook(ctx, parseWebhookId(id)),
  }),
);

builder.mutationField('deleteWebhook', (t) =>
  t.field({
    ...webhookMutation,
    description: 'With all that it was told',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deleteWebhook(ctx, parseWebhookId(id)),
  }),
);

builder.mutationField('replayDelivery', (t) =>
  t.field({
    type: Delivery,
    description: 'Sends it again, now and with the same id',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => replayDelivery(ctx, parseWebhookId(id)),
  }),
);

builder.mutationField('sendTestWebhook', (t) =>
  t.field({
    type: Delivery,
    description: 'A message of type webhook.test, to this one only',
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
