import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createRequestGate } from '../../src/server/request-gate.ts';

const rejected: string[] = [];
const gate = createRequestGate({
  trustedProxies: 1,
  limits: { maxRequests: 1_000 },
  reject: ({ url }) => rejected.push(url ?? ''),
  retryAfterSeconds: () => 1,
});
afterAll(() => gate.close());

/** Sends requests that arrive in one turn of the event loop. Returns the paths of those that have begun, as they begin. */
function arrive(requests: { url: string; from?: string }[]) {
  const begun: string[] = [];
  const responses = requests.map(({ url, from = '192.0.2.1' }) => {
    const req = new IncomingMessage(new Socket());
    Object.assign(req, { method: 'GET', url, headers: { 'x-forwarded-for': from } });
    const res = new ServerResponse(req);
    gate.admit(req, res, () => begun.push(url));
    return res;
  });
  return { begun, responses };
}

const waitForAll = async () => {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
};

it('answers a health check before all requests that arrived with it', async () => {
  const { begun } = arrive([{ url: '/a' }, { url: '/b' }, { url: '/healthz' }, { url: '/readyz' }]);
  expect(begun).toEqual(['/healthz', '/readyz']);
  await waitForAll();
  expect(begun).toEqual(['/healthz', '/readyz', '/a', '/b']);
});

it('begins a request of each network and address before the second of one', async () => {
  const many = ['/1', '/2', '/3'].map((url) => ({ url }));
  const { begun } = arrive([
    ...many,
    { url: '/neighbour', from: '192.0.2.9' },
    { url: '/other', from: '2001:db8::1' },
  ]);
  await waitForAll();
  expect(begun).toEqual(['/1', '/other', '/neighbour', '/2', '/3']);
});

it('does not begin a request whose client has disconnected', async () => {
  const { begun, responses } = arrive([{ url: '/left' }, { url: '/stayed' }]);
  responses[0]?.emit('close');
  await waitForAll();
  expect(begun).toEqual(['/stayed']);
  expect(rejected).toEqual([]);
});
