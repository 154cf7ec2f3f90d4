import { generateCode } from '../../src/core/ids.ts';
import { Crawler, TRICKS, type Trick } from '../support/clients/crawler.ts';
import { createPeople } from '../support/factories/crowd.ts';
import { serveDatabase } from '../support/harness/app.ts';
import { openTestDatabase } from '../support/harness/database.ts';

const MEMBERS = 120;
const HOURS = 3;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Crawls from one address with a directory of all names and unlimited time. */
async function crawl(checkInTricks?: Trick[]) {
  const { database, ctx, close } = await openTestDatabase();
  closing.push(close);
  const { id: locationId } = await ctx.db.location.create({
    data: { slug: 'arena', name: 'Arena', timeZone: 'Europe/Berlin', memberAdmission: 'all' },
  });
  const members = await ctx.db.member.createManyAndReturn({
    data: createPeople(MEMBERS).map((person) => ({ ...person, code: generateCode(10) })),
  });
  const crawler = new Crawler({
    ...{ locationId, members, pool: database.pool, hours: HOURS, addresses: 1 },
    queries: members.map(({ name }) => name),
    ...(checkInTricks ? { checkInTricks } : {}),
  });
  const service = await serveDatabase(database, crawler.now, { TRUST_PROXY: '1' });
  closing.push(service.close);
  return crawler.run(service.url, () => {});
}

describe('a crawler with a directory of names', () => {
  it('learns of at most forty members, and only labels and hints', async () => {
    const { byName, byAddress, leaks } = await crawl();
    expect(byName).toBeGreaterThan(20); // the crawler works
    expect(byName).toBeLessThanOrEqual(40);
    expect(byAddress).toBeLessThanOrEqual(10);
    expect(leaks).toEqual([]);
  });

  it('gains nothing by checking people in', async () => {
    const { byName, byAddress, leaks, ...counts } = await crawl(TRICKS);
    expect(counts['checked in']).toBeGreaterThan(5);
    expect(byName).toBeGreaterThan(20);
    expect(byName).toBeLessThanOrEqual(40);
    expect(byAddress).toBeLessThanOrEqual(10);
    expect(leaks).toEqual([]);
  });
});
