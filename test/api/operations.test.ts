import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig } from '../../src/config.ts';
import { toLoggableUrl } from '../../src/server/logger.ts';
import { sendBytes, sendRaw } from '../support/clients/raw-http.ts';
import { LOCAL, startApp } from '../support/harness/app.ts';

const TOKEN = 'a-token-for-prometheus';
const HSTS = 'strict-transport-security';

describe('over https', () => {
  it('every response has Strict-Transport-Security; over http none has', async () => {
    const [secure, plain] = await Promise.all(
      ['https://foyer.test', 'http://foyer.test'].map((BASE_URL) =>
        startApp({ config: { BASE_URL } }),
      ),
    );
    const paths = [
      ...['/public/events', '/nothing', '/healthz', '/readyz', '/metrics', '/openapi.json'],
      ...['/events', '/bookings', '/displays/state/nonsense', '/graphql?query={viewer{kind}}'],
      '/admin/%',
    ];
    for (const path of paths) {
      const responses = [await secure?.rest(path).catch(() => fetch(secure.url + path))];
      expect([path, responses[0]?.headers.get(HSTS)]).toEqual([path, 'max-age=31536000']);
      expect((await fetch(`${plain?.url}${path}`)).headers.has(HSTS)).toBe(false);
    }
    const graphql = await secure?.graphql('{ viewer { kind } }');
    expect(graphql?.headers.get(HSTS)).toBe('max-age=31536000');
    await Promise.all([secure?.stop(), plain?.stop()]);
  });
});

describe('a request that Node rejects', () => {
  it.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400, 'INVALID_INPUT'],
    [
      'too many headers',
      `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      400,
      'INVALID_INPUT',
    ],
    ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\n\r\n', 404, 'UNKNOWN_PATH'],
  ])('gets the headers of every error: %s', async (_, bytes, status, reason) => {
    const app = await startApp({ content: 'empty', config: { BASE_URL: 'https://foyer.test' } });
    const { status: actualStatus, headers, text } = await sendBytes(app.port, bytes);
    await app.stop();
    expect([actualStatus, headers['foyer-error-reason'], headers[HSTS]]).toEqual([
      status,
      reason,
      'max-age=31536000',
    ]);
    expect(JSON.parse(text)).toEqual({ success: false, data: expect.any(String) });
  });
});

describe('/metrics', () => {
  it('requires METRICS_TOKEN if it is set', async () => {
    const app = await startApp({ config: { METRICS_TOKEN: TOKEN } });
    for (const token of [undefined, 'nonsense', await app.token('*')]) {
      const { status, body } = await app.rest('/metrics', { token });
      expect([status, body.data]).toEqual([401, 'Unauthenticated.']);
    }
    const read = await fetch(`${app.url}/metrics`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect([read.status, await read.text()]).toEqual([
      200,
      expect.stringContaining('process_cpu_seconds_total'),
    ]);
    await app.stop();
  });

  it.each<Record<string, string>>([
    { TRUST_PROXY: '1' },
    { BASE_URL: 'https://foyer.test' },
    { BASE_URL: 'https://localhost.foyer.test' },
  ])('is closed to local programs, too, if there may be a reverse proxy: %j', async (proxied) => {
    const app = await startApp({ content: 'empty', config: { ...LOCAL, ...proxied } });
    const { status } = await fetch(`${app.url}/metrics`);
    await app.stop();
    expect(status).toBe(401);
  });

  it.each(['http://localhost:4000', 'http://127.0.0.1:4000', 'http://[::1]:4000/foyer'])(
    'is closed without a token, except to programs on this machine (BASE_URL=%s)',
    async (BASE_URL) => {
      const app = await startApp({ content: 'empty', config: { BASE_URL } });
      const read = async (port: number, ...headers: [string, string][]) => {
        const request = { method: 'GET', target: '/metrics', headers, body: '' };
        const { status, text } = await sendRaw(port, request);
        return status === 200 ? text.includes('process_cpu_seconds_total') : JSON.parse(text);
      };
      expect(await read(app.port)).toBe(true);
      expect(await read(app.port, ['host', `localhost:${app.port}`])).toBe(true);
      expect(await read(app.port, ['host', '[::1]'])).toBe(true);
      const closed = { success: false, data: 'Unauthenticated.' };
      for (const header of [
        ['x-forwarded-for', '127.0.0.1'],
        ['x-forwarded-for', ''],
        ['forwarded', 'for=127.0.0.1'],
        ['x-real-ip', '203.0.113.9'],
        ['via', '1.1 proxy'],
        ['host', 'foyer.example.org'],
        ['host', 'localhost.example.org'],
      ] as [string, string][])
        expect([header, await read(app.port, header)]).toEqual([header, closed]);

      const remote = createServer(app.app.listener).on('connection', (socket) =>
        Object.defineProperty(socket, 'remoteAddress', { value: '203.0.113.9' }),
      );
      await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
      expect(await read((remote.address() as AddressInfo).port)).toEqual(closed);
      remote.closeAllConnections();
      remote.close();
      await app.stop();
    },
  );

  it('is served on METRICS_PORT only if that is set', async () => {
    const config = { METRICS_PORT: '9100', METRICS_TOKEN: TOKEN };
    const { metrics } = readConfig(config);
    expect(metrics).toEqual({ token: TOKEN, port: 9100, host: '127.0.0.1' });
    const app = await startApp({ config });
    const server = createServer(app.app.metricsListener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const get = async (url: string) =>
      (await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })).status;
    expect(await get(`${app.url}/metrics`)).toBe(404);
    expect(await get(`http://127.0.0.1:${port}/metrics`)).toBe(200);
    expect(await get(`http://127.0.0.1:${port}/public/events`)).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(401);
    server.closeAllConnections();
    server.close();
    await app.stop();
  });

  it('rejects METRICS_HOST without METRICS_PORT', () => {
    expect(() => readConfig({ METRICS_HOST: '127.0.0.1' })).toThrow('METRICS_PORT');
  });

  it('rejects a weak token', () => {
    expect(() => readConfig({ METRICS_TOKEN: 'secret' })).toThrow('METRICS_TOKEN');
  });
});

describe('the request log', () => {
  it('omits query values that identify people', async () => {
    const lines: string[] = [];
    const app = await startApp({ logTo: (line) => lines.push(line) });
    const token = await app.token('*');
    await app.rest('/members?q=leila@example.org&limit=2', { token });
    await app.rest('/bookings?member_id=0190c1de-7000-7000-8000-000000000000&status=confirmed', {
      token,
    });
    await app.rest('/public/events?q=Leila+Benali&limit=leila@example.org');
    await app.rest('/public/events?leila@example.org');
    await app.rest('/public/events?name=Leila&from=2026-03-18T09:30:00Z');
    await fetch(`${app.url}/graphql?query={members(q:"leila@example.org"){id}}`);
    await app.stop();
    const urls = lines.flatMap((line) => JSON.parse(line).url ?? []);
    expect(urls.join()).not.toMatch(/leila|0190c1de/i);
    expect(urls).toEqual(
      expect.arrayContaining([
        '/members?q=***&limit=2',
        '/bookings?member_id=***&status=confirmed',
        '/public/events?q=***&limit=***',
        '/public/events?***=***',
        '/public/events?***=***&from=2026-03-18T09:30:00Z',
        '/graphql?query=***',
      ]),
    );
  });

  it('does not change URLs without a query', () => {
    expect(toLoggableUrl('/events/open-house')).toBe('/events/open-house');
  });
});
