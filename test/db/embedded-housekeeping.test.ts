import type { Connection } from '../../src/db/database.ts';
import { runHousekeeping } from '../../src/db/embedded/housekeeping.ts';
import { openCopy } from '../support/harness/database.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await openCopy('empty');
});
afterAll(async () => {
  await connection.pool.query('DROP TABLE busy, quiet');
  await connection.close();
});

/** How often each of the tables was vacuumed and analyzed. */
async function countWork() {
  await connection.pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await connection.pool.query(
    `SELECT relname AS name, vacuum_count::int AS vacuumed, analyze_count::int AS analyzed
     FROM pg_stat_user_tables WHERE relname IN ('busy', 'quiet') ORDER BY relname`,
  );
  return rows;
}

it('vacuums and analyzes only the tables that need it, once', async () => {
  const { pool } = connection;
  await pool.query('CREATE TABLE busy AS SELECT n FROM generate_series(1, 2000) n');
  await pool.query('CREATE TABLE quiet AS SELECT n FROM generate_series(1, 20) n');
  await countWork();
  for (let run = 0; run < 2; run += 1) await runHousekeeping(pool, { pauseMs: 0 });
  expect(await countWork()).toEqual([
    { name: 'busy', vacuumed: 1, analyzed: 1 },
    { name: 'quiet', vacuumed: 0, analyzed: 0 },
  ]);
});

it('writes a checkpoint once the log has grown', async () => {
  const { pool } = connection;
  const findRedo = async () =>
    (await pool.query('SELECT redo_lsn FROM pg_control_checkpoint()')).rows;
  await pool.query('CHECKPOINT');
  const before = await findRedo();
  await runHousekeeping(pool, { pauseMs: 0 });
  expect(await findRedo()).toEqual(before);
  // Writes 34 MB into the log.
  await pool.query("SELECT pg_logical_emit_message(true, 'test', repeat('x', 34000000))");
  await runHousekeeping(pool, { pauseMs: 0 });
  expect(await findRedo()).not.toEqual(before);
});
