import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import type { Logger } from 'pino';
import { DomainError } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import {
  getStatementName,
  MAX_COMPOSED_STATEMENTS,
  type Sql,
  type Statement,
} from '../prepared-statement.ts';
import { createSqlTransaction } from '../sql-transaction.ts';
import { watchPool } from '../watched-pool.ts';
import { lockDirectory } from './directory-lock.ts';
import { DurableFileSystem } from './durable-file-system.ts';
import { createEmbeddedPool, toReadOnlyStatement } from './embedded-pool.ts';
import { createEmbeddedRowCopier } from './embedded-row-copier.ts';
import { createDirectory, flushNames, flushTree } from './flush-files.ts';
import { startHousekeeping } from './housekeeping.ts';
import { type EmbeddedInstance, superviseEmbedded } from './supervisor.ts';

const POSTGRES_MAJOR = '18'; // of the bundled PGlite

/** Smaller buffers and a smaller log than on a server, since the database runs in the process of the service. */
const START_PARAMETERS = ['-c', 'shared_buffers=16MB', '-c', 'max_wal_size=64MB'];
/** PGlite starts PostgreSQL without flushes. The method's default, `fdatasync`, does nothing in Emscripten. */
const NO_FLUSH_PARAMETER = '-F';
const FLUSH_PARAMETERS = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'];

const OWNER_ONLY = 0o700;

export interface EmbeddedOptions {
  /** Whether a response waits until what it acknowledges is on the disk. */
  fsync: boolean;
  log?: Logger | undefined;
}

/**
 * Opens the embedded database in a directory and creates it at the first start.
 * @throws CONFLICT if another process uses the directory, VALIDATION if it contains other files or cannot be used.
 */
export async function openEmbedded(
  directory: string,
  { fsync, log }: EmbeddedOptions,
): Promise<Connection> {
  // Different names of one directory must share one lock.
  const dataDir = existsSync(directory) ? realpathSync(directory) : directory;
  let unlock = () => {};
  try {
    createDirectory(dirname(resolve(dataDir)), { flush: fsync });
    unlock = lockDirectory(dataDir);
    const connection = connectEmbedded(await openOrCreate(dataDir, fsync), {
      reopen: { dataDir, fsync },
      log,
    });
    return {
      ...connection,
      close: async () => {
        await connection.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw isSystemError(error) ? unusableDirectory(dataDir, error) : error;
  }
}

/**
 * An interrupted first start leaves an unusable database. The marker file makes the next start create it again. It is on the
 * disk before the database, and removed after the database is on the disk.
 */
async function openOrCreate(dataDir: string, fsync: boolean): Promise<EmbeddedInstance> {
  const marker = `${resolve(dataDir)}.unfinished`;
  if (existsSync(marker)) {
    for (const name of listEntries(dataDir)) rmSync(join(dataDir, name), { recursive: true });
  }
  assertOwnDirectory(dataDir);
  if (listEntries(dataDir).length > 0) return createInstance({ dataDir, fsync });
  // Parents have been created. PGlite's files are readable by all who can open their directory.
  createDirectory(resolve(dataDir), { flush: fsync, mode: OWNER_ONLY });
  writeFileSync(marker, '');
  if (fsync) flushNames(dirname(marker));
  const instance = await createInstance({ dataDir, fsync });
  if (fsync) {
    await flushTree(dataDir);
    flushNames(dirname(marker));
  }
  unlinkSync(marker);
  if (fsync) flushNames(dirname(marker));
  return instance;
}

/** @throws NOT_FOUND if the directory contains no database. */
export function assertDatabaseExists(dataDir: string): void {
  if (existsSync(join(dataDir, 'PG_VERSION'))) return;
  throw new DomainError(
    'NOT_FOUND',
    `There is no database in ${resolve(dataDir)}. Set DATA_DIR to the directory of your database, such as .data/demo for the demo, or create one with npm start.`,
    { reason: 'NOT_FOUND' },
  );
}

const listEntries = (dataDir: string) => (existsSync(dataDir) ? readdirSync(dataDir) : []);

export interface InstanceOptions {
  dataDir: string;
  fsync: boolean;
}

/** Starts the database of a directory, and creates it in an empty one. */
export async function createInstance({
  dataDir,
  fsync,
}: InstanceOptions): Promise<EmbeddedInstance> {
  if (!fsync) return { pglite: await createPglite({ dataDir }) };
  const files = new DurableFileSystem(dataDir);
  const pglite = await PGlite.create({
    fs: files,
    extensions: { btree_gist, pg_trgm },
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== NO_FLUSH_PARAMETER),
      ...START_PARAMETERS,
      ...FLUSH_PARAMETERS,
    ],
  });
  return { pglite, files };
}

