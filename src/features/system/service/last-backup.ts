import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { toBackupRecordPath } from '../../../db/backup/backup-record.ts';
import type { Backup, Installation } from '../types.ts';

const recordSchema = z.object({
  madeAt: z.coerce.date(),
  durationMs: z.number(),
  bytes: z.number(),
  file: z.string(),
});

/**
 * Finds the last backup that `foyer backup` made. On PostgreSQL it is recorded in the database. The embedded database has one
 * process, so the command leaves a file beside it.
 */
export async function findLastBackup(
  { db }: Context,
  { config, database }: Installation,
): Promise<Backup | null> {
  const row =
    database.kind === 'postgres'
      ? await db.lastBackup.findUnique({ where: { id: 1 } })
      : await readRecord(config.dataDir);
  if (row === null) return null;
  const { madeAt: at, durationMs, bytes, file } = row;
  return { way: 'command', at, durationMs, bytes: Number(bytes), file };
}

/** A record that cannot be read counts as none: the next backup replaces it. */
async function readRecord(dataDir: string) {
  const text = await readFile(toBackupRecordPath(dataDir), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
