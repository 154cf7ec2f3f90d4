import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { generateCode } from '../../../src/core/ids.ts';
import type { Database } from '../../../src/db/database.ts';
import type { Statement } from '../../../src/db/prepared-statement.ts';
import { revokeDisplay } from '../../../src/features/displays/service.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { openTestDatabase } from '../../support/database.ts';
import { addDisplay, addPlace, DOORS, type Door, labels, lookUpBy } from '../../support/lookups.ts';
import { newAddress } from '../../support/people.ts';
import { serveOver } from '../../support/race-stage.ts';
import { NOW } from '../../support/seed.ts';
import { serverUrl } from '../../support/templates.ts';

// Two letters that no other word begins with, so that each finds one.
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const nameNo = (n: number) => `Qu${LETTERS[Math.floor(n / 26)]}${LETTERS[n % 26]} Crowd`;
const CROWD = 260;

let app: TestApp;
let crowd: { id: string; email: string; code: string; name: string }[];
beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1' } });
  await app.ctx.db.member.createMany({
    data: Array.from({ length: CROWD }, (_, n) => ({
      name: nameNo(n),
      email: `crowd.${n}@example.org`,
      code: `CROWD${String(n).padStart(5, '0')}`,
    })),
  });
  crowd = await app.ctx.db.member.findMany({
    where: { name: { endsWith: ' Crowd' } },
    orderBy: { code: 'asc' },
  });
});
afterAll(() => app.stop());
afterEach(() => {
  app.clock.now = NOW;
});

const MINUTE = 60_000;
const later = (ms: number) => {
  app.clock.now = new Date(NOW.getTime() + ms);
};

/** Asks for one after the other until it is refused; says how many were told. */
async function crawl(
  queries: string[],
  {
    locationId,
    door = 'REST',
    ...asking
  }: { locationId: string; door?: Door; address?: string; token?: string },
) {
  let told = 0;
  for (const query of queries) {
    const answer = await lookUpBy(door, app.url, { locationId, query }, asking);
    if (answer.message) return { told, refused: answer };
    told += answer.matches?.length ?? 0;
  }
  return { told, refused: undefined };
}

/** As if so many others had been told, to those who came in or to nobody who did. */
async function tell(
  many: number,
  asking: { locationId: string; address: string },
  arrived = false,
) {
  const others = await app.ctx.db.member.createManyAndReturn({
    data: Array.from({ length: many }, () => {
      const code = generateCode(10);
      return { name: `Other ${code}`, email: `${code.toLowerCase()}@example.org`, code };
    }),
    select: { id: true },
  });
  await app.ctx.db.lookupHandle.createMany({
    data: others.map(({ id }, n) => ({
      ...{ ...asking, memberId: id, hash: randomBytes(32), lookupId: v7(), exact: false },
      // One after the other, for them to be forgotten like that.
      ...{ createdAt: new Date(NOW.getTime() - (many - n) * MINUTE), expiresAt: NOW },
      arrived,
    })),
  });
}

const names = (from = 0) => crowd.slice(from).map(({ name }) => name);
const emails = (from = 0) => crowd.slice(from).map(({ email }) => email);

describe.each(DOORS)('the daily lookup budget, by %s', (door) => {
  it('ends for an address before it could disclose a forty-first member', async () => {
    const address = newAddress();
    const { told, refused } = await crawl(names(), {
      door,
      address,
      locationId: await addPlace(app),
    });
    // One lookup may tell five.
    expect(told).toBe(36);
    expect(refused?.message).toMatch(/Type the whole e-mail address, show the code/);
    if (door === 'GraphQL')
      expect(refused).toMatchObject({
        code: 'RATE_LIMITED',
        reason: 'LOOKUPS_USED_UP',
        retryAfterSeconds: 86_400,
      });
    else expect(refused).toMatchObject({ status: 429, retryAfter: '86400' });
  });

  it('ends for an address after ten members found by e-mail address or code', async () => {
    const address = newAddress();
    const locationId = await addPlace(app);
    const asking = { door, address, locationId };
    const codes = crowd.map(({ code }) => code);
    expect(await crawl(codes.slice(0, 5), asking)).toMatchObject({ told: 5 });
    const { told, refused } = await crawl(emails(20), asking);
    expect(told).toBe(5);
    expect(refused?.message).toMatch(/Check in with the code itself, or ask at the front desk/);
    expect((await crawl(codes.slice(50), asking)).told).toBe(0);
    // Each is counted by itself.
    expect(await crawl(names().slice(0, 1), asking)).toMatchObject({ told: 1 });
  });

  it('refuses every query alike and reveals nothing about members', async () => {
    const address = newAddress();
    const locationId = await addPlace(app);
    await tell(36, { address, locationId });
    await crawl(emails(), { address, locationId });
    const ask = async (query: string) =>
      (await lookUpBy(door, app.url, { locationId, query }, { address })).raw;
    const byName = [nameNo(0), nameNo(99), 'crowd', 'Nobody Ofthatname'];
    expect(new Set(await Promise.all(byName.map(ask))).size).toBe(1);
    const exactly = [emails()[0] ?? '', emails()[99] ?? '', 'nobody@example.org'];
    expect(new Set(await Promise.all(exactly.map(ask))).size).toBe(1);
  });
});

