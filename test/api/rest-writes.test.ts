import fc from 'fast-check';
import { v7 } from 'uuid';
import { expectErrorEnvelope } from '../support/clients/api.ts';
import { bearer } from '../support/clients/arbitrary-requests.ts';
import { toRestFormat } from '../support/clients/lists.ts';
import { sendBytes, sendRaw } from '../support/clients/raw-http.ts';
import { createRestWriter, getData } from '../support/clients/rest-writes.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

let app: TestApp;
let writer: Awaited<ReturnType<typeof createRestWriter>>;

beforeAll(async () => {
  app = await startApp();
  writer = await createRestWriter(app);
});
afterAll(() => app.stop());

let personCount = 0;
const makePerson = () => {
  personCount += 1;
  return { name: 'Test Person', email: `written-${personCount}@example.org` };
};

describe('the body of a write', () => {
  const NOT_JSON = 'The body is not valid JSON.';
  const NO_OBJECT = 'The body must be a JSON object.';
  const TOO_LARGE = 'The body is too large: at most 200000 bytes.';

  it.each([
    ['broken', '{ "name": ', NOT_JSON],
    ['empty', '', NOT_JSON],
    ['a list', '[]', NO_OBJECT],
    ['a text', '"x"', NO_OBJECT],
    ['null', 'null', NO_OBJECT],
    ['nested too deeply', '['.repeat(100_000), NOT_JSON],
    ['too large', JSON.stringify({ name: 'x'.repeat(200_000) }), TOO_LARGE],
  ])('is 400 if it is %s', async (_, body, message) => {
    expectErrorEnvelope(await writer.post('/members', body), 400, message);
  });

  it('is 400 if it is too large without Content-Length', async () => {
    const head = `POST /members HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${writer.all.token}\r\nContent-Type: application/json\r\n`;
    const size = 250_000;
    const chunk = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n0\r\n\r\n`;
    const response = await sendBytes(app.port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`);
    expect([response.status, JSON.parse(response.text).data]).toEqual([400, TOO_LARGE]);
  });

  it('is 422 with the name of the invalid field', async () => {
    const person = makePerson();
    const wrong = await writer.post('/members', { ...person, email: 'nowhere', name: ' ' });
    expectErrorEnvelope(wrong, 422);
    expect(wrong.body.data).toMatch(/name: .*; email: /);
    for (const key of ['vip', '__proto__', 'createdAt']) {
      const response = await writer.post(
        '/members',
        `{ "name": "X", "email": "x@a.org", "${key}": 1 }`,
      );
      expectErrorEnvelope(response, 422);
      expect(response.body.data).toContain(key);
    }
  });

  it('is never 500 for arbitrary JSON', async () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        '\0',
        '\ud800',
        writer.ben.id,
        writer.atelier.id,
        'x@example.org',
        '0000-01-01T00:00:00Z',
      ),
      fc.constantFrom('9999-12-31T23:59:59-23:59', '2026-05-04T08:00:00Z', '2026-05-04T09:00:00Z'),
      fc.constantFrom('0001-01-01T00:00:00+14:00', '2026-02-30T00:00:00Z'),
    );
    const value = fc.oneof(
      { weight: 4, arbitrary: word },
      fc.jsonValue(),
      fc.constant({ name: 'K' }),
    );
    const field = fc.constantFrom(
      ...['name', 'email', 'phone', 'resource_id', 'starts_at', 'ends_at', 'member_id', 'guest'],
      ...['title', 'notes', 'reason', '__proto__', 'constructor'],
    );
    const good = fc.constantFrom(
      writer.toBooking(20, { member_id: writer.ben.id }),
      { name: 'X', email: 'x@a.org' },
      {},
    );
    const body = fc
      .tuple(good, fc.dictionary(field, value, { maxKeys: 3 }))
      .map(([good, more]) => JSON.stringify({ ...good, ...more }));
    const path = fc.constantFrom('/members', '/bookings', `/bookings/${v7()}/cancel`);
    const headers = fc.constantFrom<Record<string, string>>(
      {},
      { 'idempotency-key': 'one for all' },
    );
    await checkProperty(
      fc.asyncProperty(path, fc.oneof(body, fc.json()), headers, async (path, body, headers) => {
        const response = await writer.post(path, body, { headers });
        expect([201, 400, 404, 422]).toContain(response.status);
        if (response.status !== 201) expectErrorEnvelope(response, response.status);
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it('is optional only if none of its fields is required', async () => {
    const nowhere = { method: 'POST' };
    const cancel = await app.rest(`/bookings/${v7()}/cancel`, writer.all, nowhere);
    expectErrorEnvelope(cancel, 404, 'No such booking.');
    expectErrorEnvelope(await app.rest('/members', writer.all, nowhere), 400);
  });

  it('is not validated before the caller is authenticated', async () => {
    expectErrorEnvelope(await writer.post('/members', '{', { as: {} }), 401, 'Unauthenticated.');
    const reader = { token: await app.token('members:read') };
    const rejected = await writer.post('/members', '{', { as: reader });
    expectErrorEnvelope(rejected, 403, 'This needs the scope members:write.');
  });

  it('is accepted by POST; other methods return 404', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expectErrorEnvelope(await app.rest('/members', writer.all, { method }), 404);
    const cancel = `/bookings/${v7()}/cancel`;
    expectErrorEnvelope(
      await app.rest(cancel, writer.all),
      404,
      'No route matches this path and method. See /openapi.json.',
    );
  });
});

