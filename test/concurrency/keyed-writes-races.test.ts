import { setTimeout } from 'node:timers/promises';
import { type Context, createQueues } from '../../src/context.ts';
import { addPrisma } from '../../src/db/database.ts';
import { withIdempotency } from '../../src/db/idempotency.ts';
import { openPostgres } from '../../src/db/postgres/postgres-database.ts';
import { createSystemContext } from '../support/factories/seed.ts';
import {
  openTestDatabase,
  serverUrl,
  type TestDatabase,
  withDatabaseName,
} from '../support/harness/database.ts';

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

interface Options {
  ctx?: Context;
  before?: (ctx: Context) => Promise<unknown>;
}

/** Takes from the stock with a new key. `before` runs in the transaction. */
function take(caller: string, id: number, { ctx = test.ctx, before }: Options = {}) {
  keys += 1;
  const keyed = { caller, key: `key-${keys}`, request: [id] };
  const work = async (ctx: Context) => {
    await before?.(ctx);
    await ctx.db.$executeRaw`UPDATE stock SET taken = taken + 1 WHERE id = ${id}`;
  };
  return withIdempotency(ctx, keyed, work, () => ({ status: 201, body: '{}' }));
}

const countTaken = async () => {
  const { rows } = await test.database.pool.query('SELECT taken FROM stock ORDER BY id');
  return rows.map(({ taken }) => taken);
};

const COUNT_WAITING = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/**
 * Locks a row and lets these callers wait for it, `full` at the same time. Then another caller takes from another row.
 * @returns in which order the other caller got a response and the lock ended.
 */
async function takeWhileLocked(callers: string[], full: number, options: Options = {}) {
  const client = await test.database.pool.connect();
  const order: string[] = [];
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM stock WHERE id = 1 FOR UPDATE');
    const waiting = callers.map((caller) => take(caller, 1, options));
    while ((await test.database.pool.query(COUNT_WAITING)).rows[0].count < full)
      await setTimeout(10);
    const other = take('other', 2, options.ctx ? { ctx: options.ctx } : {}).then(() =>
      order.push('response'),
    );
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

const waitForever = (ctx: Context) => ctx.db.$executeRaw`SET LOCAL lock_timeout = 0`;

describe('while writes with a key wait for a locked row', () => {
  it('another caller can write if they are of one caller', async () => {
    expect(await takeWhileLocked(oneCaller, 3, { before: waitForever })).toEqual([
      'response',
      'unlocked',
    ]);
  });

  it('another caller can write if they are of many callers', async () => {
    expect(await takeWhileLocked(manyCallers, 6)).toEqual(['response', 'unlocked']);
  });

  it('another caller cannot write if they keep their places (negative control)', async () => {
    expect(await takeWhileLocked(manyCallers, 6, { before: waitForever })).toEqual([
      'unlocked',
      'response',
    ]);
  });

  it('another caller can write through few connections, unless places are for more (negative control)', async () => {
    const { rows } = await test.database.pool.query('SELECT current_database() AS name');
    const few = addPrisma(await openPostgres(withDatabaseName(serverUrl ?? '', rows[0].name), 9));
    const run = (connections: number, full: number) => {
      const ctx = { ...createSystemContext(few), queues: createQueues(connections) };
      return takeWhileLocked(oneCaller, full, { ctx, before: waitForever });
    };
    expect(await run(few.pool.options.max, 1)).toEqual(['response', 'unlocked']);
    await test.database.pool.query('UPDATE stock SET taken = 0');
    expect(await run(10, 3)).toEqual(['unlocked', 'response']);
    await few.close();
  });
});