/** Creates a database in memory, or one that never flushes. */
export const createPglite = (options: { dataDir?: string; loadDataDir?: Blob } = {}) =>
  PGlite.create({
    ...options,
    extensions: { btree_gist, pg_trgm },
    startParams: [...PGlite.defaultStartParams, ...START_PARAMETERS],
  });

/** Connects to a running embedded database. Closing the connection closes the database. */
export function connectEmbedded(
  first: EmbeddedInstance,
  {
    reopen,
    log,
    transactionTimeoutMs,
  }: { reopen?: InstanceOptions; log?: Logger | undefined; transactionTimeoutMs?: number } = {},
): Connection {
  const supervisor = superviseEmbedded(first, {
    dataDir: reopen?.dataDir,
    log,
    reopen: async () => (reopen ? createInstance(reopen) : { pglite: await createPglite() }),
    onReadOnlyChange: () => {
      // If this fails, the next client sets it when it connects.
      pool.query(toReadOnlyStatement(supervisor.isReadOnly())).catch(() => {});
    },
  });
  const { pool, session } = createEmbeddedPool(supervisor);
  // A database in memory, as in tests, does not last long enough to need it.
  const housekeeping = reopen && startHousekeeping(pool, { isPaused: supervisor.isReadOnly, log });
  const composed = new Set<string>();
  // The one session of the database keeps what it has prepared, so it prepares only the first of the composed statements.
  // PostgreSQL plans a statement without a name for its values.
  const isPrepared = ({ name, text, needsCustomPlan }: Statement) =>
    name !== undefined &&
    !needsCustomPlan &&
    (name === getStatementName(text) ||
      composed.has(name) ||
      (composed.size < MAX_COMPOSED_STATEMENTS && composed.add(name).size > 0));
  const sql: Sql = async (statement, values) => {
    const { name, ...unprepared } = statement;
    return (await pool.query({ ...(isPrepared(statement) ? statement : unprepared), values })).rows;
  };
  return {
    kind: 'embedded',
    pool,
    watchedPools: [watchPool('main', pool), session],
    rowCopier: createEmbeddedRowCopier(() => supervisor.current().pglite),
    pipelinedSql: sql,
    lockingSql: sql, // it has one session
    sqlTransaction: createSqlTransaction(pool, {
      pipelined: false,
      timeoutMs: transactionTimeoutMs,
    }),
    close: async () => {
      await housekeeping?.stop();
      supervisor.stop();
      await pool.end();
      // A dead database never closes. The next start replays its log.
      const { pglite } = supervisor.current();
      if (supervisor.isAlive(pglite)) await pglite.close();
    },
  };
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error;

const unusableDirectory = (dataDir: string, cause: NodeJS.ErrnoException) =>
  new DomainError(
    'VALIDATION',
    `DATA_DIR ${dataDir} cannot be used (${cause.message}). Choose a directory that this user can write to.`,
    { reason: 'INVALID_CONFIGURATION' },
    { cause },
  );

function assertOwnDirectory(dataDir: string): void {
  if (listEntries(dataDir).length === 0) return;
  const versionFile = join(dataDir, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw new DomainError(
      'VALIDATION',
      `DATA_DIR ${dataDir} contains other files and no database. Choose an empty or new directory.`,
      { reason: 'INVALID_CONFIGURATION' },
    );
  }
  const version = readFileSync(versionFile, 'utf8').trim();
  if (version !== POSTGRES_MAJOR) {
    throw new DomainError(
      'VALIDATION',
      `DATA_DIR ${dataDir} was created by PostgreSQL ${version}; this version of Foyer embeds ${POSTGRES_MAJOR}. ` +
        'Start the version of Foyer that created it and move the data to a PostgreSQL server, or choose a new directory.',
      { reason: 'INVALID_CONFIGURATION' },
    );
  }
}
