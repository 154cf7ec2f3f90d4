import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';

const FIND_WAITING = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

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
export async function waitUntilBlockedOrSettled(
  pool: Pool,
  response: Promise<unknown>,
): Promise<void> {
  let hasSettled = false;
  const settle = () => {
    hasSettled = true;
  };
  response.then(settle, settle);
  while (!hasSettled && (await pool.query(FIND_WAITING)).rowCount === 0) await setTimeout(10);
}
