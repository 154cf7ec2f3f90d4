import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Connection } from '../connection.ts';
import { copyRunningDatabase } from '../embedded/copy-running-database.ts';
import { openEmbedded } from '../embedded/embedded-database.ts';

/** What an export reads. */
export type ExportSource = Pick<Connection, 'pool' | 'rowCopier'>;

const COPY_PREFIX = '.foyer-backup-';
/** The names of directories with copies, as `mkdtemp` completes them. A killed process leaves them. */
export const COPY_NAME = /^\.foyer-backup-[A-Za-z0-9]{6}$/;

/**
 * Gives the database that this process has open to `work`, to export it into `file`. One of PostgreSQL reads one snapshot while others
 * write. The embedded one has a single session, so its files are copied beside the file first. The copy is deleted at the end.
 * The signal ends the copying.
 * @throws as `copyRunningDatabase`.
 */
export async function withRunningDatabase<T>(
  database: Pick<Connection, 'kind' | 'pool' | 'rowCopier'>,
  dataDir: string,
  file: string,
  work: (database: ExportSource) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  if (database.kind === 'postgres') return work(database);
  // The copy then starts quickly, because it has little of its log to replay.
  await database.pool.query('CHECKPOINT');
  return withCopy(dataDir, file, work, signal);
}

/**
 * Copies an embedded database that any process has open beside `file`, and gives the copy to `work`. It is deleted at the end. The signal
 * ends the copying.
 * @throws as `copyRunningDatabase`.
 */
export async function withCopy<T>(
  dataDir: string,
  file: string,
  work: (database: ExportSource) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const folder = await mkdtemp(join(dirname(resolve(file)), COPY_PREFIX));
  try {
    const copy = join(folder, 'copy');
    await copyRunningDatabase(dataDir, copy, signal);
    signal?.throwIfAborted();
    const database = await openEmbedded(copy, { fsync: false });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
