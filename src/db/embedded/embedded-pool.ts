import type { ExecProtocolOptions, PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { createTurnLimit, runDueTimers } from '../../core/turn-limit.ts';
import { createWaitReport, type WatchedPool } from '../watched-pool.ts';
import type { EmbeddedInstance, EmbeddedSupervisor } from './supervisor.ts';

/** Enough for the responses that wait for one flush. A client is a few objects in memory. */
const MAX_CLIENTS = 64;
/** Statements wait for nothing outside of the process, so a transaction of many would keep everything else waiting. */
const MAX_TURN_MS = 10;

/**
 * Creates a pool of clients that share the single session of the embedded database. A client has the session from its first
 * statement until PostgreSQL is ready for the next transaction, so no other statement can interleave with a transaction.
 *
 * It then passes the session on before its response is delivered. The response waits for the flush of the log, and so do those
 * of the statements that follow meanwhile: they can have read what is not on the disk yet.
 */
export function createEmbeddedPool(supervisor: EmbeddedSupervisor): {
  pool: pg.Pool;
  session: WatchedPool;
} {
  const session = createSharedSession(supervisor);
  class EmbeddedClient extends pg.Client {
    constructor() {
      const guard = guardConnection(session, supervisor);
      const config = createPgConfig(guard.pglite);
      // Its parse() expects an array of type numbers as `types`, but node-postgres passes a parser object.
      const parse = config.connection.parse.bind(config.connection);
      config.connection.parse = (query: { types?: unknown }) =>
        parse({ ...query, types: Array.isArray(query.types) ? query.types : [] });
      // A value that cannot be converted would leave half of a message, which the next one would begin with.
      const bind = config.connection.bind.bind(config.connection);
      config.connection.bind = ({ values = [], valueMapper, ...message }: BindMessage) =>
        bind({ ...message, values: values.map((value) => valueMapper(value)) });
      Object.defineProperty(config.connection, 'parsedStatements', {
        get: session.parsedStatements,
      });
      const end = config.connection.end.bind(config.connection);
      config.connection.end = () => {
        end(); // removes all listeners
        config.connection.on('error', () => {}); // of statements that were sent before
        config.connection.once('end', guard.endSession); // after them
      };
      super(config as pg.ClientConfig);
      // The failed statement reports the error. Without a listener, the event would end the process.
      this.on('error', () => {});
    }

    /** Fails immediately while the database is not open. */
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void) {
      if (supervisor.isAlive(supervisor.current().pglite))
        return callback ? super.connect(callback) : super.connect();
      if (callback === undefined) return Promise.reject(databaseNotOpen());
      process.nextTick(callback, databaseNotOpen());
    }
  }
  const pool = new pg.Pool({
    Client: EmbeddedClient,
    max: MAX_CLIENTS,
    idleTimeoutMillis: 0,
    onConnect: async (client) => {
      if (supervisor.isReadOnly()) await client.query(toReadOnlyStatement(true));
    },
  } as pg.PoolConfig);
  pool.on('error', () => {}); // the pool replaces the client at its next use
  // A client that is returned in a transaction would keep the session from all others.
  pool.on('release', (error, client) => {
    const status = client.getTransactionStatus();
    if (!error && status !== null && status !== IDLE) client.query('ROLLBACK').catch(() => {});
  });
  return { pool, session: session.watched };
}

/** In read-only mode, reads continue and writes fail with 25006. */
export const toReadOnlyStatement = (isReadOnly: boolean) =>
  `SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`;

const IDLE = 'I';

interface BindMessage {
  values?: unknown[];
  valueMapper(value: unknown): unknown;
}

interface Lease {
  instance: EmbeddedInstance;
  end(): void;
}

interface SharedSession {
  /** Waits until no other client has the session. */
  lease(): Promise<Lease>;
  /** The texts of the prepared statements by name. All clients see what one of them has prepared. */
  parsedStatements(): Record<string, string>;
  /** Lets other work of the process go first if statements have kept it waiting. */
  pause(): Promise<void> | undefined;
  watched: WatchedPool;
}

function createSharedSession(supervisor: EmbeddedSupervisor): SharedSession {
  const waiting: (() => void)[] = [];
  const waits = createWaitReport();
  let isLeased = false;
  const end = () => {
    const next = waiting.shift();
    if (next) next();
    else isLeased = false;
  };
  return {
    lease: async () => {
      const endWait = waits.begin();
      if (isLeased) await new Promise<void>((resolve) => waiting.push(resolve));
      endWait();
      isLeased = true;
      return { instance: supervisor.current(), end };
    },
    parsedStatements: () => {
      const instance = supervisor.current();
      instance.preparedStatements ??= {};
      return instance.preparedStatements;
    },
    pause: createTurnLimit(MAX_TURN_MS),
    watched: {
      name: 'session',
      readUsage: () => ({
        used: isLeased ? 1 : 0,
        idle: isLeased ? 0 : 1,
        waiting: waiting.length,
      }),
      onWait: waits.onWait,
    },
  };
}

