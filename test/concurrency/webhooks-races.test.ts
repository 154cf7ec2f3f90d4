import { deliverWebhooks } from '../../src/integrations/webhooks/delivery-worker.ts';
import { queueMessages } from '../../src/integrations/webhooks/queue-messages.ts';
import { createSigningSecret } from '../../src/integrations/webhooks/signing.ts';
import { createWebhookTransport } from '../../src/integrations/webhooks/transport.ts';
import { type Receiver, startReceiver } from '../support/fakes/webhook-receiver.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

const transport = createWebhookTransport({ allowPrivate: true, timeoutMs: 2_000 });
const MESSAGES = 40;

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
const listIds = (path: string) => receiver.at(path).map(({ headers }) => headers['webhook-id']);

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 90_000; !holds(); ) {
    if (Date.now() > end) throw new Error('timed out');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('several delivery workers', () => {
  it('deliver messages twice without leases (negative control)', async () => {
    await sendTo([await endpoint('/hook')], MESSAGES);
    const deliverWithoutLease = async () => {
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
    await Promise.all([deliverWithoutLease(), deliverWithoutLease()]);
    expect(receiver.received).toHaveLength(2 * MESSAGES);
    expect(new Set(listIds('/hook')).size).toBe(MESSAGES);
  });

  it('deliver each message once', async () => {
    const ids = [await endpoint('/a'), await endpoint('/b')];
    await sendTo(ids, MESSAGES);
    const counts = await Promise.all([1, 2, 3].map(() => deliverWebhooks(test.ctx, transport)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(2 * MESSAGES);
    for (const path of ['/a', '/b']) {
      expect(listIds(path)).toHaveLength(MESSAGES);
      expect(new Set(listIds(path)).size).toBe(MESSAGES);
    }
  });

  it('do not touch leased messages and take over those of a killed worker', async () => {
    await sendTo([await endpoint('/hook')], 1);
    const killed = new AbortController();
    deliverWebhooks(test.ctx, { post: () => new Promise(() => {}) }, killed.signal);
    await new Promise((resolve) => setTimeout(resolve, 200));
    killed.abort();
    const deliverAfter = (seconds: number) => {
      const at = new Date(test.ctx.now().getTime() + seconds * 1_000);
      return deliverWebhooks({ ...test.ctx, now: () => at }, transport);
    };
    expect([await deliverAfter(0), await deliverAfter(29), await deliverAfter(30)]).toEqual([
      0, 0, 1,
    ]);
  });
});

describe('a receiver that does not respond', () => {
  it('does not delay waiting or new messages to others', async () => {
    const [unresponsive, responsive] = [await endpoint('/dead'), await endpoint('/alive')];
    let open = 0;
    let maxOpen = 0;
    receiver.state.respond = (res, path) => {
      if (path === '/alive') return void res.writeHead(204).end();
      open += 1;
      maxOpen = Math.max(maxOpen, open);
      res.on('close', () => {
        open -= 1;
      });
    };
    await sendTo([unresponsive], 6);
    await sendTo([responsive], 10);
    const delivering = deliverWebhooks(test.ctx, transport);
    delivering.catch(() => {});
    await until(() => receiver.at('/alive').length === 10);
    expect(receiver.at('/dead').length).toBeLessThan(6);
    await sendTo([responsive], 1);
    await until(() => receiver.at('/alive').length === 11);
    expect(receiver.at('/dead').length).toBeLessThan(6); // the first attempts still wait
    expect(await delivering).toBe(11);
    expect(receiver.at('/dead')).toHaveLength(6);
    expect(maxOpen).toBeLessThanOrEqual(3); // two, and one that has just ended
  });
});
