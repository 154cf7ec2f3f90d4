import { connect } from 'node:net';
import { createApp } from '../../src/app.ts';
import { createSecret } from '../../src/auth/tokens.ts';
import { readConfig } from '../../src/config.ts';
import { createPipeline } from '../../src/db/postgres/pipeline.ts';
import { prepareStatement } from '../../src/db/prepared-statement.ts';
import { routes } from '../../src/rest/route-table.ts';
import { createHttpServer } from '../../src/server/http-server.ts';
import { startApp } from '../support/app.ts';
import { openTestDatabase } from '../support/database.ts';
import { expectFailure, routeOf } from '../support/envelope.ts';
import { proxyTo } from '../support/proxy.ts';
import { serverUrl } from '../support/templates.ts';
import { ask } from '../support/wire.ts';

const INTERNAL = 'Something went wrong on our side.';
const UNAVAILABLE = expect.stringContaining('temporarily unavailable');

describe('too many at once', () => {
  it('are 503 for the one too many, until the others are done', async () => {
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
      routes: [...routes, routeOf('/held', work)],
      config: { TRUST_PROXY: '1' },
      limits: { maxRequests: 201 },
    });
    // No client may take everything, so many of them have to.
    const sockets = Array.from({ length: 200 }, () => connect(app.port, '127.0.0.1'));
    sockets.forEach((socket, n) => {
      socket.write(`GET /held HTTP/1.1\r\nX-Forwarded-For: 10.0.${n}.1\r\n\r\n`);
    });
    while (waiting < 200) await new Promise((resolve) => setTimeout(resolve, 10));
    const refused = await app.rest('/public/events');
    expectFailure(refused, 503);
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await fetch(app.url + path)).status).toBe(200);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    const answers = sockets.map(
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
    expect(await Promise.all(answers)).toEqual(sockets.map(() => 1));
    for (const socket of sockets) socket.destroy();
    expect((await app.rest('/public/events')).status).toBe(200);
    await app.stop();
  });
});

describe('with the database away', () => {
  it('the service says 503 without internals, is alive and not ready', async () => {
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
      const { status, text } = await ask(port, { method: 'GET', target, headers, body: '' });
      return [status, JSON.parse(text).data];
    };
    for (const path of ['/bookings', '/public/events', `/displays/state/${deviceToken}`])
      expect(await get(path)).toEqual([503, UNAVAILABLE]);
    expect(await get('/displays/state/nonsense')).toEqual([401, 'Unauthenticated.']);
    expect(await get('/healthz')).toEqual([200, { status: 'alive' }]);
    expect((await get('/readyz'))[0]).toBe(503);
    server.close();
  });

  it('for one statement, it answers the next one', async () => {
    const ill = await startApp();
    const before = await ill.rest('/public/events');
    await ill.ctx.db.$executeRaw`ALTER TABLE ticket_types RENAME TO elsewhere`;
    const broken = await ill.rest('/public/events');
    expectFailure(broken, 500, INTERNAL);
    await ill.ctx.db.$executeRaw`ALTER TABLE elsewhere RENAME TO ticket_types`;
    expect((await ill.rest('/public/events')).body).toEqual(before.body);
    expectFailure(await ill.rest('/public/events?q=%00'), 400);
    expect((await ill.rest('/public/events')).body).toEqual(before.body);
    await ill.stop();
  });
});

describe('shutting down', () => {
  it('says so to who asks whether it is ready, and serves those who are there', async () => {
    const leaving = await startApp();
    expect((await leaving.rest('/readyz')).status).toBe(200);
    leaving.app.drain();
    const ready = await leaving.rest('/readyz');
    expectFailure(ready, 503);
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
  describe('a PostgreSQL that falls silent without a word', () => {
    it('costs those who wait an error, and nobody after them', async () => {
      const proxy = await proxyTo(target);
      const reads = createPipeline({ connectionString: proxy.url, query_timeout: 500 }, 2);
      const ask = () => reads.sql<{ one: number }>(ASK, []);
      try {
        expect(await Promise.all([ask(), ask()])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
        proxy.fallSilent();
        const waiting = await Promise.allSettled([ask(), ask(), ask(), ask()]);
        expect(waiting.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
        expect(await Promise.all([ask(), ask()])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
      } finally {
        await reads.close();
        proxy.close();
      }
    });
  });
} else {
  process.stderr.write('Left out without TEST_DATABASE_URL: a server that falls silent.\n');
}
