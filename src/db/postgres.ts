import pg from 'pg';
import { DomainError } from '../errors.ts';
import type { Connection } from './database.ts';
import { pipelined } from './pipeline.ts';
import { IN_UTC } from './sql.ts';

const OLDEST_MAJOR = 15;
const CONNECT_TIMEOUT_MS = 5_000;

/** Throws VALIDATION when nothing answers there, or something too old. */
export async function openPostgres(url: string): Promise<Connection> {
  const options = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...options, max: 10, onConnect: (client) => client.query(IN_UTC) });
  // A broken idle connection is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => {});
  // So is one that breaks while somebody holds it: the statement fails, which is enough.
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await refuseOld(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const reads = pipelined(options, 2);
  const writes = pipelined(options, 3);
  return {
    kind: 'postgres',
    pool,
    sql: reads.sql,
    write: writes.sql,
    close: async () => {
      await reads.close();
      await writes.close();
      await pool.end();
    },
  };
}

async function refuseOld(pool: pg.Pool): Promise<void> {
  let version: number;
  try {
    const { rows } = await pool.query('SHOW server_version_num');
    version = Math.floor(Number(rows[0].server_version_num) / 10_000);
  } catch (error) {
    const why =
      error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : error;
    throw new DomainError(
      'VALIDATION',
      `DATABASE_URL: no connection to PostgreSQL (${why}). Check the address, the credentials and that the server runs.`,
      { reason: 'DATABASE_UNREACHABLE' },
      { cause: error },
    );
  }
  if (version < OLDEST_MAJOR) {
    throw new DomainError(
      'VALIDATION',
      `DATABASE_URL: the server is PostgreSQL ${version}; Foyer needs ${OLDEST_MAJOR} or later.`,
      { reason: 'INVALID_CONFIGURATION' },
    );
  }
}
