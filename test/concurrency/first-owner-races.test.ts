import { createFirstOwner, ensureOwner, issueSetupCode } from '../../src/auth/first-owner.ts';
import type { Context } from '../../src/context.ts';
import { PASSWORD } from '../support/factories/seed.ts';
import { createMeeting, rewriteTransactions } from '../support/fakes/rewritten-sql.ts';
import { openTestDatabase } from '../support/harness/database.ts';

const CLAIMS = 4;

/** Two people use a code each, two share one, and an instance starts with ADMIN_EMAIL. Returns how many owners there are. */
async function createConcurrently(): Promise<number> {
  const test = await openTestDatabase('empty');
  const { ctx } = test;
  const codes = [await issueSetupCode(ctx), await issueSetupCode(ctx)];
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
  const owners = await countOwners(test);
  await test.close();
  return owners;
}

const countOwners = ({ ctx }: Test) => ctx.db.user.count({ where: { role: 'owner' } });

type Test = Awaited<ReturnType<typeof openTestDatabase>>;

describe('concurrent first owners', () => {
  it('are one', async () => {
    for (let round = 0; round < 2; round += 1) expect(await createConcurrently()).toBe(1);
  });

  it('are two without the lock (negative control)', async () => {
    const removeLock = (text: string) => (text.includes('INSERT INTO setup') ? 'SELECT 1' : text);
    const test = await openTestDatabase('empty');
    const meet = createMeeting(2); // each has found no owner, and none has written one
    const db = rewriteTransactions(test.database, removeLock).prisma.$extends({
      query: {
        setupCode: {
          deleteMany: async ({ args, query }) => {
            await meet();
            return query(args);
          },
        },
      },
    }) as unknown as Context['db'];
    const ctx = { ...test.ctx, db };
    await Promise.all(
      ['ada@example.org', 'bea@example.org'].map((email) =>
        ensureOwner(ctx, { email, password: PASSWORD }),
      ),
    );
    expect(await countOwners(test)).toBe(2);
    await test.close();
  });
});
