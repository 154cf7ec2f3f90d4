import type { Context } from '../../src/context.ts';
import { findOpenRanges } from '../../src/core/time/opening-hours.ts';
import { HOUR_MS } from '../../src/core/time/time-zone.ts';
import { simulateVisit } from '../../src/demo/live-visits.ts';
import { createSeededRandom } from '../../src/demo/seeded-random.ts';
import { findOpeningHoursByLocation } from '../../src/features/spaces/service/opening-hours.ts';
import { NOW } from '../support/factories/seed.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase('seeded');
});
afterAll(() => test.close());

const at = (now: Date): Context => ({ ...test.ctx, now: () => now });

async function findOpenLocations(now: Date): Promise<string[]> {
  const locations = await test.ctx.db.location.findMany();
  const hours = await findOpeningHoursByLocation(
    test.ctx,
    locations.map(({ id }) => id),
  );
  const range = { start: now.getTime(), end: now.getTime() + 1 };
  return locations
    .filter(({ id, timeZone }) => {
      const calendar = { timeZone, hours: hours.get(id) ?? [], closures: [] };
      return findOpenRanges(calendar, range).length > 0;
    })
    .map(({ id }) => id);
}

describe('the running demo', () => {
  it('has an open location at every hour of the week, at which members come and go', async () => {
    const random = createSeededRandom(1);
    let wasClosed = 0;
    for (let hours = 0; hours < 7 * 24; hours += 5) {
      const now = new Date(NOW.getTime() + hours * HOUR_MS);
      if ((await findOpenLocations(now)).length === 0) wasClosed += 1;
      await simulateVisit(at(now), random);
      expect(await findOpenLocations(now)).not.toEqual([]);
    }
    expect(wasClosed).toBeGreaterThan(0);
  });

  it('checks members in and out, and admits them', async () => {
    const random = createSeededRandom(2);
    const now = new Date(NOW.getTime() + 8 * 24 * HOUR_MS);
    const before = await test.ctx.db.checkIn.count();
    const gone = await test.ctx.db.checkIn.count({ where: { checkedOutAt: { gte: now } } });
    for (let visits = 0; visits < 60; visits += 1) await simulateVisit(at(now), random);
    const added = await test.ctx.db.checkIn.findMany({ orderBy: { id: 'asc' }, skip: before });
    expect(added.length).toBeGreaterThan(5);
    expect(added.filter(({ result }) => result !== 'admitted')).toEqual([]);
    expect(
      await test.ctx.db.checkIn.count({ where: { checkedOutAt: { gte: now } } }),
    ).toBeGreaterThan(gone);
  });
});
