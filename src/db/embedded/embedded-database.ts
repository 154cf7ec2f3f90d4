import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import type { Logger } from 'pino';
import { DomainError } from '../../errors.ts';
import type { Connection } from '../database.ts';
import type { Sql } from '../prepared-statement.ts';
import { lockDirectory } from './directory-lock.ts';
import { createEmbeddedPool, superviseEmbedded, toReadOnlyStatement } from './supervised-pool.ts';

const POSTGRES_MAJOR = '18'; // of the bundled PGlite
const HOUSEKEEPING_INTERVAL_MS = 3_600_000;

/** Smaller buffers and log than a server's: this database shares its process with the service. */
const START_PARAMETERS = ['-c', 'shared_buffers=16MB', '-c', 'max_wal_size=64MB'];

/** Throws CONFLICT when another process has the directory, VALIDATION when it is not one of ours or cannot be used. */
export async function openEmbedded(given: string, log?: Logger): Promise<Connection> {
  // By whatever name it is called, it is one directory with one lock.
  const dataDir = existsSync(given) ? realpathSync(given) : given;
  let unlock = () => {};
  try {
    unlock = lockDirectory(dataDir);
    const connection = connectEmbedded(await openOrCreate(dataDir), { dataDir, log });
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

/** A first start that is cut short leaves half a database, which nothing can open: the mark lets the next one begin anew. */
async function openOrCreate(dataDir: string): Promise<PGlite> {
  const mark = `${resolve(dataDir)}.unfinished`;
  if (existsSync(mark)) {
    for (const name of listEntries(dataDir)) rmSync(join(dataDir, name), { recursive: true });
  }
  assertOwnDirectory(dataDir);
  if (listEntries(dataDir).length === 0) writeFileSync(mark, '');
  const pglite = await createPglite({ dataDir });
  rmSync(mark, { force: true });
  return pglite;
}

const listEntries = (dataDir: string) => (existsSync(dataDir) ? readdirSync(dataDir) : []);

export const createPglite = (options: { dataDir?: string; loadDataDir?: Blob } = {}) =>
  PGlite.create({
    ...options,
    extensions: { btree_gist },
    startParams: [...PGlite.defaultStartParams, ...START_PARAMETERS],
  });

/** Closing the connection closes the database. */
export function connectEmbedded(
  pglite: PGlite,
  { dataDir, log }: { dataDir?: string; log?: Logger | undefined } = {},
): Connection {
  const host = superviseEmbedded(pglite, {
    dataDir,
    log,
    reopen: () => createPglite(dataDir === undefined ? {} : { dataDir }),
    onReadOnlyChange: () => {
      // Where it fails, the next client sets it when it connects.
      pool.query(toReadOnlyStatement(host.isReadOnly())).catch(() => {});
    },
  });
  const pool = createEmbeddedPool(host);
  // There is no autovacuum in the embedded database, and its log does not shrink by itself.
  const housekeeping = setInterval(() => {
    if (host.isReadOnly()) return; // both need space, and a checkpoint without it is the end
    pool
      .query('VACUUM (ANALYZE)')
      .then(() => pool.query('CHECKPOINT'))
      .catch(() => {});
  }, HOUSEKEEPING_INTERVAL_MS).unref();
  const sql: Sql = async (statement, values) => (await pool.query({ ...statement, values })).rows;
  return {
    kind: 'embedded',
    pool,
    pipelinedSql: sql,
    lockingSql: sql, // it has one connection
    close: async () => {
      clearInterval(housekeeping);
      host.stop();
      await pool.end();
      // One that has died never closes; its log is replayed at the next start.
      if (host.isAlive(host.current())) await host.current().close();
    },
  };
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error;

const unusableDirectory = (dataDir: string, cause: NodeJS.ErrnoException) =>
  new DomainError(
    'VALIDATION',
    `DATA_DIR ${dataDir} cannot be used (${cause.message}). Choose a directory that this user may write to.`,
    { reason: 'INVALID_CONFIGURATION' },
    { cause },
  );

function assertOwnDirectory(dataDir: string): void {
  if (listEntries(dataDir).length === 0) return;
  const versionFile = join(dataDir, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw new DomainError(
      'VALIDATION',
      `DATA_DIR ${dataDir} holds other files and no database. Choose an empty or a new directory.`,
      { reason: 'INVALID_CONFIGURATION' },
    );
  }
  const version = readFileSync(versionFile, 'utf8').trim();
  if (version !== POSTGRES_MAJOR) {
    throw new DomainError(
      'VALIDATION',
      `DATA_DIR ${dataDir} was made by PostgreSQL ${version}; this Foyer embeds ${POSTGRES_MAJOR}. ` +
        'Start it with the Foyer that made it and move the data to a PostgreSQL server, or choose a new directory.',
      { reason: 'INVALID_CONFIGURATION' },
    );
  }
}