describe('a write by a session', () => {
  const from = async (origin: string | undefined) => {
    const cookie = await app.signIn(STAFF.owner);
    return writer.post('/members', makePerson(), {
      as: { cookie },
      headers: origin ? { origin } : {},
    });
  };

  it('is accepted from our own pages and from programs, and rejected from other sites', async () => {
    expect((await from('http://foyer.test')).status).toBe(201);
    expect((await from(undefined)).status).toBe(201);
    const before = await app.ctx.db.member.count();
    for (const origin of ['https://evil.example', 'null'])
      expectErrorEnvelope(await from(origin), 403);
    expect(await app.ctx.db.member.count()).toBe(before);
  });

  it('is restricted for cookies only: a token works from any site', async () => {
    const headers = { origin: 'https://shop.example' };
    expect((await writer.post('/members', makePerson(), { headers })).status).toBe(201);
  });
});

describe('members', () => {
  it('are listed page by page in the documented format', async () => {
    const text = `{ members(first: 100, filter: { q: "org" }) { edges { node {
      id name email emailConfirmed phone company address postcode city country customerNumber status code createdAt
      team { id } } } } }`;
    const { data } = await app.graphql(text, {}, writer.all);
    const members = data.members.edges.map(
      ({ node: { team, ...node } }: { node: { team: { id: string } | null } }) => ({
        ...(toRestFormat(node) as object),
        team_id: team?.id ?? null,
      }),
    );
    const first = getData(await app.rest('/members?q=org&limit=5', writer.all));
    expect(first).toEqual({
      members: members.slice(0, 5),
      pagination: { limit: 5, next_cursor: expect.stringMatching(/./) },
    });
    const rest = `/members?q=org&limit=100&cursor=${first.pagination.next_cursor}`;
    expect(getData(await app.rest(rest, writer.all))).toEqual({
      members: members.slice(5),
      pagination: { limit: 100, next_cursor: null },
    });
    const former = getData(await app.rest('/members?status=former', writer.all)).members;
    expect(former.length).toBeGreaterThan(0);
    for (const { status } of former) expect(status).toBe('former');
    expectErrorEnvelope(await app.rest('/members?status=gone', writer.all), 400);
  });

  it('are created and read back unchanged', async () => {
    const person = { ...makePerson(), phone: null, company: 'Noor & Co' };
    const response = await writer.post('/members', person);
    expect(response.status).toBe(201);
    const { member } = getData(response);
    expect(member).toMatchObject({ ...person, status: 'active' });
    expect(getData(await app.rest(`/members?q=${person.email}`, writer.all)).members).toEqual([
      member,
    ]);
    expectErrorEnvelope(
      await writer.post('/members', person),
      422,
      `The email address ${person.email} is already in use.`,
    );
  });
});

describe('resources', () => {
  it('are listed by location and type in the documented format', async () => {
    const { locationId } = writer.atelier;
    const path = `/resources?location_id=${locationId}&type=room`;
    const { resources, pagination } = getData(await app.rest(path, writer.all));
    const rows = await app.ctx.db.resource.findMany({ where: { locationId, type: 'room' } });
    expect(resources.map(({ id }: { id: string }) => id).sort()).toEqual(
      rows.map(({ id }) => id).sort(),
    );
    expect(pagination).toEqual({ limit: 50, next_cursor: null });
    expect(resources.find(({ id }: { id: string }) => id === writer.atelier.id)).toMatchObject({
      slug: 'atelier',
      name: 'Atelier',
      type: 'room',
      location: { id: locationId, name: 'Foyer Kreuzberg', time_zone: 'Europe/Berlin' },
      price_per_hour: { amount: 3800, currency: 'EUR' },
      grid_minutes: 15,
      no_show_minutes: null,
      active: true,
    });
    expectErrorEnvelope(await app.rest('/resources?type=boat', writer.all), 400);
  });
});

describe('HEAD', () => {
  it('works for reads and never writes', async () => {
    const headers = [bearer(writer.all.token)];
    const head = (target: string) =>
      sendRaw(app.port, { method: 'HEAD', target, headers, body: '' }).then(({ status }) => status);
    expect(await head('/members')).toBe(200);
    expect(await head(`/bookings/${v7()}/cancel`)).toBe(404);
  });
});
