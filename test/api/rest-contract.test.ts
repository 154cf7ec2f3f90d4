import { DomainError, overloaded } from '../../src/errors.ts';
import { routes } from '../../src/rest/route-table.ts';
import { expectErrorEnvelope } from '../support/clients/api.ts';
import { sendBytes, sendRaw } from '../support/clients/raw-http.ts';
import { defineTestRoute, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let token: string;
let deviceToken: string;
const logged: string[] = [];

beforeAll(async () => {
  app = await startApp({
    logTo: (line) => logged.push(line),
    routes: [
      ...routes,
      failing('/error', new Error('relation "secrets" does not exist')),
      failing('/text', 'thrown text'),
      failing('/nothing-at-all', undefined),
      failing(
        '/limited',
        new DomainError('RATE_LIMITED', 'Slowly.', {
          reason: 'TOO_MANY_ATTEMPTS',
          retryAfterSeconds: 17,
        }),
      ),
      failing('/overloaded', overloaded(new Error('pool of 10'))),
      failing(
        '/invalid',
        new DomainError('VALIDATION', 'name: too short', { reason: 'INVALID_INPUT' }),
      ),
      failing('/taken', new DomainError('CONFLICT', 'Taken.', { reason: 'SLOT_TAKEN' })),
      failing('/absent', new DomainError('NOT_FOUND', 'No such thing.', { reason: 'NOT_FOUND' })),
    ],
  });
  token = await app.token('bookings:read');
  const { id: locationId } = await app.ctx.db.location.findFirstOrThrow();
  ({ deviceToken } = await app.display({ name: 'Foyer', kind: 'welcome', locationId }));
});
afterAll(() => app.stop());

const failing = (path: string, thrown: unknown) =>
  defineTestRoute(path, async () => {
    throw thrown;
  });

const INTERNAL = 'Something went wrong on our side.';
const NOTHING_HERE = 'No route matches this path and method. See /openapi.json.';

const specified = () => [
  ['/bookings', 'bookings'],
  ['/public/events', 'events'],
  [`/displays/state/${deviceToken}`, 'content'],
  [`/displays/heartbeat/${deviceToken}`, 'acknowledged'],
];

describe('a success', () => {
  it('is 200 with an object in the envelope, on each of the specified paths', async () => {
    for (const [path = '', key] of specified()) {
      const { status, headers, body } = await app.rest(path, { token });
      expect([status, Object.keys(body)]).toEqual([200, ['success', 'data']]);
      expect([body.success, Array.isArray(body.data)]).toEqual([true, false]);
      expect(body.data).toHaveProperty(key ?? '');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('is JSON with any Accept header or none', async () => {
    for (const accept of [undefined, 'application/json', 'text/html', 'image/*;q=0', 'nonsense']) {
      const headers: [string, string][] = accept ? [['accept', accept]] : [];
      for (const [target = ''] of specified()) {
        const bearer: [string, string] = ['authorization', `Bearer ${token}`];
        const response = await sendRaw(app.port, {
          method: 'GET',
          target,
          headers: [...headers, bearer],
          body: '',
        });
        expect([response.status, JSON.parse(response.text).success]).toEqual([200, true]);
      }
    }
  });

  it('needs no Host header in HTTP/1.0 and HTTP/1.1', async () => {
    for (const version of ['1.0', '1.1']) {
      const response = await sendBytes(app.port, `GET /public/events HTTP/${version}\r\n\r\n`);
      expect([response.status, JSON.parse(response.text).success]).toEqual([200, true]);
    }
  });
});

describe('a path of the specification', () => {
  const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';

  it.each([
    '/bookings/',
    '/bookings/x/y',
    '/public',
    '/public/nowhere',
    '/public/events/none/x',
    '/displays',
    '/displays/x/y',
    '/displays/state/a/b',
  ])('gets the envelope in a browser too: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await app.rest(path, {}, { method, headers: { accept: browser } });
      expect([path, response.body.success]).toEqual([path, false]);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it('can be percent-encoded', async () => {
    for (const target of ['/%62ookings', '/%70ublic/%65vents', `/displays/st%61te/${deviceToken}`])
      expect([target, (await app.rest(target, { token })).status]).toEqual([target, 200]);
    for (const target of ['/%2562ookings', '/%2Fbookings', '/public%2Fevents'])
      expect([target, (await app.rest(target, { token })).status]).toEqual([target, 404]);
  });
});

describe('two Authorization headers', () => {
  const send = (target: string, ...credentials: string[]) =>
    sendRaw(app.port, {
      method: 'GET',
      target,
      headers: credentials.map((value) => ['Authorization', value]),
      body: '',
    });

  it('are rejected with 400 if they differ, wherever a credential counts', async () => {
    for (const target of ['/bookings', '/graphql?query={viewer{kind}}'])
      for (const credentials of [
        [`Bearer ${token}`, 'Bearer other'],
        ['Bearer other', `Bearer ${token}`],
      ])
        expect([target, (await send(target, ...credentials)).status]).toEqual([target, 400]);
    expect((await send('/public/events', `Bearer ${token}`, 'Bearer other')).status).toBe(200);
  });

  it('count as one if they are equal', async () => {
    const { status } = await send('/bookings', `Bearer ${token}`, `Bearer ${token}`);
    expect(status).toBe(200);
  });
});

describe('HEAD', () => {
  it('responds like GET without the body', async () => {
    const paths = [
      ...specified().map(([path = '']) => path),
      ...['/healthz', '/readyz', '/openapi.json', '/nowhere', '/bookings?limit=0', '/error'],
      ...['/limited', '/overloaded', '/displays/state', '/displays/state/%zz'],
    ];
    for (const path of paths) {
      const get = await app.rest(path, { token });
      const head = await fetch(app.url + path, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${token}` },
      });
      expect([path, head.status, await head.text()]).toEqual([path, get.status, '']);
      for (const name of ['content-type', 'etag', 'retry-after', 'www-authenticate'])
        expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
      if (!path.includes('heartbeat'))
        expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    }
  });
});

describe('a failure', () => {
  it('is 400 for malformed requests', async () => {
    for (const path of [
      '/bookings?limit=x',
      '/public/events?nonsense=1',
      '/bookings?limit=1&limit=1',
    ])
      expectErrorEnvelope(await app.rest(path, { token }), 400);
    const twice = await app.rest('/public/events?tag=a&%74ag=b');
    expectErrorEnvelope(twice, 400, 'tag: is given more than once.');
    for (const path of [
      '/displays/state/%',
      '/displays/heartbeat/%E0%A4%A',
      '/displays/state/%C0%AF',
    ])
      expectErrorEnvelope(await app.rest(path), 400);
  });

  it('is 401 with the same message for every invalid credential', async () => {
    for (const authorization of [undefined, 'Bearer nonsense', 'Basic YTpi']) {
      const headers: HeadersInit = authorization ? { authorization } : {};
      const response = await app.rest('/bookings', {}, { headers });
      expectErrorEnvelope(response, 401, 'Unauthenticated.');
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
    expectErrorEnvelope(await app.rest('/displays/state/nonsense'), 401, 'Unauthenticated.');
    expectErrorEnvelope(await app.rest('/displays/heartbeat/nonsense'), 401, 'Unauthenticated.');
    // Unauthorized callers learn nothing about errors in their request.
    expectErrorEnvelope(await app.rest('/bookings?limit=x'), 401, 'Unauthenticated.');
  });

  it('is 403 with the missing scope for a valid token', async () => {
    const other = { token: await app.token('spaces:read', 'bookings:write') };
    expectErrorEnvelope(
      await app.rest('/bookings', other),
      403,
      'This needs the scope bookings:read.',
    );
  });

  it.each([
    '/nowhere',
    '/Bookings',
    '/bookings/x/y',
    '/public',
    '/displays/x/y',
    '/displays/state/a/b',
    '/%zz',
    '//bookings',
    '/admin/none.js',
  ])('is 404 for unknown paths: %s', async (path) => {
    expectErrorEnvelope(await app.rest(path, { token }), 404);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'is 404 for %s on each of the specified paths',
    async (method) => {
      for (const [path = ''] of specified()) {
        if (method === 'POST' && path.startsWith('/bookings')) continue; // makes a booking
        const body = ['POST', 'PUT'].includes(method) ? '{ "broken": ' : null;
        expectErrorEnvelope(await app.rest(path, { token }, { method, body }), 404, NOTHING_HERE);
      }
    },
  );

  it('is 404 for unknown objects and 422 for violated rules', async () => {
    expectErrorEnvelope(await app.rest('/absent'), 404, 'No such thing.');
    expectErrorEnvelope(await app.rest('/invalid'), 422, 'name: too short');
    expectErrorEnvelope(await app.rest('/taken'), 422, 'Taken.');
  });

  it.each(['/error', '/text', '/nothing-at-all'])(
    'is 500 without details of the error: %s',
    async (path) => {
      expectErrorEnvelope(await app.rest(path), 500, INTERNAL);
    },
  );

  it('is logged if it is a server error, not if it is a client error', async () => {
    logged.length = 0;
    await app.rest('/invalid');
    await app.rest('/limited');
    expect(logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
    await app.rest('/error');
    expect(logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([
      expect.stringContaining('relation \\"secrets\\" does not exist'),
    ]);
  });

  it('is 429 or 503 with Retry-After', async () => {
    const limited = await app.rest('/limited');
    expectErrorEnvelope(limited, 429, 'Slowly.');
    expect(limited.headers.get('retry-after')).toBe('17');
    const busy = await app.rest('/overloaded');
    expectErrorEnvelope(busy, 503);
    expect(busy.body.data).not.toContain('pool');
    expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a request that Node rejects', () => {
  const long = 'x'.repeat(20_000);
  it.each([
    ['oversized headers', `GET /bookings HTTP/1.1\r\nHost: x\r\nX-Long: ${long}\r\n\r\n`],
    ['an oversized address', `GET /bookings?${long} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['bytes that are not HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an unknown method', 'BREW /bookings HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET /bookings HTTP/1.1\r\nHost x\r\n\r\n'],
    ['two lengths', 'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  ])('is in the envelope too: %s', async (_, bytes) => {
    const { status, headers, text } = await sendBytes(app.port, Buffer.from(bytes, 'latin1'));
    expect([status, JSON.parse(text)]).toEqual([
      400,
      { success: false, data: expect.stringMatching(/./) },
    ]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('is 404 for CONNECT', async () => {
    const { status, text } = await sendBytes(app.port, 'CONNECT foyer.test:443 HTTP/1.1\r\n\r\n');
    expect([status, JSON.parse(text).success]).toEqual([404, false]);
  });
});

describe('a list of objects with certain ids', () => {
  it.each(['/bookings', '/members', '/resources', '/teams'])(
    'of %s has one page: neither a limit nor a cursor',
    async (path) => {
      const token = await app.token('*');
      const ids = 'ids=01a202e3-5684-7140-9fc8-6078547cf86b';
      expect((await app.rest(`${path}?${ids}`, { token })).status).toBe(200);
      for (const [others, names] of [
        ['limit=5', 'limit'],
        ['cursor=x', 'cursor'],
        ['cursor=x&limit=5', 'limit and cursor'],
      ]) {
        const { status, body } = await app.rest(`${path}?${ids}&${others}`, { token });
        expect([status, body.data]).toEqual([
          400,
          `${names}: cannot be combined with ids: all objects with these ids come on one page. Leave one of them out.`,
        ]);
      }
    },
  );
});
