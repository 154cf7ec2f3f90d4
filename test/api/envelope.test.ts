import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import {
  arbitraryBytes,
  arbitraryCursors,
  arbitraryQueries,
  arbitraryRequests,
  bearer,
} from '../support/clients/arbitrary-requests.ts';
import {
  type RawRequest,
  type RawResponse,
  sendBytes,
  sendRaw,
} from '../support/clients/raw-http.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

/** Paths that the contract exempts from the envelope. */
const OWN_FORMATS = ['/metrics', '/openapi.json', '/schema.graphql', '/admin', '/graphql'];

let app: TestApp;
let token: string;
let deviceToken: string;

beforeAll(async () => {
  app = await startApp();
  token = await app.token('bookings:read');
  const { id: locationId } = await app.ctx.db.location.findFirstOrThrow();
  ({ deviceToken } = await app.display({ name: 'Foyer', kind: 'welcome', locationId }));
});
afterAll(() => app.stop());

const knownPaths = () => [
  ...['/', '/bookings', '/public/events', '/displays/state', '/displays/heartbeat', '*'],
  ...[`/displays/state/${deviceToken}`, `/displays/heartbeat/${deviceToken}`],
  ...['/resources', '/members', '/bookings/x', '/bookings/x/cancel', '/resources/x/availability'],
  ...['/calendars/x.ics', '/healthz', '/readyz', '/admin/assets/x.js', ...OWN_FORMATS],
];

const BROWSER_AT_THE_ROOT: RawRequest = {
  method: 'GET',
  target: '/',
  headers: [['accept', 'text/html']],
  body: '',
};

const many = { numRuns: propertyRuns(30) };

describe('the REST API always responds with the envelope and never with 500', () => {
  it('for arbitrary methods, paths, queries, headers and bodies', async () => {
    await checkProperty(
      fc.asyncProperty(
        arbitraryRequests({ paths: knownPaths(), token, deviceToken }),
        async (request) => {
          expectAnswer(await sendRaw(app.port, request), request);
        },
      ),
      { ...many, examples: [[BROWSER_AT_THE_ROOT]] },
    );
  });

  it('for arbitrary query parameters', async () => {
    const target = fc
      .tuple(fc.constantFrom('/bookings', '/public/events'), arbitraryQueries())
      .map(([path, query]) => `${path}?${query}`);
    await checkProperty(
      fc.asyncProperty(target, async (target) => {
        const request = { method: 'GET', target, headers: [bearer(token)], body: '' };
        expectAnswer(await sendRaw(app.port, request), request);
      }),
      many,
    );
  });

  it('for forged cursors', async () => {
    const target = fc
      .tuple(fc.constantFrom('/bookings', '/public/events'), arbitraryCursors())
      .map(([path, cursor]) => `${path}?cursor=${cursor}`);
    await checkProperty(
      fc.asyncProperty(target, async (target) => {
        const request = { method: 'GET', target, headers: [bearer(token)], body: '' };
        expectAnswer(await sendRaw(app.port, request), request);
      }),
      many,
    );
  });

  it('for bytes that are not HTTP', async () => {
    await checkProperty(
      fc.asyncProperty(arbitraryBytes(), async (bytes) => {
        const response = await sendBytes(app.port, bytes, { endAfterMs: 300 });
        expectAnswer(response, { method: 'GET', target: '', headers: [], body: '' });
      }),
      { numRuns: propertyRuns(15) },
    );
  });

  it.each([
    ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\n\r\nmore'],
    ['bytes that are not HTTP', 'hello\r\n\r\nmore'],
    ['a request without its body', 'GET / HTTP/1.1\r\nContent-Length: 9\r\n\r\nmore'],
  ])(
    'and closes the connection after %s',
    async (_, bytes) => {
      const other = await startApp({ content: 'empty' });
      const socket = connect({ port: other.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.write(bytes);
      await once(socket, 'data');
      await other.stop();
      socket.destroy();
    },
    30_000,
  );

  it('and keeps serving afterwards', async () => {
    const { status, body } = await app.rest('/bookings', { token });
    expect([status, body.success]).toEqual([200, true]);
  });
});

function expectAnswer(
  { status, headers, text }: RawResponse,
  { method, target, headers: sent }: RawRequest,
) {
  expect(status).not.toBe(500);
  if (isOwnFormat(target) && (status === 200 || target.includes('/graphql'))) return;
  // Browsers get a page for unknown paths, but not below those of the specification.
  const isBrowser =
    !SPECIFIED.test(toPath(target)) &&
    sent.some(([name, value]) => name === 'accept' && value === 'text/html');
  if (isBrowser && status === 404 && headers['content-type'] === HTML_TYPE) return;
  // The root redirects browsers to the public pages.
  if (status === 302)
    return expect([toPath(target), headers.location]).toEqual([
      expect.stringMatching(/^\/?([?#].*)?$/s),
      '/events',
    ]);
  expect([200, 304, 400, 401, 403, 404, 422, 429]).toContain(status);
  if (method === 'HEAD' || status === 304) return expect(text).toBe('');
  expect(headers['content-type']).toBe(ENVELOPE_TYPE);
  const body = JSON.parse(text);
  expect(Object.keys(body).sort()).toEqual(['data', 'success']);
  expect(body.success).toBe(status < 400);
  if (body.success) expect([typeof body.data, Array.isArray(body.data)]).toEqual(['object', false]);
  else expect([typeof body.data, body.data === '']).toEqual(['string', false]);
}

const SPECIFIED = /^\/(bookings|public|displays)(\/|$)/;
const ENVELOPE_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

const toPath = (target: string) => target.trimStart().replace(/^\w+:\/\/[^/?#]*/, '');
const isOwnFormat = (target: string) =>
  OWN_FORMATS.some((known) => toPath(target).startsWith(known));