interface GuardedConnection {
  pglite: PGlite;
  /** Ends the transaction that an ended client leaves open. */
  endSession(): Promise<void>;
}

/** Wraps the database for node-postgres. If the database dies, the statement fails instead of waiting indefinitely. */
function guardConnection(
  session: SharedSession,
  supervisor: EmbeddedSupervisor,
): GuardedConnection {
  let lease: Lease | undefined;
  let unsent: Uint8Array[] = [];
  const endLease = () => {
    lease?.end();
    lease = undefined;
    unsent = [];
  };
  const execute = async (
    { pglite }: EmbeddedInstance,
    message: Uint8Array,
    options: ExecProtocolOptions,
  ) => {
    await session.pause();
    if (!supervisor.isAlive(pglite)) throw databaseNotOpen();
    const parsedStatements = session.parsedStatements();
    const known = answerForPrepared(message, parsedStatements);
    if (known) return known;
    unsent.push(message);
    if (!endsStatement(message)) return [];
    const [parse] = unsent;
    const statement = unsent.length > 1 ? Buffer.concat(unsent) : message;
    unsent = [];
    const startedAt = performance.now();
    const messages = await pglite.execProtocolStream(statement, options);
    // The timeout of a transaction can have passed meanwhile. It must take effect before the commit.
    if (performance.now() - startedAt > MAX_TURN_MS) await runDueTimers();
    const failure = messages.find(isFatal);
    if (failure !== undefined) throw failure;
    // node-postgres forgets a statement whose values it could not convert.
    if (parse?.[0] === PARSE && messages.some(({ name }) => name === 'parseComplete')) {
      const [name = '', text = ''] = readStrings(parse, 5);
      if (name !== '') parsedStatements[name] = text;
    }
    if (expectsReadyForQuery(message) && !messages.some(isReadyForQuery))
      throw new Error('The embedded database did not respond.');
    return messages;
  };
  const execProtocolStream = async (message: Uint8Array, options: ExecProtocolOptions) => {
    lease ??= await session.lease();
    const { instance } = lease;
    try {
      const messages = await execute(instance, message, options);
      if (!isIdle(messages)) return messages;
      endLease();
      if (instance.files?.isFlushPending()) await instance.files.flushLog();
      return messages;
    } catch (error) {
      endLease();
      supervisor.reportDeath(instance.pglite, error);
      throw error;
    }
  };
  const endSession = async () => {
    const instance = lease?.instance;
    if (instance && supervisor.isAlive(instance.pglite))
      await instance.pglite.exec('ROLLBACK').catch((error) => {
        supervisor.reportDeath(instance.pglite, error);
      });
    endLease();
  };
  return {
    pglite: {
      waitReady: supervisor.current().pglite.waitReady,
      execProtocolStream,
    } as unknown as PGlite,
    endSession,
  };
}

/**
 * A client decides whether to prepare a statement before it has the session. Meanwhile another one can have prepared it. None
 * of them closes a prepared statement, since the others use it: node-postgres would if it cannot convert a value.
 */
function answerForPrepared(message: Uint8Array, parsedStatements: Record<string, string>) {
  const isParse = message[0] === PARSE;
  const isCloseStatement = message[0] === 0x43 && message[5] === 0x53;
  if (!isParse && !isCloseStatement) return undefined;
  const [name = ''] = readStrings(message, isParse ? 5 : 6);
  if (name === '' || (isParse && parsedStatements[name] === undefined)) return undefined;
  return [{ name: isParse ? 'parseComplete' : 'closeComplete', length: 5 }];
}

const PARSE = 0x50;

/** Reads the texts of a message from this position on. Each ends with a zero byte. */
const readStrings = (message: Uint8Array, start: number) =>
  Buffer.from(message.subarray(start)).toString().split('\0');

const isFatal = ({ name, severity = '' }: { name: string; severity?: string | undefined }) =>
  name === 'error' && ['PANIC', 'FATAL'].includes(severity);

const isReadyForQuery = ({ name }: { name: string }) => name === 'readyForQuery';

/** Whether the messages end the transaction. */
const isIdle = (messages: { name: string; status?: string }[]) =>
  messages.some((message) => isReadyForQuery(message) && message.status === IDLE);

const EXTENDED_QUERY = new Set([...'PBDEC'].map((type) => type.charCodeAt(0)));

/** False for Parse, Bind, Describe, Execute and Close. They wait for a Sync or Flush, since each call costs as much as a short statement. */
const endsStatement = (message: Uint8Array) => !EXTENDED_QUERY.has(message[0] ?? 0);

/** Whether the message is a Query or Sync, which PostgreSQL answers with ReadyForQuery. */
const expectsReadyForQuery = (message: Uint8Array) => message[0] === 0x51 || message[0] === 0x53;

/** Has the code that PostgreSQL sends while it is starting up. */
const databaseNotOpen = () =>
  Object.assign(new Error('The embedded database is not open.'), { code: '57P03' });
