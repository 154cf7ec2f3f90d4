import { v7 } from 'uuid';
import { z } from 'zod';
import { createSecret } from '../../src/auth/tokens.ts';
import type { Context } from '../../src/context.ts';
import { decrypt, encrypt } from '../../src/core/encryption.ts';
import {
  hashJson,
  purgeIdempotencyKeys,
  type StoredResponse,
  withIdempotency,
} from '../../src/core/idempotency.ts';
import { DomainError } from '../../src/errors.ts';
import { defineRoute, emptyQuery, type Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/route-table.ts';
import { type Credential, startApp, type TestApp } from '../support/app.ts';
import { expectFailure } from '../support/envelope.ts';
import { NOW } from '../support/seed.ts';

let app: TestApp;
let writer: Credential;
let works: () => Promise<void>;

beforeAll(async () => {
  app = await startApp({
    routes: [...routes, posting('/works', () => works()), secretive],
    config: { TRUST_PROXY: '1' },
  });
  writer = { token: await app.token('members:write') };
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const posting = (path: string, work: () => Promise<void>): Route =>
  defineRoute({
    method: 'POST',
    path,
    access: 'public',
    summary: 'A route of a test',
    query: emptyQuery,
    body: z.strictObject({ note: z.string().optional() }),
    data: z.object({}),
    handler: async () => {
      await work();
      return { data: {} };
    },
  });

/** Tells a secret that is another one every time, as an order does. */
const secretive = defineRoute({
  method: 'POST',
  path: '/secrets',
  access: 'public',
  summary: 'A route of a test',
  query: emptyQuery,
  body: z.strictObject({ note: z.string() }),
  data: z.object({ secret: z.string() }),
  rateLimit: async ({ address, rateLimits }) => rateLimits.publicWrites.consume({ address }),
  handler: async (_, { body: { note } }) => {
    if (note === '')
      throw new DomainError('CONFLICT', `${createSecret('orderLink').plainText} no`, {
        reason: 'TAKEN',
      });
    return { data: { secret: createSecret('orderLink').plainText } };
  },
});

const post = (
  path: string,
  body: object | string,
  key?: string,
  as: Credential = writer,
  headers: Record<string, string> = {},
) =>
  app.rest(path, as, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      ...headers,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
  });

let people = 0;
const somebody = () => {
  people += 1;
  return { name: 'Some Body', email: `once-${people}@example.org` };
};
const membersWith = (email: string) => app.ctx.db.member.count({ where: { email } });
const hoursLater = (hours: number) => {
  app.clock.now = new Date(NOW.getTime() + hours * 3_600_000);
};
const REUSED =
  'This idempotency key was used for another request. Choose a new key for a new request.';

describe('a write with an Idempotency-Key', () => {
  it('is done once and answered every time as the first time', async () => {
    const [person, key] = [somebody(), v7()];
    const first = await post('/members', person, key);
    const second = await post('/members', person, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(await membersWith(person.email)).toBe(1);
  });

  it('is the same request however its JSON is written', async () => {
    const [{ name, email }, key] = [somebody(), v7()];
    await post('/members', { name, email }, key);
    const again = `{ "email": "${email}",\n "name": "${name}" }`;
    expect((await post('/members', again, key)).status).toBe(201);
  });

  it('is told apart by what it says, and not by the order of it', () => {
    const hash = (value: unknown) => Buffer.from(hashJson('POST', value)).toString('hex');
    expect(hash({ a: [1, { c: 2, d: 3 }], b: null })).toBe(
      hash({ b: null, a: [1, { d: 3, c: 2 }] }),
    );
    const others = [{ a: [1, 2] }, { a: [2, 1] }, { a: '1,2' }, { b: [1, 2] }, {}, null, 'a'];
    expect(new Set(others.map(hash)).size).toBe(others.length);
  });

  it('is refused when the key named another request', async () => {
    const [person, key] = [somebody(), v7()];
    await post('/members', person, key);
    expectFailure(await post('/members', { ...person, phone: '1' }, key), 422, REUSED);
    expectFailure(await post('/members', somebody(), key), 422, REUSED);
    expect((await post('/members', person, key)).status).toBe(201);
  });

  it('is its caller’s own: another may use the same key', async () => {
    const key = v7();
    const other = { token: await app.token('members:write') };
    expect((await post('/members', somebody(), key)).status).toBe(201);
    expect((await post('/members', somebody(), key, other)).status).toBe(201);
  });

  it('is told apart by address where its caller has no name', async () => {
    const key = v7();
    const from = (address: string, note: string) =>
      post('/secrets', { note }, key, {}, { 'x-forwarded-for': address });
    const first = await from('192.0.2.1', 'a');
    expect(first.status).toBe(200);
    const strangers = [await from('192.0.2.2', 'a'), await from('192.0.2.3', 'b')];
    expect(strangers.map(({ status }) => status)).toEqual([200, 200]);
    expect(strangers[0]?.body).not.toEqual(first.body);
    expect((await from('192.0.2.1', 'a')).body).toEqual(first.body);
    expectFailure(await from('192.0.2.1', 'b'), 422, REUSED);
  });

  it('leaves nothing in the table that tells who reads it what was said and answered', async () => {
    const [key, refused, person] = [v7(), v7(), somebody()];
    const { body } = await post('/secrets', { note: person.email }, key);
    const { secret } = body.data as { secret: string };
    expect(secret).toMatch(/^foyero_/);
    const refusal = await post('/secrets', { note: '' }, refused);
    expectFailure(refusal, 422, 'foyero_*** no');
    expectFailure(await post('/secrets', { note: '' }, refused), 422, 'foyero_*** no');
    await post('/members', person, key);
    const rows = await app.ctx.db.idempotencyKey.findMany();
    const table = JSON.stringify(
      rows.map((row) => [
        ...Object.values(row),
        Buffer.from(row.requestHash).toString(),
        Buffer.from(row.body ?? '', 'base64').toString(),
      ]),
    );
    for (const told of [key, refused, secret, 'foyero_', person.email, 'CONFLICT', 'success'])
      expect(table).not.toContain(told);
    expect((await post('/secrets', { note: person.email }, key)).body).toEqual(body);
  });

  it('cannot be read by who knows its key and not its request, or its request and not its key', () => {
    const sealed = encrypt('["k",{"note":"a"}]', 'an answer');
    expect(decrypt('["k",{"note":"a"}]', sealed)).toBe('an answer');
    for (const other of ['["k",{"note":"b"}]', '["l",{"note":"a"}]', ''])
      expect(() => decrypt(other, sealed)).toThrow();
    expect(encrypt('["k",{"note":"a"}]', 'an answer')).not.toBe(sealed);
  });

  it('is remembered for 24 hours and then counts as new', async () => {
    const [person, key] = [somebody(), v7()];
    await post('/members', person, key);
    hoursLater(23.99);
    expect((await post('/members', person, key)).status).toBe(201);
    hoursLater(24);
    const late = await post('/members', person, key);
    expectFailure(late, 422, `The e-mail address ${person.email} is taken.`);
    const another = somebody();
    hoursLater(48);
    expect((await post('/members', another, key)).status).toBe(201);
    expect(await membersWith(another.email)).toBe(1);
  });

  it('that was refused stays refused in the same words, and leaves nothing behind', async () => {
    const [person, key] = [somebody(), v7()];
    await post('/members', person);
    const first = await post('/members', person, key);
    expectFailure(first, 422);
    await app.ctx.db.member.delete({ where: { email: person.email } });
    expectFailure(await post('/members', person, key), 422, String(first.body.data));
    expect(await membersWith(person.email)).toBe(0);
    expect((await post('/members', person, v7())).status).toBe(201);
  });

  it('that failed on our side, or could not be read, may succeed the next time', async () => {
    const [key, other] = [v7(), v7()];
    works = async () => {
      throw new Error('the disk is full');
    };
    expectFailure(await post('/works', {}, key), 500);
    works = async () => {};
    expect((await post('/works', {}, key)).status).toBe(200);
    const person = somebody();
    expectFailure(await post('/members', { ...person, name: 'A\ud800' }, other), 400);
    expect((await post('/members', person, other)).status).toBe(201);
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
  ])('is 400 where the key is %s', async (_, key) => {
    const words = 'Idempotency-Key: from 1 to 255 characters.';
    expectFailure(await post('/members', somebody(), key), 400, words);
  });

  it('may have a key of 255 characters', async () => {
    expect((await post('/members', somebody(), 'k'.repeat(255))).status).toBe(201);
  });
});

describe('many requests at once with one key', () => {
  const MANY = 25;
  const atOnce = <T>(work: (nth: number) => Promise<T>) =>
    Promise.all(Array.from({ length: MANY }, (_, nth) => work(nth)));

  /** An effect that can be counted: nothing but the key keeps it from happening again. */
  const build = ({ db }: Context, name: string) =>
    db.location.create({ data: { name, slug: v7(), timeZone: 'Europe/Berlin' } });
  const built = (name: string) => app.ctx.db.location.count({ where: { name } });
  const requestOf = (key: string) => ({ caller: 'test', key, request: ['POST', key] });

  it('do it again and again where the key is looked up and not claimed', async () => {
    const key = v7();
    await atOnce(async (nth) => {
      const where = { caller_key: { caller: 'test', key } };
      if (await app.ctx.db.idempotencyKey.findUnique({ where })) return;
      await build(app.ctx, key);
      const kept = { requestHash: hashJson(key), status: 201, body: String(nth) };
      await app.ctx.db.idempotencyKey.upsert({
        where,
        create: { caller: 'test', key, ...kept },
        update: kept,
      });
    });
    expect(await built(key)).toBeGreaterThan(1);
  });

  it('do it once and all get the one answer', async () => {
    const key = v7();
    const answers = await atOnce((nth) =>
      withIdempotency(app.ctx, requestOf(key), async (ctx) => {
        await build(ctx, key);
        return { status: 201, body: `by number ${nth}` };
      }),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(await built(key)).toBe(1);
  });

  it('do it once through the REST door', async () => {
    const [person, key] = [somebody(), v7()];
    const answers = await atOnce(() => post('/members', person, key));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await membersWith(person.email)).toBe(1);
  });

  it('are all refused in the same words, and what was begun is undone', async () => {
    const key = v7();
    const answers = await atOnce((nth) =>
      told(
        withIdempotency(app.ctx, requestOf(key), async (ctx) => {
          await build(ctx, key);
          throw new DomainError('CONFLICT', `Refused by number ${nth}.`, { reason: 'TAKEN', nth });
        }),
      ),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^CONFLICT Refused by number \d+\. {"reason":"TAKEN","nth":\d+}$/);
    expect(await built(key)).toBe(0);
  });

  it('get the one answer also where the first is refused and the next would not be', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = v7();
      let runs = 0;
      const answers = await atOnce(() =>
        told(
          withIdempotency(app.ctx, requestOf(key), async (ctx) => {
            runs += 1;
            if (runs === 1) throw new DomainError('VALIDATION', 'Not yet.', { reason: 'NOT_YET' });
            await build(ctx, key);
            return { status: 201, body: 'built' };
          }),
        ),
      );
      expect(new Set(answers).size).toBe(1);
      expect(await built(key)).toBe(answers[0] === '201 built' ? 1 : 0);
    }
  });

  it('are told apart where they ask for different things', async () => {
    const key = v7();
    const answers = await atOnce((nth) =>
      told(
        withIdempotency(app.ctx, { ...requestOf(key), request: [nth % 2] }, async (ctx) => {
          await build(ctx, key);
          return { status: 201, body: 'built' };
        }),
      ),
    );
    expect(new Set(answers)).toEqual(
      new Set(['201 built', `VALIDATION ${REUSED} {"reason":"IDEMPOTENCY_KEY_REUSED"}`]),
    );
    expect(await built(key)).toBe(1);
  });

  const told = (answer: Promise<StoredResponse>) =>
    answer.then(
      ({ status, body }) => `${status} ${body}`,
      ({ code, message, details }: DomainError) => `${code} ${message} ${JSON.stringify(details)}`,
    );
});

describe('timed work', () => {
  it('takes away the keys of more than 24 hours, and no others', async () => {
    const keptSince = async () =>
      (await app.ctx.db.idempotencyKey.findMany()).map(({ createdAt }) => createdAt.getTime());
    await post('/members', somebody(), v7());
    hoursLater(1);
    const young = app.clock.now.getTime();
    await post('/members', somebody(), v7());
    expect(Math.min(...(await keptSince()))).toBe(NOW.getTime());
    hoursLater(24.5);
    expect(await purgeIdempotencyKeys(app.ctx)).toBeGreaterThan(0);
    expect(Math.min(...(await keptSince()))).toBe(young);
    expect(await purgeIdempotencyKeys(app.ctx)).toBe(0);
  });
});
