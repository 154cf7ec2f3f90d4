import { v7 } from 'uuid';
import type { Context } from '../../src/context.ts';
import { decrypt, encrypt, hashJson } from '../../src/core/encryption.ts';
import { purgeIdempotencyKeys, withIdempotency } from '../../src/db/idempotency.ts';
import type { StoredResponse } from '../../src/db/keyed-write.ts';
import { DomainError } from '../../src/errors.ts';
import { routes } from '../../src/rest/route-table.ts';
import { type Credential, expectErrorEnvelope } from '../support/clients/api.ts';
import { createKeyedRoute, postWithKey, secretRoute } from '../support/clients/keyed-writes.ts';
import { NOW } from '../support/factories/seed.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let writer: Credential;
let work: () => Promise<void>;

beforeAll(async () => {
  app = await startApp({
    routes: [...routes, createKeyedRoute('/works', () => work()), secretRoute],
    config: { TRUST_PROXY: '1' },
  });
  writer = { token: await app.token('members:write') };
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const post = (
  path: string,
  body: object | string,
  key?: string,
  as: Credential = writer,
  headers: Record<string, string> = {},
) => postWithKey(app, path, { body, key, as, headers });

let personCount = 0;
const makePerson = () => {
  personCount += 1;
  return { name: 'Test Person', email: `once-${personCount}@example.org` };
};
const membersWith = (email: string) => app.ctx.db.member.count({ where: { email } });
const hoursLater = (hours: number) => {
  app.clock.now = new Date(NOW.getTime() + hours * 3_600_000);
};
const REUSED =
  'This idempotency key was used for another request. Choose a new key for a new request.';

describe('a write with an Idempotency-Key', () => {
  it('runs once and returns the first response every time', async () => {
    const [person, key] = [makePerson(), v7()];
    const first = await post('/members', person, key);
    const second = await post('/members', person, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(await membersWith(person.email)).toBe(1);
  });

  it('is the same request with differently formatted JSON', async () => {
    const [{ name, email }, key] = [makePerson(), v7()];
    await post('/members', { name, email }, key);
    const again = `{ "email": "${email}",\n "name": "${name}" }`;
    expect((await post('/members', again, key)).status).toBe(201);
  });

  it('depends on the values in the body and not on the order of its keys', () => {
    const hash = (value: unknown) => Buffer.from(hashJson('POST', value)).toString('hex');
    expect(hash({ a: [1, { c: 2, d: 3 }], b: null })).toBe(
      hash({ b: null, a: [1, { d: 3, c: 2 }] }),
    );
    const others = [{ a: [1, 2] }, { a: [2, 1] }, { a: '1,2' }, { b: [1, 2] }, {}, null, 'a'];
    expect(new Set(others.map(hash)).size).toBe(others.length);
  });

  it('is rejected if the key belongs to another request', async () => {
    const [person, key] = [makePerson(), v7()];
    await post('/members', person, key);
    expectErrorEnvelope(await post('/members', { ...person, phone: '1' }, key), 422, REUSED);
    expectErrorEnvelope(await post('/members', makePerson(), key), 422, REUSED);
    expect((await post('/members', person, key)).status).toBe(201);
  });

  it('is separate per caller: another one can use the same key', async () => {
    const key = v7();
    const other = { token: await app.token('members:write') };
    expect((await post('/members', makePerson(), key)).status).toBe(201);
    expect((await post('/members', makePerson(), key, other)).status).toBe(201);
  });

  it('is the same request from another address, for anonymous callers with a long key', async () => {
    const key = v7();
    const from = (address: string, note: string) =>
      post('/secrets', { note }, key, {}, { 'x-forwarded-for': address });
    const first = await from('192.0.2.1', 'a');
    expect((await from('198.51.100.2', 'a')).body).toEqual(first.body);
    expect((await from('2001:db8::1', 'a')).body).toEqual(first.body);
    // At an address that has used the key, it belongs to that request, and elsewhere it can be used for another one.
    for (const address of ['192.0.2.1', '198.51.100.2'])
      expectErrorEnvelope(await from(address, 'b'), 422, REUSED);
    const other = await from('203.0.113.3', 'b');
    expect([other.status, other.body]).not.toEqual([200, first.body]);
    expectErrorEnvelope(await from('203.0.113.3', 'a'), 422, REUSED);
    expect((await from('192.0.2.1', 'a')).body).toEqual(first.body);
    expectErrorEnvelope(
      await post('/works', {}, key, {}, { 'x-forwarded-for': '192.0.2.1' }),
      422,
      REUSED,
    );
  });

  it('runs once for anonymous callers who send it from many addresses at the same time', async () => {
    let runs = 0;
    work = async () => {
      runs += 1;
    };
    const key = v7();
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        post('/works', { note: 'a' }, key, {}, { 'x-forwarded-for': `192.0.2.${n}` }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(runs).toBe(1);
  });

  it('can be repeated after 24 hours, when the response has expired before the reservation', async () => {
    const key = v7();
    const from = (address: string) =>
      post('/secrets', { note: 'a' }, key, {}, { 'x-forwarded-for': address });
    const first = await from('192.0.2.1');
    hoursLater(23);
    expect((await from('192.0.2.2')).body).toEqual(first.body);
    hoursLater(25);
    const second = await from('192.0.2.2');
    expect(second.status).toBe(200);
    expect(second.body).not.toEqual(first.body);
    expect((await from('192.0.2.1')).body).toEqual(second.body);
  });

  it('does not stay reserved at an address for longer because it was repeated', async () => {
    const key = v7();
    await post('/secrets', { note: 'a' }, key);
    hoursLater(23);
    await post('/secrets', { note: 'a' }, key);
    hoursLater(25);
    expect((await post('/secrets', { note: 'b' }, key)).status).toBe(200);
  });

  it('does not run again if an earlier version stored the response at the address', async () => {
    const key = v7();
    await post('/secrets', { note: 'a' }, key);
    const { prisma } = app.database;
    await prisma.idempotencyKey.updateMany({ where: { status: -1 }, data: { status: 200 } });
    await prisma.idempotencyKey.deleteMany({ where: { caller: 'anonymous' } });
    expectErrorEnvelope(await post('/secrets', { note: 'a' }, key), 422, REUSED);
  });

  it('is separate per address for anonymous callers with a short key, which is easier to guess', async () => {
    const key = v7().slice(-15);
    const from = (address: string, note: string) =>
      post('/secrets', { note }, key, {}, { 'x-forwarded-for': address });
    const first = await from('192.0.2.1', 'a');
    expect(first.status).toBe(200);
    const strangers = [await from('192.0.2.2', 'a'), await from('192.0.2.3', 'b')];
    expect(strangers.map(({ status }) => status)).toEqual([200, 200]);
    expect(strangers[0]?.body).not.toEqual(first.body);
    expect((await from('192.0.2.1', 'a')).body).toEqual(first.body);
    expectErrorEnvelope(await from('192.0.2.1', 'b'), 422, REUSED);
  });

  it('stores requests and responses unreadably', async () => {
    const [key, rejectedKey, person] = [v7(), v7(), makePerson()];
    const { body } = await post('/secrets', { note: person.email }, key);
    const { secret } = body.data as { secret: string };
    expect(secret).toMatch(/^foyero_/);
    const rejected = await post('/secrets', { note: '' }, rejectedKey);
    expectErrorEnvelope(rejected, 422, 'foyero_*** no');
    expectErrorEnvelope(await post('/secrets', { note: '' }, rejectedKey), 422, 'foyero_*** no');
    await post('/members', person, key);
    const rows = await app.ctx.db.idempotencyKey.findMany();
    const table = JSON.stringify(
      rows.map((row) => [
        ...Object.values(row),
        Buffer.from(row.requestHash).toString(),
        Buffer.from(row.body ?? '', 'base64').toString(),
      ]),
    );
    for (const text of [key, rejectedKey, secret, 'foyero_', person.email, 'CONFLICT', 'success'])
      expect(table).not.toContain(text);
    expect((await post('/secrets', { note: person.email }, key)).body).toEqual(body);
  });

  it('can be decrypted only with both the key and the request', () => {
    const sealed = encrypt('["k",{"note":"a"}]', 'a response');
    expect(decrypt('["k",{"note":"a"}]', sealed)).toBe('a response');
    for (const other of ['["k",{"note":"b"}]', '["l",{"note":"a"}]', ''])
      expect(() => decrypt(other, sealed)).toThrow();
    expect(encrypt('["k",{"note":"a"}]', 'a response')).not.toBe(sealed);
  });

  it('is saved for 24 hours and then counts as new', async () => {
    const [person, key] = [makePerson(), v7()];
    await post('/members', person, key);
    hoursLater(23.99);
    expect((await post('/members', person, key)).status).toBe(201);
    hoursLater(24);
    const late = await post('/members', person, key);
    expectErrorEnvelope(late, 422, `The email address ${person.email} is already in use.`);
    const another = makePerson();
    hoursLater(48);
    expect((await post('/members', another, key)).status).toBe(201);
    expect(await membersWith(another.email)).toBe(1);
  });

  it('returns the same error again after a rejection and leaves nothing behind', async () => {
    const [person, key] = [makePerson(), v7()];
    await post('/members', person);
    const first = await post('/members', person, key);
    expectErrorEnvelope(first, 422);
    await app.ctx.db.member.delete({ where: { email: person.email } });
    expectErrorEnvelope(await post('/members', person, key), 422, String(first.body.data));
    expect(await membersWith(person.email)).toBe(0);
    expect((await post('/members', person, v7())).status).toBe(201);
  });

  it('can succeed on retry after a server error or an unreadable request', async () => {
    const [key, other] = [v7(), v7()];
    work = async () => {
      throw new Error('the disk is full');
    };
    expectErrorEnvelope(await post('/works', {}, key), 500);
    work = async () => {};
    expect((await post('/works', {}, key)).status).toBe(200);
    const person = makePerson();
    expectErrorEnvelope(await post('/members', { ...person, name: 'A\ud800' }, other), 400);
    expect((await post('/members', person, other)).status).toBe(201);
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
  ])('is 400 if the key is %s', async (_, key) => {
    const words = 'Idempotency-Key must have 1 to 255 characters.';
    expectErrorEnvelope(await post('/members', makePerson(), key), 400, words);
  });

  it('accepts a key of 255 characters', async () => {
    expect((await post('/members', makePerson(), 'k'.repeat(255))).status).toBe(201);
  });
});

describe('concurrent requests with one key', () => {
  const MANY = 25;
  const atOnce = <T>(run: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: MANY }, (_, n) => run(n)));

  /** A countable effect that only the key prevents from happening again. */
  const build = ({ db }: Context, name: string) =>
    db.location.create({ data: { name, slug: v7(), timeZone: 'Europe/Berlin' } });
  const built = (name: string) => app.ctx.db.location.count({ where: { name } });
  const createRequest = (key: string) => ({ caller: 'test', key, request: ['POST', key] });

  it('run several times if the key is looked up but not claimed (negative control)', async () => {
    const key = v7();
    await atOnce(async (n) => {
      const where = { caller_key: { caller: 'test', key } };
      if (await app.ctx.db.idempotencyKey.findUnique({ where })) return;
      await build(app.ctx, key);
      const saved = { requestHash: hashJson(key), status: 201, body: String(n) };
      await app.ctx.db.idempotencyKey.upsert({
        where,
        create: { caller: 'test', key, ...saved },
        update: saved,
      });
    });
    expect(await built(key)).toBeGreaterThan(1);
  });

  it('run once and all get the same response', async () => {
    const key = v7();
    const responses = await atOnce((n) =>
      runOnce(createRequest(key), async (ctx) => {
        await build(ctx, key);
        return { status: 201, body: `by number ${n}` };
      }),
    );
    expect(new Set(responses.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(await built(key)).toBe(1);
  });

  it('run once through REST', async () => {
    const [person, key] = [makePerson(), v7()];
    const responses = await atOnce(() => post('/members', person, key));
    expect(new Set(responses.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(
      1,
    );
    expect(responses[0]?.status).toBe(201);
    expect(await membersWith(person.email)).toBe(1);
  });

  it('are all rejected with the same error and rolled back', async () => {
    const key = v7();
    const responses = await atOnce((n) =>
      toText(
        runOnce(createRequest(key), async (ctx) => {
          await build(ctx, key);
          throw new DomainError('CONFLICT', `Rejected by number ${n}.`, {
            reason: 'CODE_IN_USE',
            nth: n,
          });
        }),
      ),
    );
    expect(new Set(responses).size).toBe(1);
    expect(responses[0]).toMatch(
      /^CONFLICT Rejected by number \d+\. {"reason":"CODE_IN_USE","nth":\d+}$/,
    );
    expect(await built(key)).toBe(0);
  });

  it('get the same error even if a later request would succeed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = v7();
      let runs = 0;
      const responses = await atOnce(() =>
        toText(
          runOnce(createRequest(key), async (ctx) => {
            runs += 1;
            if (runs === 1) throw new DomainError('VALIDATION', 'Not yet.', { reason: 'NOT_YET' });
            await build(ctx, key);
            return { status: 201, body: 'built' };
          }),
        ),
      );
      expect(new Set(responses).size).toBe(1);
      expect(await built(key)).toBe(responses[0] === '201 built' ? 1 : 0);
    }
  });

  it('are separate if their requests differ', async () => {
    const key = v7();
    const responses = await atOnce((n) =>
      toText(
        runOnce({ ...createRequest(key), request: [n % 2] }, async (ctx) => {
          await build(ctx, key);
          return { status: 201, body: 'built' };
        }),
      ),
    );
    expect(new Set(responses)).toEqual(
      new Set(['201 built', `VALIDATION ${REUSED} {"reason":"IDEMPOTENCY_KEY_REUSED"}`]),
    );
    expect(await built(key)).toBe(1);
  });

  const runOnce = (
    request: Parameters<typeof withIdempotency>[1],
    work: (ctx: Context) => Promise<StoredResponse>,
  ) => withIdempotency(app.ctx, request, work, (response) => response);

  const toText = (response: Promise<StoredResponse>) =>
    response.then(
      ({ status, body }) => `${status} ${body}`,
      ({ code, message, details }: DomainError) => `${code} ${message} ${JSON.stringify(details)}`,
    );
});

describe('the purge job', () => {
  it('deletes keys older than 24 hours and no others', async () => {
    const countStored = async () =>
      (await app.ctx.db.idempotencyKey.findMany()).map(({ createdAt }) => createdAt.getTime());
    await post('/members', makePerson(), v7());
    hoursLater(1);
    const young = app.clock.now.getTime();
    await post('/members', makePerson(), v7());
    expect(Math.min(...(await countStored()))).toBe(NOW.getTime());
    hoursLater(24.5);
    expect(await purgeIdempotencyKeys(app.ctx)).toBeGreaterThan(0);
    expect(Math.min(...(await countStored()))).toBe(young);
    expect(await purgeIdempotencyKeys(app.ctx)).toBe(0);
  });
});
