import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HOUR_MS } from '../../core/time/time-zone.ts';

/** How long a backup can run. A file or copy that was not written to for as long is none of a backup that runs. */
export const MAX_BACKUP_HOURS = 12;

/** Which files and directories of backups a directory has, by their names. */
interface OwnNames {
  isFile?(name: string): boolean;
  isDirectory?(name: string): boolean;
}

/** Deletes the files and directories of these names that a killed process has left. Links are not followed, and stay. */
export async function deleteAbandoned(
  directory: string,
  { isFile = () => false, isDirectory = () => false }: OwnNames,
  now: Date,
): Promise<void> {
  // A missing directory is reported by the backup.
  for (const name of await readdir(directory).catch(() => [])) {
    if (!isFile(name) && !isDirectory(name)) continue;
    const path = join(directory, name);
    const found = await lstat(path).catch(ignoreMissing);
    if (!found || now.getTime() - found.mtime.getTime() <= MAX_BACKUP_HOURS * HOUR_MS) continue;
    if ((found.isFile() && isFile(name)) || (found.isDirectory() && isDirectory(name)))
      await rm(path, { recursive: true, force: true });
  }
}

/** Someone else moved or deleted it. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
