import type pg from 'pg';

/**
 * Runs the work while no other process has this lock. A connection of its own holds the lock, so it ends with the process.
 * All clients of the embedded database share one session, and so the lock.
 */
export async function withAdvisoryLock<T>(
  pool: pg.Pool,
  lock: number,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lock]);
    return await work(client);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [lock]).catch(() => {});
    client.release();
  }
}
