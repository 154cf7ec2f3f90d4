import { revokeDisplay } from '../../../src/features/displays/service/manage-displays.ts';
import { checkInAll } from '../../support/clients/check-in-race.ts';
import { addDisplay } from '../../support/clients/member-lookup.ts';
import {
  APIS,
  createAdmissionFactories,
  createGraphqlScanner,
} from '../../support/factories/check-ins.ts';
import { createBusyLocation } from '../../support/factories/race-stages.ts';
import { serveDatabase, startApp, type TestApp } from '../../support/harness/app.ts';
import { openTestDatabase } from '../../support/harness/database.ts';

let app: TestApp;
let make: ReturnType<typeof createAdmissionFactories>;
beforeAll(async () => {
  app = await startApp();
  make = createAdmissionFactories(app);
});
afterAll(() => app.stop());
afterEach(() => startNewWindow());

/** Resets all limits. */
async function startNewWindow() {
  app.clock.now = new Date(app.clock.now.getTime() + 16 * 60_000);
  await app.ctx.db.rateLimit.deleteMany();
}

/** Sets the points counted for the address of the tests. */
const setPoints = (counter: 'misses' | 'requests', points: number) => {
  const expire = app.clock.now.getTime() + 600_000;
  const key = toKey(counter);
  // Points of the last test can be written after its window has ended.
  return app.ctx.db.rateLimit.upsert({
    where: { key },
    create: { key, points, expire },
    update: { points, expire },
  });
};
const getPoints = async (counter: 'misses' | 'requests') =>
  (await app.ctx.db.rateLimit.findFirst({ where: { key: toKey(counter) } }))?.points ?? 0;
const toKey = (counter: 'misses' | 'requests') => `checkIns ${counter} address 900s: 127.0.0.1`;

describe('guesses at codes', () => {
  it.each(APIS)(
    'are limited to three hundred for one address, through %s',
    async (_, createScanner) => {
      const { location } = await make.makeSpace();
      const guess = (code: string) => createScanner(app)({ locationId: location.id, code });
      await setPoints('misses', 596); // two for each of 298
      expect((await guess('GUESS299')).checkIn.result).toBe('not_found');
      await waitUntil(async () => (await getPoints('misses')) === 598);
      const { code } = await make.makeMember();
      expect((await guess(code)).checkIn.result).toBe('admitted'); // valid codes do not count
      await waitUntil(async () => (await getPoints('misses')) === 598);
      expect((await guess('GUESS300')).checkIn.result).toBe('not_found');
      await waitUntil(async () => (await getPoints('misses')) === 600);
      expect((await guess(code)).error?.message).toMatch(/^Too many attempts/);
      await waitUntil(async () => (await getPoints('misses')) === 600); // rejected requests do not count
    },
  );

  it.each(APIS)('are the only attempts that count, through %s', async (_, createScanner) => {
    const { location } = await make.makeSpace();
    const { code } = await make.makeMember();
    for (let n = 0; n < 10; n += 1)
      await createScanner(app)({ locationId: location.id, code, leaving: n % 2 === 1 });
    const { error } = await createScanner(app)({
      ...{ locationId: location.id, code, visitor: { name: 'Grace Hopper' } },
    });
    expect(error).not.toBeNull();
    await waitUntil(async () => (await getPoints('misses')) === 0);
    expect(await getPoints('requests')).toBe(11);
  });

  it.each([
    [
      'REST',
      '/public/check-ins',
      (location_id: string, code: string): object => ({ location_id, code }),
    ],
    [
      'GraphQL',
      '/graphql',
      (locationId: string, code: string): object => ({
        query: 'mutation ($input: CheckInInput!) { checkIn(input: $input) { checkIn { result } } }',
        variables: { input: { locationId, code } },
      }),
    ],
  ])('count with an Idempotency-Key too, also repeated, through %s', async (api, path, toBody) => {
    const { location } = await make.makeSpace();
    const scan = async (key: string, code: string) => {
      const response = await fetch(app.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `${api}-${key}` },
        body: JSON.stringify(toBody(location.id, code)),
      });
      return response.text();
    };
    expect(await scan('guess', 'GUESS')).toMatch(/not_found/i);
    await waitUntil(async () => (await getPoints('misses')) === 2);
    expect(await scan('guess', 'GUESS')).toMatch(/not_found/i);
    await waitUntil(async () => (await getPoints('misses')) === 4);
    const { code } = await make.makeMember();
    for (let n = 0; n < 2; n += 1) expect(await scan('member', code)).toMatch(/"admitted"/i);
    await waitUntil(async () => (await getPoints('misses')) === 4);
    expect(await getPoints('requests')).toBe(4);
  });

  it('are limited for every caller without check-ins:write', async () => {
    const { location } = await make.makeSpace();
    await setPoints('misses', 600);
    const guess = async (as: object) =>
      (await createGraphqlScanner(app, as)({ locationId: location.id, code: 'GUESS' })).error?.code;
    expect(await guess({})).toBe('RATE_LIMITED');
    expect(await guess({ token: await app.token('check-ins:read') })).toBe('RATE_LIMITED');
    expect(await guess({ token: await app.token('check-ins:write') })).toBeUndefined();
  });

  it.each(APIS)(
    'by strangers do not block a kiosk at their address, through %s',
    async (_, createScanner) => {
      const { location } = await make.makeSpace();
      const kiosk = await addDisplay(app, location.id);
      await setPoints('misses', 600);
      const guess = (as: object) =>
        createScanner(app, as)({ locationId: location.id, code: 'GUESS' });
      expect((await guess({})).error?.message).toMatch(/^Too many attempts/);
      expect((await guess({ token: kiosk.token })).checkIn.result).toBe('not_found');
      const { rateLimit } = app.ctx.db;
      const key = `kioskCheckIns misses location 900s: ${location.id}`;
      await waitUntil(async () => (await rateLimit.findFirst({ where: { key } }))?.points === 2);
      await rateLimit.update({ where: { key }, data: { points: 1_200 } });
      // Kiosks of a location share one limit.
      const other = await addDisplay(app, location.id);
      expect((await guess({ token: other.token })).error?.message).toMatch(/^Too many attempts/);
      expect((await guess({ token: kiosk.token })).error?.message).toMatch(/^Too many attempts/);
      await revokeDisplay(app.ctx, kiosk.id);
      await startNewWindow();
      expect((await guess({ token: kiosk.token })).checkIn.result).toBe('not_found');
      expect(await getPoints('requests')).toBe(1);
    },
  );

  it.each(APIS)(
    'and valid codes share a higher limit per address, through %s',
    async (_, createScanner) => {
      const { location } = await make.makeSpace();
      await setPoints('requests', 2_999);
      const { code } = await make.makeMember();
      const scan = () => createScanner(app)({ locationId: location.id, code });
      expect((await scan()).checkIn.result).toBe('admitted');
      expect((await scan()).error?.message).toMatch(/^Too many attempts/);
    },
  );
});

