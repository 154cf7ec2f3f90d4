import { existsSync, realpathSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type pg from 'pg';
import { toPartialPath } from './backup-file.ts';

/** How the last backup of a database was made, for the system page. */
export interface BackupRecord {
  madeAt: Date;
  durationMs: number;
  /** The size of the file. */
  bytes: number;
  /** Where the command wrote it. */
  file: string;
}

/** The file beside an embedded database that describes its last backup. */
export const toBackupRecordPath = (dataDir: string) =>
  `${existsSync(dataDir) ? realpathSync(dataDir) : resolve(dataDir)}.last-backup.json`;

/** Describes the last backup in a file beside an embedded database, which another process can have open. */
export async function writeBackupRecord(dataDir: string, record: BackupRecord): Promise<void> {
  const path = toBackupRecordPath(dataDir);
  const partial = toPartialPath(path); // several backups can end at the same time
  try {
    await writeFile(partial, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    await rename(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}

/** The table is missing before an upgrade, the role may only read, or the server is a standby. */
const CANNOT_RECORD = ['42P01', '42501', '25006'];

/** Describes the last backup in a database of PostgreSQL, if that is possible: the backup is valid without it. */
export async function storeBackupRecord(
  pool: pg.Pool,
  { madeAt, durationMs, bytes, file }: BackupRecord,
): Promise<void> {
  await pool
    .query(
      `INSERT INTO last_backup (id, made_at, duration_ms, bytes, file) VALUES (1, $1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET made_at = excluded.made_at, duration_ms = excluded.duration_ms,
       bytes = excluded.bytes, file = excluded.file`,
      [madeAt, durationMs, bytes, file],
    )
    .catch((error) => {
      if (!CANNOT_RECORD.includes(error.code)) throw error;
    });
}
