import { stat } from 'node:fs/promises';
import { assertCanCreate, openBackup, writeBackup } from './backup-file.ts';
import { type BackupRecord, storeBackupRecord, writeBackupRecord } from './backup-record.ts';
import { exportDatabase } from './export-database.ts';
import type { ExportSource } from './export-source.ts';
import { verifyExport } from './verify-export.ts';

interface Backup extends BackupRecord {
  /** The number of rows of each table. */
  rows: Record<string, number>;
}

/**
 * Writes a backup into a new file, reads it again to verify it, and records it for the system page. The file gets its name once it is
 * verified. Leaves no file if the writing or the check fails. The signal ends both.
 * @throws as `writeBackup`, `exportDatabase` and `verifyExport`.
 */
export async function makeBackup(
  file: string,
  {
    madeAt,
    open,
    dataDir,
    signal,
  }: {
    madeAt: Date;
    /** Opens the database for the export. */
    open<T>(work: (database: ExportSource) => Promise<T>): Promise<T>;
    /** The directory of an embedded database, beside which the backup is recorded. Undefined for PostgreSQL. */
    dataDir: string | undefined;
    signal?: AbortSignal;
  },
): Promise<Backup> {
  const startedAt = performance.now();
  assertCanCreate(file);
  return open(async (database) => {
    let rows: Record<string, number> = {};
    await writeBackup(file, exportDatabase(database), {
      signal,
      verify: async (partial) => {
        const { pieces } = await openBackup(partial);
        ({ rows } = await verifyExport(untilAborted(pieces, signal)));
      },
    });
    const { size: bytes } = await stat(file);
    const durationMs = Math.round(performance.now() - startedAt);
    const record = { madeAt, durationMs, bytes, file };
    await (dataDir === undefined
      ? storeBackupRecord(database.pool, record)
      : writeBackupRecord(dataDir, record));
    return { ...record, rows };
  });
}

async function* untilAborted(
  pieces: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    signal?.throwIfAborted();
    yield piece;
  }
}
