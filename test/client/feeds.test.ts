import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { readEvents } from '../../packages/client/src/event-stream.ts';
import { type Client, createClient, FoyerError } from '../../packages/client/src/index.ts';
import { runInTransaction } from '../../src/context.ts';
import { revokeApiToken } from '../../src/features/tokens/service.ts';
import { recordAction } from '../../src/journal/record-changes.ts';
import { startInterruptibleProxy } from '../support/fakes/tcp-proxy.ts';
import { startUnreliableProxy, type UnreliableProxy } from '../support/fakes/unreliable-proxy.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

// How a client follows what happens: subscriptions, and the feed of changes.

let app: TestApp;
let token: string;
let teams: string[];
let plan: string;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  app = await startApp();
  token = await app.token('webhooks:read', 'members:read', 'plans:read', 'check-ins:read');
  // More than a subscription reads at once when it continues.
  const data = Array.from({ length: 110 }, (_, index) => ({ name: `Team ${index}` }));
  teams = (await app.ctx.db.team.createManyAndReturn({ data })).map(({ id }) => id);
  ({ id: plan } = await app.ctx.db.plan.findFirstOrThrow());
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const end of ends.splice(0)) await end();
});
afterAll(() => app.stop());

/** Records changes of so many teams, after one of a plan. */
const recordChanges = (count: number) =>
  runInTransaction(app.ctx, async (ctx) => {
    await recordAction(ctx, 'plan.updated', [plan]);
    await recordAction(ctx, 'team.updated', teams.slice(0, count));
  });

/** The positions of all changes of teams after a position, in order. */
async function listPositions(after: number): Promise<number[]> {
  const changes = await app.ctx.db.change.findMany({
    where: { position: { gt: after }, type: { startsWith: 'team.' } },
    orderBy: { position: 'asc' },
  });
  return changes.map(({ position }) => Number(position));
}

async function getLatest(client: Client): Promise<number> {
  return (await client.rest.listChanges({ cursor: 'latest' })).pagination.next_cursor;
}

const catchError = (promise: Promise<unknown>): Promise<FoyerError> =>
  promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (error) => error,
  );

async function startProxy() {
  const proxy = await startInterruptibleProxy(new URL(app.url));
  ends.push(proxy.close);
  return proxy;
}

