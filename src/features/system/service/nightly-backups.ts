import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../../context.ts';
import { deleteAbandoned } from '../../../db/backup/abandoned-files.ts';
import { findPartialTarget } from '../../../db/backup/backup-file.ts';
import { COPY_NAME, withRunningDatabase } from '../../../db/backup/export-source.ts';
import { makeBackup } from '../../../db/backup/make-backup.ts';
import type { Installation } from '../types.ts';

export const NIGHTLY_BACKUP_JOB = 'backups.make';

/** Only files with such names are deleted. The names sort by time. */
const FILE_NAME = /^foyer-\d{4}-\d{2}-\d{2}T\d{6}Z\.backup\.gz$/;

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
  await deleteAbandoned(
    directory,
    { isFile: isPartialName, isDirectory: (name) => COPY_NAME.test(name) },
    madeAt,
  );
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

const isPartialName = (name: string) => FILE_NAME.test(findPartialTarget(name) ?? '');
