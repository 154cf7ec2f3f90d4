import { v7 } from 'uuid';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/database.ts';
import { DomainError } from '../../src/errors.ts';
import { changePlan, undoPlanChange } from '../../src/features/plans/service/change-plan.ts';
import { makeMember } from '../support/factories/people.ts';
import { rewriteTransactions } from '../support/fakes/rewritten-sql.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

/** A membership without an end, and plans to change to. */
async function makeMembership() {
  const { db } = app.ctx;
  const { id: memberId } = await makeMember(app);
  const newPlan = async () => (await db.plan.create({ data: { name: `Plan ${v7()}` } })).id;
  const startsOn = new Date('2026-01-01');
  const held = { planId: await newPlan(), memberId, startsOn };
  const { id } = await db.membership.create({ data: held });
  return { id, memberId, planIds: [await newPlan(), await newPlan(), await newPlan()] };
}

type Held = Awaited<ReturnType<typeof makeMembership>>;

const change = (ctx: Context, { id, planIds }: Held, month: number) =>
  changePlan(ctx, { id, planId: planIds[month % 3] ?? '', startsOn: `2026-0${month}-15` });

/** The first and last days of the memberships of a member, each with whether it continues the one before. */
async function listDays({ memberId }: Held) {
  const rows = await app.ctx.db.membership.findMany({
    where: { memberId },
    orderBy: { startsOn: 'asc' },
  });
  const toDay = (date: Date | null) => date?.toISOString().slice(0, 10) ?? null;
  return rows.map(({ startsOn, endsOn, previousId }, index) => ({
    starts: toDay(startsOn),
    ends: toDay(endsOn),
    isContinued: previousId === (rows[index - 1]?.id ?? null),
  }));
}

/** Whether the memberships cover all days once, in one chain. */
const coverAllDays = (days: Awaited<ReturnType<typeof listDays>>) =>
  days[0]?.starts === '2026-01-01' &&
  days.at(-1)?.ends === null &&
  days.every(({ starts, ends, isContinued }, index) => {
    const next = days[index + 1]?.starts;
    const isAdjacent =
      next === undefined || Date.parse(next ?? '') - Date.parse(ends ?? '') === 86_400_000;
    return isContinued && isAdjacent && starts !== null;
  });

const listReasons = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) =>
    result.status === 'fulfilled'
      ? []
      : [result.reason instanceof DomainError ? result.reason.details.reason : 'other'],
  );

describe('concurrent changes of a plan', () => {
  it('cover every day once, also while one is undone', async () => {
    const held = await makeMembership();
    const results = await Promise.allSettled(
      [2, 4, 6, 8].flatMap((month) => [
        change(app.ctx, held, month),
        // Its change can already have been undone.
        change(app.ctx, held, month + 1).then(({ created }) => undoPlanChange(app.ctx, created.id)),
      ]),
    );
    const unexpected = listReasons(results).filter((reason) => reason !== 'OUTSIDE_MEMBERSHIP');
    expect(unexpected).toEqual([]);
    expect(coverAllDays(await listDays(held))).toBe(true);
  });

  it('fail without the lock of the membership (negative control)', async () => {
    const held = await makeMembership();
    const isLock = /FROM memberships WHERE id = ANY .* FOR NO KEY UPDATE/s;
    const { prisma } = rewriteTransactions(
      { prisma: app.ctx.db } as Database,
      (text) => (isLock.test(text) ? text.replace('FOR NO KEY UPDATE', '') : text),
      { before: 'FROM memberships row', count: 2 },
    );
    const ctx = { ...app.ctx, db: prisma };
    const results = await Promise.allSettled([change(ctx, held, 4), change(ctx, held, 4)]);
    expect(listReasons(results)).not.toEqual(['OUTSIDE_MEMBERSHIP']);
  });
});
