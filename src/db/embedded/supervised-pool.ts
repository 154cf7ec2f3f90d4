import { statfs } from 'node:fs/promises';
import type { ExecProtocolOptions, PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import type { Logger } from 'pino';

/**
 * Creates a pool of one client: the embedded database has a single connection, so no other statement can interleave with
 * a transaction.
 */
export function createEmbeddedPool(supervisor: EmbeddedSupervisor): pg.Pool {
  class EmbeddedClient extends pg.Client {
    private readonly pglite: PGlite;

    constructor() {
      const pglite = supervisor.current();
      const config = createPgConfig(guardConnection(pglite, supervisor));
      // Its parse() expects an array of type numbers as `types`, but node-postgres passes a parser object.
      const parse = config.connection.parse.bind(config.connection);
      config.connection.parse = (query: { types?: unknown }) =>
        parse({ ...query, types: Array.isArray(query.types) ? query.types : [] });
      super(config as pg.ClientConfig);
      this.pglite = pglite;
      // The failed statement reports the error. Without a listener, the event would end the process.
      this.on('error', () => {});
    }

    /** Fails immediately while the database is not open. */
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void) {
      if (supervisor.isAlive(this.pglite))
        return callback ? super.connect(callback) : super.connect();
      if (callback === undefined) return Promise.reject(databaseNotOpen());
      process.nextTick(callback, databaseNotOpen());
    }
  }
  const pool = new pg.Pool({
    Client: EmbeddedClient,
    max: 1,
    idleTimeoutMillis: 0,
    // The pool replaces a client whose statement failed, but the database session stays: transactions and prepared
    // statements of the old client would disturb the new one.
    onConnect: async (client) => {
      await client.query('ROLLBACK');
      await client.query('DISCARD ALL');
      if (supervisor.isReadOnly()) await client.query(toReadOnlyStatement(true));
    },
  } as pg.PoolConfig);
  pool.on('error', () => {}); // the pool replaces the client at its next use
  return pool;
}

/** In read-only mode, reads continue and writes fail with 25006. */
export const toReadOnlyStatement = (isReadOnly: boolean) =>
  `SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`;

/** Wraps the database for node-postgres. If the database dies, the statement fails instead of waiting indefinitely. */
function guardConnection(pglite: PGlite, supervisor: EmbeddedSupervisor): PGlite {
  const reportDeath = (error: unknown) => {
    supervisor.reportDeath(pglite, error);
    return error;
  };
  return {
    waitReady: pglite.waitReady,
    execProtocolStream: async (message: Uint8Array, options: ExecProtocolOptions) => {
      if (!supervisor.isAlive(pglite)) throw databaseNotOpen();
      const messages = await pglite.execProtocolStream(message, options).catch((error) => {
        throw reportDeath(error);
      });
      const failure = messages.find(isFatal);
      if (failure !== undefined) throw reportDeath(failure);
      if (expectsReadyForQuery(message) && !messages.some(({ name }) => name === 'readyForQuery'))
        throw reportDeath(new Error('The embedded database did not respond.'));
      return messages;
    },
  } as unknown as PGlite;
}

const isFatal = ({ name, severity = '' }: { name: string; severity?: string | undefined }) =>
  name === 'error' && ['PANIC', 'FATAL'].includes(severity);

/** Whether the message is a Query or Sync, which PostgreSQL answers with ReadyForQuery. */
const expectsReadyForQuery = (message: Uint8Array) => message[0] === 0x51 || message[0] === 0x53;

/** Has the code that PostgreSQL sends while it is starting up. */
const databaseNotOpen = () =>
  Object.assign(new Error('The embedded database is not open.'), { code: '57P03' });

/**
 * Keeps the embedded database readable while its disk is full, and reopens it after a crash.
 *
 * If a table cannot grow because the disk is full, only the statement fails. If the write-ahead log cannot grow, PostgreSQL
 * panics. On a server, the postmaster would restart it; the embedded database has no postmaster and stops responding. The
 * supervisor therefore rejects writes while there is still room for the log. If it is too late, it abandons the dead
 * instance and reopens the directory. PostgreSQL then replays its log, as after any crash, and loses no acknowledged write.
 */
interface EmbeddedSupervisor {
  /** The current database, dead or alive. */
  current(): PGlite;
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
  first: PGlite,
  {
    dataDir,
    reopen,
    onReadOnlyChange,
    log,
  }: {
    /** Undefined for a database in memory, as in tests. */
    dataDir: string | undefined;
    reopen(): Promise<PGlite>;
    onReadOnlyChange(): void;
    log?: Logger | undefined;
  },
): EmbeddedSupervisor {
  let pglite = first;
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
        if (isStopped) return await next.close();
        pglite = next;
        isAlive = true;
        log?.info({ dataDir }, 'the embedded database is open again');
      } catch (error) {
        log?.error({ err: error, dataDir }, 'could not open the embedded database; retrying');
        if (!isStopped) reopenAfter(Math.min(delayMs * 2, MAX_REOPEN_DELAY_MS));
      }
    }, delayMs);
  };

  return {
    current: () => pglite,
    isAlive: (candidate) => isAlive && candidate === pglite,
    reportDeath: (dead, cause) => {
      if (!isAlive || dead !== pglite || isStopped) return;
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
