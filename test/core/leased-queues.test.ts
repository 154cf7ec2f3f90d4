import type { Context } from '../../src/context.ts';
import { LEASE_MS } from '../../src/core/work-leases.ts';
import { processProviderEvents } from '../../src/features/payments/service/process-provider-event.ts';
import { processRefunds } from '../../src/features/payments/service/refund-worker.ts';
import { deliverEmails } from '../../src/integrations/email/delivery-worker.ts';
import { enqueueEmail } from '../../src/integrations/email/outbox.ts';
import { deliverWebhooks } from '../../src/integrations/webhooks/delivery-worker.ts';
import { queueMessages } from '../../src/integrations/webhooks/queue-messages.ts';
import { createSigningSecret } from '../../src/integrations/webhooks/signing.ts';
import { makeRefund } from '../support/factories/payments.ts';
import { NOW } from '../support/factories/seed.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

/** A queue with one item of work. */
interface Case {
  /** Creates the item and returns its row. */
  create(): Promise<() => Promise<{ nextAttemptAt: Date | null }>>;
  /** Starts a worker whose attempts call `attempt`. Returns how many items it has done. */
  run(ctx: Context, attempt: () => Promise<void>, signal?: AbortSignal): Promise<number>;
}

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterEach(async () => {
  app.clock.now = NOW;
  const { db } = app.ctx;
  await db.mail.deleteMany();
  await db.webhookEndpoint.deleteMany();
  await db.refund.updateMany({
    data: { status: 'succeeded', completedAt: NOW, method: 'card_online' },
  });
  await db.providerEvent.deleteMany();
});
afterAll(() => app.stop());

const cases: [string, Case][] = [
  [
    'emails',
    {
      create: async () => {
        await enqueueEmail(app.ctx, { to: 'ben@example.org', subject: 'x', text: 'x' });
        return () => app.ctx.db.mail.findFirstOrThrow();
      },
      run: (ctx, send, signal) =>
        deliverEmails(ctx, { send, close: () => {} }, signal ? { signal } : {}),
    },
  ],
  [
    'webhooks',
    {
      create: async () => {
        const secret = createSigningSecret();
        const { id } = await app.ctx.db.webhookEndpoint.create({
          data: { url: 'https://example.org', events: ['*'], secret, ownerKind: 'system' },
        });
        await queueMessages(app.ctx, [{ type: 'webhook.test', payload: {}, endpoints: [id] }]);
        return () => app.ctx.db.webhookDelivery.findFirstOrThrow();
      },
      run: (ctx, attempt, signal) =>
        deliverWebhooks(ctx, { post: () => attempt().then(() => ({ status: 204 })) }, signal),
    },
  ],
  [
    'refunds',
    {
      create: async () => {
        const { id } = (await makeRefund(app, 'stripe')).refund;
        return () => app.ctx.db.refund.findUniqueOrThrow({ where: { id } });
      },
      run: (ctx, attempt, signal) => {
        const createRefund = () => attempt().then(() => ({ status: 'succeeded', ref: 're_1' }));
        return processRefunds({ ...ctx, payments: toProvider({ createRefund }) }, signal);
      },
    },
  ],
  [
    'provider events',
    {
      create: async () => {
        const object = { object: 'charge', payment_intent: 'pi_1', refunds: null };
        const payload = { id: 'evt_1', type: 'charge.refunded', data: { object } };
        await app.ctx.db.providerEvent.create({
          data: {
            id: 'evt_1',
            provider: 'stripe',
            type: payload.type,
            payload,
            nextAttemptAt: NOW,
          },
        });
        return () => app.ctx.db.providerEvent.findFirstOrThrow();
      },
      run: (ctx, attempt, signal) => {
        const listRefunds = () => attempt().then(() => []);
        return processProviderEvents({ ...ctx, payments: toProvider({ listRefunds }) }, signal);
      },
    },
  ],
];

const toProvider = (methods: object) =>
  ({ ...app.ctx.payments, name: 'stripe', ...methods }) as Context['payments'];

const forwardClock = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms);
  return app.clock.now;
};

describe.each(cases)('the queue of %s', (_, { create, run }) => {
  let attempts = 0;
  const attempt = async () => {
    attempts += 1;
  };
  beforeEach(() => {
    attempts = 0;
  });

  /** Starts a worker whose attempt ends when the test lets it. */
  async function startSlowWorker(ctx: Context) {
    let finish = () => {};
    const end = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const stopping = new AbortController();
    const ended = run(ctx, () => attempt().then(() => end), stopping.signal);
    await waitUntil(() => attempts >= 1);
    stopping.abort(); // it leases nothing more
    return {
      finish: () => {
        finish();
        return ended;
      },
    };
  }

  // Its lease is not renewed for ten seconds, so this is the negative control of the other test too.
  it('is taken over from a worker that renews no lease when the lease ends', async () => {
    const findRow = await create();
    const killed = await startSlowWorker(app.ctx);
    forwardClock(LEASE_MS - 1);
    expect(await run(app.ctx, attempt)).toBe(0);
    forwardClock(1);
    expect([await run(app.ctx, attempt), attempts]).toEqual([1, 2]);
    const settled = await findRow();
    await killed.finish();
    expect(await findRow()).toEqual(settled);
  });

  it('is not taken from a slow worker, which renews its lease', async () => {
    const findRow = await create();
    const leaseMs = 60;
    const slow = await startSlowWorker({ ...app.ctx, leaseMs });
    for (let passed = 0; passed < 3 * leaseMs; passed += leaseMs / 3) {
      const leasedUntil = forwardClock(leaseMs / 3).getTime() + leaseMs;
      await waitUntil(
        async () => (await findRow()).nextAttemptAt?.getTime() === leasedUntil,
        'the lease is renewed',
      );
    }
    expect([await run(app.ctx, attempt), await slow.finish(), attempts]).toEqual([0, 1, 1]);
    forwardClock(LEASE_MS);
    expect(await run(app.ctx, attempt)).toBe(0); // its result is recorded
  });
});
