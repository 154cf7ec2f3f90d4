import { expectErrorEnvelope } from '../support/clients/api.ts';
import { sendRaw } from '../support/clients/raw-http.ts';
import { BUYER, makeEvent, postJson } from '../support/factories/events.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

// Error details on request, responses that proxies can store, and the parameters of queries.

let app: TestApp;
let token: string;

beforeAll(async () => {
  app = await startApp();
  token = await app.token('bookings:read', 'bookings:write', 'members:read', 'spaces:read');
});
afterAll(() => app.stop());

const DETAILED = { prefer: 'errors=detailed' };

async function book(headers: Record<string, string>, changes: object = {}) {
  const booking = await app.ctx.db.booking.findFirstOrThrow({
    where: { status: 'confirmed', startsAt: { gt: app.clock.now } },
    orderBy: { startsAt: 'asc' },
  });
  const { resourceId, startsAt, endsAt } = booking;
  const input = { resourceId, startsAt, endsAt, guest: { name: 'Greta', email: 'g@example.org' } };
  const body = {
    resource_id: resourceId,
    starts_at: startsAt,
    ends_at: endsAt,
    guest: input.guest,
    ...changes,
  };
  const rest = await app.rest(
    '/bookings',
    { token },
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    },
  );
  return { rest, input };
}

describe('the details of an error', () => {
  it('are those of GraphQL, in the names of REST, if the client prefers them', async () => {
    const { rest, input } = await book(DETAILED);
    const { errors } = await app.graphql(
      'mutation ($input: CreateBookingInput!) { createBooking(input: $input) { booking { id } } }',
      { input },
      { token },
    );
    const { extensions } = errors[0] as { extensions: Record<string, unknown> };
    expect(rest.status).toBe(422);
    expect(rest.headers.get('preference-applied')).toBe('errors=detailed');
    expect(rest.headers.get('vary')).toContain('Prefer');
    const { error, ...envelope } = rest.body as { error?: Record<string, unknown> };
    expect(envelope).toEqual({ success: false, data: expect.any(String) });
    const toRestNames = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value).replace(
          /"(\w+)":/g,
          (_, key: string) => `"${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}":`,
        ),
      );
    expect(error).toEqual(toRestNames(extensions));
    expect(error).toMatchObject({
      code: 'CONFLICT',
      reason: 'SLOT_TAKEN',
      alternatives: expect.arrayContaining([
        expect.objectContaining({ starts_at: expect.any(String), ends_at: expect.any(String) }),
      ]),
      collisions: expect.any(Array),
    });
  });

  it('name the invalid fields', async () => {
    const { rest } = await book(DETAILED, {
      guest: { name: '', email: 'g@example.org' },
      fooBar: 1,
    });
    expect(rest.body).toMatchObject({
      error: {
        code: 'VALIDATION',
        reason: 'INVALID_INPUT',
        fields: expect.arrayContaining([
          { field: 'guest.name', message: 'must not be empty' },
          { field: 'fooBar', message: 'is not a known field' },
        ]),
      },
    });
  });

  it.each(['errors=detailed', 'ERRORS = "detailed"', 'respond-async, errors=detailed; x=1'])(
    'are in the response to %s',
    async (prefer) => {
      const { body, headers } = await app.rest('/bookings', {}, { headers: { prefer } });
      expect([headers.get('preference-applied'), body]).toEqual([
        'errors=detailed',
        {
          success: false,
          data: 'Unauthenticated.',
          error: { code: 'UNAUTHENTICATED', reason: 'UNAUTHENTICATED' },
        },
      ]);
    },
  );

  it.each([
    undefined,
    'errors',
    'errors=brief',
    'errors=brief, errors=detailed',
    'xerrors=detailed',
  ])('are not in the response to %s', async (prefer) => {
    const response = await fetch(`${app.url}/bookings`, { headers: { ...(prefer && { prefer }) } });
    expect([response.headers.get('preference-applied'), await response.text()]).toEqual([
      null,
      '{"success":false,"data":"Unauthenticated."}',
    ]);
  });

  it('contain no secrets', async () => {
    const { body } = await app.rest(
      `/bookings?foyer_${'a'.repeat(43)}=1`,
      { token },
      { headers: DETAILED },
    );
    expect(JSON.stringify(body)).toContain('foyer_***');
    expect(JSON.stringify(body)).not.toContain('foyer_aaa');
  });

  it('do not change a success', async () => {
    const { status, body, headers } = await app.rest('/bookings', { token }, { headers: DETAILED });
    expect([status, Object.keys(body), headers.get('preference-applied')]).toEqual([
      200,
      ['success', 'data'],
      null,
    ]);
  });
});

