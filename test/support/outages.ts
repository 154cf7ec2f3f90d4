import type pg from 'pg';
import type { Context } from '../../src/context.ts';
import { addPrisma, type Connection, type Database } from '../../src/db/database.ts';
import type { Sql } from '../../src/db/prepared-statement.ts';
import { systemCtx } from './seed.ts';
import { type Content, openCopy } from './templates.ts';

/** What statements fail with. */
export const OUTAGES = {
  'refused connections': { code: 'ECONNREFUSED', syscall: 'connect', errno: -111 },
  'a server that shuts down': { code: '57P01', severity: 'FATAL' },
  'a full disk': { code: '53100', severity: 'ERROR' },
};

export interface Outage {
  /** From the statement after so many on, all fail. */
  begin(how?: { afterStatements?: number; failure?: object }): void;
  end(): void;
  /** How many statements were refused since it began. */
  refused(): number;
}

/** A database of one's own that can be taken away in the middle of anything, and given back. */
export async function openUnreliableDatabase(
  content: Content,
): Promise<{ database: Database; ctx: Context; outage: Outage; close(): Promise<void> }> {
  const connection = await openCopy(content);
  let allowed = Number.POSITIVE_INFINITY;
  let refused = 0;
  let kind: object = OUTAGES['refused connections'];
  const check = () => {
    allowed -= 1;
    if (allowed >= 0) return;
    refused += 1;
    throw Object.assign(new Error('the database is away'), kind);
  };
  const database = addPrisma(interrupted(connection, check));
  return {
    database,
    ctx: systemCtx(database),
    outage: {
      begin: ({ afterStatements = 0, failure = OUTAGES['refused connections'] } = {}) => {
        allowed = afterStatements;
        kind = failure;
        refused = 0;
      },
      end: () => {
        allowed = Number.POSITIVE_INFINITY;
      },
      refused: () => refused,
    },
    close: () => database.close(),
  };
}

function interrupted(connection: Connection, check: () => void): Connection {
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
    // Those of the pool itself connect with a callback: their statements have been checked already.
    connect: (callback?: never) =>
      callback === undefined
        ? connect().then((client) => checked(client, check))
        : connect(callback),
  });
  // The embedded one sends everything through its pool.
  if (connection.kind === 'embedded') return connection;
  return {
    ...connection,
    pipelinedSql: interrupt(connection.pipelinedSql),
    lockingSql: interrupt(connection.lockingSql),
  };
}

/** Loses its session with the first statement that fails, as a connection does. */
function checked(client: pg.PoolClient, check: () => void): pg.PoolClient {
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
