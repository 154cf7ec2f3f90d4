import { readdirSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../errors.ts';

const CONTROL_FILE = join('global', 'pg_control');
const WAL_DIRECTORY = 'pg_wal';
const OWNER_ONLY = 0o700;
/** A checkpoint during the copy spoils it. There is at most one a minute, and a copy takes seconds. */
const MAX_ATTEMPTS = 5;

/**
 * Copies the files of an embedded database while another process has it open, and stops nobody. When the copy is opened, PostgreSQL
 * replays its log as after a crash, so that the copy has all that was committed when this function copied the end of the log, and
 * nothing else.
 *
 * The log before the last checkpoint can be overwritten. The control file names this checkpoint, so it is copied first and the log
 * last. If the control file has changed meanwhile, the copy is made again. Pages that change while they are copied stand in the log.
 * The signal ends it. Leaves no copy if it fails.
 *
 * @throws CONFLICT if the disk of `target` has too little space, or if checkpoints are too frequent.
 */
export async function copyRunningDatabase(
  dataDir: string,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  await assertEnoughSpace(dataDir, target);
  await copyUnchanged(dataDir, target, signal).catch(async (error) => {
    await rm(target, { recursive: true, force: true });
    throw error;
  });
}

async function copyUnchanged(
  dataDir: string,
  target: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    await rm(target, { recursive: true, force: true });
    await mkdir(target, { mode: OWNER_ONLY });
    const control = await readFile(join(dataDir, CONTROL_FILE));
    await copyDirectory(dataDir, target, '.', signal);
    await writeFile(join(target, CONTROL_FILE), control);
    await mkdir(join(target, WAL_DIRECTORY), { recursive: true });
    await copyDirectory(dataDir, target, WAL_DIRECTORY, signal);
    if (control.equals(await readFile(join(dataDir, CONTROL_FILE)))) return;
  }
  throw new DomainError(
    'CONFLICT',
    'The database changes faster than it can be copied. Try again when fewer people use it, or use a faster disk for the backup.',
    { reason: 'BACKUP_INTERRUPTED' },
  );
}

/** Copies a directory with its directories, except for what `copyRunningDatabase` copies itself. */
async function copyDirectory(
  from: string,
  to: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const entries = await readdir(join(from, path), { withFileTypes: true });
  // Segments of the log in their order.
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    signal?.throwIfAborted();
    const inner = join(path, entry.name);
    if (inner === CONTROL_FILE || inner === WAL_DIRECTORY || inner === 'postmaster.pid') continue;
    if (entry.isDirectory()) {
      await mkdir(join(to, inner), { recursive: true, mode: OWNER_ONLY });
      await copyDirectory(from, to, inner, signal);
    } else if (entry.isFile())
      await copyFile(join(from, inner), join(to, inner)).catch(ignoreDeleted);
  }
}

/** A table that was dropped, or a segment that was removed by a checkpoint. */
function ignoreDeleted(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function assertEnoughSpace(dataDir: string, target: string): Promise<void> {
  const needed = await measureDirectory(dataDir);
  const { bavail, bsize } = await statfs(join(target, '..'));
  const free = bavail * bsize;
  if (free >= needed) return;
  const toMegabytes = (bytes: number) => Math.ceil(bytes / 1024 ** 2);
  throw new DomainError(
    'CONFLICT',
    `A backup needs ${toMegabytes(needed)} MB beside its file for a while, and only ${toMegabytes(free)} MB are free. Write it to another disk.`,
    { reason: 'FILE_NOT_WRITTEN' },
  );
}

async function measureDirectory(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true }))
    if (entry.isFile())
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      );
  return bytes;
}
