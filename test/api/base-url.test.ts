import { startApp, type TestApp } from '../support/app.ts';

// Where the service is reached, and by whose pages.

let app: TestApp;
let token: string;

beforeAll(async () => {
  app = await startApp({
    config: {
      BASE_URL: 'https://foyer.test/space/api/',
      CORS_ORIGINS: 'https://site.example, https://app.example:8443',
    },
  });
  token = await app.token('bookings:read');
});
afterAll(() => app.stop());

describe('a BASE_URL with a path', () => {
  it.each(['/space/api', ''])('is served below %p, stripped by a proxy or not', async (base) => {
    expect((await app.rest(`${base}/bookings?limit=1`, { token })).status).toBe(200);
    expect((await app.rest(`${base}/public/events`)).status).toBe(200);
    expect((await app.rest(`${base}/displays/state/nonsense`)).status).toBe(401);
    expect((await app.rest(`${base}/healthz`)).status).toBe(200);
    const graphql = await app.rest(
      `${base}/graphql`,
      {},
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ viewer { kind } }' }),
      },
    );
    expect(graphql.body.data).toEqual({ viewer: { kind: 'ANONYMOUS' } });
    const { body } = await app.rest(`${base}/openapi.json`);
    expect(body).toMatchObject({ servers: [{ url: 'https://foyer.test/space/api' }] });
  });

  it.each([
    '/space',
    '/space/api',
    '/space/api/',
    '/space/api?x=1',
    '/space/apibookings',
    '/space/api/space/api/bookings',
  ])('has nothing at %s', async (path) => {
    const { status, body } = await app.rest(path, { token });
    expect([status, body.success]).toEqual([404, false]);
  });
});

describe('pages of other origins', () => {
  const asked = [
    ['REST', '/public/events', { method: 'GET' }],
    ['REST that refuses', '/bookings', { method: 'GET' }],
    [
      'GraphQL',
      '/graphql',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{viewer{kind}}"}',
      },
    ],
  ] as const;

  const headersFor = async (path: string, init: RequestInit, origin: string) => {
    const { headers } = await app.rest(path, {}, { ...init, headers: { ...init.headers, origin } });
    return Object.fromEntries([...headers].filter(([name]) => /^(access|vary)/.test(name)));
  };

  it.each(asked)('that CORS_ORIGINS names may read the answers of %s', async (_, path, init) => {
    for (const origin of ['https://site.example', 'https://app.example:8443']) {
      expect(await headersFor(path, init, origin)).toEqual({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'ETag,Foyer-Error-Reason,Retry-After',
        vary: expect.stringContaining('Origin'),
      });
    }
  });

  it.each(asked)('that it does not name may not read those of %s', async (_, path, init) => {
    for (const origin of [
      'https://evil.example',
      'https://app.example',
      'null',
      'https://foyer.test',
    ])
      expect(await headersFor(path, init, origin)).not.toHaveProperty(
        'access-control-allow-origin',
      );
  });

  it.each(['/bookings', '/graphql'])('may ask first whether they may: %s', async (path) => {
    const answer = await fetch(app.url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://site.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(answer.headers.get('access-control-allow-headers')).toBe(
      'authorization,content-type,idempotency-key',
    );
  });

  it('may not read anything where no origin is named', async () => {
    const closed = await startApp();
    const { headers } = await closed.rest(
      '/public/events',
      {},
      { headers: { origin: 'https://site.example' } },
    );
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    await closed.stop();
  });
});
