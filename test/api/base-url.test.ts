import { startApp, type TestApp } from '../support/harness/app.ts';

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
  it.each(['/space/api', ''])(
    'is served below %p, with and without a proxy that strips it',
    async (base) => {
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
    },
  );

  it.each(['/space', '/space/apibookings', '/space/api/space/api/bookings'])(
    'returns 404 at %s',
    async (path) => {
      const { status, body } = await app.rest(path, { token });
      expect([status, body.success]).toEqual([404, false]);
    },
  );

  it.each(['/space/api', '/space/api/', '/space/api?x=1'])('returns links at %s', async (path) => {
    const { status, body } = await app.rest(path, { token });
    expect(status).toBe(200);
    const { links } = body.data as { links: Record<string, string> };
    for (const link of Object.values(links)) {
      const { pathname } = new URL(link);
      expect(pathname).toMatch(/^\/space\/api\//);
      if (pathname !== '/space/api/graphql')
        expect([link, (await fetch(app.url + pathname)).status]).toEqual([link, 200]);
    }
  });
});

describe('pages of other origins', () => {
  const requests = [
    ['REST', '/public/events', { method: 'GET' }],
    ['a REST error', '/bookings', { method: 'GET' }],
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

  const makeHeaders = async (path: string, init: RequestInit, origin: string) => {
    const { headers } = await app.rest(path, {}, { ...init, headers: { ...init.headers, origin } });
    return Object.fromEntries([...headers].filter(([name]) => /^(access|vary)/.test(name)));
  };

  it.each(requests)(
    'can read responses of %s if CORS_ORIGINS names them',
    async (_, path, init) => {
      for (const origin of ['https://site.example', 'https://app.example:8443']) {
        expect(await makeHeaders(path, init, origin)).toEqual({
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers':
            'ETag,Foyer-Error-Reason,Mcp-Session-Id,Preference-Applied,Retry-After,X-Request-Id',
          vary: expect.stringContaining('Origin'),
        });
      }
    },
  );

  const OTHERS = ['https://evil.example', 'https://app.example', 'null', 'https://foyer.test'];

  it('can read what is public from any origin, without credentials', async () => {
    for (const path of ['/public/events', '/public/orders/x'])
      for (const origin of OTHERS) {
        const headers = await makeHeaders(path, { method: 'GET' }, origin);
        expect(headers).toMatchObject({
          'access-control-allow-origin': '*',
          vary: expect.stringContaining('Origin'),
        });
        expect(headers).not.toHaveProperty('access-control-allow-credentials');
      }
    const preflight = async (method: string) => {
      const response = await fetch(`${app.url}/public/events`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://evil.example',
          'access-control-request-method': method,
          'access-control-request-headers': 'prefer',
        },
      });
      return ['origin', 'methods', 'headers', 'credentials'].map((name) =>
        response.headers.get(`access-control-allow-${name}`),
      );
    };
    expect(await preflight('GET')).toEqual(['*', 'GET,HEAD', '*', null]);
    expect((await preflight('POST'))[0]).toBeNull();
  });

  it.each([
    ...requests.slice(1),
    ['an order', '/public/events/x/orders', { method: 'POST' }] as const,
  ])('cannot read responses of %s otherwise', async (_, path, init) => {
    for (const origin of OTHERS)
      expect(await makeHeaders(path, init, origin)).not.toHaveProperty(
        'access-control-allow-origin',
      );
  });

  it.each(['/bookings', '/graphql'])('can send a preflight request: %s', async (path) => {
    const response = await fetch(app.url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://site.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'authorization,content-type,idempotency-key',
    );
  });

  it('cannot read anything but what is public without CORS_ORIGINS', async () => {
    const closed = await startApp();
    const { headers } = await closed.rest(
      '/bookings',
      {},
      { headers: { origin: 'https://site.example' } },
    );
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    await closed.stop();
  });
});
