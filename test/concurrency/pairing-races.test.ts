import type { Context } from '../../src/context.ts';
import type { PrismaClient } from '../../src/db/generated/client.ts';
import {
  claimPairing,
  pollPairing,
  startPairing,
} from '../../src/features/displays/service/pairing.ts';
import { createMeeting } from '../support/fakes/rewritten-sql.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

const ROUNDS = 10;
const CONCURRENCY = 6;

let test: TestDatabase;
let locationId: string;

beforeAll(async () => {
  test = await openTestDatabase('seeded');
  ({ id: locationId } = await test.ctx.db.location.findFirstOrThrow());
});
afterAll(() => test.close());

/** Counts the displays created from each code that many requests claim concurrently. */
async function claimConcurrently(ctx: Context, rounds = ROUNDS): Promise<number[]> {
  const created: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { pairingCode } = await startPairing(ctx);
    const claims = Array.from({ length: CONCURRENCY }, () =>
      claimPairing(ctx, pairingCode, { name: pairingCode, locationId }),
    );
    const outcomes = await Promise.allSettled(claims);
    const rejections = outcomes.filter(({ status }) => status === 'rejected');
    const displays = await ctx.db.display.count({ where: { name: pairingCode } });
    expect(rejections.length + displays).toBe(CONCURRENCY);
    created.push(displays);
  }
  return created;
}

describe('concurrent claims of one code', () => {
  it('create one display', async () => {
    expect(await claimConcurrently(test.ctx)).toEqual(Array(ROUNDS).fill(1));
  });

  // The unique hash is a second guard behind the condition.
  it('create several displays without the condition and the unique hash (negative control)', async () => {
    const { ctx, database, close } = await openTestDatabase('seeded');
    await database.pool.query('DROP INDEX displays_token_hash_key');
    const created = await claimConcurrently({ ...ctx, db: readFirst(ctx) }, 1);
    await close();
    expect(created).toEqual([CONCURRENCY]);
  });
});

/** The same database, but all read the code before any claims it. */
function readFirst({ db }: Context): PrismaClient {
  const meet = createMeeting(CONCURRENCY);
  return (db as PrismaClient).$extends({
    query: {
      displayPairing: {
        async updateManyAndReturn({ args, query }) {
          const unclaimed = await db.displayPairing.findFirst({ where: args.where ?? {} });
          await meet();
          return query({ ...args, where: { id: unclaimed?.id ?? '' } });
        },
      },
    },
  }) as unknown as PrismaClient;
}

describe('concurrent polls of one screen', () => {
  it('all return the same valid token', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { pairingCode, pollToken } = await startPairing(test.ctx);
      const { id } = await claimPairing(test.ctx, pairingCode, { name: 'Door', locationId });
      const polls = await Promise.all(
        Array.from({ length: CONCURRENCY }, () => pollPairing(test.ctx, pollToken)),
      );
      const [first] = polls;
      expect(first?.deviceToken).toMatch(/^foyerd_/);
      expect(polls).toEqual(Array(CONCURRENCY).fill(first));
      const row = await test.ctx.db.display.findUniqueOrThrow({ where: { id } });
      expect(first?.deviceToken?.startsWith(row.tokenPrefix)).toBe(true);
    }
  });
});
