import type { Context } from '../../src/context.ts';
import type { PrismaClient } from '../../src/db/generated/client.ts';
import { claimPairing, pollPairing, startPairing } from '../../src/features/displays/pairing.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { serverUrl } from '../support/templates.ts';

const ROUNDS = 10;
const AT_ONCE = 6;

let test: TestDatabase;
let locationId: string;

beforeAll(async () => {
  test = await openTestDatabase('seeded');
  ({ id: locationId } = await test.ctx.db.location.findFirstOrThrow());
});
afterAll(() => test.close());

/** How many displays came of each code that many typed in at once. */
async function claimedAtOnce(ctx: Context): Promise<number[]> {
  const made: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { pairingCode } = await startPairing(ctx);
    const claims = Array.from({ length: AT_ONCE }, () =>
      claimPairing(ctx, pairingCode, { name: pairingCode, locationId }),
    );
    const ended = await Promise.allSettled(claims);
    const refusals = ended.filter(({ status }) => status === 'rejected');
    const displays = await ctx.db.display.count({ where: { name: pairingCode } });
    expect(refusals.length + displays).toBe(AT_ONCE);
    made.push(displays);
  }
  return made;
}

describe('when many claim one code at once', () => {
  it('there comes one display of it', async () => {
    expect(await claimedAtOnce(test.ctx)).toEqual(Array(ROUNDS).fill(1));
  });

  // The condition has a second one behind it: no two displays have the hash with which they wait for one screen.
  // In the embedded database one claim waits for the other anyhow.
  if (serverUrl) {
    it('without the condition and the unique hash behind it there come several', async () => {
      const { ctx, database, close } = await openTestDatabase('seeded');
      await database.pool.query('DROP INDEX displays_token_hash_key');
      const made = await claimedAtOnce({ ...ctx, db: lookingFirst(ctx) });
      await close();
      expect(Math.max(...made)).toBeGreaterThan(1);
    });
  }
});

/** The same database, but that it is looked for the code first, and claimed then. */
const lookingFirst = ({ db }: Context) =>
  (db as PrismaClient).$extends({
    query: {
      displayPairing: {
        async updateManyAndReturn({ args, query }) {
          const free = await db.displayPairing.findFirst({ where: args.where ?? {} });
          return query({ ...args, where: { id: free?.id ?? '' } });
        },
      },
    },
  }) as unknown as PrismaClient;

describe('when a screen polls many times at once', () => {
  it('it is told one and the same token, and that is the one that holds', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { pairingCode, pollToken } = await startPairing(test.ctx);
      const { id } = await claimPairing(test.ctx, pairingCode, { name: 'Door', locationId });
      const polls = await Promise.all(
        Array.from({ length: AT_ONCE }, () => pollPairing(test.ctx, pollToken)),
      );
      const [first] = polls;
      expect(first?.deviceToken).toMatch(/^foyerd_/);
      expect(polls).toEqual(Array(AT_ONCE).fill(first));
      const row = await test.ctx.db.display.findUniqueOrThrow({ where: { id } });
      expect(first?.deviceToken?.startsWith(row.tokenPrefix)).toBe(true);
    }
  });
});