describe('public events', () => {
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(app.url + path, { headers });
    const { status } = response;
    const control = response.headers.get('cache-control') ?? '';
    return { status, text: await response.text(), etag: response.headers.get('etag'), control };
  };

  it('can be stored for half a minute, and have a version', async () => {
    const { slug, type } = await makeEvent(app);
    for (const path of ['/public/events', `/public/events/${slug}`]) {
      const first = await read(path);
      const seconds = first.control.match(/\d+/g)?.map(Number) ?? [];
      expect([first.status, first.control]).toEqual([
        200,
        expect.stringMatching(/^public, max-age=\d+, stale-while-revalidate=\d+$/),
      ]);
      expect(seconds.reduce((sum, next) => sum + next)).toBeLessThanOrEqual(30);
      const known = { 'if-none-match': first.etag ?? '' };
      expect(await read(path, known)).toEqual({ ...first, status: 304, text: '' });
      const order = { buyer: BUYER, items: [{ ticket_type_id: type, quantity: 1 }] };
      expect((await postJson(app, `/public/events/${slug}/orders`, order)).status).toBe(201);
      const changed = await read(path, known);
      expect([changed.status, changed.etag === first.etag]).toEqual([200, false]);
    }
  });

  it.each([
    ['as it was sent', (tag: string) => tag],
    ['weak', (tag: string) => `W/${tag}`],
    ['in a list', (tag: string) => `"other", ${tag}`],
    ['with the suffix of Apache', (tag: string) => `W/${tag.replace(/"$/, '-gzip"')}`],
    ['with the suffix of Jetty', (tag: string) => tag.replace(/"$/, '--gzip"')],
  ])('have a version that clients can send %s', async (_, toHeader) => {
    for (const path of ['/public/events', '/schema.graphql']) {
      const { etag } = await read(path);
      expect((await read(path, { 'if-none-match': toHeader(etag ?? '') })).status).toBe(304);
    }
  });

  it('are the same for a caller with a token', async () => {
    const own = await read('/public/events', { authorization: `Bearer ${token}` });
    expect(own).toEqual(await read('/public/events'));
  });

  it('are stored by nobody if the response is an error, and neither are personal responses', async () => {
    const as = { authorization: `Bearer ${token}` };
    for (const [path, status, headers] of [
      ['/public/events/none', 404, {}],
      ['/public/events?limit=0', 400, {}],
      ['/bookings', 200, as],
      ['/members', 200, as],
      ['/bookings', 401, {}],
    ] as const) {
      const response = await read(path, headers);
      expect([path, response.status, response.control, response.etag]).toEqual([
        path,
        status,
        'no-store',
        null,
      ]);
    }
  });
});

describe('the parameters of a query', () => {
  it('can have an offset only with an encoded +, and the message says so', async () => {
    const rest = await app.rest('/bookings?from=2026-01-01T00:00:00+01:00', { token });
    expectErrorEnvelope(
      rest,
      400,
      'from: must have + encoded as %2B in a URL, such as 2026-01-01T00:00:00%2B01:00',
    );
    const { status } = await app.rest('/bookings?from=2026-01-01T00:00:00%2B01:00', { token });
    expect(status).toBe(200);
  });

  it.each([
    ['/bookings', 'bookings', 'status', ['cancelled', 'no_show']],
    ['/members', 'members', 'status', ['active', 'paused']],
    ['/resources', 'resources', 'type', ['room', 'desk']],
  ] as const)('of %s can be lists', async (path, key, name, values) => {
    const list = async (value: string) => {
      const { status, body } = await app.rest(`${path}?${name}=${value}&limit=100`, { token });
      expect([value, status]).toEqual([value, 200]);
      return ((body.data as Record<string, { id: string }[]>)[key] ?? []).map(({ id }) => id);
    };
    const each = (await Promise.all(values.map(list))).flat();
    expect(each.length).toBeGreaterThan(0);
    expect((await list(values.join(','))).sort()).toEqual(each.sort());
    const { status, body } = await app.rest(`${path}?${name}=${values[0]},lost`, { token });
    expect([status, body.data]).toEqual([400, expect.stringMatching(`^${name}.*must be one of`)]);
  });

  it('are rejected if they are unknown, except for those that bypass caches', async () => {
    for (const parameter of ['_=1700000000000', '_cb=1', '_=1&_=2'])
      expect((await app.rest(`/public/events?${parameter}`)).status).toBe(200);
    for (const parameter of ['page=2', 'resourceid=x', 'cb=1']) {
      const { status, body } = await app.rest(`/public/events?${parameter}`);
      expect([status, body.data]).toEqual([400, expect.stringContaining('is not a known field')]);
    }
  });
});

describe('a response of more than a kilobyte', () => {
  const PARTS = ['/bookings?limit=100', '/public/events?limit=5'];
  const QUERY = '{ bookings(first: 20) { nodes { id startsAt endsAt resource { name } } } }';
  const read = (path: string, headers: Record<string, string>) =>
    sendRaw(app.port, { method: 'GET', target: path, headers: Object.entries(headers), body: '' });
  const query = (text: string, headers: Record<string, string>) =>
    fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: text }),
    });

  it.each(PARTS)('is compressed for those who accept it: %s', async (path) => {
    const authorization = `Bearer ${await app.token('*')}`;
    const plain = await fetch(app.url + path, {
      headers: { authorization, 'accept-encoding': 'identity' },
    });
    const text = await plain.text();
    expect(plain.headers.get('content-encoding')).toBeNull();
    const compressed = await fetch(app.url + path, { headers: { authorization } });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(compressed.headers.get('vary')).toContain('Accept-Encoding');
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(text.length / 2);
    expect(await compressed.text()).toBe(text);
    const withoutGzip = { authorization, 'accept-encoding': 'br, gzip;q=0' };
    const uncompressed = await fetch(app.url + path, { headers: withoutGzip });
    expect(uncompressed.headers.get('content-encoding')).toBeNull();
  });

  it('has a tag of its own if it is compressed', async () => {
    const get = (headers: Record<string, string>) =>
      fetch(`${app.url}/public/events?limit=5`, { headers });
    const plain = (await get({ 'accept-encoding': 'identity' })).headers.get('etag') ?? '';
    const compressed = (await get({})).headers.get('etag') ?? '';
    expect(compressed).toBe(plain.replace(/"$/, '-gzip"'));
    for (const tag of [plain, compressed]) {
      const again = await get({ 'if-none-match': tag });
      expect([again.status, again.headers.get('etag')]).toEqual([304, tag]);
      expect(again.headers.get('vary')).toContain('Accept-Encoding');
    }
  });

  it('is compressed by GraphQL too, planned or not, but no small one', async () => {
    const authorization = `Bearer ${await app.token('*')}`;
    for (const text of [QUERY, `${QUERY.slice(0, -1)} e: errorReasons { reason } }`]) {
      const response = await query(text, { authorization });
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(response.headers.get('vary')).toContain('Accept-Encoding');
      expect(await response.json()).toMatchObject({ data: { bookings: expect.anything() } });
    }
    const small = await query('{ viewer { kind } }', { authorization });
    expect(small.headers.get('content-encoding')).toBeNull();
  });

  it('is not compressed for pages of other sites that use a session', async () => {
    const cookie = await app.signIn(STAFF.owner);
    const ask = async (site: string) => {
      const { headers } = await read('/bookings?limit=100', {
        cookie,
        'accept-encoding': 'gzip',
        'sec-fetch-site': site,
      });
      return headers['content-encoding'];
    };
    expect(await ask('same-origin')).toBe('gzip');
    for (const site of ['cross-site', 'same-site']) expect(await ask(site)).toBeUndefined();
  });
});
