import { once } from 'node:events';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Tracer } from '../core/tracing.ts';
import type { Connection, Database } from './connection.ts';
import { assertDatabaseExists, openEmbedded } from './embedded/embedded-database.ts';
import { PrismaClient } from './generated/client.ts';
import { findSchemaProblem } from './migrations.ts';
import { openPostgres } from './postgres/postgres-database.ts';
import { getStatementName, prepareStatement } from './prepared-statement.ts';
import { SequentialPrismaPg } from './sequential-adapter.ts';
import { TRANSACTION_TIMEOUT_MS } from './sql-transaction.ts';
import { traceAdapter, traceStatements } from './trace-statements.ts';

export type { Connection, Database };

export interface DatabaseLocation {
  databaseUrl: string | undefined;
  /** How many connections to PostgreSQL this process can open. */
  databaseConnections?: number;
  dataDir: string;
  /** See `EmbeddedOptions`. */
  dataFsync?: boolean;
  /** Whether to fail if there is no embedded database yet, instead of creating one. */
  mustExist?: boolean;
}

/**
 * Connects to PostgreSQL if a URL is configured, and otherwise opens the embedded database. Applies no migrations.
 * @throws NOT_FOUND for `mustExist`, and as `openEmbedded`.
 */
export async function openDatabase(
  {
    databaseUrl,
    databaseConnections,
    dataDir,
    dataFsync = true,
    mustExist = false,
  }: DatabaseLocation,
  log?: Logger,
  tracer?: Tracer,
): Promise<Database> {
  if (mustExist && !databaseUrl) assertDatabaseExists(dataDir);
  return addPrisma(
    databaseUrl
      ? await openPostgres(databaseUrl, databaseConnections)
      : await openEmbedded(dataDir, { fsync: dataFsync, log }),
    { tracer },
  );
}

/**
 * Adds Prisma to a connection. Its transactions are rolled back after `transactionTimeoutMs`. With a tracer, the statements of all have
 * spans.
 */
export function addPrisma(
  connection: Connection,
  {
    transactionTimeoutMs = TRANSACTION_TIMEOUT_MS,
    tracer,
  }: { transactionTimeoutMs?: number; tracer?: Tracer | undefined } = {},
): Database {
  // Prepares our own statements within transactions too: planning the long ones takes longer than running them.
  const adapter = new SequentialPrismaPg(connection.pool, {
    // A statement without a name is not prepared. The type does not allow undefined, but the library does.
    statementNameGenerator: ({ sql }) => getStatementName(sql) as string,
  });
  const prisma = new PrismaClient({
    adapter: tracer ? traceAdapter(adapter, tracer) : adapter,
    errorFormat: 'minimal', // the other formats quote the values of the query
    transactionOptions: { maxWait: 10_000, timeout: transactionTimeoutMs },
  });
  return {
    ...(tracer ? traceStatements(connection, tracer) : connection),
    prisma,
    close: async () => {
      await prisma.$disconnect();
      await connection.close();
    },
  };
}

// True for a standby, a primary that is demoted or read-only, and an embedded database whose disk is full.
const IS_READ_ONLY = prepareStatement(
  `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
);

const RELEASE_TIMEOUT_MS = 5_000;

/** How long the result of a check is taken to be true of a pool that is in use. */
const TRUSTED_MS = 30_000;

interface PoolCheck {
  isReadOnly: boolean;
  endedAt: number;
  /** The check that waits for a connection, if there is one. */
  running?: Promise<boolean> | undefined;
}

const poolChecks = new WeakMap<pg.Pool, PoolCheck>();

/**
 * Whether a pool leads to a server that takes no writes. If all of its connections are in use, the last check counts as soon as one of
 * them is given back, which shows that they work: a load balancer would not wait until all earlier callers have had one. The next
 * check waits meanwhile, because writes that fail give their connections back, too.
 */
async function isReadOnly(pool: pg.Pool): Promise<boolean> {
  const check = poolChecks.get(pool) ?? { isReadOnly: false, endedAt: Number.NEGATIVE_INFINITY };
  poolChecks.set(pool, check);
  const isInUse = pool.idleCount === 0 && pool.totalCount >= pool.options.max;
  const running = check.running ?? runCheck(pool, check);
  check.running = running;
  running.catch(() => {}); // whoever awaits it reports the error
  if (isInUse && performance.now() - check.endedAt < TRUSTED_MS) {
    const timeout = AbortSignal.timeout(RELEASE_TIMEOUT_MS);
    const [error] = await once(pool, 'release', { signal: timeout });
    if (!error) return check.isReadOnly;
  }
  return running;
}

async function runCheck(pool: pg.Pool, check: PoolCheck): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ isReadOnly: boolean }>(IS_READ_ONLY.text);
    check.isReadOnly = rows[0]?.isReadOnly ?? false;
    check.endedAt = performance.now();
    return check.isReadOnly;
  } finally {
    check.running = undefined;
  }
}

/**
 * Returns why the database cannot serve, or undefined if it is reachable, writable and has a schema on which this version runs.
 * Writes nothing.
 */
export async function findUnreadiness({
  pipelinedSql,
  pool,
}: Database): Promise<
  'unreachable' | 'read-only' | 'not migrated' | 'too new for this version' | undefined
> {
  try {
    // Hot reads have their own connections, and each kind can lead to a different server.
    const [[read], isPoolReadOnly] = await Promise.all([
      pipelinedSql<{ isReadOnly: boolean }>(IS_READ_ONLY, []),
      isReadOnly(pool),
    ]);
    if (read?.isReadOnly || isPoolReadOnly) return 'read-only';
    return await findSchemaProblem(pipelinedSql);
  } catch {
    return 'unreachable';
  }
}
