import { statfs } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import type { Logger } from 'pino';

/**
 * Keeps the embedded database usable while its disk is full, and opens it anew where it has died.
 *
 * PostgreSQL survives a full disk as long as only tables cannot grow: the statement fails, and the next one may
 * succeed. It panics where its log cannot grow. A server's postmaster would start it again; the embedded database has
 * none, and its process image answers nothing any more. So this host stops writes while there is still room for the log,
 * and where that was too late, it leaves the dead image behind and opens the directory anew: PostgreSQL then
 * replays its log, as after a crash, and has every write that was acknowledged.
 */
export interface EmbeddedHost {
  /** The database as of now, dead or alive. */
  current(): PGlite;
  isAlive(pglite: PGlite): boolean;
  /** Nothing can be asked of this one any more. */
  reportDeath(pglite: PGlite, cause: unknown): void;
  /** Whether writes are refused, since the disk is nearly full. */
  isReadOnly(): boolean;
  stop(): void;
}

/** The log grows by segments of 16 MB, and a checkpoint needs a little on top. */
const MIN_FREE_BYTES = 32 * 1024 ** 2;
/** Writes begin again only when there is more, so that they do not stop and go. */
const MIN_FREE_BYTES_TO_RESUME = 48 * 1024 ** 2;
const DISK_INTERVAL_MS = 2_000;
const MIN_REOPEN_DELAY_MS = 500;
const MAX_REOPEN_DELAY_MS = 30_000;

export function hostEmbedded(
  first: PGlite,
  {
    dataDir,
    reopen,
    onReadOnlyChange,
    log,
  }: {
    /** Undefined where it lives in memory, as in tests. */
    dataDir: string | undefined;
    reopen(): Promise<PGlite>;
    onReadOnlyChange(): void;
    log?: Logger | undefined;
  },
): EmbeddedHost {
  let pglite = first;
  let isAlive = true;
  let isReadOnly = false;
  let isStopped = false;
  let reopening: NodeJS.Timeout | undefined;

  const lookAtDisk = async () => {
    if (dataDir === undefined) return;
    const free = await readFreeBytes(dataDir);
    const isFull = free < (isReadOnly ? MIN_FREE_BYTES_TO_RESUME : MIN_FREE_BYTES);
    if (isFull === isReadOnly) return;
    isReadOnly = isFull;
    if (isFull)
      log?.error(
        { dataDir, free },
        'the disk of DATA_DIR is nearly full: writes are refused until there is space',
      );
    else log?.info({ dataDir, free }, 'the disk of DATA_DIR has space again: writes are accepted');
    onReadOnlyChange();
  };
  const watching = setInterval(() => {
    lookAtDisk().catch((error) =>
      log?.warn({ err: error }, 'could not read the free space of DATA_DIR'),
    );
  }, DISK_INTERVAL_MS).unref();

  const reopenAfter = (delayMs: number) => {
    reopening = setTimeout(async () => {
      try {
        await lookAtDisk();
        if (isReadOnly) return reopenAfter(delayMs); // it could not replay its log
        const next = await reopen();
        if (isStopped) return await next.close();
        pglite = next;
        isAlive = true;
        log?.info({ dataDir }, 'the embedded database is open again');
      } catch (error) {
        log?.error(
          { err: error, dataDir },
          'the embedded database could not be opened; trying again',
        );
        if (!isStopped) reopenAfter(Math.min(delayMs * 2, MAX_REOPEN_DELAY_MS));
      }
    }, delayMs);
  };

  return {
    current: () => pglite,
    isAlive: (asked) => isAlive && asked === pglite,
    reportDeath: (dead, cause) => {
      if (!isAlive || dead !== pglite || isStopped) return;
      isAlive = false;
      log?.error({ err: cause, dataDir }, 'the embedded database has crashed; opening it again');
      reopenAfter(MIN_REOPEN_DELAY_MS);
    },
    isReadOnly: () => isReadOnly,
    stop: () => {
      isStopped = true;
      clearInterval(watching);
      clearTimeout(reopening);
    },
  };
}

/** What this user may still write there. */
async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
