import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createHttpServer } from '../../src/server/http-server.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

const COUNT = 12;
const closed: string[] = [];
const responses: ServerResponse[] = [];
const server = createHttpServer((req, res) => {
  res.on('close', () => closed.push(req.url ?? ''));
  responses.push(res);
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());
beforeEach(() => {
  closed.length = 0;
  responses.length = 0;
});

/** Sends requests on one connection. Returns when all have arrived. */
async function pipeline() {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' }).resume();
  for (let n = 0; n < COUNT; n += 1)
    socket.write(`GET /${n} HTTP/1.1\r\nHost: localhost\r\nExpect: ${n % 2}\r\n\r\n`);
  await waitUntil(() => responses.length === COUNT, 'the requests have arrived');
  return socket;
}

const ALL = Array.from({ length: COUNT }, (_, n) => `/${n}`);

it('closes each response of a connection that closes once, with one listener', async () => {
  const socket = await pipeline();
  const [first] = responses;
  expect(first?.req.socket.listenerCount('close')).toBeLessThan(COUNT);
  socket.destroy();
  await waitUntil(() => closed.length === COUNT, 'the responses have closed');
  expect(new Set(closed)).toEqual(new Set(ALL));
  expect(responses.map(({ destroyed }) => destroyed)).toEqual(ALL.map(() => true));
  for (const res of responses) res.end('late');
});

it('leaves responses that the connection has sent as they are', async () => {
  const socket = await pipeline();
  for (const res of responses) res.end('in time');
  await waitUntil(() => closed.length === COUNT, 'the responses have closed');
  socket.destroy();
  await once(socket, 'close');
  expect(closed).toEqual(ALL);
  expect(responses.map(({ writableFinished }) => writableFinished)).toEqual(ALL.map(() => true));
});
