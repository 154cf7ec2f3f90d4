import type pg from 'pg';
import type { Context } from '../../../src/context.ts';
import { addPrisma, type Connection, type Database } from '../../../src/db/database.ts';
import type { Sql } from '../../../src/db/prepared-statement.ts';
import { createSystemContext } from '../factories/seed.ts';
import { type Content, openCopy } from '../harness/database.ts';
import { checkTransaction } from './failing-transaction.ts';

/** The errors with which statements fail. */
export const OUTAGES = {
  'refused connections': { code: 'ECONNREFUSED', syscall: 'connect', errno: -111 },
  'a server that shuts down': { code: '57P01', severity: 'FATAL' },
  'a full disk': { code: '53100', severity: 'ERROR' },
};

export interface Outage {
  /** Lets all statements fail after `afterStatements` more. */
  begin(how?: { afterStatements?: number; failure?: object }): void;
  end(): void;
  /** Counts the statements that failed since the outage began. */
  countFailures(): number;
}

/** Opens a database with outages that can begin at any statement. */
export async function openUnreliableDatabase(
  content: Content,
): Promise<{ database: Database; ctx: Context; outage: Outage; close(): Promise<void> }> {
  const connection = await openCopy(content);
  let allowed = Number.POSITIVE_INFINITY;
  let failures = 0;
  let kind: object = OUTAGES['refused connections'];
  const check = () => {
    allowed -= 1;
    if (allowed >= 0) return;
    failures += 1;
    throw Object.assign(new Error('the database is unavailable'), kind);
  };
  const database = addPrisma(addInterrupt(connection, check));
  return {
    database,
    ctx: createSystemContext(database),
    outage: {
      begin: ({ afterStatements = 0, failure = OUTAGES['refused connections'] } = {}) => {
        allowed = afterStatements;
        kind = failure;
        failures = 0;
      },
      end: () => {
        allowed = Number.POSITIVE_INFINITY;
      },
      countFailures: () => failures,
    },
    close: () => database.close(),
  };
}

function addInterrupt(connection: Connection, check: () => void): Connection {
  const { pool } = connection;
  const [query, connect] = [pool.query.bind(pool), pool.connect.bind(pool)];
  const interrupt =
    (sql: Sql): Sql =>
    async (statement, values) => {
      check();
      return sql(statement, values);
    };
  Object.assign(pool, {
    query: async (...given: Parameters<typeof query>) => {
      check();
      return query(...given);
    },
    // The pool itself connects with a callback, and its statements are checked already.
    connect: (callback?: never) =>
      callback === undefined
        ? connect().then((client) => checkStatements(client, check))
        : connect(callback),
  });
  // The embedded database sends everything through its pool.
  if (connection.kind === 'embedded') return connection;
  return {
    ...connection,
    pipelinedSql: interrupt(connection.pipelinedSql),
    lockingSql: interrupt(connection.lockingSql),
    sqlTransaction: checkTransaction(connection.sqlTransaction, check),
  };
}

/** A client that loses its session with the first failing statement, like a real connection. */
function checkStatements(client: pg.PoolClient, check: () => void): pg.PoolClient {
  let lost = false;
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'query')
        return async (...given: unknown[]) => {
          try {
            check();
          } catch (error) {
            lost = true;
            throw error;
          }
          return (target.query as (...given: unknown[]) => unknown)(...given);
        };
      if (name === 'release') return (error?: Error | boolean) => target.release(error ?? lost);
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
