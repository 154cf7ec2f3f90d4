import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { DomainError } from '../../errors.ts';

interface LockHolder {
  pid: number;
  host: string;
  /** When the process started, in kernel ticks. Distinguishes it from a later process with the same id. */
  started: string | null;
  since: string;
}

/**
 * Locks the directory of an embedded database by a file next to it, since two processes on one directory would silently
 * lose data. Takes over the lock of a process that has ended. Returns a function that unlocks.
 * @throws CONFLICT that names the process that holds the lock.
 */
export function lockDirectory(dataDir: string): () => void {
  const lock = `${resolve(dataDir)}.lock`;
  mkdirSync(dirname(lock), { recursive: true });
  const ownFile = `${lock}.${process.pid}`;
  const self = describeProcess(process.pid);
  writeFileSync(ownFile, JSON.stringify(self));
  try {
    if (!claimLock(ownFile, lock)) {
      const holder = readHolder(lock);
      if (holder && isHolderAlive(holder)) throw directoryInUse(dataDir, lock, holder);
      evictDeadLock(lock, holder, dataDir);
      if (!claimLock(ownFile, lock)) throw directoryInUse(dataDir, lock, readHolder(lock));
    }
  } finally {
    rmSync(ownFile, { force: true });
  }
  return () => {
    const holder = readHolder(lock);
    if (holder?.pid === self.pid && holder.since === self.since) rmSync(lock, { force: true });
  };
}

/** Creating a hard link is atomic and never replaces an existing file. */
function claimLock(ownFile: string, lock: string): boolean {
  try {
    linkSync(ownFile, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a dead process. Restores the file if another process has replaced it in the meantime. */
function evictDeadLock(lock: string, dead: LockHolder | null, dataDir: string): void {
  const renamed = `${lock}.dead.${process.pid}`;
  try {
    renameSync(lock, renamed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const removed = readHolder(renamed);
  if (removed && removed.since !== dead?.since) {
    claimLock(renamed, lock);
    rmSync(renamed, { force: true });
    throw directoryInUse(dataDir, lock, removed);
  }
  rmSync(renamed, { force: true });
}

function directoryInUse(dataDir: string, lock: string, holder: LockHolder | null): DomainError {
  const description = holder
    ? `process ${holder.pid} on ${holder.host} since ${holder.since}`
    : 'another process';
  return new DomainError(
    'CONFLICT',
    `The embedded database in ${dataDir} is in use by ${description}. Stop that process first, or choose another directory ` +
      'with DATA_DIR, or for the demo with --data-dir.' +
      (holder && holder.host !== hostname() ? ` If that machine is gone, delete ${lock}.` : ''),
    { reason: 'DATA_DIR_IN_USE' },
  );
}

function readHolder(lock: string): LockHolder | null {
  try {
    return JSON.parse(readFileSync(lock, 'utf8')) as LockHolder;
  } catch {
    return null;
  }
}

const describeProcess = (pid: number): LockHolder => ({
  pid,
  host: hostname(),
  started: readProcessState(pid)?.started ?? null,
  since: new Date().toISOString(),
});

function isHolderAlive(holder: LockHolder): boolean {
  if (holder.host !== hostname()) return true; // cannot be checked from here
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = readProcessState(holder.pid);
  if (now === null) return true;
  // A zombie has ended, but its parent has not collected its status.
  return now.state !== 'Z' && (holder.started === null || now.started === holder.started);
}

/** Reads /proc. Returns null on systems without it. */
function readProcessState(
  pid: number,
): { state: string | undefined; started: string | null } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], started: fields[19] ?? null };
  } catch {
    return null;
  }
}
