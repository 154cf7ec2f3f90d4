import { generateCode } from '../../src/core/ids.ts';
import { Crawler, type Trick } from '../support/crawler.ts';
import { crowd } from '../support/crowd.ts';
import { openTestDatabase } from '../support/database.ts';
import { serveOver } from '../support/race-stage.ts';

const MEMBERS = 200;
const HOURS = 3;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** What somebody learns who asks from one address, with a telephone book that holds everybody, and all the time there is. */
async function crawled(checksIn?: Trick[]) {
  const { database, ctx, close } = await openTestDatabase();
  closing.push(close);
  const { id: locationId } = await ctx.db.location.create({
    data: { slug: 'arena', name: 'Arena', timeZone: 'Europe/Berlin' },
  });
  const members = await ctx.db.member.createManyAndReturn({
    data: crowd(MEMBERS).map((person) => ({ ...person, code: generateCode(10) })),
  });
  const crawler = new Crawler({
    ...{ locationId, members, pool: database.pool, hours: HOURS, addresses: 1 },
    book: members.map(({ name }) => name),
    ...(checksIn ? { checksIn } : {}),
  });
  const service = await serveOver(database, crawler.now, { TRUST_PROXY: '1' });
  closing.push(service.close);
  return crawler.run(service.url, () => {});
}

describe('a crawler with a telephone book', () => {
  it('is told of no more than forty, and of nothing but labels and hints', async () => {
    const { byName, byAddress, leaks } = await crawled();
    expect(byName).toBeGreaterThan(20); // it does know how to ask
    expect(byName).toBeLessThanOrEqual(40);
    expect(byAddress).toBeLessThanOrEqual(10);
    expect(leaks).toEqual([]);
  });

  it('buys nothing by letting people in who do not stay', async () => {
    const { byName, byAddress, leaks, ...counts } = await crawled(['at once', 'late', 'visitor']);
    expect(counts['let in']).toBeGreaterThan(5);
    expect(byName).toBeGreaterThan(20);
    // Those who were told together with somebody who is in at the moment count only once that one has left.
    expect(byName).toBeLessThanOrEqual(45);
    expect(byAddress).toBeLessThanOrEqual(10);
    expect(leaks).toEqual([]);
  });
});