/** A service that only responds as the test says. */
async function startFake(respond: (res: ServerResponse, count: number) => void): Promise<string> {
  let count = 0;
  const server = createServer((_, res) => {
    count += 1;
    respond(res, count);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const STREAM = { 'content-type': 'text/event-stream' };
const toEvent = (data: object) => `event: next\ndata: ${JSON.stringify({ data })}\n\n`;

const CHANGES = `subscription ($after: Float) {
  changes(types: ["team.*"], after: $after) { position type } }`;
const OCCUPANCY = 'subscription { occupancyChanged { locationName present } }';

interface Changed {
  changes: { position: number };
}

describe('a subscription', () => {
  it('misses no change and repeats none, however often the connection breaks', async () => {
    const proxy = await startProxy();
    const foyer = createClient({ url: proxy.url, token });
    const start = await getLatest(foyer);
    const { signal, ...stop } = createAbort();
    const received: number[] = [];
    let reconnects = 0;
    const loop = (async () => {
      const onReconnect = () => {
        reconnects += 1;
      };
      const options = { signal, onReconnect };
      for await (const data of foyer.subscribe(CHANGES, { after: start }, options))
        received.push((data as Changed).changes.position);
    })();
    for (const [round, count] of [3, 110, 1].entries()) {
      await recordChanges(count); // while it listens
      await waitUntil(() => received.length > 0, 'a change has arrived');
      proxy.refuse();
      await recordChanges(count); // while it does not
      proxy.accept();
      await waitUntil(() => reconnects > round, 'the stream is open again');
    }
    const expected = await waitForPositions(start, received);
    stop.abort();
    await loop;
    expect(received).toEqual(expected);
  });

  it('begins with the changes after the call, if the document continues after a position', async () => {
    await recordChanges(1);
    const foyer = createClient({
      url: app.url,
      token,
      fetch: async (...request) => {
        const isStream = new Headers(request[1]?.headers).get('accept') === 'text/event-stream';
        if (isStream) await recordChanges(2); // it knows where to begin, and has no stream yet
        return fetch(...request);
      },
    });
    const start = await getLatest(foyer);
    const events = foyer.subscribe(CHANGES);
    const received = [await events.next(), await events.next()];
    await events.return();
    expect(received.map(({ value }) => (value as Changed).changes.position)).toEqual(
      await listPositions(start),
    );
  });

  it('says when its stream is open again, so that the program can load what it has missed', async () => {
    const proxy = await startProxy();
    const foyer = createClient({ url: proxy.url, token });
    const opened: string[] = [];
    const onReconnect = () => void opened.push('again');
    const events = foyer.subscribe(OCCUPANCY, {}, { onReconnect });
    expect((await events.next()).value).toHaveProperty('occupancyChanged.present');
    expect(opened).toEqual([]);
    proxy.refuse();
    proxy.accept();
    // The buffer can still have events of other locations.
    await waitUntil(async () => (await events.next()) && opened.length > 0, 'it is open again');
    await events.return();
  });

  it('ends when the signal aborts, and closes its stream', async () => {
    const foyer = createClient({ url: app.url, token });
    const { signal, ...stop } = createAbort();
    for await (const event of foyer.subscribe(OCCUPANCY, {}, { signal })) {
      expect(event).toBeDefined();
      stop.abort();
    }
    for await (const event of foyer.subscribe(OCCUPANCY)) {
      expect(event).toBeDefined();
      break;
    }
    await waitUntil(async () => (await app.countConnections()) === 0, 'no stream is open');
  });

  it.each([
    ['without the scope', async () => app.token('members:read'), 'MISSING_SCOPE'],
    ['with an unknown token', async () => 'foyer_unknown', 'UNAUTHENTICATED'],
  ])('fails %s', async (_, createToken, reason) => {
    const foyer = createClient({ url: app.url, token: await createToken() });
    const error = await catchError(foyer.subscribe(CHANGES, { after: 0 }).next());
    expect(error).toBeInstanceOf(FoyerError);
    expect(error.reason).toBe(reason);
  });

  it('fails after its token was revoked', async () => {
    const revoked = await app.token('webhooks:read', 'members:read');
    const foyer = createClient({ url: app.url, token: revoked });
    const events = foyer.subscribe(CHANGES, { after: 0 });
    await events.next();
    const { id } = await app.ctx.db.apiToken.findFirstOrThrow({ orderBy: { id: 'desc' } });
    await revokeApiToken(app.ctx, id);
    const failed = catchError(drain(events));
    await recordChanges(1);
    expect(await failed).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('fails with what is wrong in the document', async () => {
    const foyer = createClient({ url: app.url, token });
    const error = await catchError(foyer.subscribe('subscription { nothing }').next());
    expect(error.message).toContain('nothing');
  });

  it('opens a silent stream again, and one that the service has closed or was too busy to open', async () => {
    const url = await startFake((res, count) => {
      if (count === 1) return res.writeHead(503, { 'retry-after': '0' }).end();
      if (count === 2) return res.writeHead(200, STREAM).end('event: complete\ndata:\n\n');
      res.writeHead(200, STREAM).write(count === 3 ? ':\n\n' : toEvent({ count }));
    });
    const events = createClient({ url }).subscribe(OCCUPANCY, {}, { maxSilence: 50 });
    expect((await events.next()).value).toEqual({ count: 4 });
    await events.return();
  });

  it('waits longer after each failure in a row, also after a stream that was open for long', async () => {
    const url = await startFake((res, count) => {
      if (count > 1 && count < 6) return res.writeHead(503).end();
      res.writeHead(200, STREAM).end(toEvent({ count }));
    });
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    const events = createClient({ url, sleep }).subscribe(OCCUPANCY);
    await events.next();
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 60_000);
    expect((await events.next()).value).toEqual({ count: 6 });
    await events.return();
    expect(waits).toHaveLength(5);
    // A wait is at least half of a limit that doubles. The first failure comes after the second wait.
    for (const [index, wait] of waits.entries())
      expect(wait).toBeGreaterThanOrEqual(125 * 2 ** Math.max(0, index - 1));
  });

  it('reads events however their bytes arrive', async () => {
    const text = fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value));
    const lineBreak = fc.constantFrom('\n', '\r\n', '\r');
    await checkProperty(
      fc.asyncProperty(
        fc.array(text, { maxLength: 5 }),
        lineBreak,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (events, end, sizes) => {
          const lines = events.flatMap((data) => [': ping', 'event: next', `data: ${data}`, '']);
          const bytes = new TextEncoder().encode(lines.map((line) => line + end).join(''));
          const read: string[] = [];
          for await (const { name, data } of readEvents(toStream(bytes, sizes), 60_000))
            read.push(`${name} ${data}`);
          // The last event may wait for the character after its line break.
          const expected = events.map((data) => `next ${data}`);
          expect(read).toEqual(end === '\r' ? expected.slice(0, read.length) : expected);
          expect(read.length).toBeGreaterThanOrEqual(expected.length - 1);
        },
      ),
      { numRuns: propertyRuns(30) },
    );
  });
});

describe('the feed of changes', () => {
  let proxy: UnreliableProxy;
  let foyer: Client;
  beforeAll(async () => {
    proxy = await startUnreliableProxy(app.url);
    foyer = createClient({ url: proxy.url, token, sleep: async () => {} });
  });
  afterEach(() => proxy.reset());
  afterAll(() => proxy.stop());

  it('gives every change to a consumer that is killed at any moment and starts with its stored cursor', async () => {
    const life = fc.record({
      changes: fc.integer({ min: 0, max: 8 }),
      /** After so many steps, each of which handles a change or stores the cursor, the consumer is killed. */
      steps: fc.nat(12),
      failures: fc.array(fc.constantFrom({ status: 503 }, 'lose the response' as const), {
        maxLength: 2,
      }),
    });
    await checkProperty(
      fc.asyncProperty(fc.array(life, { maxLength: 6 }), async (lives) => {
        const start = await getLatest(foyer);
        let stored = start;
        const handled: number[][] = [];
        const from: number[] = [];
        for (const { changes, steps, failures } of [...lives, { ...LAST_LIFE }]) {
          await recordChanges(changes);
          proxy.failures.push(...failures);
          const seen: number[] = [];
          handled.push(seen);
          from.push(stored);
          let left = steps;
          const options = { after: stored, types: ['team.*'], limit: 3, interval: null };
          reading: for await (const batch of foyer.changes(options)) {
            for (const { position } of batch.changes) {
              if (left-- === 0) break reading;
              seen.push(position);
            }
            if (left-- === 0) break;
            stored = batch.cursor;
          }
          proxy.reset();
        }
        // What each one saw follows its cursor without a gap, and together they saw everything.
        for (const [index, seen] of handled.entries()) {
          const following = await listPositions(from[index] ?? 0);
          expect(seen).toEqual(following.slice(0, seen.length));
        }
        const all = new Set(handled.flat());
        expect([...all].sort((a, b) => a - b)).toEqual(await listPositions(start));
      }),
      { numRuns: propertyRuns(6) },
    );
  });

  it('goes on when something happens, also after the service was away, until the signal aborts', async () => {
    const { signal, ...stop } = createAbort();
    const start = await getLatest(foyer);
    const received: number[] = [];
    const loop = (async () => {
      const options = { after: start, types: ['team.*'], interval: 10, signal };
      for await (const { changes } of foyer.changes(options))
        received.push(...changes.map(({ position }) => position));
    })();
    await recordChanges(2);
    await waitUntil(() => received.length >= 2);
    proxy.failures.push(...Array.from({ length: 6 }, () => ({ status: 502, body: 'a proxy' })));
    await recordChanges(2);
    const expected = await waitForPositions(start, received);
    stop.abort();
    await loop;
    expect(received).toEqual(expected);
  });

  it('begins with a batch that has only a cursor after "latest", and with the oldest change without a cursor', async () => {
    const first = await foyer.changes({ after: 'latest' }).next();
    expect(first.value).toEqual({ changes: [], cursor: await getLatest(foyer) });
    const [oldest] = await listPositions(0);
    const { value } = await foyer.changes({ after: null, types: ['team.*'] }).next();
    expect(value?.changes[0]?.position).toBe(oldest);
  });

  it.each([
    ['an unknown cursor', { after: 1_000_000 }, 'BAD_CURSOR'],
    ['a type that the token cannot read', { types: ['order.*'] }, 'MISSING_SCOPE'],
  ])('fails with %s', async (_, options, reason) => {
    expect(await catchError(foyer.changes(options).next())).toMatchObject({ reason });
  });
});

const LAST_LIFE = { changes: 1, steps: Number.POSITIVE_INFINITY, failures: [] };

function createAbort() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const event of events) expect(event).toBeDefined();
}

/** Waits until as many changes have arrived as there are after a position, and returns these. */
async function waitForPositions(start: number, received: number[]): Promise<number[]> {
  const expected = await listPositions(start);
  await waitUntil(() => received.length >= expected.length, 'all changes have arrived');
  return expected;
}

/** A stream of these bytes in chunks of these sizes, in turn. */
function toStream(bytes: Uint8Array, sizes: number[]): ReadableStream<Uint8Array> {
  let start = 0;
  let turn = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (start >= bytes.length) return controller.close();
      const end = start + (sizes[turn % sizes.length] ?? 1);
      controller.enqueue(bytes.subarray(start, end));
      start = end;
      turn += 1;
    },
  });
}
