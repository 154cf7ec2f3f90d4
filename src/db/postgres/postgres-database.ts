import pg from 'pg';
import { readPackageVersion } from '../../core/package-version.ts';
import { DomainError } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import { SET_TIME_ZONE_UTC } from '../prepared-statement.ts';
import { toApplicationName } from '../schema-compatibility.ts';
import { createSqlTransaction } from '../sql-transaction.ts';
import { watchPool } from '../watched-pool.ts';
import { DEFAULT_CONNECTIONS, divideConnections } from './connection-sizes.ts';
import { createPipeline, RESPONSE_TIMEOUT_MS } from './pipeline.ts';
import { postgresRowCopier } from './postgres-row-copier.ts';

const MIN_POSTGRES_MAJOR = 15;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Connects to PostgreSQL. Opens up to `connections`, when they are needed.
 * @throws VALIDATION if the server is unreachable or too old, or behind a pooler that gives a connection to several clients.
 */
export async function openPostgres(
  url: string,
  connections: number = DEFAULT_CONNECTIONS,
): Promise<Connection> {
  const sizes = divideConnections(connections);
  const options = {
    connectionString: url,
    application_name: toApplicationName(readPackageVersion()),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = createPool({ ...options, max: sizes.pool });
  try {
    await assertSupportedVersion(pool);
    await assertOwnSessions(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const reads = createPipeline(options, sizes.reads);
  const customPlanReads = createPipeline(options, sizes.customPlanReads, { needsCustomPlan: true });
  const writes = createPipeline(options, sizes.writes);
  const transactions = createPool(
    { ...options, max: sizes.transactions, pipeline: true, query_timeout: RESPONSE_TIMEOUT_MS },
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

const READ_BACKEND = 'SELECT pg_backend_pid() AS pid';

/**
 * Two clients that are connected at the same time have a backend each, unless a pooler gives it to another client after each
 * transaction. It would also give away the plan settings and the locks of the session. A busy pooler can remain undetected.
 */
async function assertOwnSessions(pool: pg.Pool): Promise<void> {
  const clients: pg.PoolClient[] = [];
  try {
    const pids = new Set<number>();
    for (let n = 0; n < 2; n += 1) {
      const client = await pool.connect();
      clients.push(client);
      pids.add((await client.query<{ pid: number }>(READ_BACKEND)).rows[0]?.pid ?? 0);
    }
    if (pids.size === clients.length) return;
  } finally {
    for (const client of clients) client.release();
  }
  throw new DomainError(
    'VALIDATION',
    'DATABASE_URL: a connection pooler in transaction mode is between Foyer and PostgreSQL. Connect directly, or set the pooler to session mode; DATABASE_CONNECTIONS limits the connections of an instance.',
    { reason: 'INVALID_CONFIGURATION' },
  );
}
