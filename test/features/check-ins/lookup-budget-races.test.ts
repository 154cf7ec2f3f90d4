import type { Database } from '../../../src/db/database.ts';
import type { Statement } from '../../../src/db/prepared-statement.ts';
import { sendLookup } from '../../support/clients/member-lookup.ts';
import { uniqueAddress } from '../../support/clients/sign-in.ts';
import { NOW } from '../../support/factories/seed.ts';
import { serveDatabase } from '../../support/harness/app.ts';
import { openTestDatabase } from '../../support/harness/database.ts';

// Every name has a unique beginning, so that each query finds one member.
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const createName = (n: number) => `Qu${LETTERS[Math.floor(n / 26)]}${LETTERS[n % 26]} Crowd`;
describe('a hundred concurrent lookups', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** Sends lookups to two services on one database, which `wrap` can change. Returns how many members they disclosed. */
  async function lookUpConcurrently(
    by: 'address' | 'location',
    wrap = (database: Database) => database,
  ) {
    const { database, ctx, close } = await openTestDatabase();
    closing.push(close);
    const db = ctx.db;
    await db.member.createMany({
      data: Array.from({ length: 100 }, (_, n) => ({
        name: createName(n),
        email: `crowd.${n}@example.org`,
        code: `CROWD${n}`,
      })),
    });
    const locations = await db.location.createManyAndReturn({
      data: Array.from({ length: by === 'address' ? 10 : 1 }, (_, n) => ({
        slug: `place-${n}`,
        name: `Place ${n}`,
        timeZone: 'Europe/Berlin',
      })),
    });
    const services = await Promise.all(
      [1, 2].map(() => serveDatabase(wrap(database), () => NOW, { TRUST_PROXY: '1' })),
    );
    closing.push(...services.map((service) => service.close));
    const address = uniqueAddress();
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        sendLookup(
          'REST',
          services[n % 2]?.url ?? '',
          { locationId: locations[n % locations.length]?.id ?? '', query: createName(n) },
          // Some in a transaction with their key.
          {
            address: by === 'address' ? address : uniqueAddress(),
            ...(n % 3 === 0 ? { key: `key-${n}` } : {}),
          },
        ),
      ),
    );
    expect(responses.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    expect(responses.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    return responses.flatMap(({ matches = [] }) => matches).length;
  }

  it('disclose no more to an address than sequential ones', async () => {
    expect(await lookUpConcurrently('address')).toBe(36);
  });

  it('disclose no more at a location than sequential ones', async () => {
    expect(await lookUpConcurrently('location')).toBe(76);
  });

  it('exceed the budget without the locks (negative control)', async () => {
    expect(await lookUpConcurrently('address', withoutLocks)).toBeGreaterThan(36);
  });

  /** The same database without the locks. */
  function withoutLocks(database: Database): Database {
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
