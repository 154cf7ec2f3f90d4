import { type ExportSource, withCopy } from '../db/backup/export-source.ts';
import { type DatabaseLocation, openDatabase } from '../db/database.ts';
import { DomainError } from '../errors.ts';

/**
 * Opens a database to export it into `file`. An embedded database that a running service has open is copied beside the file first.
 * The copy is deleted at the end.
 * @throws as `openDatabase` and `copyRunningDatabase`.
 */
export async function withDatabaseForBackup<T>(
  location: DatabaseLocation,
  file: string,
  work: (database: ExportSource) => Promise<T>,
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
