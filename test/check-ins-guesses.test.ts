import * as displays from '../src/features/displays/service.ts';
import { startApp, type TestApp } from './support/app.ts';
import { arriveAll, setDoorstep } from './support/arrivals.ts';
import { DOORS, graphqlDoor, presentablesOf } from './support/check-ins.ts';
import { openTestDatabase } from './support/database.ts';
import { addDisplay } from './support/lookups.ts';
import { serveOver } from './support/race-stage.ts';

let app: TestApp;
let make: ReturnType<typeof presentablesOf>;
beforeAll(async () => {
  app = await startApp();
  make = presentablesOf(app);
});
afterAll(() => app.stop());
afterEach(() => app.ctx.db.rateLimit.deleteMany());

/** As if so much had been counted for the address of the tests. */
const used = (name: string, points: number) => {
  const expire = Date.now() + 600_000;
  const key = `${name}:127.0.0.1`;
  return app.ctx.db.rateLimit.create({ data: { key, points, expire } });
};
const pointsOf = async (name: string) =>
  (await app.ctx.db.rateLimit.findFirst({ where: { key: `${name}:127.0.0.1` } }))?.points ?? 0;

describe('guesses at codes', () => {
  it.each(DOORS)('end after three hundred, through %s, and are nobody else’s', async (_, door) => {
    const { location } = await make.makeHouse();
    const guess = (code: string) => door(app)({ locationId: location.id, code });
    await used('check-in', 560); // two for each of 280
    for (let n = 280; n < 299; n += 1) {
      const { told } = await guess(`GUESS${n}`);
      expect(told.result).toBe('not_found');
    }
    await waitFor(async () => (await pointsOf('check-in')) === 598);
    const { code } = await make.makeMember();
    expect((await guess(code)).told.result).toBe('admitted'); // and costs nothing
    await waitFor(async () => (await pointsOf('check-in')) === 598);
    expect((await guess('GUESS300')).told.result).toBe('not_found');
    await waitFor(async () => (await pointsOf('check-in')) === 600);
    expect((await guess(code)).refusal?.message).toMatch(/^Too many attempts/);
    await waitFor(async () => (await pointsOf('check-in')) === 600); // nor does a refusal
  });

  it.each(DOORS)('are all that counts, through %s', async (_, door) => {
    const { location } = await make.makeHouse();
    const { code } = await make.makeMember();
    for (let n = 0; n < 10; n += 1)
      await door(app)({ locationId: location.id, code, leaving: n % 2 === 1 });
    const { refusal } = await door(app)({
      ...{ locationId: location.id, code, visitor: { name: 'Grace Hopper' } },
    });
    expect(refusal).not.toBeNull();
    await waitFor(async () => (await pointsOf('check-in')) === 0);
    expect(await pointsOf('check-in-presented')).toBe(11);
  });

  it('are bounded for everybody who may not write check-ins, whoever they are', async () => {
    const { location } = await make.makeHouse();
    await used('check-in', 600);
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
      await used('check-in', 600);
      const guess = (as: object) => door(app, as)({ locationId: location.id, code: 'GUESS' });
      expect((await guess({})).refusal?.message).toMatch(/^Too many attempts/);
      expect((await guess({ token: kiosk.token })).told.result).toBe('not_found');
      const { rateLimit } = app.ctx.db;
      const key = `check-in:kiosk ${kiosk.id}`;
      await waitFor(async () => (await rateLimit.findFirst({ where: { key } }))?.points === 2);
      await rateLimit.update({ where: { key }, data: { points: 600 } });
      expect((await guess({ token: kiosk.token })).refusal?.message).toMatch(/^Too many attempts/);
      await displays.revoke(app.ctx, kiosk.id);
      await rateLimit.deleteMany();
      expect((await guess({ token: kiosk.token })).told.result).toBe('not_found');
      expect(await pointsOf('check-in-presented')).toBe(1);
    },
  );

  it.each(DOORS)(
    'or not: of anything one address presents so much, through %s',
    async (_, door) => {
      const { location } = await make.makeHouse();
      await used('check-in-presented', 2_999);
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
    const { database, close } = await openTestDatabase();
    closing.push(close);
    const stage = await setDoorstep(database, { members });
    const service = await serveOver(database, () => new Date());
    closing.push(service.close);
    return { ...stage, url: service.url };
  }

  it('five hundred guests arrive, and nobody is refused', async () => {
    const { url, locationId, members } = await doorstep(500);
    const arrivals = members.map((code) => ({ location_id: locationId, code }));
    const { results, errors } = await arriveAll([url], arrivals, { connections: 500 });
    expect(errors).toEqual(new Map());
    expect(results).toEqual({ admitted: 500 });
  });

  it('seven hundred guesses get some hundred verdicts', async () => {
    const { url, locationId } = await doorstep(0);
    const arrivals = Array.from({ length: 700 }, (_, n) => ({
      ...{ location_id: locationId, code: `GUESS${n}` },
    }));
    const { results, errors } = await arriveAll([url], arrivals, { connections: 400 });
    expect(results.not_found).toBeGreaterThanOrEqual(300);
    expect(results.not_found).toBeLessThanOrEqual(500);
    expect([...errors.values()].reduce((sum, n) => sum + n, 0)).toBe(
      700 - (results.not_found ?? 0),
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
