import type { ExecProtocolOptions, PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import type { EmbeddedHost } from './embedded-host.ts';

/**
 * A pool of one: the embedded database has a single connection, and whoever holds the client has all of it,
 * so a transaction can never be interleaved with somebody else's statement.
 */
export function poolOver(host: EmbeddedHost): pg.Pool {
  class EmbeddedClient extends pg.Client {
    private readonly pglite: PGlite;

    constructor() {
      const pglite = host.current();
      const config = createPgConfig(guard(pglite, host));
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
      if (callback === undefined) return Promise.reject(notOpen());
      process.nextTick(callback, notOpen());
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
      if (host.isReadOnly()) await client.query(setReadOnly(true));
    },
  } as pg.PoolConfig);
  pool.on('error', () => {}); // it is replaced at its next use
  return pool;
}

/** Reads go on; writes fail with 25006. */
export const setReadOnly = (isReadOnly: boolean) =>
  `SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`;

/** As node-postgres sees the database. Whatever kills it fails the statement, so that nobody waits for an answer for ever. */
function guard(pglite: PGlite, host: EmbeddedHost): PGlite {
  const die = (error: unknown) => {
    host.reportDeath(pglite, error);
    return error;
  };
  return {
    waitReady: pglite.waitReady,
    execProtocolStream: async (message: Uint8Array, options: ExecProtocolOptions) => {
      if (!host.isAlive(pglite)) throw notOpen();
      const answers = await pglite.execProtocolStream(message, options).catch((error) => {
        throw die(error);
      });
      const failure = answers.find(isDeadly);
      if (failure !== undefined) throw die(failure);
      if (isAnswered(message) && !answers.some(({ name }) => name === 'readyForQuery'))
        throw die(new Error('The embedded database did not answer.'));
      return answers;
    },
  } as unknown as PGlite;
}

const isDeadly = (answer: { name: string; severity?: string | undefined }) =>
  answer.name === 'error' && ['PANIC', 'FATAL'].includes(answer.severity ?? '');

/** A query or a sync: PostgreSQL says afterwards that it is ready for the next one. */
const isAnswered = (message: Uint8Array) => message[0] === 0x51 || message[0] === 0x53;

/** As PostgreSQL says it of a server that is starting. */
const notOpen = () =>
  Object.assign(new Error('The embedded database is not open.'), { code: '57P03' });
