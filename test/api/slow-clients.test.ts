import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { routes } from '../../src/rest/route-table.ts';
import type { RequestLimits } from '../../src/server/request-gate.ts';
import { expectErrorEnvelope } from '../support/clients/api.ts';
import { defineTestRoute, LOCAL, startApp, type TestApp } from '../support/harness/app.ts';

const TOO_SLOW = 'The request took too long to arrive.';
const NEVER = 3_600_000;

const running: TestApp[] = [];
const start = async (options: Parameters<typeof startApp>[0]) => {
  const app = await startApp(options);
  running.push(app);
  return app;
};
afterEach(async () => {
  for (const app of running.splice(0)) await app.stop();
});

const post = (path: string, { from = '', length = 100, body = '{' } = {}) =>
  `POST ${path} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n` +
  `${from && `X-Forwarded-For: ${from}\r\n`}\r\n${body}`;

/** Sends these bytes on `count` new connections and leaves them open. */
async function send(app: TestApp, count: number, bytes: (n: number) => string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(app.port, '127.0.0.1'));
  await Promise.all(
    sockets.map(async (socket, n) => {
      await once(socket, 'connect');
      socket.on('error', () => {});
      await new Promise((resolve) => socket.write(bytes(n), resolve));
    }),
  );
  return sockets;
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

/** Requests to a route that responds only when released. */
async function startHeld(limits: Partial<RequestLimits>, config: Record<string, string> = {}) {
  const held: (() => void)[] = [];
  const route = defineTestRoute('/held', () => new Promise((resolve) => held.push(resolve)));
  const app = await start({ routes: [...routes, route], limits, config });
  return {
    app,
    ask: (from?: string) =>
      app.rest('/held', {}, from === undefined ? {} : { headers: { 'x-forwarded-for': from } }),
    /** Waits until `count` requests are in progress. */
    waitFor: async (count: number) => {
      while (held.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    finish: () => {
      for (const response of held.splice(0)) response();
    },
  };
}

describe('requests whose body does not arrive', () => {
  it('do not block other clients', async () => {
    // More than the limit of requests in progress; "npm run soak -- abuse" sends thousands.
    const app = await start({ config: LOCAL, limits: { maxRequests: 20 } });
    const sockets = await send(app, 60, (n) => post(n % 2 ? '/graphql' : '/check-ins'));
    for (const path of ['/healthz', '/readyz', '/metrics', '/public/events'])
      expect((await fetch(app.url + path)).status).toBe(200);
    const { data } = await app.graphql('{ __typename }');
    expect(data).toEqual({ __typename: 'Query' });
    for (const socket of sockets) socket.destroy();
  });

  it('end after a few seconds with a response, unless the body keeps its pace', async () => {
    const app = await start({
      limits: { bodyGraceMs: 0, minBodyBytesPerSecond: 10_000, sweepIntervalMs: 20 },
    });
    const [rest, graphql] = await send(app, 2, (n) => post(n ? '/graphql' : '/check-ins'));
    const responses = await Promise.all([rest, graphql].map((socket) => readAll(socket as Socket)));
    for (const response of responses) {
      expect(response).toMatch(/^HTTP\/1.1 400 /);
      expect(response).toMatch(/^connection: close\r$/im);
      expect(response).toContain(TOO_SLOW);
    }
    expect(JSON.parse(responses[0]?.split('\r\n\r\n')[1] ?? '')).toMatchObject({ success: false });
    expect(JSON.parse(responses[1]?.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      errors: [{ extensions: { code: 'BAD_REQUEST', reason: 'REQUEST_TOO_SLOW' } }],
    });
    const { status } = await app.graphql('{ __typename }', { filler: 'x'.repeat(100_000) });
    expect(status).toBe(200);
  });

  it('share the slots and the memory for bodies with other clients', async () => {
    const app = await start({
      config: { TRUST_PROXY: '1' },
      limits: { maxArrivingBodies: 12, maxBodyBytes: 500_000, bodyGraceMs: NEVER },
    });
    const greedy = (from: string) => send(app, 1, () => post('/check-ins', { from }));
    await send(app, 4, () => post('/check-ins', { from: '203.0.113.1' }));
    const [fifth] = await greedy('203.0.113.1');
    expect(String(await once(fifth as Socket, 'data'))).toMatch(/^HTTP\/1.1 429 /);
    await send(app, 2, (n) => post('/check-ins', { from: `203.0.113.${2 + n}` }));
    const [neighbour] = await greedy('203.0.113.9');
    expect(String(await once(neighbour as Socket, 'data'))).toMatch(/^HTTP\/1.1 429 /);
    const body = 'x'.repeat(150_000);
    const large = () =>
      send(app, 1, () => post('/check-ins', { from: '198.51.100.1', length: 200_000, body }));
    await large();
    const [second] = await large();
    expect(String(await once(second as Socket, 'data'))).toMatch(/^HTTP\/1.1 429 /);
    const { status } = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.7' },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    expect(status).toBe(200);
  });

  it('release their slot when the client disconnects', async () => {
    const app = await start({ limits: { maxArrivingBodies: 3, bodyGraceMs: NEVER } });
    for (let n = 0; n < 10; n += 1) {
      const [socket] = await send(app, 1, () => post('/check-ins'));
      socket?.destroy();
      await once(socket as Socket, 'close');
    }
    const { data } = await app.graphql('{ __typename }');
    expect(data).toEqual({ __typename: 'Query' });
  });
});

describe('a client with many requests in progress', () => {
  it('is rejected beyond its share, as is its network, while others are served', async () => {
    const {
      app,
      ask,
      waitFor: waitUntil,
      finish,
    } = await startHeld({ maxRequests: 12 }, { TRUST_PROXY: '1' });
    const first = Array.from({ length: 4 }, () => ask('203.0.113.1'));
    await waitUntil(4);
    const rejected = await ask('203.0.113.1');
    expectErrorEnvelope(rejected, 429);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    const neighbours = [2, 3].map((n) => ask(`203.0.113.${n}`));
    await waitUntil(6);
    expectErrorEnvelope(await ask('203.0.113.4'), 429);
    const graphql = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.4' },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    expect([graphql.status, graphql.headers.get('retry-after')]).toEqual([429, '2']);
    expect(await graphql.json()).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMITED', reason: 'TOO_MANY_REQUESTS' } }],
    });
    const other = ask('2001:db8::1');
    await waitUntil(7);
    finish();
    for (const response of await Promise.all([...first, ...neighbours, other]))
      expect(response.status).toBe(200);
    const again = ask('203.0.113.1');
    await waitUntil(1);
    finish();
    expect((await again).status).toBe(200);
  });

  it('is rejected with too many connections, except for health checks', async () => {
    const app = await start({ limits: { maxConnectionsPerAddress: 5 } });
    const sockets = await send(app, 5, () => 'GET /public/events HTTP/1.1\r\n');
    const sendAndRead = async (path: string) => {
      const [socket] = await send(app, 1, () => `GET ${path} HTTP/1.1\r\n\r\n`);
      const [response] = await once(socket as Socket, 'data');
      socket?.destroy();
      return String(response);
    };
    const rejected = await sendAndRead('/public/events');
    expect(rejected).toMatch(/^HTTP\/1.1 429 /);
    expect(rejected).toMatch(/^retry-after: 2\r$/im);
    expect(rejected).toMatch(/^connection: close\r$/im);
    for (const path of ['/healthz', '/readyz'])
      expect(await sendAndRead(path)).toMatch(/^HTTP\/1.1 200 /);
    expect(await sendAndRead('/metrics')).toMatch(/^HTTP\/1.1 401 /); // and not 429
    for (const socket of sockets) socket.destroy();
    let status = 429;
    while (status === 429) status = (await app.rest('/public/events')).status; // until they are closed
    expect(status).toBe(200);
  });
});

