import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { Connection } from '../db/connection.ts';
import { openDatabase } from '../db/database.ts';
import { copyRunningDatabase } from '../db/embedded/copy-running-database.ts';
import { openEmbedded } from '../db/embedded/embedded-database.ts';
import { DomainError } from '../errors.ts';

type Location = Pick<Config, 'databaseUrl' | 'databaseConnections' | 'dataDir' | 'dataFsync'>;

/**
 * Opens a database to export it into `file`. An embedded database that a running service has open is copied beside the file first.
 * The copy is deleted at the end.
 * @throws as `openDatabase` and `copyRunningDatabase`.
 */
export async function withDatabaseForBackup<T>(
  location: Location,
  file: string,
  work: (database: Pick<Connection, 'pool' | 'rowCopier'>) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ ...location, mustExist: true }).catch((error) => {
    if (isInUse(error)) return undefined;
    throw error;
  });
  if (database === undefined) return withCopy(location.dataDir, file, work);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const isInUse = (error: unknown) =>
  error instanceof DomainError && error.details.reason === 'DATA_DIR_IN_USE';

async function withCopy<T>(
  dataDir: string,
  file: string,
  work: (database: Connection) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(dirname(resolve(file)), '.foyer-backup-'));
  try {
    const copy = join(folder, 'copy');
    await copyRunningDatabase(dataDir, copy);
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
