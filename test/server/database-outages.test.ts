import { connect } from 'node:net';
import { createApp } from '../../src/app.ts';
import { createSecret } from '../../src/auth/tokens.ts';
import { readConfig } from '../../src/config.ts';
import { createPipeline } from '../../src/db/postgres/pipeline.ts';
import { prepareStatement } from '../../src/db/prepared-statement.ts';
import { routes } from '../../src/rest/route-table.ts';
import { createHttpServer } from '../../src/server/http-server.ts';
import { expectErrorEnvelope } from '../support/clients/api.ts';
import { sendRaw } from '../support/clients/raw-http.ts';
import { startSilentProxy } from '../support/fakes/tcp-proxy.ts';
import { defineTestRoute, startApp } from '../support/harness/app.ts';
import { openTestDatabase, serverUrl } from '../support/harness/database.ts';

const INTERNAL = 'Something went wrong on our side.';
const UNAVAILABLE = expect.stringContaining('temporarily unavailable');

describe('too many concurrent requests', () => {
  it('return 503 until others finish', async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let waiting = 0;
    const work = async () => {
      waiting += 1;
      await held;
    };
    const app = await startApp({
      routes: [...routes, defineTestRoute('/held', work)],
      config: { TRUST_PROXY: '1' },
      limits: { maxRequests: 201 },
    });
    // Each client has a limit, so this needs many of them.
    const sockets = Array.from({ length: 200 }, () => connect(app.port, '127.0.0.1'));
    sockets.forEach((socket, n) => {
      socket.write(`GET /held HTTP/1.1\r\nX-Forwarded-For: 10.0.${n}.1\r\n\r\n`);
    });
    while (waiting < 200) await new Promise((resolve) => setTimeout(resolve, 10));
    const rejected = await app.rest('/public/events');
    expectErrorEnvelope(rejected, 503);
    for (const path of ['/healthz', '/readyz'])
      expect((await fetch(app.url + path)).status).toBe(200);
    expect((await fetch(`${app.url}/metrics`)).status).toBe(401); // and not 503
    expect(rejected.headers.get('retry-after')).not.toBeNull();
    const responses = sockets.map(
      (socket) =>
        new Promise<number>((resolve) => {
          let text = '';
          socket.on('data', (chunk) => {
            text += chunk;
            const count = text.split('HTTP/1.1 200 OK').length - 1;
            if (count === 1) resolve(count);
          });
        }),
    );
    letGo();
    expect(await Promise.all(responses)).toEqual(sockets.map(() => 1));
    for (const socket of sockets) socket.destroy();
    expect((await app.rest('/public/events')).status).toBe(200);
    await app.stop();
  });
});

describe('during an outage of the database', () => {
  it('the service returns 503 without internals, is alive and not ready', async () => {
    const { database, ctx, close } = await openTestDatabase();
    const config = readConfig({});
    const lost = createApp({ config, database, log: ctx.log });
    const server = createHttpServer(lost.listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await close();
    const headers: [string, string][] = [
      ['authorization', `Bearer ${createSecret('apiToken').plainText}`],
    ];
    const deviceToken = createSecret('deviceToken').plainText;
    const get = async (target: string) => {
      const { status, text } = await sendRaw(port, { method: 'GET', target, headers, body: '' });
      return [status, JSON.parse(text).data];
    };
    for (const path of ['/bookings', '/public/events', `/displays/state/${deviceToken}`])
      expect(await get(path)).toEqual([503, UNAVAILABLE]);
    expect(await get('/displays/state/nonsense')).toEqual([401, 'Unauthenticated.']);
    expect(await get('/healthz')).toEqual([200, { status: 'alive' }]);
    expect((await get('/readyz'))[0]).toBe(503);
    server.close();
  });

  it('the service recovers with the next statement', async () => {
    const ill = await startApp();
    const before = await ill.rest('/public/events');
    await ill.ctx.db.$executeRaw`ALTER TABLE ticket_types RENAME TO elsewhere`;
    const broken = await ill.rest('/public/events');
    expectErrorEnvelope(broken, 500, INTERNAL);
    await ill.ctx.db.$executeRaw`ALTER TABLE elsewhere RENAME TO ticket_types`;
    expect((await ill.rest('/public/events')).body).toEqual(before.body);
    expectErrorEnvelope(await ill.rest('/public/events?q=%00'), 400);
    expect((await ill.rest('/public/events')).body).toEqual(before.body);
    await ill.stop();
  });
});

describe('shutting down', () => {
  it('reports not ready and serves open requests', async () => {
    const leaving = await startApp();
    expect((await leaving.rest('/readyz')).status).toBe(200);
    leaving.app.drain();
    const ready = await leaving.rest('/readyz');
    expectErrorEnvelope(ready, 503);
    expect(Number(ready.headers.get('retry-after'))).toBeGreaterThan(0);
    const events = await leaving.rest('/public/events');
    expect([events.status, events.headers.get('connection')]).toEqual([200, 'close']);
    expect((await leaving.rest('/healthz')).status).toBe(200);
    await leaving.stop();
  });
});

const ASK = prepareStatement('SELECT 1 AS one');

if (serverUrl) {
  const target = new URL(serverUrl);
  describe('a PostgreSQL that stops responding without closing connections', () => {
    it('fails the waiting statements and none after them', async () => {
      const proxy = await startSilentProxy(target);
      const reads = createPipeline({ connectionString: proxy.url, query_timeout: 500 }, 2);
      const select = () => reads.sql<{ one: number }>(ASK, []);
      try {
        expect(await Promise.all([select(), select()])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
        proxy.fallSilent();
        const waiting = await Promise.allSettled([select(), select(), select(), select()]);
        expect(waiting.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
        expect(await Promise.all([select(), select()])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
      } finally {
        await reads.close();
        proxy.close();
      }
    });
  });
} else {
  process.stderr.write('Left out without TEST_DATABASE_URL: a server that falls silent.\n');
}