describe.each(DOORS)('the lookup budget of kiosks, by %s', (door) => {
  it('is independent of lookups by strangers at its location and address', async () => {
    const locationId = await addPlace(app);
    const { token } = await addDisplay(app, locationId);
    const [address, asking] = [newAddress(), { locationId, door }];
    await tell(80, { locationId, address });
    expect((await crawl(names(), { ...asking, address })).told).toBe(0);
    expect((await crawl(names(), { ...asking })).told).toBe(0);
    expect(await crawl(names().slice(0, 3), { ...asking, address, token })).toMatchObject({
      ...{ told: 3, refused: undefined },
    });
    expect(await app.ctx.db.lookupHandle.count({ where: { address: `kiosk ${locationId}` } })).toBe(
      3,
    );
  });

  it('is four hundred for all kiosks of a location together, besides that of strangers', async () => {
    const locationId = await addPlace(app);
    const { token } = await addDisplay(app, locationId);
    await tell(395, { locationId, address: `kiosk ${locationId}` });
    const { told: toKiosk, refused } = await crawl(names(), { locationId, door, token });
    expect(toKiosk).toBe(1);
    expect(refused?.message).toMatch(/^Too many lookups by name today/);
    expect((await crawl(names().slice(0, 5), { locationId, door })).told).toBe(5);
    // Another kiosk there is no other budget, one elsewhere is.
    const other = await addDisplay(app, locationId);
    const withOther = { locationId, door, token: other.token };
    expect((await crawl(names(40).slice(0, 5), withOther)).told).toBe(0);
    const elsewhere = await addPlace(app);
    const { token: distant } = await addDisplay(app, elsewhere);
    const there = { locationId: elsewhere, door, token: distant };
    expect((await crawl(names().slice(0, 5), there)).told).toBe(5);
  });

  it('is not available to kiosks of other locations, former kiosks and other displays', async () => {
    const [locationId, elsewhere] = [await addPlace(app), await addPlace(app)];
    const { id, token } = await addDisplay(app, locationId);
    await tell(80, { locationId, address: newAddress() });
    const ask = (token: string) =>
      lookUpBy(door, app.url, { locationId, query: nameNo(0) }, { token });
    expect(labels(await ask(token))).toEqual(['Quaa C.']);
    await revokeDisplay(app.ctx, id);
    const strangers = [
      token,
      `${token.slice(0, -1)}_`,
      (await addDisplay(app, elsewhere)).token,
      (await addDisplay(app, locationId, 'welcome')).token,
    ];
    // As whoever comes without a token: refused for what was told, and for nothing else.
    for (const stranger of strangers)
      expect((await ask(stranger)).message).toMatch(/^Too many lookups by name today/);
  });
});

