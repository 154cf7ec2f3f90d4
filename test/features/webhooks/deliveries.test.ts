import { RETRY_SCHEDULES } from '../../../src/core/retry-schedule.ts';
import { readBacklog } from '../../../src/features/monitoring/service.ts';
import {
  deliverWebhooks,
  disableFailingEndpoints,
  MAX_DELIVERY_ATTEMPTS,
  purgeMessages,
} from '../../../src/integrations/webhooks/delivery-worker.ts';
import { createWebhookTransport } from '../../../src/integrations/webhooks/transport.ts';
import { NOW } from '../../support/factories/seed.ts';
import { createWebhookActions, transport } from '../../support/factories/webhooks.ts';
import {
  type Receiver,
  startReceiver,
  verifyWebhook,
} from '../../support/fakes/webhook-receiver.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

const DAY = 24 * 3_600;

let app: TestApp;
let receiver: Receiver;
let webhooks: ReturnType<typeof createWebhookActions>;
const logged: string[] = [];

beforeAll(async () => {
  app = await startApp({ logTo: (line) => logged.push(line) });
  receiver = await startReceiver();
  webhooks = createWebhookActions(app, receiver, { cookie: await app.signIn(STAFF.owner) });
});
afterEach(() => webhooks.reset());
afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

const advanceClock = (seconds: number) => {
  app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
};

