import pg from 'pg';
import { DomainError } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import { SET_TIME_ZONE_UTC } from '../prepared-statement.ts';
import { createSqlTransaction } from '../sql-transaction.ts';
import { watchPool } from '../watched-pool.ts';
import { createPipeline, RESPONSE_TIMEOUT_MS } from './pipeline.ts';
import { postgresRowCopier } from './postgres-row-copier.ts';

const MIN_POSTGRES_MAJOR = 15;
const CONNECT_TIMEOUT_MS = 5_000;

/** Connects to PostgreSQL. @throws VALIDATION if the server is unreachable or too old. */
export async function openPostgres(url: string): Promise<Connection> {
  const options = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = createPool({ ...options, max: 10 });
  try {
    await assertSupportedVersion(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const reads = createPipeline(options, 2);
  const customPlanReads = createPipeline(options, 2, { needsCustomPlan: true });
  const writes = createPipeline(options, 3);
  const transactions = createPool(
    { ...options, max: 4, pipeline: true, query_timeout: RESPONSE_TIMEOUT_MS },
    TRANSACTION_SETTINGS,
  );
  return {
    kind: 'postgres',
    pool,
    watchedPools: [watchPool('main', pool), watchPool('transactions', transactions)],
    rowCopier: postgresRowCopier,
    pipelinedSql: (statement, values) =>
      (statement.needsCustomPlan ? customPlanReads : reads).sql(statement, values),
    lockingSql: writes.sql,
    sqlTransaction: createSqlTransaction(transactions, { pipelined: true }),
    close: async () => {
      await reads.close();
      await customPlanReads.close();
      await writes.close();
      await transactions.end();
      await pool.end();
    },
  };
}

// Planning these statements each time would cost more than running them. All of them find rows by indexes: a plan that was
// made while a table was small would scan it for as long as its statistics are old.
const TRANSACTION_SETTINGS =
  'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off';

function createPool(options: pg.PoolConfig, settings = ''): pg.Pool {
  const pool = new pg.Pool({
    ...options,
    onConnect: (client) => client.query(`${SET_TIME_ZONE_UTC}; ${settings}`),
  });
  // The pool replaces a broken idle connection. Without a listener, the event would end the process.
  pool.on('error', () => {});
  // If a connection breaks in use, its statement fails, which reports the error.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
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
