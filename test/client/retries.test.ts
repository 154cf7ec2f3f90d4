import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMember,
  findOrders,
  locations,
} from '../../packages/client/src/generated/operations.ts';
import { type Client, createClient } from '../../packages/client/src/index.ts';
import { startUnreliableProxy, type UnreliableProxy } from '../support/fakes/unreliable-proxy.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

// A client in front of a service that fails: what it repeats, when, and what it leaves to the caller.

let app: TestApp;
let proxy: UnreliableProxy;
let token: string;
let foyer: Client;
/** How long the client wanted to wait before each attempt, in milliseconds. */
const waits: number[] = [];
const sleep = async (milliseconds: number) => void waits.push(milliseconds);

beforeAll(async () => {
  app = await startApp();
  proxy = await startUnreliableProxy(app.url);
  token = await app.token('*');
  foyer = createClient({ url: proxy.url, token, sleep });
});
beforeEach(() => {
  proxy.reset();
  waits.length = 0;
});
afterAll(async () => {
  await proxy.stop();
  await app.stop();
});

const getKeys = () => proxy.requests.map(({ headers }) => headers['idempotency-key']);

describe('a request that can be repeated', () => {
  it.each([429, 503])('waits as long as Retry-After says after %i', async (status) => {
    const inHalfAMinute = new Date(Date.now() + 30_000).toUTCString();
    proxy.failures.push(
      { status, headers: { 'retry-after': '7' } },
      { status, headers: { 'retry-after': inHalfAMinute } },
    );
    const { locations } = await foyer.rest.listLocations();
    expect(locations).not.toHaveLength(0);
    expect(waits).toEqual([7_000, expect.any(Number)]);
    expect(waits[1]).toBeGreaterThan(0);
    expect(waits[1]).toBeLessThanOrEqual(30_000);
  });

  it.each([
    'lose the response',
    'break off the response',
    { status: 502 },
    { status: 503 },
    { status: 504 },
  ] as const)('waits longer after each failure: %j', async (failure) => {
    proxy.failures.push(failure, failure, failure, failure);
    await foyer.query(locations);
    expect(proxy.requests).toHaveLength(5);
    const limits = [250, 500, 1_000, 2_000];
    for (const [attempt, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual((limits[attempt] ?? 0) / 2);
      expect(wait).toBeLessThanOrEqual(limits[attempt] ?? 0);
    }
    expect(waits).toHaveLength(4);
  });

  it('is repeated after a time-out', async () => {
    const impatient = createClient({ url: proxy.url, token, sleep, timeout: 50, retries: 1 });
    proxy.failures.push('never respond', 'never respond');
    await expect(impatient.rest.listLocations()).rejects.toMatchObject({
      code: 'TIMEOUT',
      reason: null,
      status: 0,
    });
    expect(proxy.requests).toHaveLength(2);
  });

  it('fails with the last error, or the last response, after all retries', async () => {
    const failure = { status: 503, headers: { 'retry-after': '3' } };
    proxy.failures.push(...Array(5).fill('lose the response'), ...Array(5).fill(failure));
    await expect(foyer.query(locations)).rejects.toMatchObject({ code: 'NETWORK', status: 0 });
    expect(proxy.requests).toHaveLength(5);
    await expect(foyer.query(locations)).rejects.toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      status: 503,
      retryAfter: 3,
    });
  });

  it('is left to the caller if the service asks to wait longer than a minute', async () => {
    proxy.failures.push({ status: 429, headers: { 'retry-after': '61' } });
    await expect(foyer.query(locations)).rejects.toMatchObject({ status: 429, retryAfter: 61 });
    expect(waits).toEqual([]);
  });

  it('is not repeated after errors that stay', async () => {
    for (const status of [400, 401, 403, 404, 422, 500]) proxy.failures.push({ status });
    for (const status of [400, 401, 403, 404, 422, 500])
      await expect(foyer.query(locations)).rejects.toMatchObject({ status });
    expect(proxy.requests).toHaveLength(6);
  });

  it('reads the token anew for every attempt', async () => {
    const tokens = ['first', 'second', token];
    const renewing = createClient({
      url: proxy.url,
      token: async () => tokens.shift() ?? '',
      sleep,
    });
    proxy.failures.push({ status: 503 }, { status: 503 });
    await renewing.query(locations);
    expect(proxy.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer first',
      'Bearer second',
      `Bearer ${token}`,
    ]);
  });

  it.each(['before', 'during', 'after'])(
    'ends if the caller aborts it %s an attempt',
    async (when) => {
      const reason = new Error('The user left the page.');
      const aborting = new AbortController();
      const abort = () => aborting.abort(reason);
      let attempts = 0;
      const patient = createClient({
        url: proxy.url,
        fetch: async (...request) => {
          attempts += 1;
          const response = await fetch(...request);
          setImmediate(abort);
          return response;
        },
      });
      proxy.failures.push(
        when === 'during' ? abort : { status: 503, headers: { 'retry-after': '60' } },
      );
      if (when === 'before') abort();
      await expect(patient.query(locations, {}, { signal: aborting.signal })).rejects.toBe(reason);
      expect(attempts).toBe(when === 'before' ? 0 : 1);
    },
  );
});

