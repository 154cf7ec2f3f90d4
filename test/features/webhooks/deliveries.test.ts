import { RETRY_SCHEDULES } from '../../../src/core/retry-schedule.ts';
import {
  deliverWebhooks,
  disableFailingEndpoints,
  MAX_DELIVERY_ATTEMPTS,
  purgeMessages,
} from '../../../src/integrations/webhooks/delivery-worker.ts';
import { publishDomainEvent } from '../../../src/integrations/webhooks/publish-event.ts';
import { createWebhookTransport } from '../../../src/integrations/webhooks/transport.ts';
import type { Credential } from '../../support/clients/api.ts';
import { NOW } from '../../support/factories/seed.ts';
import {
  type Receiver,
  startReceiver,
  verifyWebhook,
} from '../../support/fakes/webhook-receiver.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

const DAY = 24 * 3_600;

let app: TestApp;
let receiver: Receiver;
let owner: Credential;
const logged: string[] = [];
const transport = createWebhookTransport({ allowPrivate: true, timeoutMs: 1_000 });

beforeAll(async () => {
  app = await startApp({ logTo: (line) => logged.push(line) });
  receiver = await startReceiver();
  owner = { cookie: await app.signIn(STAFF.owner) };
});
afterEach(async () => {
  app.clock.now = NOW;
  receiver.reset();
  await app.ctx.db.webhookEndpoint.deleteMany();
  await app.ctx.db.webhookMessage.deleteMany();
});
afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

const FIELDS = `id url description events previousSecretUntil disabledAt disabledReason
  deliveries(first: 10) { edges { node { id messageId type body state attemptCount dueAt deliveredAt
    attempts { at status problem tookMs } } } }`;

const run = async (query: string, variables: object = {}, as = owner) => {
  const response = await app.graphql(query, variables, as);
  if (response.errors[0]) throw new Error(`${response.codes[0]}: ${response.errors[0].message}`);
  return response.data;
};
const create = async (input: object = {}) => {
  const { createWebhook } = await run(
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret webhook { id } } }',
    { input: { url: receiver.url, events: ['member.*'], ...input } },
  );
  return { id: createWebhook.webhook.id as string, secret: createWebhook.secret as string };
};
const change = (field: string, id: string, fields = '__typename') =>
  run(`mutation ($id: ID!) { it: ${field}(input: { id: $id }) { ${fields} } }`, { id });
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
const toNodes = ({ edges }: { edges: { node: any }[] }) => edges.map(({ node }) => node);
const webhook = async (id: string) => {
  const { webhook } = await run(`query ($id: ID!) { webhook(id: $id) { ${FIELDS} } }`, { id });
  return { ...webhook, deliveries: toNodes(webhook.deliveries) };
};
let lastMember = 0;
/** Publishes an event. */
const publish = (ctx = app.ctx) => {
  lastMember += 1;
  return publishDomainEvent(ctx, 'member.created', () => [
    {
      member: {
        id: `0198f2c4-7d1e-7a3b-9c55-${String(lastMember).padStart(12, '0')}`,
        name: `Person ${lastMember}`,
        email: `person-${lastMember}@example.org`,
        phone: null,
        company: null,
        status: 'active',
        createdAt: NOW,
      },
    },
  ]);
};
const deliver = () => deliverWebhooks(app.app.systemContext, transport);
const advanceClock = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};

