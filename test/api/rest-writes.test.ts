import fc from 'fast-check';
import { v7 } from 'uuid';
import { hashPassword } from '../../src/auth/passwords.ts';
import { type Credential, STAFF, startApp, type TestApp } from '../support/app.ts';
import { expectFailure } from '../support/envelope.ts';
import { inRestWords } from '../support/lists.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { bearer } from '../support/requests.ts';
import { PASSWORD } from '../support/seed.ts';
import { answerTo, ask } from '../support/wire.ts';

let app: TestApp;
let all: { token: string };
let atelier: { id: string; locationId: string };
let ben: { id: string; name: string; email: string };

beforeAll(async () => {
  app = await startApp();
  const scopes = ['bookings', 'members', 'spaces'].flatMap((it) => [`${it}:read`, `${it}:write`]);
  all = { token: await app.token(...scopes) };
  atelier = await app.ctx.db.resource.findUniqueOrThrow({ where: { slug: 'atelier' } });
  ben = await app.ctx.db.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
});
afterAll(() => app.stop());

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (
  path: string,
  body: unknown,
  { as = all, headers = {} }: { as?: Credential; headers?: Record<string, string> } = {},
) =>
  app.rest(path, as, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { ...JSON_TYPE, ...headers },
  });
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
const dataOf = ({ body }: { body: { data: unknown } }) => body.data as any;

let people = 0;
const somebody = () => {
  people += 1;
  return { name: 'Some Body', email: `written-${people}@example.org` };
};

