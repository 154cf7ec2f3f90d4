import type { Database } from '../../../src/db/database.ts';
import { sendLookup } from '../../support/clients/member-lookup.ts';
import { uniqueAddress } from '../../support/clients/sign-in.ts';
import { NOW } from '../../support/factories/seed.ts';
import { rewriteTransactions } from '../../support/fakes/rewritten-sql.ts';
import { serveDatabase } from '../../support/harness/app.ts';
import { openTestDatabase } from '../../support/harness/database.ts';

// Every name has a unique beginning, so that each query finds one member.
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const createName = (n: number) => `Qu${LETTERS[Math.floor(n / 26)]}${LETTERS[n % 26]} Crowd`;

/** How many members sequential lookups by name disclose. */
const MAX_TO_ADDRESS = 36;
const MAX_AT_LOCATION = 76;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Opens a database with a hundred members and `count` locations. */
async function openLocations(count: number) {
  const { database, ctx, close } = await openTestDatabase();
  closing.push(close);
  await ctx.db.member.createMany({
    data: Array.from({ length: 100 }, (_, n) => ({
      name: createName(n),
      email: `crowd.${n}@example.org`,
      code: `CROWD${n}`,
    })),
  });
  const locations = await ctx.db.location.createManyAndReturn({
    data: Array.from({ length: count }, (_, n) => ({
      slug: `place-${n}`,
      name: `Place ${n}`,
      timeZone: 'Europe/Berlin',
    })),
  });
  return { database, locationIds: locations.map(({ id }) => id) };
}

async function serve(database: Database): Promise<string> {
  const { url, close } = await serveDatabase(database, () => NOW, { TRUST_PROXY: '1' });
  closing.push(close);
  return url;
}

/** Looks member `n` up. Returns the status and the number of disclosed members. */
async function lookUp(
  url: string,
  locationIds: string[],
  n: number,
  { address, withKey }: { address: string; withKey: boolean },
) {
  const locationId = locationIds[n % locationIds.length] ?? '';
  const client = { address, ...(withKey ? { key: `key-${n}` } : {}) };
  const query = { locationId, query: createName(n) };
  const { status, matches = [] } = await sendLookup('REST', url, query, client);
  return { status, count: matches.length };
}

const sum = (counts: { count: number }[]) => counts.reduce((total, { count }) => total + count, 0);

describe('a hundred concurrent lookups', () => {
  it.each([
    { to: 'an address', locations: 10, isOneAddress: true, max: MAX_TO_ADDRESS },
    { to: 'all addresses at a location', locations: 1, isOneAddress: false, max: MAX_AT_LOCATION },
  ])('disclose no more to $to than sequential ones', async ({ locations, isOneAddress, max }) => {
    const { database, locationIds } = await openLocations(locations);
    const urls = [await serve(database), await serve(database)];
    const shared = uniqueAddress();
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        lookUp(urls[n % 2] ?? '', locationIds, n, {
          address: isOneAddress ? shared : uniqueAddress(),
          withKey: n % 3 === 0, // in a transaction with its key
        }),
      ),
    );
    expect(sum(responses)).toBe(max);
    const refused = responses.filter(({ count }) => count === 0);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
  });

  it('exceed the budget without the locks (negative control)', async () => {
    const { database, locationIds } = await openLocations(1);
    const client = { address: uniqueAddress(), withKey: true };
    const url = await serve(database);
    const before: { count: number }[] = [];
    for (let n = 0; n < MAX_TO_ADDRESS - 1; n += 1)
      before.push(await lookUp(url, locationIds, n, client));
    const raced = await serve(withoutLocks(database));
    const last = await Promise.all([98, 99].map((n) => lookUp(raced, locationIds, n, client)));
    expect(sum([...before, ...last])).toBe(MAX_TO_ADDRESS + 1);
  });
});

/** The same database without the locks. Two lookups read the budget before either discloses a member. */
const withoutLocks = (database: Database) =>
  rewriteTransactions(database, (text) => text.replaceAll('pg_advisory_xact_lock', 'abs'), {
    before: 'WITH query AS MATERIALIZED',
    count: 2,
  });
