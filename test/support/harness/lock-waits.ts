import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';

const FIND_WAITING = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const FIND_BLOCKED_BY = 'SELECT FROM pg_stat_activity WHERE $1::int = ANY (pg_blocking_pids(pid))';

/**
 * Starts a request while another transaction has run a statement and not committed it. Commits as soon as the request waits
 * for that transaction, or has a result without waiting, and returns the result.
 */
export async function runDuringTransaction<T>(
  pool: Pool,
  [statement, values]: [statement: string, values?: unknown[]],
  send: () => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(statement, values);
    const response = send();
    await waitUntilBlockedOrSettled(pool, response);
    await client.query('COMMIT');
    return await response;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** Waits until a request waits for a lock of another transaction, or has a result or an error. */
export const waitUntilBlockedOrSettled = (pool: Pool, response: Promise<unknown>): Promise<void> =>
  waitForRowsOrResult(pool, [FIND_WAITING], response);

/** The same for a lock of the session with this process ID. Other sessions can wait for each other meanwhile. */
export const waitUntilBlockedBy = (
  pool: Pool,
  pid: number,
  response: Promise<unknown>,
): Promise<void> => waitForRowsOrResult(pool, [FIND_BLOCKED_BY, [pid]], response);

async function waitForRowsOrResult(
  pool: Pool,
  [statement, values]: [statement: string, values?: unknown[]],
  response: Promise<unknown>,
): Promise<void> {
  let hasSettled = false;
  const settle = () => {
    hasSettled = true;
  };
  response.then(settle, settle);
  while (!hasSettled && (await pool.query(statement, values)).rowCount === 0) await setTimeout(10);
}
