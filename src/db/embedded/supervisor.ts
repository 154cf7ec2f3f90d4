import { statfs } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import type { Logger } from 'pino';
import type { DurableFileSystem } from './durable-file-system.ts';

/** A running embedded database. */
export interface EmbeddedInstance {
  pglite: PGlite;
  /** Undefined for a database that never flushes. */
  files?: DurableFileSystem;
  /** The texts of the statements that its one session has prepared, by name. */
  preparedStatements?: Record<string, string>;
}

/**
 * Keeps the embedded database readable while its disk is full, and reopens it after a crash.
 *
 * If a table cannot grow because the disk is full, only the statement fails. If the write-ahead log cannot grow, PostgreSQL
 * panics. On a server, the postmaster would restart it; the embedded database has no postmaster and stops responding. The
 * supervisor therefore rejects writes while there is still room for the log. If it is too late, it abandons the dead
 * instance and reopens the directory. PostgreSQL then replays its log, as after any crash, and loses no acknowledged write.
 */
export interface EmbeddedSupervisor {
  /** The current database, dead or alive. */
  current(): EmbeddedInstance;
  isAlive(pglite: PGlite): boolean;
  /** Reports that this database no longer responds. */
  reportDeath(pglite: PGlite, cause: unknown): void;
  /** Whether writes are rejected because the disk is nearly full. */
  isReadOnly(): boolean;
  stop(): void;
}

/** The log grows in segments of 16 MB, and a checkpoint needs some more space. */
const MIN_FREE_BYTES = 32 * 1024 ** 2;
/** Writes resume at a higher threshold, so that the mode does not change back and forth. */
const MIN_FREE_BYTES_TO_RESUME = 48 * 1024 ** 2;
const DISK_INTERVAL_MS = 2_000;
const MIN_REOPEN_DELAY_MS = 500;
const MAX_REOPEN_DELAY_MS = 30_000;

export function superviseEmbedded(
  first: EmbeddedInstance,
  {
    dataDir,
    reopen,
    onReadOnlyChange,
    log,
  }: {
    /** Undefined for a database in memory, as in tests. */
    dataDir: string | undefined;
    reopen(): Promise<EmbeddedInstance>;
    onReadOnlyChange(): void;
    log?: Logger | undefined;
  },
): EmbeddedSupervisor {
  let instance = first;
  let isAlive = true;
  let isReadOnly = false;
  let isStopped = false;
  let reopening: NodeJS.Timeout | undefined;

  const checkDisk = async () => {
    if (dataDir === undefined) return;
    const free = await readFreeBytes(dataDir);
    const isFull = free < (isReadOnly ? MIN_FREE_BYTES_TO_RESUME : MIN_FREE_BYTES);
    if (isFull === isReadOnly) return;
    isReadOnly = isFull;
    if (isFull)
      log?.error(
        { dataDir, free },
        'the disk of DATA_DIR is nearly full; rejecting writes until there is space',
      );
    else log?.info({ dataDir, free }, 'the disk of DATA_DIR has space again; accepting writes');
    onReadOnlyChange();
  };
  const diskTimer = setInterval(() => {
    checkDisk().catch((error) =>
      log?.warn({ err: error }, 'could not read the free space of DATA_DIR'),
    );
  }, DISK_INTERVAL_MS).unref();

  const reopenAfter = (delayMs: number) => {
    reopening = setTimeout(async () => {
      try {
        await checkDisk();
        if (isReadOnly) return reopenAfter(delayMs); // without space it cannot replay its log
        const next = await reopen();
        if (isStopped) return await next.pglite.close();
        instance = next;
        isAlive = true;
        log?.info({ dataDir }, 'the embedded database is open again');
      } catch (error) {
        log?.error({ err: error, dataDir }, 'could not open the embedded database; retrying');
        if (!isStopped) reopenAfter(Math.min(delayMs * 2, MAX_REOPEN_DELAY_MS));
      }
    }, delayMs);
  };

  return {
    current: () => instance,
    isAlive: (candidate) => isAlive && candidate === instance.pglite,
    reportDeath: (dead, cause) => {
      if (!isAlive || dead !== instance.pglite || isStopped) return;
      isAlive = false;
      log?.error({ err: cause, dataDir }, 'the embedded database crashed; reopening it');
      reopenAfter(MIN_REOPEN_DELAY_MS);
    },
    isReadOnly: () => isReadOnly,
    stop: () => {
      isStopped = true;
      clearInterval(diskTimer);
      clearTimeout(reopening);
    },
  };
}

/** Returns the space that this user can still write. */
async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
