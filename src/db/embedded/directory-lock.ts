import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { DomainError } from '../../errors.ts';

interface LockHolder {
  pid: number;
  host: string;
  /** When the process started, in the kernel's ticks: tells it from a later one with the same number. */
  started: string | null;
  since: string;
}

/**
 * Two processes on one embedded directory lose data without a word, so the first one leaves a file beside
 * the directory. A lock of a process that is gone is taken over; throws CONFLICT that names a living one.
 */
export function lockDirectory(dataDir: string): () => void {
  const lock = `${resolve(dataDir)}.lock`;
  mkdirSync(dirname(lock), { recursive: true });
  const mine = `${lock}.${process.pid}`;
  const me = describeProcess(process.pid);
  writeFileSync(mine, JSON.stringify(me));
  try {
    if (!claimLock(mine, lock)) {
      const holder = readHolder(lock);
      if (holder && isHolderAlive(holder)) throw directoryInUse(dataDir, lock, holder);
      evictDeadLock(lock, holder, dataDir);
      if (!claimLock(mine, lock)) throw directoryInUse(dataDir, lock, readHolder(lock));
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return () => {
    const holder = readHolder(lock);
    if (holder?.pid === me.pid && holder.since === me.since) rmSync(lock, { force: true });
  };
}

/** A hard link appears whole or not at all, and never over another. */
function claimLock(mine: string, lock: string): boolean {
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Takes a dead lock away; if another starter was quicker and its fresh one was caught, puts that back. */
function evictDeadLock(lock: string, dead: LockHolder | null, dataDir: string): void {
  const aside = `${lock}.dead.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const caught = readHolder(aside);
  if (caught && caught.since !== dead?.since) {
    claimLock(aside, lock);
    rmSync(aside, { force: true });
    throw directoryInUse(dataDir, lock, caught);
  }
  rmSync(aside, { force: true });
}

function directoryInUse(dataDir: string, lock: string, holder: LockHolder | null): DomainError {
  const who = holder
    ? `process ${holder.pid} on ${holder.host} since ${holder.since}`
    : 'another process';
  return new DomainError(
    'CONFLICT',
    `The embedded database in ${dataDir} is in use by ${who}. Stop that one first, or give this one another DATA_DIR.` +
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
  if (holder.host !== hostname()) return true; // cannot be asked from here
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = readProcessState(holder.pid);
  if (now === null) return true;
  // A zombie has ended; its parent has merely not asked how.
  return now.state !== 'Z' && (holder.started === null || now.started === holder.started);
}

/** From /proc, where there is one. */
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