describe('a client that does not read its responses', () => {
  it('loses its connection', async () => {
    const big = {
      ...defineTestRoute('/big', async () => {}),
      handler: async () => ({ data: BIG }),
    };
    const app = await start({
      routes: [...routes, big],
      limits: { responseTimeoutMs: 50, sweepIntervalMs: 20 },
    });
    const socket = connect(app.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write('GET /big HTTP/1.1\r\n\r\n');
    const closed = once(socket, 'close');
    // The client does not notice before it reads on.
    await once(socket, 'connect');
    do await new Promise((resolve) => setTimeout(resolve, 20));
    while ((await app.countConnections()) > 0);
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(JSON.stringify(BIG).length);
  });
});

const BIG = { text: 'x'.repeat(50_000_000) };

describe('X-Forwarded-For without a configured proxy', () => {
  it('logs one warning with the setting to change', async () => {
    const logged: string[] = [];
    const app = await start({ logTo: (line) => logged.push(line) });
    const warnings = () => logged.filter((line) => line.includes('TRUST_PROXY'));
    await app.rest('/public/events');
    expect(warnings()).toEqual([]);
    for (const path of ['/public/events', '/healthz'])
      await app.rest(path, {}, { headers: { 'x-forwarded-for': '203.0.113.1' } });
    expect(warnings()).toHaveLength(1);
    const behind = await start({
      logTo: (line) => logged.push(line),
      config: { TRUST_PROXY: '1' },
    });
    await behind.rest('/public/events', {}, { headers: { 'x-forwarded-for': '203.0.113.1' } });
    expect(warnings()).toHaveLength(1);
  });
});
