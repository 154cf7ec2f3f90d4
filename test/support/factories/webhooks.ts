import { deliverWebhooks } from '../../../src/integrations/webhooks/delivery-worker.ts';
import { publishDomainEvent } from '../../../src/integrations/webhooks/publish-event.ts';
import { createSigningSecret } from '../../../src/integrations/webhooks/signing.ts';
import { createWebhookTransport } from '../../../src/integrations/webhooks/transport.ts';
import type { Credential } from '../clients/api.ts';
import { type Receiver, verifyWebhook } from '../fakes/webhook-receiver.ts';
import type { TestApp } from '../harness/app.ts';
import { NOW } from './seed.ts';

/** Delivers to receivers on this machine. */
export const transport = createWebhookTransport({ allowPrivate: true, timeoutMs: 1_000 });

const FIELDS = `id url description events previousSecretUntil disabledAt disabledReason
  deliveries(first: 10) { edges { node { id messageId type body state attemptCount nextAttemptAt deliveredAt
    attempts { at status error durationMs } } } }`;

/** The actions on webhooks through GraphQL. By default, a webhook sends events of members to the receiver. */
export function createWebhookActions(app: TestApp, receiver: Receiver, owner: Credential) {
  const run = async (query: string, variables: object = {}, as = owner) => {
    const response = await app.graphql(query, variables, as);
    if (response.errors[0]) throw new Error(`${response.codes[0]}: ${response.errors[0].message}`);
    return response.data;
  };
  let memberCount = 0;

  return {
    run,
    create: async (input: object = {}) => {
      const { createWebhook } = await run(
        'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret webhook { id } } }',
        { input: { url: receiver.url, events: ['member.*'], ...input } },
      );
      return { id: createWebhook.webhook.id as string, secret: createWebhook.secret as string };
    },
    change: (field: string, id: string, args = '', fields = '__typename') =>
      run(`mutation ($id: ID!) { it: ${field}(input: { id: $id ${args} }) { ${fields} } }`, { id }),
    find: async (id: string) => {
      const { webhook } = await run(`query ($id: ID!) { webhook(id: $id) { ${FIELDS} } }`, { id });
      return { ...webhook, deliveries: toNodes(webhook.deliveries) };
    },
    /** Publishes that a member was created, and returns the name of the member. */
    publish: async (ctx = app.ctx) => {
      memberCount += 1;
      const name = `Person ${memberCount}`;
      await publishDomainEvent(ctx, 'member.created', () => [
        {
          member: {
            id: `0198f2c4-7d1e-7a3b-9c55-${String(memberCount).padStart(12, '0')}`,
            name,
            email: `person-${memberCount}@example.org`,
            phone: null,
            company: null,
            status: 'active',
            createdAt: NOW,
          },
        },
      ]);
      return name;
    },
    deliver: () => deliverWebhooks(app.app.systemContext, transport),
    /** Deletes all webhooks and resets the receiver and the clock. */
    reset: async () => {
      app.clock.now = NOW;
      receiver.reset();
      await app.ctx.db.webhookEndpoint.deleteMany();
      await app.ctx.db.webhookMessage.deleteMany();
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
const toNodes = ({ edges }: { edges: { node: any }[] }) => edges.map(({ node }) => node);

/** Webhooks of the system, and the events that they receive. */
export function createEventListener(app: TestApp, receiver: Receiver) {
  const secret = createSigningSecret();
  return {
    subscribe: (...events: string[]) =>
      app.ctx.db.webhookEndpoint.create({
        data: { url: receiver.url, events, secret, ownerKind: 'system' },
      }),
    /** Delivers pending messages and returns their types and data in order. */
    deliverAll: async () => {
      await deliverWebhooks(app.app.systemContext, transport);
      const messages = receiver.received
        .map((one) => verifyWebhook(one, secret, app.clock.now))
        .map(({ type, data }) => [type, data] as const);
      receiver.received.length = 0;
      return messages;
    },
    /** Deletes the webhooks and resets the receiver and the clock. */
    reset: async () => {
      app.clock.now = NOW;
      receiver.reset();
      await app.ctx.db.webhookEndpoint.deleteMany();
    },
  };
}
