import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { connection, pageComplexity, pageRequest } from '../../../graphql/pages.ts';
import { createdPosition } from '../../../page.ts';
import * as deliveries from '../deliveries.ts';
import type { catalogue } from '../events.ts';
import type { Owner } from '../ownership.ts';
import type * as webhooks from '../service.ts';

const DeliveryState = builder.enumType('WebhookDeliveryState', {
  values: {
    DELIVERED: { value: 'delivered', description: 'The receiver has taken it' },
    WAITING: { value: 'waiting', description: 'For its next attempt' },
    FAILED: { value: 'failed', description: 'No more attempts are made' },
  } as const,
});

const Attempt = builder.objectRef<deliveries.Attempt>('WebhookAttempt').implement({
  description: 'One attempt to deliver, as it went',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime' }),
    status: t.exposeInt('status', { nullable: true, description: 'Null where nothing answered' }),
    problem: t.exposeString('error', { nullable: true, description: 'Null where it arrived' }),
    tookMs: t.exposeInt('durationMs'),
  }),
});

export const Delivery = builder.objectRef<deliveries.Delivery>('WebhookDelivery');
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
      type: [Attempt],
      description: 'The latest 30, newest first',
      complexity: { field: 1, multiplier: 10 },
      resolve: ({ id }, _, { loaders }) => loaders.attemptsOfDelivery.load(id),
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

export const Webhook = builder.objectRef<webhooks.Webhook>('Webhook');
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
      complexity: pageComplexity,
      resolve: async ({ id }, args, { ctx }) => {
        const filter = { state: args.state ?? undefined };
        const page = await deliveries.list(ctx, id, filter, pageRequest(args));
        return connection(page, createdPosition, args.after);
      },
    }),
  }),
});

export const WebhookEvent = builder
  .objectRef<(typeof catalogue)[number]>('WebhookEvent')
  .implement({
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
