import { deliverWebhooks } from '../../src/integrations/webhooks/delivery-worker.ts';
import { queueMessages } from '../../src/integrations/webhooks/publish-event.ts';
import { createSigningSecret } from '../../src/integrations/webhooks/signing.ts';
import { createWebhookTransport } from '../../src/integrations/webhooks/transport.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const transport = createWebhookTransport({ allowPrivate: true, timeoutMs: 2_000 });
const MANY = 40;

let test: TestDatabase;
let receiver: Receiver;
beforeAll(async () => {
  test = await openTestDatabase();
  receiver = await startReceiver();
});
afterEach(async () => {
  receiver.reset();
  await test.ctx.db.webhookEndpoint.deleteMany();
});
afterAll(async () => {
  await receiver.stop();
  await test.close();
});

const endpoint = async (path: string) => {
  const url = receiver.url.replace('/hook', path);
  const secret = createSigningSecret();
  return (
    await test.ctx.db.webhookEndpoint.create({
      data: { url, events: ['*'], secret, ownerKind: 'system' },
    })
  ).id;
};
const sendTo = (endpoints: string[], count: number) =>
  queueMessages(
    test.ctx,
    Array.from({ length: count }, (_, n) => ({ type: 'webhook.test', payload: { n }, endpoints })),
  );
const idsAt = (path: string) => receiver.at(path).map(({ headers }) => headers['webhook-id']);

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 90_000; !holds(); ) {
    if (Date.now() > end) throw new Error('it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('several that deliver at once', () => {
  it('would tell things twice if they only looked for what is due', async () => {
    await sendTo([await endpoint('/hook')], MANY);
    const naive = async () => {
      const due = await test.ctx.db.webhookDelivery.findMany({
        where: { nextAttemptAt: { not: null } },
        include: { endpoint: true },
      });
      for (const { endpoint, messageId } of due)
        await transport.post({
          url: endpoint.url,
          headers: { 'webhook-id': messageId },
          body: '{}',
        });
    };
    await Promise.all([naive(), naive()]);
    expect(receiver.received).toHaveLength(2 * MANY);
    expect(new Set(idsAt('/hook')).size).toBe(MANY);
  });

  it('tell each message once', async () => {
    const ids = [await endpoint('/a'), await endpoint('/b')];
    await sendTo(ids, MANY);
    const counts = await Promise.all([1, 2, 3].map(() => deliverWebhooks(test.ctx, transport)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(2 * MANY);
    for (const path of ['/a', '/b']) {
      expect(idsAt(path)).toHaveLength(MANY);
      expect(new Set(idsAt(path)).size).toBe(MANY);
    }
  });

  it('leave alone what one is at, and take over what one had begun that was killed', async () => {
    await sendTo([await endpoint('/hook')], 1);
    const killed = new AbortController();
    deliverWebhooks(test.ctx, { post: () => new Promise(() => {}) }, killed.signal);
    await new Promise((resolve) => setTimeout(resolve, 200));
    killed.abort();
    const passed = (seconds: number) => {
      const at = new Date(test.ctx.now().getTime() + seconds * 1_000);
      return deliverWebhooks({ ...test.ctx, now: () => at }, transport);
    };
    expect([await passed(0), await passed(59), await passed(60)]).toEqual([0, 0, 1]);
  });
});

describe('one that does not answer', () => {
  it('holds up nobody else, neither what waits already nor what comes meanwhile', async () => {
    const [dead, alive] = [await endpoint('/dead'), await endpoint('/alive')];
    let open = 0;
    let most = 0;
    receiver.state.answer = (res, path) => {
      if (path === '/alive') return void res.writeHead(204).end();
      open += 1;
      most = Math.max(most, open);
      res.on('close', () => {
        open -= 1;
      });
    };
    await sendTo([dead], 6);
    await sendTo([alive], 10);
    const began = performance.now();
    const work = deliverWebhooks(test.ctx, transport);
    work.catch(() => {});
    await until(() => receiver.at('/alive').length === 10);
    expect(performance.now() - began).toBeLessThan(1_900);
    await sendTo([alive], 1);
    await until(() => receiver.at('/alive').length === 11);
    expect(receiver.at('/dead').length).toBeLessThan(6); // it is still waited for
    expect(await work).toBe(11);
    expect(receiver.at('/dead')).toHaveLength(6);
    expect(most).toBeLessThanOrEqual(3); // two, and one whose end was not seen yet
  });
});
