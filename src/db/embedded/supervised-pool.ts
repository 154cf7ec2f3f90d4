import { statfs } from 'node:fs/promises';
import type { ExecProtocolOptions, PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import type { Logger } from 'pino';

/**
 * A pool of one: the embedded database has a single connection, and whoever holds the client has all of it,
 * so a transaction can never be interleaved with somebody else's statement.
 */
export function createEmbeddedPool(host: EmbeddedSupervisor): pg.Pool {
  class EmbeddedClient extends pg.Client {
    private readonly pglite: PGlite;

    constructor() {
      const pglite = host.current();
      const config = createPgConfig(guardConnection(pglite, host));
      // Its parse() takes any `types` for an array of type numbers; node-postgres passes a parser object.
      const parse = config.connection.parse.bind(config.connection);
      config.connection.parse = (query: { types?: unknown }) =>
        parse({ ...query, types: Array.isArray(query.types) ? query.types : [] });
      super(config as pg.ClientConfig);
      this.pglite = pglite;
      // Whoever holds it hears from the statement; without a listener it would end the process.
      this.on('error', () => {});
    }

    /** While there is no database, callers must not wait for one. */
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void) {
      if (host.isAlive(this.pglite)) return callback ? super.connect(callback) : super.connect();
      if (callback === undefined) return Promise.reject(databaseNotOpen());
      process.nextTick(callback, databaseNotOpen());
    }
  }
  const pool = new pg.Pool({
    Client: EmbeddedClient,
    max: 1,
    idleTimeoutMillis: 0,
    // The pool replaces a client whose statement failed, but the session below stays: what the old one
    // has begun or prepared there would be in the new one's way.
    onConnect: async (client) => {
      await client.query('ROLLBACK');
      await client.query('DISCARD ALL');
      if (host.isReadOnly()) await client.query(toReadOnlyStatement(true));
    },
  } as pg.PoolConfig);
  pool.on('error', () => {}); // it is replaced at its next use
  return pool;
}

/** Reads go on; writes fail with 25006. */
export const toReadOnlyStatement = (isReadOnly: boolean) =>
  `SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`;

/** As node-postgres sees the database. Whatever kills it fails the statement, so that nobody waits for an answer for ever. */
function guardConnection(pglite: PGlite, host: EmbeddedSupervisor): PGlite {
  const die = (error: unknown) => {
    host.reportDeath(pglite, error);
    return error;
  };
  return {
    waitReady: pglite.waitReady,
    execProtocolStream: async (message: Uint8Array, options: ExecProtocolOptions) => {
      if (!host.isAlive(pglite)) throw databaseNotOpen();
      const answers = await pglite.execProtocolStream(message, options).catch((error) => {
        throw die(error);
      });
      const failure = answers.find(isFatal);
      if (failure !== undefined) throw die(failure);
      if (expectsReadyForQuery(message) && !answers.some(({ name }) => name === 'readyForQuery'))
        throw die(new Error('The embedded database did not answer.'));
      return answers;
    },
  } as unknown as PGlite;
}

const isFatal = (answer: { name: string; severity?: string | undefined }) =>
  answer.name === 'error' && ['PANIC', 'FATAL'].includes(answer.severity ?? '');

/** A query or a sync: PostgreSQL says afterwards that it is ready for the next one. */
const expectsReadyForQuery = (message: Uint8Array) => message[0] === 0x51 || message[0] === 0x53;

/** As PostgreSQL says it of a server that is starting. */
const databaseNotOpen = () =>
  Object.assign(new Error('The embedded database is not open.'), { code: '57P03' });

/**
 * Keeps the embedded database usable while its disk is full, and opens it anew where it has died.
 *
 * PostgreSQL survives a full disk as long as only tables cannot grow: the statement fails, and the next one may
 * succeed. It panics where its log cannot grow. A server's postmaster would start it again; the embedded database has
 * none, and its process image answers nothing any more. So this host stops writes while there is still room for the log,
 * and where that was too late, it leaves the dead image behind and opens the directory anew: PostgreSQL then
 * replays its log, as after a crash, and has every write that was acknowledged.
 */
interface EmbeddedSupervisor {
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

export function superviseEmbedded(
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
): EmbeddedSupervisor {
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