describe('a failed delivery', () => {
  it('is retried with growing delays for about three days', async () => {
    const { id } = await webhooks.create();
    receiver.respondWith(500);
    await webhooks.publish();
    const attemptedAt: number[] = [];
    let seconds = 0;
    for (const delay of [0, ...RETRY_SCHEDULES.webhooks.delaysMs.map((ms) => ms / 1_000)]) {
      advanceClock(seconds + delay - 1);
      if (delay > 0) await webhooks.deliver();
      advanceClock(seconds + delay);
      await webhooks.deliver();
      seconds += delay;
      if (receiver.received.length > attemptedAt.length) attemptedAt.push(seconds);
    }
    expect(attemptedAt).toEqual([
      0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705, 272_105,
    ]);
    expect(receiver.received).toHaveLength(MAX_DELIVERY_ATTEMPTS);
    advanceClock(seconds + 10 * DAY);
    expect(await webhooks.deliver()).toBe(0);
    const { deliveries } = await webhooks.find(id);
    expect(deliveries).toMatchObject([{ state: 'FAILED', nextAttemptAt: null, attemptCount: 10 }]);
    expect(deliveries[0].attempts).toHaveLength(10);
    expect(deliveries[0].attempts[0]).toMatchObject({
      status: 500,
      error: 'The endpoint responded with 500.',
    });
    expect(receiver.received).toHaveLength(MAX_DELIVERY_ATTEMPTS);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it.each([
    ['120', 120, 0],
    ['999999999', DAY, 0],
    ['Mon, 01 Jan 2024 00:00:00 GMT', 5, 1],
    ['1e9', 5, 1],
  ])(
    'with Retry-After: %s is retried after %d s, and other messages wait too',
    async (header, seconds, sentBefore) => {
      const { id } = await webhooks.create();
      receiver.respondWith(429, { 'retry-after': header });
      await webhooks.publish();
      await webhooks.deliver();
      receiver.reset();
      await webhooks.publish();
      advanceClock(seconds - 1);
      await webhooks.deliver();
      expect(receiver.received).toHaveLength(sentBefore);
      advanceClock(seconds);
      await webhooks.deliver();
      expect(receiver.received).toHaveLength(2);
      const { deliveries } = await webhooks.find(id);
      expect(deliveries).toMatchObject([{ state: 'DELIVERED' }, { state: 'DELIVERED' }]);
    },
  );

  it('with Retry-After as a date is retried at that time, or earlier if staff replay it', async () => {
    const { id } = await webhooks.create();
    receiver.respondWith(503, { 'retry-after': new Date(NOW.getTime() + 900_000).toUTCString() });
    await webhooks.publish();
    await webhooks.deliver();
    const [delivery] = (await webhooks.find(id)).deliveries;
    const pausedUntil = new Date(NOW.getTime() + 900_000).toISOString();
    expect(delivery.nextAttemptAt).toBe(pausedUntil);
    await webhooks.publish();
    const { deliveries } = await webhooks.find(id);
    expect(deliveries).toMatchObject([
      { nextAttemptAt: pausedUntil },
      { nextAttemptAt: pausedUntil },
    ]);
    advanceClock(600);
    expect((await readBacklog(app.ctx)).deliveryDelaySeconds).toBe(0);
    advanceClock(960);
    expect((await readBacklog(app.ctx)).deliveryDelaySeconds).toBe(60);
    app.clock.now = NOW;
    receiver.reset();
    await webhooks.change('replayDelivery', delivery.id);
    expect(await webhooks.deliver()).toBe(2);
  });

  it('after a timeout is retried with the timestamp of its event', async () => {
    const { id, secret } = await webhooks.create();
    receiver.state.respond = () => {};
    await webhooks.publish();
    expect(await webhooks.deliver()).toBe(0);
    receiver.reset();
    advanceClock(5);
    expect(await webhooks.deliver()).toBe(1);
    const [one] = receiver.received;
    expect(one && verifyWebhook(one, secret, app.clock.now).timestamp).toBe(NOW.toISOString());
    const { deliveries } = await webhooks.find(id);
    expect(deliveries[0].attempts).toMatchObject([
      { status: 204, error: null },
      { status: null, error: 'No response within 1 seconds.' },
    ]);
  });

  it('because of a redirect is recorded, and the redirect is not followed', async () => {
    const { id } = await webhooks.create();
    receiver.respondWith(307, { location: receiver.url.replace('/hook', '/elsewhere') });
    await webhooks.publish();
    expect(await webhooks.deliver()).toBe(0);
    expect(receiver.at('/elsewhere')).toEqual([]);
    const [{ attempts }] = (await webhooks.find(id)).deliveries;
    expect(attempts).toMatchObject([{ status: 307, error: expect.stringContaining('redirect') }]);
  });

  it('because of a private address records how to allow it', async () => {
    const { id } = await webhooks.create();
    await webhooks.publish();
    expect(
      await deliverWebhooks(app.app.systemContext, createWebhookTransport({ allowPrivate: false })),
    ).toBe(0);
    expect(receiver.received).toEqual([]);
    const [{ attempts }] = (await webhooks.find(id)).deliveries;
    expect(attempts[0].error).toContain('WEBHOOK_PRIVATE_ADDRESSES=allow');
  });

  it('with status 410 disables the webhook', async () => {
    const { id } = await webhooks.create();
    receiver.respondWith(410);
    await webhooks.publish();
    await webhooks.deliver();
    expect(await webhooks.find(id)).toMatchObject({
      disabledAt: NOW.toISOString(),
      disabledReason: expect.stringContaining('410'),
      deliveries: [{ state: 'FAILED' }],
    });
    receiver.reset();
    await webhooks.publish();
    await webhooks.deliver();
    expect(receiver.received).toEqual([]);
    await webhooks.change('enableWebhook', id);
    await webhooks.publish();
    expect(await webhooks.deliver()).toBe(1);
    expect(await webhooks.find(id)).toMatchObject({ disabledAt: null, disabledReason: null });
  });

  it('does not count as an attempt if the service shuts down', async () => {
    const { id } = await webhooks.create();
    const stopping = new AbortController();
    receiver.state.respond = () => stopping.abort();
    await webhooks.publish();
    expect(await deliverWebhooks(app.app.systemContext, transport, stopping.signal)).toBe(0);
    const [delivery] = (await webhooks.find(id)).deliveries;
    expect(delivery).toMatchObject({ state: 'WAITING', attemptCount: 0, attempts: [] });
    receiver.reset();
    expect(await webhooks.deliver()).toBe(1);
  });

  it('for five days without a success disables the webhook', async () => {
    const dead = await webhooks.create();
    const flaky = await webhooks.create({ url: receiver.url.replace('/hook', '/flaky') });
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
      await webhooks.publish();
      await webhooks.deliver();
      await disableFailingEndpoints(app.ctx);
      expect((await webhooks.find(dead.id)).disabledAt).toBeNull();
    }
    advanceClock(5 * DAY + 60);
    await disableFailingEndpoints(app.ctx);
    expect((await webhooks.find(dead.id)).disabledReason).toContain('for 5 days');
    expect((await webhooks.find(flaky.id)).disabledAt).toBeNull();
    const where = { type: 'webhook.disabled', subjectId: dead.id };
    expect(await app.ctx.db.change.findMany({ where })).toMatchObject([
      {
        before: { disabled_at: null, disabled_reason: null },
        after: { disabled_at: app.clock.now.toISOString() },
      },
    ]);
    // After enabling it has five days again.
    await webhooks.change('enableWebhook', dead.id);
    await webhooks.deliver();
    await disableFailingEndpoints(app.ctx);
    expect((await webhooks.find(dead.id)).disabledAt).toBeNull();
  });
});

describe('a delivery', () => {
  it('is sent again immediately with the same ID when replayed', async () => {
    const { id } = await webhooks.create();
    await webhooks.publish();
    await webhooks.deliver();
    const [{ id: deliveryId }] = (await webhooks.find(id)).deliveries;
    advanceClock(60);
    const { it } = await webhooks.change(
      'replayDelivery',
      deliveryId,
      '',
      'webhookDelivery { state attemptCount }',
    );
    const replayed = it.webhookDelivery;
    expect(replayed).toEqual({ state: 'WAITING', attemptCount: 0 });
    expect(await webhooks.deliver()).toBe(1);
    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    const [delivery] = (await webhooks.find(id)).deliveries;
    expect(delivery).toMatchObject({ state: 'DELIVERED', attempts: [{}, {}] });
    await webhooks.change('disableWebhook', id);
    await expect(webhooks.change('replayDelivery', deliveryId)).rejects.toThrow(
      'CONFLICT: This webhook is',
    );
    await expect(webhooks.change('sendTestWebhook', id)).rejects.toThrow(
      'CONFLICT: This webhook is',
    );
  });

  it('is sent once more when replayed during an attempt', async () => {
    const { id } = await webhooks.create();
    await webhooks.publish();
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
    const [{ id: deliveryId }] = (await webhooks.find(id)).deliveries;
    advanceClock(1);
    await webhooks.change('replayDelivery', deliveryId);
    release();
    expect(await slow).toBe(1);
    expect(await webhooks.deliver()).toBe(1);
  });

  it('can be filtered by state', async () => {
    const { id } = await webhooks.create();
    await webhooks.publish();
    await webhooks.deliver();
    receiver.respondWith(410);
    await webhooks.publish();
    await webhooks.deliver();
    await webhooks.change('enableWebhook', id);
    await webhooks.publish();
    const found: Record<string, number> = {};
    for (const state of ['DELIVERED', 'WAITING', 'FAILED']) {
      const { webhook } = await webhooks.run(
        `query ($id: ID!) { webhook(id: $id) { deliveries(filter: { state: ${state} }) { edges { node { state } } } } }`,
        { id },
      );
      found[state] = webhook.deliveries.edges.length;
      for (const { node } of webhook.deliveries.edges) expect(node.state).toBe(state);
    }
    expect(found).toEqual({ DELIVERED: 1, WAITING: 1, FAILED: 1 });
  });

  it('of a test event is sent to that webhook only', async () => {
    await webhooks.create({ events: ['*'], url: receiver.url.replace('/hook', '/other') });
    const { id, secret } = await webhooks.create();
    await webhooks.change('sendTestWebhook', id);
    expect(await webhooks.deliver()).toBe(1);
    const [one] = receiver.received;
    expect(one?.path).toBe('/hook');
    expect(one && verifyWebhook(one, secret, NOW).type).toBe('webhook.test');
  });

  it('is purged after thirty days with its message and attempts', async () => {
    await webhooks.create();
    await webhooks.publish();
    await webhooks.deliver();
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
