import pg from 'pg';
import { DomainError } from '../../errors.ts';
import type { Connection } from '../database.ts';
import { SET_TIME_ZONE_UTC } from '../prepared-statement.ts';
import { createPipeline } from './pipeline.ts';

const MIN_POSTGRES_MAJOR = 15;
const CONNECT_TIMEOUT_MS = 5_000;

/** Connects to PostgreSQL. @throws VALIDATION if the server is unreachable or too old. */
export async function openPostgres(url: string): Promise<Connection> {
  const options = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = new pg.Pool({
    ...options,
    max: 10,
    onConnect: (client) => client.query(SET_TIME_ZONE_UTC),
  });
  // The pool replaces a broken idle connection. Without a listener, the event would end the process.
  pool.on('error', () => {});
  // A connection that breaks in use fails its statement, which is enough.
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await assertSupportedVersion(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const reads = createPipeline(options, 2);
  const writes = createPipeline(options, 3);
  return {
    kind: 'postgres',
    pool,
    pipelinedSql: reads.sql,
    lockingSql: writes.sql,
    close: async () => {
      await reads.close();
      await writes.close();
      await pool.end();
    },
  };
}

async function assertSupportedVersion(pool: pg.Pool): Promise<void> {
  let version: number;
  try {
    const { rows } = await pool.query('SHOW server_version_num');
    version = Math.floor(Number(rows[0].server_version_num) / 10_000);
  } catch (error) {
    const reason =
      error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : error;
    throw new DomainError(
      'VALIDATION',
      `DATABASE_URL: cannot connect to PostgreSQL (${reason}). Check the address, the credentials and that the server is running.`,
      { reason: 'DATABASE_UNREACHABLE' },
      { cause: error },
    );
  }
  if (version < MIN_POSTGRES_MAJOR) {
    throw new DomainError(
      'VALIDATION',
      `DATABASE_URL: the server is PostgreSQL ${version}; Foyer needs ${MIN_POSTGRES_MAJOR} or later.`,
      { reason: 'INVALID_CONFIGURATION' },
    );
  }
}
