import { revokeDisplay } from '../../../src/features/displays/service.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { arriveAll, setDoorstep } from '../../support/arrivals.ts';
import { DOORS, graphqlDoor, presentablesOf } from '../../support/check-ins.ts';
import { openTestDatabase } from '../../support/database.ts';
import { addDisplay } from '../../support/lookups.ts';
import { serveOver } from '../../support/race-stage.ts';

let app: TestApp;
let make: ReturnType<typeof presentablesOf>;
beforeAll(async () => {
  app = await startApp();
  make = presentablesOf(app);
});
afterAll(() => app.stop());
afterEach(() => startNewWindow());

/** What was counted, or is known to be blocked, is over. */
async function startNewWindow() {
  app.clock.now = new Date(app.clock.now.getTime() + 16 * 60_000);
  await app.ctx.db.rateLimit.deleteMany();
}

/** As if so much had been counted for the address of the tests. */
const used = (what: 'misses' | 'requests', points: number) => {
  const expire = app.clock.now.getTime() + 600_000;
  const key = keyOf(what);
  return app.ctx.db.rateLimit.create({ data: { key, points, expire } });
};
const pointsOf = async (what: 'misses' | 'requests') =>
  (await app.ctx.db.rateLimit.findFirst({ where: { key: keyOf(what) } }))?.points ?? 0;
const keyOf = (what: 'misses' | 'requests') => `check-in ${what} address 900s: 127.0.0.1`;

describe('guesses at codes', () => {
  it.each(DOORS)('are limited to three hundred for one address, through %s', async (_, door) => {
    const { location } = await make.makeHouse();
    const guess = (code: string) => door(app)({ locationId: location.id, code });
    await used('misses', 596); // two for each of 298
    expect((await guess('GUESS299')).told.result).toBe('not_found');
    await waitFor(async () => (await pointsOf('misses')) === 598);
    const { code } = await make.makeMember();
    expect((await guess(code)).told.result).toBe('admitted'); // and costs nothing
    await waitFor(async () => (await pointsOf('misses')) === 598);
    expect((await guess('GUESS300')).told.result).toBe('not_found');
    await waitFor(async () => (await pointsOf('misses')) === 600);
    expect((await guess(code)).refusal?.message).toMatch(/^Too many attempts/);
    await waitFor(async () => (await pointsOf('misses')) === 600); // nor does a refusal
  });

  it.each(DOORS)('are the only attempts that count, through %s', async (_, door) => {
    const { location } = await make.makeHouse();
    const { code } = await make.makeMember();
    for (let n = 0; n < 10; n += 1)
      await door(app)({ locationId: location.id, code, leaving: n % 2 === 1 });
    const { refusal } = await door(app)({
      ...{ locationId: location.id, code, visitor: { name: 'Grace Hopper' } },
    });
    expect(refusal).not.toBeNull();
    await waitFor(async () => (await pointsOf('misses')) === 0);
    expect(await pointsOf('requests')).toBe(11);
  });

  it('are limited for every caller without check-ins:write', async () => {
    const { location } = await make.makeHouse();
    await used('misses', 600);
    const guess = async (as: object) =>
      (await graphqlDoor(app, as)({ locationId: location.id, code: 'GUESS' })).refusal?.code;
    expect(await guess({})).toBe('RATE_LIMITED');
    expect(await guess({ token: await app.token('check-ins:read') })).toBe('RATE_LIMITED');
    expect(await guess({ token: await app.token('check-ins:write') })).toBeUndefined();
  });

  it.each(DOORS)(
    'of strangers leave a kiosk at their address alone, through %s',
    async (_, door) => {
      const { location } = await make.makeHouse();
      const kiosk = await addDisplay(app, location.id);
      await used('misses', 600);
      const guess = (as: object) => door(app, as)({ locationId: location.id, code: 'GUESS' });
      expect((await guess({})).refusal?.message).toMatch(/^Too many attempts/);
      expect((await guess({ token: kiosk.token })).told.result).toBe('not_found');
      const { rateLimit } = app.ctx.db;
      const key = `check-in-kiosk misses location 900s: ${location.id}`;
      await waitFor(async () => (await rateLimit.findFirst({ where: { key } }))?.points === 2);
      await rateLimit.update({ where: { key }, data: { points: 1_200 } });
      // Another kiosk has no other limit.
      const other = await addDisplay(app, location.id);
      expect((await guess({ token: other.token })).refusal?.message).toMatch(/^Too many attempts/);
      expect((await guess({ token: kiosk.token })).refusal?.message).toMatch(/^Too many attempts/);
      await revokeDisplay(app.ctx, kiosk.id);
      await startNewWindow();
      expect((await guess({ token: kiosk.token })).told.result).toBe('not_found');
      expect(await pointsOf('requests')).toBe(1);
    },
  );

  it.each(DOORS)(
    'or not: of anything one address presents so much, through %s',
    async (_, door) => {
      const { location } = await make.makeHouse();
      await used('requests', 2_999);
      const { code } = await make.makeMember();
      const scan = () => door(app)({ locationId: location.id, code });
      expect((await scan()).told.result).toBe('admitted');
      expect((await scan()).refusal?.message).toMatch(/^Too many attempts/);
    },
  );
});

describe('through one address at once', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function doorstep(members: number) {
    const { database, ctx, close } = await openTestDatabase();
    closing.push(close);
    const stage = await setDoorstep(database, { members });
    const service = await serveOver(database, () => new Date());
    closing.push(service.close);
    return { ...stage, url: service.url, db: ctx.db };
  }

  it('admits more guests than the limit allows guesses', async () => {
    const { url, locationId, members } = await doorstep(320);
    const arrivals = members.map((code) => ({ location_id: locationId, code }));
    const { results, errors } = await arriveAll([url], arrivals, { connections: 320 });
    expect(errors).toEqual(new Map());
    expect(results).toEqual({ admitted: 320 });
  });

  it('limits parallel guesses nearly like sequential ones', async () => {
    const { url, locationId, db } = await doorstep(0);
    const expire = Date.now() + 600_000;
    await db.rateLimit.create({ data: { key: keyOf('misses'), points: 400, expire } });
    const arrivals = Array.from({ length: 300 }, (_, n) => ({
      ...{ location_id: locationId, code: `GUESS${n}` },
    }));
    const { results, errors } = await arriveAll([url], arrivals, { connections: 100 });
    // A hundred are left, and so many may be in progress when the last of them is counted.
    expect(results.not_found).toBeGreaterThanOrEqual(100);
    expect(results.not_found).toBeLessThanOrEqual(200);
    expect([...errors.values()].reduce((sum, n) => sum + n, 0)).toBe(
      300 - (results.not_found ?? 0),
    );
    expect([...errors.keys()].every((what) => what.startsWith('429'))).toBe(true);
  });
});

/** It is counted beside the answer. */
async function waitFor(condition: () => Promise<boolean>) {
  for (let n = 0; n < 3_000; n += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('it never came');
}
