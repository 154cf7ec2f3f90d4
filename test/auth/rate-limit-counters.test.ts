import { pino } from 'pino';
import { createRateLimits } from '../../src/auth/rate-limits.ts';
import type { Sql } from '../../src/db/prepared-statement.ts';
import { NOW } from '../support/factories/seed.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

/** Two instances of the service over one database. */
function createInstances() {
  let statements = 0;
  const sql: Sql = (statement, values) => {
    statements += 1;
    return opened.database.lockingSql(statement, values);
  };
  const create = () => createRateLimits(sql, () => NOW, pino({ level: 'silent' }));
  return { limits: create(), other: create(), countStatements: () => statements };
}

const outcomes = async (requests: Promise<void>[]) => {
  const settled = await Promise.allSettled(requests);
  return settled.filter(({ status }) => status === 'fulfilled').length;
};

it('counts concurrent requests in one statement, whatever their limits', async () => {
  const { limits, countStatements } = createInstances();
  const requests = Array.from({ length: 40 }, (_, n) =>
    limits.checkIns.consume({ address: `192.0.2.${n}` }),
  );
  expect(await outcomes(requests)).toBe(40);
  expect(countStatements()).toBe(1);
});

it('allows exactly the limit across two concurrent instances', async () => {
  const { limits, other } = createInstances();
  const address = '203.0.113.1';
  const requests = Array.from({ length: 200 }, (_, n) =>
    (n % 2 ? limits : other).pairings.consume({ address }),
  );
  expect(await outcomes(requests)).toBe(60);
});

it('runs no statement for requests over a limit', async () => {
  const { limits, countStatements } = createInstances();
  const address = '203.0.114.1';
  const flood = (n: number) =>
    outcomes(Array.from({ length: n }, () => limits.pairings.consume({ address })));
  expect(await flood(100)).toBe(60);
  const before = countStatements();
  expect(await flood(1_000)).toBe(0);
  expect(countStatements()).toBe(before);
});

it('returns the points of a rejected request to the limits that had room', async () => {
  const { limits } = createInstances();
  const guess = (address: string, account: string) => limits.signIns.consume({ address, account });
  for (let n = 0; n < 10; n += 1) await guess('203.0.115.1', 'ada@example.org');
  // Only the limit per pair of address and account rejects these.
  for (let n = 0; n < 60; n += 1)
    await expect(guess('203.0.115.1', ' ADA@example.org')).rejects.toThrow('Too many attempts');
  await guess('203.0.115.1', 'ben@example.org');
  await guess('203.0.116.1', 'ada@example.org');
  const rows = await opened.ctx.db.rateLimit.findMany({
    where: { key: { contains: '203.0.115.1' } },
  });
  expect(rows.find(({ key }) => key.startsWith('signIns requests address 900s'))?.points).toBe(11);
  // Email addresses are not stored.
  expect(await opened.ctx.db.rateLimit.count({ where: { key: { contains: 'example' } } })).toBe(0);
});
