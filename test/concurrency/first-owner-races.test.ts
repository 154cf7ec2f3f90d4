import { createFirstOwner, ensureOwner, issueSetupCode } from '../../src/auth/first-owner.ts';
import type { Context } from '../../src/context.ts';
import { PASSWORD } from '../support/factories/seed.ts';
import { rewriteTransactions } from '../support/fakes/rewritten-sql.ts';
import { openTestDatabase } from '../support/harness/database.ts';

const CLAIMS = 4;

/** Two people use a code each, two share one, and an instance starts with ADMIN_EMAIL. Returns how many owners there are. */
async function createConcurrently(change: (test: Test) => Context): Promise<number> {
  const test = await openTestDatabase('empty');
  const codes = [await issueSetupCode(test.ctx), await issueSetupCode(test.ctx)];
  const ctx = change(test);
  const attempts = Array.from({ length: CLAIMS }, (_, i) =>
    createFirstOwner(
      ctx,
      {
        code: codes[i % codes.length]?.plainText ?? '',
        name: 'Olga',
        email: `olga${i}@example.org`,
        password: PASSWORD,
      },
      undefined,
    ),
  );
  const admin = { email: 'admin@example.org', password: PASSWORD };
  await Promise.allSettled([...attempts, ensureOwner(ctx, admin)]);
  const owners = await test.ctx.db.user.count({ where: { role: 'owner' } });
  await test.close();
  return owners;
}

type Test = Awaited<ReturnType<typeof openTestDatabase>>;

describe('concurrent first owners', () => {
  it('are one', async () => {
    for (let round = 0; round < 2; round += 1)
      expect(await createConcurrently(({ ctx }) => ctx)).toBe(1);
  });

  it('are several without the lock (negative control)', async () => {
    const removeLock = (text: string) =>
      text.includes('INSERT INTO setup') ? 'SELECT 1 AS unlocked' : text;
    const meeting = { before: 'unlocked', count: CLAIMS + 1 };
    const owners = await createConcurrently(({ ctx, database }) => ({
      ...ctx,
      db: rewriteTransactions(database, removeLock, meeting).prisma,
    }));
    expect(owners).toBeGreaterThan(1);
  });
});