describe('concurrent check-ins from one address', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function startService(members: number) {
    const { database, ctx, close } = await openTestDatabase();
    closing.push(close);
    const stage = await createBusyLocation(database, { members });
    const service = await serveDatabase(database, () => new Date());
    closing.push(service.close);
    return { ...stage, url: service.url, db: ctx.db };
  }

  it('admit more guests than the limit of guesses', async () => {
    const { url, locationId, members, db } = await startService(30);
    const expire = Date.now() + 600_000;
    await db.rateLimit.create({ data: { key: toKey('misses'), points: 570, expire } }); // fifteen guesses are left
    const arrivals = members.map((code) => ({ location_id: locationId, code }));
    const { results, errors } = await checkInAll([url], arrivals, { connections: 30 });
    expect(errors).toEqual(new Map());
    expect(results).toEqual({ admitted: 30 });
  });

  it('limit guesses nearly like sequential ones', async () => {
    const { url, locationId, db } = await startService(0);
    const expire = Date.now() + 600_000;
    await db.rateLimit.create({ data: { key: toKey('misses'), points: 550, expire } });
    const arrivals = Array.from({ length: 75 }, (_, n) => ({
      ...{ location_id: locationId, code: `GUESS${n}` },
    }));
    const { results, errors } = await checkInAll([url], arrivals, { connections: 25 });
    // 25 guesses are left, and another 25 may be in progress when the last one is counted.
    expect(results.not_found).toBeGreaterThanOrEqual(25);
    expect(results.not_found).toBeLessThanOrEqual(50);
    expect([...errors.values()].reduce((sum, n) => sum + n, 0)).toBe(75 - (results.not_found ?? 0));
    expect([...errors.keys()].every((counter) => counter.startsWith('429'))).toBe(true);
  });
});

/** Misses are counted after the response. */
async function waitUntil(condition: () => Promise<boolean>) {
  for (let n = 0; n < 3_000; n += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('it never came');
}
