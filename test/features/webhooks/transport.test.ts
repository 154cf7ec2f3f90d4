import type { LookupFunction } from 'node:net';
import { readConfig } from '../../../src/config.ts';
import { createWebhookTransport } from '../../../src/integrations/webhooks/transport.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.reset());
afterAll(() => receiver.stop());

/** Every name is this machine's. */
const lookup: LookupFunction = (_name, { all }, tell) =>
  all ? tell(null, [{ address: '127.0.0.1', family: 4 }]) : tell(null, '127.0.0.1', 4);

const post = (url: string, options: Partial<Parameters<typeof createWebhookTransport>[0]> = {}) =>
  createWebhookTransport({ allowPrivate: false, ...options }).post({
    url,
    headers: {},
    body: '{}',
  });

describe('a private address', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://2130706433:PORT/',
    'http://0.0.0.0:PORT/',
    'http://10.1.2.3/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'https://127.0.0.1:PORT/',
    'https://10.1.2.3/',
  ])('is refused: %s', async (url) => {
    const answer = await post(url.replace('PORT', String(receiver.port)));
    expect(answer).toEqual({ error: expect.stringContaining('private address') });
    expect(receiver.received).toEqual([]);
  });

  it.each(['http', 'https'])('is refused behind a name, too, over %s', async (scheme) => {
    const answer = await post(`${scheme}://hooks.example.org:${receiver.port}/`, { lookup });
    expect(answer).toEqual({
      error: expect.stringContaining('hooks.example.org resolves to a private address'),
    });
    expect(receiver.received).toEqual([]);
  });

  it('is told things where the configuration allows it, by number and by name', async () => {
    const port = receiver.port;
    for (const url of [`http://127.0.0.1:${port}/a`, `http://hooks.example.org:${port}/b`])
      expect(await post(url, { allowPrivate: true, lookup })).toEqual({ status: 204 });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/a', '/b']);
  });
});

describe('what a receiver answers', () => {
  const ask = (timeoutMs = 5_000) => post(receiver.url, { allowPrivate: true, timeoutMs });

  it('is told by its status, and a redirect is not followed', async () => {
    receiver.answers(302, { location: `http://127.0.0.1:${receiver.port}/elsewhere` });
    expect(await ask()).toEqual({ status: 302 });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
    expect(receiver.received[0]?.headers['user-agent']).toBe('Foyer');
  });

  it('is not read to its end where that is far', async () => {
    let written = 0;
    const closed = new Promise<void>((resolve) => {
      receiver.state.answer = (res) => {
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
    expect(await ask()).toEqual({ status: 200 });
    await closed;
    expect(written).toBeLessThan(200_000);
  });

  it('is waited for only so long', async () => {
    receiver.state.answer = () => {};
    expect(await ask(100)).toEqual({ error: 'No response within 0.1 seconds.' });
  });

  it('may be that nobody is there', async () => {
    const gone = await startReceiver();
    await gone.stop();
    expect(await post(gone.url, { allowPrivate: true })).toEqual({
      error: '127.0.0.1 refused the connection.',
    });
  });

  it('is no answer where it breaks off', async () => {
    receiver.state.answer = (res) => res.destroy();
    expect(await ask()).toEqual({ error: 'The connection failed (ECONNRESET).' });
  });
});

it('WEBHOOK_PRIVATE_ADDRESSES is refuse unless it is allow', () => {
  const read = (value?: string) =>
    readConfig(value === undefined ? {} : { WEBHOOK_PRIVATE_ADDRESSES: value })
      .allowPrivateWebhookTargets;
  expect([read(), read('refuse'), read('allow')]).toEqual([false, false, true]);
  expect(() => read('yes')).toThrow('WEBHOOK_PRIVATE_ADDRESSES: must be refuse or allow');
});
