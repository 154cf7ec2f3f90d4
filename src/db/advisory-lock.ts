import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';

const POLL_INTERVAL_MS = 200;

/**
 * Runs the work while no other process has this lock. A connection of its own holds the lock, so it ends with the process.
 * Waiting for the lock holds no connection. All clients of the embedded database share one session, and so the lock.
 * @throws AbortError if `signal` aborts before this process has the lock.
 */
export async function withAdvisoryLock<T>(
  pool: pg.Pool,
  lock: number,
  work: (client: pg.PoolClient) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const client = await waitForLock(pool, lock, signal);
  try {
    return await work(client);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [lock]).catch(() => {});
    client.release();
  }
}

/** Returns the client that holds the lock. */
async function waitForLock(
  pool: pg.Pool,
  lock: number,
  signal: AbortSignal | undefined,
): Promise<pg.PoolClient> {
  for (;;) {
    signal?.throwIfAborted();
    const client = await tryLock(pool, lock);
    if (client) return client;
    await setTimeout(POLL_INTERVAL_MS, undefined, signal ? { signal } : {});
  }
}

async function tryLock(pool: pg.Pool, lock: number): Promise<pg.PoolClient | null> {
  const client = await pool.connect();
  let isLocked = false;
  try {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS "isLocked"', [lock]);
    isLocked = rows[0].isLocked;
    return isLocked ? client : null;
  } finally {
    if (!isLocked) client.release();
  }
}