describe('the body of a write', () => {
  const NOT_JSON = 'The body is not valid JSON in UTF-8.';
  const NO_OBJECT = 'The body must be a JSON object.';
  const TOO_LARGE = 'The body is too large: at most 200000 bytes.';

  it.each([
    ['broken', '{ "name": ', NOT_JSON],
    ['empty', '', NOT_JSON],
    ['a list', '[]', NO_OBJECT],
    ['a text', '"x"', NO_OBJECT],
    ['null', 'null', NO_OBJECT],
    ['nested beyond all sense', '['.repeat(100_000), NOT_JSON],
    ['too large', JSON.stringify({ name: 'x'.repeat(200_000) }), TOO_LARGE],
  ])('is 400 where it is %s', async (_, body, message) => {
    expectFailure(await post('/members', body), 400, message);
  });

  it('is 400 where it is not UTF-8, or too large without having said so', async () => {
    const head = `POST /members HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${all.token}\r\nContent-Type: application/json\r\n`;
    const text = '{"name":"\xff","email":"x@example.org"}';
    const latin = Buffer.from(`${head}Content-Length: ${text.length}\r\n\r\n${text}`, 'latin1');
    const size = 250_000;
    const chunk = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n0\r\n\r\n`;
    for (const [bytes, message] of [
      [latin, NOT_JSON],
      [`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`, TOO_LARGE],
    ] as const) {
      const answer = await answerTo(app.port, bytes);
      expect([answer.status, JSON.parse(answer.text).data]).toEqual([400, message]);
    }
  });

  it('is 400 where it does not say that it is JSON', async () => {
    const message = 'The body must be JSON, sent as Content-Type: application/json.';
    const body = JSON.stringify(somebody());
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx'])
      expectFailure(
        await post('/members', body, { headers: { 'content-type': type } }),
        400,
        message,
      );
    const utf8 = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await post('/members', body, { headers: utf8 })).status).toBe(201);
  });

  it('is 422 where it breaks a rule, and the field is named', async () => {
    const person = somebody();
    const wrong = await post('/members', { ...person, email: 'nowhere', name: ' ' });
    expectFailure(wrong, 422);
    expect(wrong.body.data).toMatch(/name: .*; email: /);
    for (const key of ['vip', '__proto__', 'createdAt']) {
      const answer = await post('/members', `{ "name": "X", "email": "x@a.org", "${key}": 1 }`);
      expectFailure(answer, 422);
      expect(answer.body.data).toContain(key);
    }
  });

  it('is never 500, whatever stands in it', async () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('\0', '\ud800', ben.id, atelier.id, 'x@example.org', '0000-01-01T00:00:00Z'),
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
      wish(20, { member_id: ben.id }),
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
    await fc.assert(
      fc.asyncProperty(path, fc.oneof(body, fc.json()), headers, async (path, body, headers) => {
        const answer = await post(path, body, { headers });
        expect([201, 400, 404, 422]).toContain(answer.status);
        if (answer.status !== 201) expectFailure(answer, answer.status);
      }),
      { numRuns: propertyRuns(60), interruptAfterTimeLimit: 30_000, markInterruptAsFailure: false },
    );
  });

  it('may be left out where nothing in it is needed, and only there', async () => {
    const nowhere = { method: 'POST' };
    const cancel = await app.rest(`/bookings/${v7()}/cancel`, all, nowhere);
    expectFailure(cancel, 404, 'No such booking.');
    expectFailure(await app.rest('/members', all, nowhere), 400);
  });

  it('is not looked at before the caller is known', async () => {
    expectFailure(await post('/members', '{', { as: {} }), 401, 'Unauthenticated.');
    const reader = { token: await app.token('members:read') };
    const refused = await post('/members', '{', { as: reader });
    expectFailure(refused, 403, 'This needs the scope members:write.');
  });

  it('comes by POST, and other methods find nothing', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expectFailure(await app.rest('/members', all, { method }), 404);
    const cancel = `/bookings/${v7()}/cancel`;
    expectFailure(
      await app.rest(cancel, all),
      404,
      'There is nothing at this path with this method.',
    );
  });
});

describe('a write by a session', () => {
  const from = async (origin: string | undefined) => {
    const cookie = await app.signIn(STAFF.owner);
    return post('/members', somebody(), { as: { cookie }, headers: origin ? { origin } : {} });
  };

  it('is taken from our own pages and from programs, and refused to foreign pages', async () => {
    expect((await from('http://foyer.test')).status).toBe(201);
    expect((await from(undefined)).status).toBe(201);
    const before = await app.ctx.db.member.count();
    for (const origin of ['https://evil.example', 'null']) expectFailure(await from(origin), 403);
    expect(await app.ctx.db.member.count()).toBe(before);
  });

  it('is a matter of cookies only: a token may come from any page', async () => {
    const headers = { origin: 'https://shop.example' };
    expect((await post('/members', somebody(), { headers })).status).toBe(201);
  });
});

describe('members', () => {
  it('are listed page by page in the words of the wire', async () => {
    const text = `{ members(first: 100, filter: { q: "o" }) { edges { node {
      id name email emailConfirmed phone company status code createdAt } } } }`;
    const { data } = await app.graphql(text, {}, all);
    const people = data.members.edges.map(({ node }: { node: unknown }) => inRestWords(node));
    const first = dataOf(await app.rest('/members?q=o&limit=5', all));
    expect(first).toEqual({
      members: people.slice(0, 5),
      pagination: { limit: 5, next_cursor: expect.stringMatching(/./) },
    });
    const rest = `/members?q=o&limit=100&cursor=${first.pagination.next_cursor}`;
    expect(dataOf(await app.rest(rest, all))).toEqual({
      members: people.slice(5),
      pagination: { limit: 100, next_cursor: null },
    });
    const former = dataOf(await app.rest('/members?status=former', all)).members;
    expect(former.length).toBeGreaterThan(0);
    for (const { status } of former) expect(status).toBe('former');
    expectFailure(await app.rest('/members?status=gone', all), 400);
  });

  it('are added, and read back as they were answered', async () => {
    const person = { ...somebody(), phone: null, company: 'Noor & Co' };
    const answer = await post('/members', person);
    expect(answer.status).toBe(201);
    const { member } = dataOf(answer);
    expect(member).toMatchObject({ ...person, status: 'active' });
    expect(dataOf(await app.rest(`/members?q=${person.email}`, all)).members).toEqual([member]);
    expectFailure(
      await post('/members', person),
      422,
      `The e-mail address ${person.email} is taken.`,
    );
  });
});

describe('resources', () => {
  it('are listed by location and type in the words of the wire', async () => {
    const { locationId } = atelier;
    const path = `/resources?location_id=${locationId}&type=room`;
    const { resources, pagination } = dataOf(await app.rest(path, all));
    const rows = await app.ctx.db.resource.findMany({ where: { locationId, type: 'room' } });
    expect(resources.map(({ id }: { id: string }) => id).sort()).toEqual(
      rows.map(({ id }) => id).sort(),
    );
    expect(pagination).toEqual({ limit: 50, next_cursor: null });
    expect(resources.find(({ id }: { id: string }) => id === atelier.id)).toMatchObject({
      slug: 'atelier',
      name: 'Atelier',
      type: 'room',
      location: { id: locationId, name: 'Foyer Kreuzberg', time_zone: 'Europe/Berlin' },
      price_per_hour: { amount: 3800, currency: 'EUR' },
      grid_minutes: 15,
      no_show_minutes: null,
      active: true,
    });
    expectFailure(await app.rest('/resources?type=boat', all), 400);
  });
});

/** Ten o'clock in Berlin and so many hours, on working days on which the seed has booked nothing yet. */
const at = (day: number, hours = 0) =>
  new Date(Date.UTC(2026, 4, 4 + day + 2 * Math.floor(day / 5), 8 + hours)).toISOString();
const wish = (day: number, more: object) => ({
  resource_id: atelier.id,
  starts_at: at(day),
  ends_at: at(day, 1),
  ...more,
});

describe('one booking', () => {
  it('is what the list says of it', async () => {
    const { bookings } = dataOf(await app.rest('/bookings?limit=3', all));
    expect(bookings).toHaveLength(3);
    for (const booking of bookings)
      expect(dataOf(await app.rest(`/bookings/${booking.id}`, all))).toEqual({ booking });
  });

  it('that is not there is 404 in the same words, whatever its id looks like', async () => {
    for (const id of [v7(), 'nonsense', '%20', '1'])
      expectFailure(await app.rest(`/bookings/${id}`, all), 404, 'No such booking.');
  });
});

describe('a new booking', () => {
  it('by a member reads back as it was written', async () => {
    const answer = await post('/bookings', wish(0, { member_id: ben.id, title: 'Print' }));
    expect([answer.status, dataOf(answer)]).toEqual([201, expect.anything()]);
    const { booking } = dataOf(answer);
    expect(booking).toMatchObject({
      status: 'confirmed',
      title: 'Print',
      starts_at: at(0),
      ends_at: at(0, 1),
      resource: { id: atelier.id, name: 'Atelier' },
      member: { id: ben.id, name: ben.name },
      guest: null,
      series_id: null,
      checked_in_at: null,
      cancellation: null,
    });
    expect(dataOf(await app.rest(`/bookings/${booking.id}`, all))).toEqual({ booking });
  });

  it('by a guest needs a name, and may do without an address', async () => {
    const guest = { name: 'Kim', email: null };
    const { booking } = dataOf(await post('/bookings', wish(1, { guest })));
    expect([booking.guest, booking.member]).toEqual([guest, null]);
    for (const wrong of [{}, { name: ' ' }, { name: 'Kim', email: 'nowhere' }, { name: 'K', x: 1 }])
      expectFailure(await post('/bookings', wish(2, { guest: wrong })), 422);
  });

  it('is by a member or by a guest, not by both or by nobody', async () => {
    const both = { member_id: ben.id, guest: { name: 'Kim' } };
    for (const holder of [{}, both, { member_id: null, guest: null }])
      expectFailure(await post('/bookings', wish(2, holder)), 422);
  });

  it('of what is taken is 422, and one of what is not there 404', async () => {
    const holder = { member_id: ben.id };
    expect((await post('/bookings', wish(3, holder))).status).toBe(201);
    expectFailure(await post('/bookings', wish(3, holder)), 422);
    expectFailure(await post('/bookings', wish(4, { ...holder, resource_id: v7() })), 404);
    expectFailure(await post('/bookings', wish(4, { member_id: v7() })), 404);
    for (const starts_at of ['tomorrow', '2026-05-13', 1, null])
      expectFailure(await post('/bookings', { ...wish(4, holder), starts_at }), 422);
  });

  it('sent twice at once with one key is one booking', async () => {
    const holder = { member_id: ben.id };
    const key = { headers: { 'idempotency-key': v7() } };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post('/bookings', wish(5, holder), key)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => dataOf(answer).booking.id)).size).toBe(1);
    // Without a key the second one finds the slot taken.
    const apart = await Promise.all([6, 6].map((day) => post('/bookings', wish(day, holder))));
    expect(apart.map(({ status }) => status).sort()).toEqual([201, 422]);
  });
});

describe('a member who has signed in', () => {
  it('books for themselves and cancels it, and nobody else’s', async () => {
    const { name, email } = ben;
    const passwordHash = await hashPassword(PASSWORD);
    await app.ctx.db.user.create({ data: { name, email, memberId: ben.id, passwordHash } });
    const as = { cookie: await app.signIn(email) };
    const { booking } = dataOf(await post('/bookings', wish(10, {}), { as }));
    expect(booking.member).toEqual({ id: ben.id, name });
    const cancelled = await post(`/bookings/${booking.id}/cancel`, {}, { as });
    expect(dataOf(cancelled).booking.status).toBe('cancelled');
    expectFailure(await post('/bookings', wish(11, { member_id: v7() }), { as }), 404);
    const guests = dataOf(await post('/bookings', wish(11, { guest: { name: 'Kim' } }))).booking;
    const foreign = `/bookings/${guests.id}`;
    expectFailure(await app.rest(foreign, as), 404, 'No such booking.');
    expectFailure(await post(`${foreign}/cancel`, {}, { as }), 404, 'No such booking.');
  });
});

describe('a cancelled booking', () => {
  it('says when and why, and is cancelled once', async () => {
    const { booking } = dataOf(await post('/bookings', wish(7, { member_id: ben.id })));
    const path = `/bookings/${booking.id}/cancel`;
    const answer = await post(path, { reason: 'Flu' });
    expect(answer.status).toBe(200);
    expect(dataOf(answer).booking).toEqual({
      ...booking,
      status: 'cancelled',
      cancellation: {
        cancelled_at: app.clock.now.toISOString(),
        reason: 'Flu',
        fee: { amount: expect.any(Number), currency: 'EUR' },
      },
    });
    expectFailure(await post(path, {}), 422);
    expectFailure(await post('/bookings/nonsense/cancel', {}), 404, 'No such booking.');
  });

  it('answers the same request in the same way when it names it', async () => {
    const { booking } = dataOf(await post('/bookings', wish(8, { member_id: ben.id })));
    const path = `/bookings/${booking.id}/cancel`;
    const key = { headers: { 'idempotency-key': v7() } };
    const first = await post(path, {}, key);
    expect(first.status).toBe(200);
    expect((await post(path, {}, key)).body).toEqual(first.body);
    // The path is part of the request.
    expectFailure(await post(`/bookings/${v7()}/cancel`, {}, key), 422);
  });
});

describe('availability', () => {
  it('tells the slots that are free, with their price', async () => {
    expect((await post('/bookings', wish(9, { member_id: ben.id }))).status).toBe(201);
    const path = `/resources/${atelier.id}/availability?from=${at(9, -1)}&to=${at(9, 4)}&minutes=60`;
    const { slots } = dataOf(await app.rest(path, all));
    expect(slots.length).toBeGreaterThan(0);
    for (const slot of slots) {
      expect(Object.keys(slot)).toEqual(['starts_at', 'ends_at', 'price']);
      expect(Date.parse(slot.ends_at) - Date.parse(slot.starts_at)).toBe(3_600_000);
      expect(slot.starts_at < at(9, 1) && slot.ends_at > at(9)).toBe(false);
      expect(slot.price).toEqual({ amount: 3800, currency: 'EUR' });
    }
  });

  it('is 400 for a length that is none, and 404 of what is not there', async () => {
    const of = (id: string, query: string) =>
      app.rest(`/resources/${id}/availability?${query}`, all);
    const period = `from=${at(0)}&to=${at(0, 9)}`;
    for (const query of [`${period}&minutes=0`, `${period}&minutes=x`])
      expectFailure(await of(atelier.id, query), 400);
    for (const id of [v7(), 'nonsense'])
      expectFailure(await of(id, period), 404, 'No such resource.');
  });
});

describe('HEAD', () => {
  it('reads and never writes', async () => {
    const headers = [bearer(all.token)];
    const head = (target: string) =>
      ask(app.port, { method: 'HEAD', target, headers, body: '' }).then(({ status }) => status);
    expect(await head('/members')).toBe(200);
    expect(await head(`/bookings/${v7()}/cancel`)).toBe(404);
  });
});