describe('the daily lookup budget', () => {
  it('limits a location across all addresses', async () => {
    const locationId = await addPlace(app);
    for (let n = 0; n < 2; n += 1) await tell(36, { locationId, address: newAddress() });
    expect((await crawl(names(), { locationId, address: newAddress() })).told).toBe(4);
    expect((await crawl(names(40), { locationId, address: newAddress() })).told).toBe(0);
    let exactly = 0;
    for (let n = 0; n < 5; n += 1)
      exactly += (await crawl(emails(n * 40), { locationId, address: newAddress() })).told;
    expect(exactly).toBe(20);
  });

  it('limits an address across all locations', async () => {
    const address = newAddress();
    await tell(30, { locationId: await addPlace(app), address });
    let told = 0;
    for (let n = 0; n < 3; n += 1)
      told += (await crawl(names(n * 4).slice(0, 4), { locationId: await addPlace(app), address }))
        .told;
    expect(told).toBe(6);
  });

  it('counts each member once', async () => {
    const asking = { locationId: await addPlace(app), address: newAddress() };
    await tell(20, asking);
    const few = names().slice(0, 10);
    expect((await crawl([...few, ...few, ...few], asking)).told).toBe(30);
    later(10 * MINUTE);
    expect((await crawl(few, asking)).told).toBe(10);
    // And no table grows by it.
    expect(await app.ctx.db.lookupHandle.count({ where: { address: asking.address } })).toBe(30);
    expect((await crawl(names(30), asking)).told).toBe(6);
  });

  it('does not count lookups that led to an arrival', async () => {
    const asking = { locationId: await addPlace(app), address: newAddress() };
    await tell(30, asking);
    expect((await crawl(names(), asking)).told).toBe(6);
    const [row] = await app.ctx.db.lookupHandle.findMany({ where: { address: asking.address } });
    await app.ctx.db.lookupHandle.updateMany({
      where: { lookupId: row?.lookupId ?? '' },
      data: { arrived: true },
    });
    expect((await crawl(names(40), asking)).told).toBe(1);
  });

  it.each([
    ['counts again after a visit of a minute', 1, {}, 0],
    ['counts again after a visit of twenty-nine minutes', 29, {}, 0],
    ['stays uncounted after a visit of half an hour', 30, {}, 1],
    ['counts after a visit that is said to have begun long ago', 1, { ago: 60 }, 0],
    ['counts after a visit that is said to have been, however long ago it is', 40, { ago: 60 }, 0],
    ['counts after the visit of a visitor', 40, { visitor: { name: 'Grace Hopper' } }, 0],
  ])(
    '%s, by one of them',
    async (_, minutes, { ago, ...more }: { ago?: number; visitor?: object }, free) => {
      const asking = { locationId: await addPlace(app), address: newAddress() };
      await tell(35, asking);
      const { matches = [] } = await lookUpBy(
        'REST',
        app.url,
        { locationId: asking.locationId, query: nameNo(0) },
        asking,
      );
      const post = async (path: string, body: object) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await app.rest(
          path,
          {},
          { method: 'POST', headers, body: JSON.stringify(body) },
        );
        return (answer.body.data as { check_in: { check_out_token: string; result: string } })
          .check_in;
      };
      const came = {
        ...{ location_id: asking.locationId, handle: matches[0]?.handle, ...more },
        ...(ago ? { occurred_at: new Date(NOW.getTime() - ago * MINUTE) } : {}),
      };
      const { check_out_token: token, result } = await post('/public/check-ins', came);
      expect(result).toBe('admitted');
      later(minutes * MINUTE);
      await post(`/public/check-ins/${token}/check-out`, {});
      expect((await crawl(names(40).slice(0, 5), asking)).told).toBe(free);
    },
  );

  const toldToArrived = (many: number, asking: { locationId: string; address: string }) =>
    tell(many, asking, true);

  it('counts arrivals beyond three hundred for an address', async () => {
    const asking = { locationId: await addPlace(app), address: newAddress() };
    await toldToArrived(300, asking);
    expect((await crawl(names().slice(0, 10), asking)).told).toBe(10);
    const other = { locationId: await addPlace(app), address: newAddress() };
    await toldToArrived(330, other);
    const { told, refused } = await crawl(names(), other);
    expect(told).toBe(6);
    // The oldest was told 330 minutes ago.
    expect(refused?.retryAfter).toBe(String((24 * 60 - 330) * 60));
    later((24 * 60 - 330) * MINUTE);
    expect((await crawl(names(40).slice(0, 5), other)).told).toBe(1);
  });

  it('counts arrivals beyond six hundred for a location', async () => {
    const locationId = await addPlace(app);
    await toldToArrived(280, { locationId, address: newAddress() });
    await toldToArrived(280, { locationId, address: newAddress() });
    await toldToArrived(110, { locationId, address: newAddress() });
    const asking = { locationId, address: newAddress() };
    expect((await crawl(names(), asking)).told).toBe(6);
  });

  it('is restored after a day, and the refusal returns when', async () => {
    const asking = { locationId: await addPlace(app), address: newAddress() };
    await crawl(names().slice(0, 10), asking);
    later(60 * MINUTE);
    expect((await crawl(names(10), asking)).told).toBe(26);
    later(120 * MINUTE);
    const { told, refused } = await crawl(names(), asking);
    expect(told).toBe(0);
    expect(refused?.retryAfter).toBe(String(22 * 3_600));
    later(24 * 60 * MINUTE - 1);
    expect((await crawl(names(40), asking)).told).toBe(0);
    later(24 * 60 * MINUTE);
    expect((await crawl(names(40), asking)).told).toBe(10);
  });

  it('does not limit or count staff and tokens that can read members', async () => {
    const locationId = await addPlace(app);
    const address = newAddress();
    const ask = async (query: string, asking: { token?: string }) =>
      labels(await lookUpBy('GraphQL', app.url, { locationId, query }, { address, ...asking }));
    const token = await app.token('members:read');
    for (const name of names().slice(0, 40)) expect(await ask(name, { token })).toHaveLength(1);
    expect(await crawl(names().slice(0, 36), { locationId, address })).toMatchObject({ told: 36 });
    expect(await ask(nameNo(1), {})).toEqual([expect.stringMatching(/^refused/)]);
    expect(await ask(nameNo(1), { token: await app.token('check-ins:read') })).toEqual([
      expect.stringMatching(/^refused/),
    ]);
    expect(await ask(nameNo(1), { token })).toHaveLength(1);
  });

  it('is not bypassed by an Idempotency-Key', async () => {
    const locationId = await addPlace(app);
    const address = newAddress();
    const ask = (n: number) =>
      lookUpBy('REST', app.url, { locationId, query: nameNo(n) }, { address, key: `key-${n}` });
    await tell(34, { locationId, address });
    for (const n of [0, 1]) expect((await ask(n)).status).toBe(200);
    expect((await ask(2)).status).toBe(429);
    expect((await ask(0)).status).toBe(200); // as it was answered before
    later(24 * 60 * MINUTE + 1);
    expect((await ask(2)).status).toBe(200); // a refusal is not kept
  });
});

