import { type Context, runInTransaction } from '../../../src/context.ts';
import { publishRecordedChanges } from '../../../src/features/webhooks/service/publish-changes.ts';
import { deliverWebhooks } from '../../../src/integrations/webhooks/delivery-worker.ts';
import { createSigningSecret } from '../../../src/integrations/webhooks/signing.ts';
import { createWebhookTransport } from '../../../src/integrations/webhooks/transport.ts';
import { recordCreated } from '../../../src/journal/record-changes.ts';
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
    /** Creates and publishes a member, and returns the name. */
    publish: async () => {
      const name = await recordMember(app.ctx);
      await publishRecordedChanges(app.ctx);
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

let memberCount = 0;

/** Creates and records a member, and returns the name. */
export const recordMember = (ctx: Context) =>
  runInTransaction(ctx, async (ctx) => {
    memberCount += 1;
    const name = `Person ${memberCount}`;
    const email = `person-${memberCount}@webhooks.example.org`;
    const data = { name, email, code: `WEBHOOK${memberCount}`, createdAt: NOW };
    const { id } = await ctx.db.member.create({ data });
    await recordCreated(ctx, 'member.created', [id]);
    return name;
  });

/** Webhooks of the system, and the events that they receive. */
export function createEventListener(app: TestApp, receiver: Receiver) {
  const secret = createSigningSecret();
  return {
    subscribe: async (...events: string[]) => {
      await publishRecordedChanges(app.ctx);
      return app.ctx.db.webhookEndpoint.create({
        data: { url: receiver.url, events, secret, ownerKind: 'system' },
      });
    },
    /** Publishes and delivers what was recorded. Returns the types and the data in order. */
    deliverAll: async () => {
      await publishRecordedChanges(app.ctx);
      await deliverWebhooks(app.app.systemContext, transport);
      const messages = receiver.received
        .map((one) => verifyWebhook(one, secret, app.clock.now))
        .map(({ type, data }) => [type, data] as const);
      receiver.received.length = 0;
      return messages;
    },
    /** The same without the entries of the journal, which all messages contain. */
    async deliverObjects() {
      return (await this.deliverAll()).map(([type, { change, ...data }]) => {
        if (!change) throw new Error(`${type} lacks the entry of the journal`);
        return [type, data] as const;
      });
    },
    /** Deletes the webhooks and resets the receiver and the clock. */
    reset: async () => {
      app.clock.now = NOW;
      receiver.reset();
      await app.ctx.db.webhookEndpoint.deleteMany();
    },
  };
}
