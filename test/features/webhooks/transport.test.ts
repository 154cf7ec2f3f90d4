import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import { readConfig } from '../../../src/config.ts';
import {
  createWebhookTransport,
  filterLookup,
} from '../../../src/integrations/webhooks/transport.ts';
import { type Receiver, startReceiver } from '../../support/fakes/webhook-receiver.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.reset());
afterAll(() => receiver.stop());

/** Resolves every name to this machine. */
const lookup: LookupFunction = (_name, { all }, callback) =>
  all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);

const post = (url: string, options: Partial<Parameters<typeof createWebhookTransport>[0]> = {}) =>
  createWebhookTransport({ allowPrivate: false, ...options }).post({
    url,
    headers: {},
    body: '{}',
  });

it('passes a lookup on once, even if its receiver throws', () => {
  let calls = 0;
  const receive = () => {
    calls += 1;
    throw new Error('the receiver failed');
  };
  const publicLookup: LookupFunction = (_name, _options, callback) =>
    callback(null, '203.0.113.9', 4);
  const look = () => filterLookup(publicLookup)('hooks.example.org', {}, receive);
  expect(look).toThrow('the receiver failed');
  expect(calls).toBe(1);
});

describe('a private address', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[::2]:PORT/',
    'https://[::10.1.2.3]/',
    'http://2130706433:PORT/',
    'http://0.0.0.0:PORT/',
    'http://10.1.2.3/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'https://127.0.0.1:PORT/',
    'https://10.1.2.3/',
  ])('is rejected: %s', async (url) => {
    const response = await post(url.replace('PORT', String(receiver.port)));
    expect(response).toEqual({ error: expect.stringContaining('private address') });
    expect(receiver.received).toEqual([]);
  });

  it.each(['http', 'https'])('is rejected behind a name over %s', async (scheme) => {
    const response = await post(`${scheme}://hooks.example.org:${receiver.port}/`, { lookup });
    expect(response).toEqual({
      error: expect.stringContaining('hooks.example.org resolves to a private address'),
    });
    expect(receiver.received).toEqual([]);
  });

  it('is rejected behind a name with an IPv4-compatible address', async () => {
    const lookup: LookupFunction = (_name, { all }, callback) =>
      all
        ? callback(null, [{ address: '::127.0.0.1', family: 6 }])
        : callback(null, '::127.0.0.1', 6);
    expect(await post('http://hooks.example.org/', { lookup })).toEqual({
      error: expect.stringContaining('hooks.example.org resolves to a private address'),
    });
  });

  it('is accepted if the configuration allows it, as IP address and as name', async () => {
    const port = receiver.port;
    for (const url of [`http://127.0.0.1:${port}/a`, `http://hooks.example.org:${port}/b`])
      expect(await post(url, { allowPrivate: true, lookup })).toEqual({ status: 204 });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/a', '/b']);
  });
});

describe('the response of a receiver', () => {
  const send = (timeoutMs = 5_000) => post(receiver.url, { allowPrivate: true, timeoutMs });

  it('counts by its status, and redirects are not followed', async () => {
    receiver.respondWith(302, { location: `http://127.0.0.1:${receiver.port}/elsewhere` });
    expect(await send()).toEqual({ status: 302 });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
    expect(receiver.received[0]?.headers['user-agent']).toBe('Foyer');
  });

  it('is not read beyond a limit', async () => {
    let written = 0;
    const closed = new Promise<void>((resolve) => {
      receiver.state.respond = (res) => {
        res.writeHead(200);
        const timer = setInterval(() => {
          written += 1_000;
          res.write('x'.repeat(1_000));
        }, 5);
        res.on('close', () => {
          clearInterval(timer);
          resolve();
        });
      };
    });
    expect(await send()).toEqual({ status: 200 });
    await closed;
    expect(written).toBeLessThan(200_000);
  });

  it('times out', async () => {
    receiver.state.respond = () => {};
    expect(await send(100)).toEqual({ error: 'No response within 0.1 seconds.' });
  });

  it('can be a failed connection', async () => {
    const stopped = await startReceiver();
    await stopped.stop();
    expect(await post(stopped.url, { allowPrivate: true })).toEqual({
      error: '127.0.0.1 refused the connection.',
    });
  });

  it('is an error if it is incomplete', async () => {
    receiver.state.respond = (res) => res.destroy();
    expect(await send()).toEqual({ error: 'The connection failed (ECONNRESET).' });
  });
});

it('WEBHOOK_PRIVATE_ADDRESSES is reject by default, and refuse still means it, with a warning', () => {
  const read = (value?: string) =>
    readConfig(value === undefined ? {} : { WEBHOOK_PRIVATE_ADDRESSES: value })
      .allowPrivateWebhookTargets;
  expect([read(), read('reject'), read('allow')]).toEqual([false, false, true]);
  expect(() => read('yes')).toThrow('WEBHOOK_PRIVATE_ADDRESSES: must be reject or allow');
  const { allowPrivateWebhookTargets, deprecations } = readConfig({
    WEBHOOK_PRIVATE_ADDRESSES: 'refuse',
  });
  expect(allowPrivateWebhookTargets).toBe(false);
  expect(deprecations).toEqual([
    'WEBHOOK_PRIVATE_ADDRESSES=refuse is deprecated: set WEBHOOK_PRIVATE_ADDRESSES=reject, or remove it',
  ]);
  expect(readConfig({ WEBHOOK_PRIVATE_ADDRESSES: 'reject' }).deprecations).toEqual([]);
});

describe('a proxy', () => {
  it('is down only without a connection, not if it ends or rejects that to one receiver', async () => {
    const outcomes: unknown[] = [];
    const post = async (proxy: string) => {
      const { post } = createWebhookTransport({ allowPrivate: true, proxy });
      const response = await post({ url: 'http://receiver.example/', headers: {}, body: '' });
      outcomes.push('error' in response && response.isProxyDown === true);
    };
    let port = 0;
    for (const answer of ['', 'HTTP/1.1 502 Bad gateway\r\n\r\n', 'HTTP/1.1 403 No\r\n\r\n']) {
      const server = createServer((client) => client.once('data', () => client.end(answer)));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
      await post(`http://127.0.0.1:${port}`);
      await new Promise((resolve) => server.close(resolve));
    }
    await post(`http://127.0.0.1:${port}`);
    expect(outcomes).toEqual([false, false, false, true]);
  });
});
