import { setTimeout } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { withIdempotency } from '../../src/db/idempotency.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

const CALLERS = 8; // more than may write at a time

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
  await test.database.pool.query(
    'CREATE TABLE stock (id int PRIMARY KEY, taken int NOT NULL DEFAULT 0)',
  );
});
beforeEach(async () => {
  await test.database.pool.query('TRUNCATE stock; INSERT INTO stock (id) VALUES (1), (2)');
});
afterAll(() => test.close());

let keys = 0;

/** Takes from the stock with a new key. `before` runs in the transaction. */
function take(caller: string, id: number, before?: (ctx: Context) => Promise<unknown>) {
  keys += 1;
  const keyed = { caller, key: `key-${keys}`, request: [id] };
  const work = async (ctx: Context) => {
    await before?.(ctx);
    await ctx.db.$executeRaw`UPDATE stock SET taken = taken + 1 WHERE id = ${id}`;
  };
  return withIdempotency(test.ctx, keyed, work, () => ({ status: 201, body: '{}' }));
}

const countTaken = async () => {
  const { rows } = await test.database.pool.query('SELECT taken FROM stock ORDER BY id');
  return rows.map(({ taken }) => taken);
};

const COUNT_WAITING = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/**
 * Locks a row and lets these callers wait for it. Then another caller takes from another row.
 * @returns in which order the other caller got a response and the lock ended.
 */
async function takeWhileLocked(callers: string[], before?: (ctx: Context) => Promise<unknown>) {
  const client = await test.database.pool.connect();
  const order: string[] = [];
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM stock WHERE id = 1 FOR UPDATE');
    const waiting = callers.map((caller) => take(caller, 1, before));
    const full = new Set(callers).size === 1 ? 3 : 6;
    while ((await test.database.pool.query(COUNT_WAITING)).rows[0].count < full)
      await setTimeout(10);
    const other = take('other', 2).then(() => order.push('response'));
    await Promise.race([other, setTimeout(3_000)]);
    order.push('unlocked');
    await client.query('COMMIT');
    await Promise.all([...waiting, other]);
  } finally {
    client.release();
  }
  expect(await countTaken()).toEqual([callers.length, 1]);
  return order;
}

const oneCaller = Array.from({ length: CALLERS }, () => 'one');
const manyCallers = Array.from({ length: CALLERS }, (_, n) => `caller ${n}`);

describe('while writes with a key wait for a locked row', () => {
  it('another caller can write if they are of one caller', async () => {
    const waitForever = (ctx: Context) => ctx.db.$executeRaw`SET LOCAL lock_timeout = 0`;
    expect(await takeWhileLocked(oneCaller, waitForever)).toEqual(['response', 'unlocked']);
  });

  it('another caller can write if they are of many callers', async () => {
    expect(await takeWhileLocked(manyCallers)).toEqual(['response', 'unlocked']);
  });

  it('another caller cannot write if they keep their places (negative control)', async () => {
    const waitForever = (ctx: Context) => ctx.db.$executeRaw`SET LOCAL lock_timeout = 0`;
    expect(await takeWhileLocked(manyCallers, waitForever)).toEqual(['unlocked', 'response']);
  });
});