describe('a failed delivery', () => {
  it('is retried with growing delays for about three days', async () => {
    const { id } = await create();
    receiver.respondWith(500);
    await publish();
    const attemptedAt: number[] = [];
    let seconds = 0;
    for (const delay of [0, ...RETRY_SCHEDULES.webhooks.delaysMs.map((ms) => ms / 1_000)]) {
      advanceClock(seconds + delay - 1);
      if (delay > 0) await deliver();
      advanceClock(seconds + delay);
      await deliver();
      seconds += delay;
      if (receiver.received.length > attemptedAt.length) attemptedAt.push(seconds);
    }
    expect(attemptedAt).toEqual([
      0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705, 272_105,
    ]);
    expect(receiver.received).toHaveLength(MAX_DELIVERY_ATTEMPTS);
    advanceClock(seconds + 10 * DAY);
    expect(await deliver()).toBe(0);
    const { deliveries } = await webhook(id);
    expect(deliveries).toMatchObject([{ state: 'FAILED', dueAt: null, attemptCount: 10 }]);
    expect(deliveries[0].attempts).toHaveLength(10);
    expect(deliveries[0].attempts[0]).toMatchObject({
      status: 500,
      problem: 'The endpoint responded with 500.',
    });
    expect(receiver.received).toHaveLength(MAX_DELIVERY_ATTEMPTS);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('after a timeout is retried with the timestamp of its event', async () => {
    const { id, secret } = await create();
    receiver.state.respond = () => {};
    await publish();
    expect(await deliver()).toBe(0);
    receiver.reset();
    advanceClock(5);
    expect(await deliver()).toBe(1);
    const [one] = receiver.received;
    expect(one && verifyWebhook(one, secret, app.clock.now).timestamp).toBe(NOW.toISOString());
    const { deliveries } = await webhook(id);
    expect(deliveries[0].attempts).toMatchObject([
      { status: 204, problem: null },
      { status: null, problem: 'No response within 1 seconds.' },
    ]);
  });

  it('because of a redirect is recorded, and the redirect is not followed', async () => {
    const { id } = await create();
    receiver.respondWith(307, { location: receiver.url.replace('/hook', '/elsewhere') });
    await publish();
    expect(await deliver()).toBe(0);
    expect(receiver.at('/elsewhere')).toEqual([]);
    const [{ attempts }] = (await webhook(id)).deliveries;
    expect(attempts).toMatchObject([{ status: 307, problem: expect.stringContaining('redirect') }]);
  });

  it('because of a private address records how to allow it', async () => {
    const { id } = await create();
    await publish();
    expect(
      await deliverWebhooks(app.app.systemContext, createWebhookTransport({ allowPrivate: false })),
    ).toBe(0);
    expect(receiver.received).toEqual([]);
    const [{ attempts }] = (await webhook(id)).deliveries;
    expect(attempts[0].problem).toContain('WEBHOOK_PRIVATE_ADDRESSES=allow');
  });

  it('with status 410 disables the webhook', async () => {
    const { id } = await create();
    receiver.respondWith(410);
    await publish();
    await deliver();
    expect(await webhook(id)).toMatchObject({
      disabledAt: NOW.toISOString(),
      disabledReason: expect.stringContaining('410'),
      deliveries: [{ state: 'FAILED' }],
    });
    receiver.reset();
    await publish();
    await deliver();
    expect(receiver.received).toEqual([]);
    await change('enableWebhook', id);
    await publish();
    expect(await deliver()).toBe(1);
    expect(await webhook(id)).toMatchObject({ disabledAt: null, disabledReason: null });
  });

  it('does not count as an attempt if the service shuts down', async () => {
    const { id } = await create();
    const stopping = new AbortController();
    receiver.state.respond = () => stopping.abort();
    await publish();
    expect(await deliverWebhooks(app.app.systemContext, transport, stopping.signal)).toBe(0);
    const [delivery] = (await webhook(id)).deliveries;
    expect(delivery).toMatchObject({ state: 'WAITING', attemptCount: 0, attempts: [] });
    receiver.reset();
    expect(await deliver()).toBe(1);
  });

  it('for five days without a success disables the webhook', async () => {
    const dead = await create();
    const flaky = await create({ url: receiver.url.replace('/hook', '/flaky') });
    const respond = (flakyStatus: number) => {
      receiver.state.respond = (res, path) => {
        res.writeHead(path === '/flaky' ? flakyStatus : 500).end();
      };
    };
    for (const [day, flakyStatus] of [
      [0, 500],
      [1, 200],
      [2, 500],
      [4.9, 500],
    ] as const) {
      advanceClock(day * DAY);
      respond(flakyStatus);
      await publish();
      await deliver();
      await disableFailingEndpoints(app.ctx);
      expect((await webhook(dead.id)).disabledAt).toBeNull();
    }
    advanceClock(5 * DAY + 60);
    await disableFailingEndpoints(app.ctx);
    expect((await webhook(dead.id)).disabledReason).toContain('for 5 days');
    expect((await webhook(flaky.id)).disabledAt).toBeNull();
    // After enabling it has five days again.
    await change('enableWebhook', dead.id);
    await deliver();
    await disableFailingEndpoints(app.ctx);
    expect((await webhook(dead.id)).disabledAt).toBeNull();
  });
});

describe('a delivery', () => {
  it('is sent again immediately with the same ID when replayed', async () => {
    const { id } = await create();
    await publish();
    await deliver();
    const [{ id: deliveryId }] = (await webhook(id)).deliveries;
    advanceClock(60);
    const { it } = await change(
      'replayDelivery',
      deliveryId,
      'webhookDelivery { state attemptCount }',
    );
    const replayed = it.webhookDelivery;
    expect(replayed).toEqual({ state: 'WAITING', attemptCount: 0 });
    expect(await deliver()).toBe(1);
    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    const [delivery] = (await webhook(id)).deliveries;
    expect(delivery).toMatchObject({ state: 'DELIVERED', attempts: [{}, {}] });
    await change('disableWebhook', id);
    await expect(change('replayDelivery', deliveryId)).rejects.toThrow('CONFLICT: This webhook is');
    await expect(change('sendTestWebhook', id)).rejects.toThrow('CONFLICT: This webhook is');
  });

  it('is sent once more when replayed during an attempt', async () => {
    const { id } = await create();
    await publish();
    let release = () => {};
    let slow: Promise<number> | undefined;
    await new Promise<void>((started) => {
      const post = () => {
        started();
        return new Promise<{ status: number }>((resolve) => {
          release = () => resolve({ status: 200 });
        });
      };
      // Its clock stands still, so that it does not lease the replay as well.
      slow = deliverWebhooks({ ...app.app.systemContext, now: () => NOW }, { post });
    });
    const [{ id: deliveryId }] = (await webhook(id)).deliveries;
    advanceClock(1);
    await change('replayDelivery', deliveryId);
    release();
    expect(await slow).toBe(1);
    expect(await deliver()).toBe(1);
  });

  it('can be filtered by state', async () => {
    const { id } = await create();
    await publish();
    await deliver();
    receiver.respondWith(410);
    await publish();
    await deliver();
    await change('enableWebhook', id);
    await publish();
    const found: Record<string, number> = {};
    for (const state of ['DELIVERED', 'WAITING', 'FAILED']) {
      const { webhook } = await run(
        `query ($id: ID!) { webhook(id: $id) { deliveries(filter: { state: ${state} }) { edges { node { state } } } } }`,
        { id },
      );
      found[state] = webhook.deliveries.edges.length;
      for (const { node } of webhook.deliveries.edges) expect(node.state).toBe(state);
    }
    expect(found).toEqual({ DELIVERED: 1, WAITING: 1, FAILED: 1 });
  });

  it('of a test event is sent to that webhook only', async () => {
    await create({ events: ['*'], url: receiver.url.replace('/hook', '/other') });
    const { id, secret } = await create();
    await change('sendTestWebhook', id);
    expect(await deliver()).toBe(1);
    const [one] = receiver.received;
    expect(one?.path).toBe('/hook');
    expect(one && verifyWebhook(one, secret, NOW).type).toBe('webhook.test');
  });

  it('is purged after thirty days with its message and attempts', async () => {
    await create();
    await publish();
    await deliver();
    advanceClock(30 * DAY);
    await purgeMessages(app.ctx);
    expect(await app.ctx.db.webhookAttempt.count()).toBe(1);
    advanceClock(30 * DAY + 1);
    await purgeMessages(app.ctx);
    const { webhookMessage, webhookDelivery, webhookAttempt } = app.ctx.db;
    expect([
      await webhookMessage.count(),
      await webhookDelivery.count(),
      await webhookAttempt.count(),
    ]).toEqual([0, 0, 0]);
  });
});
