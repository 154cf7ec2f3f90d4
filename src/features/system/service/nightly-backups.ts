import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../../context.ts';
import { HOUR_MS } from '../../../core/time/time-zone.ts';
import { COPY_NAME, withRunningDatabase } from '../../../db/backup/export-source.ts';
import { makeBackup } from '../../../db/backup/make-backup.ts';
import type { Installation } from '../types.ts';

export const NIGHTLY_BACKUP_JOB = 'backups.make';

/** Only files with such names are deleted. The names sort by time. */
const FILE_NAME = /^foyer-\d{4}-\d{2}-\d{2}T\d{6}Z\.backup\.gz$/;
const PARTIAL_SUFFIX = '.partial';
/** A younger file or copy can be that of a backup which runs now. */
const MIN_ABANDONED_AGE_MS = 12 * HOUR_MS;

/**
 * Job: writes a verified backup into BACKUP_DIR, if it is set, and then deletes the oldest of its own files beyond BACKUP_KEEP. What
 * a killed process left is deleted first, to make space. The signal ends it, and leaves no file.
 * @throws as `makeBackup`, and the reason of the signal; then nothing old is deleted.
 */
export async function makeNightlyBackup(
  ctx: Context,
  { config, database }: Pick<Installation, 'config' | 'database'>,
  signal: AbortSignal,
): Promise<void> {
  const { backupDir: directory, backupKeep, dataDir } = config;
  if (directory === undefined) return;
  const madeAt = ctx.now();
  await deleteAbandoned(directory, madeAt);
  const name = toFileName(madeAt);
  const file = join(directory, name);
  try {
    await makeBackup(file, {
      madeAt,
      open: (work) => withRunningDatabase(database, dataDir, file, work, signal),
      dataDir: database.kind === 'embedded' ? dataDir : undefined,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  const older = (await readdir(directory)).filter((one) => FILE_NAME.test(one) && one !== name);
  for (const one of older
    .sort()
    .reverse()
    .slice(backupKeep - 1))
    await rm(join(directory, one), { force: true });
}

const toFileName = (at: Date) =>
  `foyer-${at.toISOString().slice(0, 19).replaceAll(':', '')}Z.backup.gz`;

async function deleteAbandoned(directory: string, now: Date): Promise<void> {
  // A missing directory is reported by the backup.
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const found = await lstat(path).catch(ignoreMissing);
    if (!found || now.getTime() - found.mtime.getTime() <= MIN_ABANDONED_AGE_MS) continue;
    if ((found.isFile() && isPartialName(name)) || (found.isDirectory() && COPY_NAME.test(name)))
      await rm(path, { recursive: true, force: true });
  }
}

const isPartialName = (name: string) =>
  name.endsWith(PARTIAL_SUFFIX) && FILE_NAME.test(name.slice(0, -PARTIAL_SUFFIX.length));

/** Someone else moved or deleted it. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
