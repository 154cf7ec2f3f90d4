import { connect } from 'node:net';
import type { FairQueue } from '../../src/core/fair-queue.ts';
import { createDeferred } from '../support/deferred.ts';
import { makeEvent, placeOrder } from '../support/factories/events.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

let app: TestApp;
const warnings: { level: number; msg: string }[] = [];
beforeAll(async () => {
  const logTo = (line: string) => {
    const entry = JSON.parse(line);
    if (entry.level >= 40) warnings.push({ level: entry.level, msg: entry.msg });
  };
  app = await startApp({ logTo });
});
afterAll(() => app.stop());

interface Sent {
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

const graphql = (query: string, headers = {}, input?: object): Sent => ({
  path: '/graphql',
  headers,
  body: { query, variables: { input } },
});

/** Requests that wait in a queue. */
const REQUESTS = {
  queries: async () => graphql('{ events(first: 1) { nodes { id } } }'),
  keyedWrites: async () => ({
    path: '/members',
    headers: {
      authorization: `Bearer ${await app.token('members:write')}`,
      'idempotency-key': 'sent once',
    },
    body: { name: 'Ada Lovelace', email: 'ada@disconnected.test' },
  }),
  hashes: async () => {
    const input = { email: STAFF.owner, password: 'tulip orbit cellar' };
    return graphql(
      'mutation ($input: SignInInput!) { signIn(input: $input) { viewer { name } } }',
      {},
      input,
    );
  },
  imports: async () => {
    const headers = { cookie: await app.signIn(STAFF.owner) };
    const input = { file: 'name,email\nAda,ada@disconnected.test\n' };
    return graphql(
      'mutation ($input: ImportMembersInput!) { importMembers(input: $input) { report { imported } } }',
      headers,
      input,
    );
  },
  pdfs: async () => {
    const event = await makeEvent(app, { types: [{ priceAmount: 0 }] });
    const { secret } = await placeOrder(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }]);
    return { path: `/public/orders/${secret}/tickets.pdf` };
  },
} satisfies Record<string, () => Promise<Sent>>;

/** Fills all places of a queue with work of others, until one piece waits. Returns a function that ends it. */
function fillPlaces(queue: FairQueue): () => Promise<unknown> {
  const { promise, resolve } = createDeferred<void>();
  const work: Promise<unknown>[] = [];
  while (queue.countWaiting() === 0) work.push(queue(`other ${work.length}`, () => promise));
  return () => {
    resolve();
    return Promise.all(work);
  };
}

const send = ({ path, headers, body }: Sent, signal: AbortSignal) =>
  fetch(`${app.url}${path}`, {
    headers: { 'content-type': 'application/json', ...headers },
    signal,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });

afterEach(async () => {
  await app.graphql('{ __typename }'); // the requests of the test have ended by now
  expect(warnings).toEqual([]);
});

it.each(Object.keys(REQUESTS) as (keyof typeof REQUESTS)[])(
  'a request that waits in the queue %s leaves it when its caller disconnects, without a warning',
  async (name) => {
    const sent: Sent = await REQUESTS[name]();
    const queue = app.app.systemContext.queues[name];
    const end = fillPlaces(queue);
    const caller = new AbortController();
    const response = send(sent, caller.signal).catch(() => 'disconnected');
    await waitUntil(() => queue.countWaiting() === 2, 'the request waits');
    caller.abort();
    await waitUntil(() => queue.countWaiting() === 1, 'the request has left');
    expect(await response).toBe('disconnected');
    await end();
    const where = { email: 'ada@disconnected.test' };
    expect(await app.ctx.db.member.count({ where })).toBe(0);
  },
);

/** Sends requests on one connection without waiting for the responses. */
function pipeline(requests: Sent[]) {
  const socket = connect({ port: app.port, host: '127.0.0.1' });
  for (const { path, headers, body } of requests) {
    const text = JSON.stringify(body);
    const lines = Object.entries({
      host: 'localhost',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
  }
  return socket;
}

it('all requests of a connection leave their queue when it closes, also behind another one', async () => {
  const queue = app.app.systemContext.queues.queries;
  const end = fillPlaces(queue);
  const socket = pipeline(Array.from({ length: 3 }, () => graphql('{ __typename }')));
  await waitUntil(() => queue.countWaiting() === 4, 'the requests wait');
  socket.destroy();
  await waitUntil(() => queue.countWaiting() === 1, 'the requests have left');
  await end();
});