describe('a write', () => {
  const count = (email: string) => app.ctx.db.member.count({ where: { email } });

  it('is executed once if its responses are lost, because each attempt has the same key', async () => {
    for (const failure of ['lose the response', 'break off the response', { status: 502 }] as const)
      proxy.failures.push(failure);
    const email = 'lost-in-graphql@example.org';
    const { createMember: created } = await foyer.mutate(createMember, {
      input: { name: 'Greta Holm', email },
    });
    const [key, ...others] = getKeys();
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(others).toEqual([key, key, key]);
    const stored = await app.ctx.db.member.findMany({ where: { email }, select: { id: true } });
    expect(stored).toEqual([{ id: created.member.id }]);

    proxy.failures.push('lose the response');
    const inRest = 'lost-in-rest@example.org';
    const { member } = await foyer.rest.createMember({ name: 'Greta Holm', email: inRest });
    expect(member.email).toBe(inRest);
    expect(await count(inRest)).toBe(1);
    expect(new Set(getKeys()).size).toBe(2);
  });

  it('has the key of the caller', async () => {
    const email = 'own-key@example.org';
    const add = () =>
      foyer.rest.createMember({ name: 'Greta', email }, { idempotencyKey: 'signup-1' });
    expect(await add()).toEqual(await add());
    expect(getKeys()).toEqual(['signup-1', 'signup-1']);
    await foyer.mutate(
      createMember,
      { input: { name: 'Greta', email: 'own-key-2@example.org' } },
      { idempotencyKey: 'signup-2' },
    );
    expect(getKeys()).toContain('signup-2');
  });

  it.each(['lose the response', { status: 503, headers: { 'retry-after': '1' } }] as const)(
    'is never repeated without a key: %j',
    async (failure) => {
      const request = { email: 'ben@example.org' };
      proxy.failures.push(failure);
      // The service runs this mutation again, whatever the key.
      await expect(
        foyer.mutate(findOrders, { input: request }, { idempotencyKey: 'of-no-use' }),
      ).rejects.toThrow();
      proxy.failures.push(failure);
      // A mutation that is sent as a query has no key.
      await expect(
        foyer.query(createMember, { input: { name: 'x', email: 'x@example.org' } }),
      ).rejects.toThrow();
      proxy.failures.push(failure);
      await expect(
        foyer.transport
          .send({ method: 'POST', path: '/graphql', body: {}, repeatable: false })
          .then(({ ok }) => {
            if (!ok) throw new Error('failed');
          }),
      ).rejects.toThrow();
      expect(getKeys()).toEqual([undefined, undefined, undefined]);
      expect(waits).toEqual([]);
    },
  );
});

it('says that the service cannot be reached', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const lost = createClient({ url: `http://127.0.0.1:${port}/`, retries: 0 });
  await expect(lost.query(locations)).rejects.toMatchObject({
    name: 'FoyerError',
    code: 'NETWORK',
    message: 'POST /graphql failed: the service cannot be reached.',
    cause: expect.any(TypeError),
  });
});