describe('a hundred lookups at once', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** Two services over one database; `seen` is what they have of it. Gives how many distinct members were told. */
  async function rush(by: 'address' | 'location', seen = (database: Database) => database) {
    const { database, ctx, close } = await openTestDatabase();
    closing.push(close);
    const db = ctx.db;
    await db.member.createMany({
      data: Array.from({ length: 100 }, (_, n) => ({
        name: nameNo(n),
        email: `crowd.${n}@example.org`,
        code: `CROWD${n}`,
      })),
    });
    const places = await db.location.createManyAndReturn({
      data: Array.from({ length: by === 'address' ? 10 : 1 }, (_, n) => ({
        slug: `place-${n}`,
        name: `Place ${n}`,
        timeZone: 'Europe/Berlin',
      })),
    });
    const services = await Promise.all(
      [1, 2].map(() => serveOver(seen(database), () => NOW, { TRUST_PROXY: '1' })),
    );
    closing.push(...services.map((service) => service.close));
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        lookUpBy(
          'REST',
          services[n % 2]?.url ?? '',
          { locationId: places[n % places.length]?.id ?? '', query: nameNo(n) },
          // Some in the transaction of their key.
          {
            address: by === 'address' ? address : newAddress(),
            ...(n % 3 === 0 ? { key: `key-${n}` } : {}),
          },
        ),
      ),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    return answers.flatMap(({ matches = [] }) => matches).length;
  }

  it('disclose no more to an address than sequential ones', async () => {
    expect(await rush('address')).toBe(36);
  });

  it('disclose no more at a location than sequential ones', async () => {
    expect(await rush('location')).toBe(76);
  });

  // In the embedded database one lookup waits for the other anyhow.
  if (serverUrl) {
    it('exceed the budget without the locks (negative control)', async () => {
      expect(await rush('address', lockless)).toBeGreaterThan(36);
    });
  }

  /** The same database, but that nobody waits for anybody who asks. */
  function lockless(database: Database): Database {
    const without = (text: string) => text.replaceAll('pg_advisory_xact_lock', 'abs');
    const { lockingSql } = database;
    return {
      ...database,
      lockingSql: ({ text }: Statement, values) => lockingSql({ text: without(text) }, values),
      prisma: database.prisma.$extends({
        query: {
          $queryRawUnsafe: ({ args, query }) => query([without(String(args[0])), ...args.slice(1)]),
        },
      }) as unknown as Database['prisma'],
    };
  }
});
