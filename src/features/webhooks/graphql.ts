import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { paged } from '../../graphql/pages.ts';
import { createdPosition } from '../../page.ts';
import { definite, line, unlessNull, valid } from '../../validation.ts';
import * as deliveries from './deliveries.ts';
import { catalogue } from './events.ts';
import * as webhooks from './service.ts';
import { Delivery, Webhook, WebhookEvent } from './types/graphql.ts';

const READ = { access: 'webhooks:read' } as const;
const WRITE = { access: 'webhooks:write' } as const;

const idOf = (id: string) => valid(z.uuid('id: must be a UUID'), id);

builder.queryField('webhooks', (t) =>
  t.connection({
    type: Webhook,
    description: 'Newest first, disabled ones too',
    authScopes: READ,
    ...paged(webhooks.list, createdPosition),
  }),
);

builder.queryField('webhook', (t) =>
  t.field({
    type: Webhook,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, args, { ctx }) => webhooks.get(ctx, idOf(args.id)),
  }),
);

builder.queryField('webhookDelivery', (t) =>
  t.field({
    type: Delivery,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, args, { ctx }) => deliveries.get(ctx, idOf(args.id)),
  }),
);

builder.queryField('webhookEvents', (t) =>
  t.field({
    type: [WebhookEvent],
    description: 'What webhooks can be told of',
    authScopes: READ,
    resolve: () => catalogue,
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

const createInput = z.object({ url, events, description: line(200).nullish() });

const IssuedWebhook = builder.objectRef<webhooks.IssuedWebhook>('IssuedWebhook').implement({
  fields: (t) => ({
    secret: t.exposeString('secret', { description: 'Verifies what is sent. Shown this once' }),
    webhook: t.expose('webhook', { type: Webhook }),
  }),
});

builder.mutationField('createWebhook', (t) =>
  t.field({
    type: IssuedWebhook,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateWebhookInput, required: true }) },
    resolve: (_, { input }, { ctx }) => {
      const { description = null, ...details } = valid(createInput, definite(input));
      return webhooks.create(ctx, { description, ...details });
    },
  }),
);

const UpdateWebhookInput = builder.inputType('UpdateWebhookInput', {
  description: 'What is left out stays; null takes the description away',
  fields: (t) => ({ url: t.string(), description: t.string(), events: t.stringList() }),
});

const updateInput = z.object({
  url: unlessNull(url),
  events: unlessNull(events),
  description: line(200).nullish(),
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
      webhooks.update(ctx, idOf(id), valid(updateInput, input)),
  }),
);

builder.mutationField('rotateWebhookSecret', (t) =>
  t.field({
    type: IssuedWebhook,
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
      webhooks.rotateSecret(ctx, idOf(id), overlapHours),
  }),
);

const one = { type: Webhook, authScopes: WRITE } as const;

builder.mutationField('enableWebhook', (t) =>
  t.field({
    ...one,
    description:
      'What waits for it is delivered from now on; the caller, who must be able to read it, becomes its owner',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => webhooks.enable(ctx, idOf(id)),
  }),
);

builder.mutationField('disableWebhook', (t) =>
  t.field({
    ...one,
    description: 'It is told nothing that happens from now on; what waits, waits',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => webhooks.disable(ctx, idOf(id)),
  }),
);

builder.mutationField('deleteWebhook', (t) =>
  t.field({
    ...one,
    description: 'With all that it was told',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => webhooks.remove(ctx, idOf(id)),
  }),
);

builder.mutationField('replayDelivery', (t) =>
  t.field({
    type: Delivery,
    description: 'Sends it again, now and with the same id',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deliveries.replay(ctx, idOf(id)),
  }),
);

builder.mutationField('sendTestWebhook', (t) =>
  t.field({
    type: Delivery,
    description: 'A message of type webhook.test, to this one only',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deliveries.sendTest(ctx, idOf(id)),
  }),
);

function hasNoUser(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
