import pg from 'pg';
import type { Sql } from './prepared-statement.ts';

/**
 * Runs prepared statements in a transaction on a connection of its own. `work` need not wait for its last statements: they are
 * sent before the commit, and if one of them fails, the transaction fails with its error.
 */
export type SqlTransaction = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;

/** A longer transaction is rolled back, since it keeps others waiting: for its locks, or for the session of the embedded database. */
export const TRANSACTION_TIMEOUT_MS = 30_000;

/**
 * Creates transactions on the connections of a pool. If the connections are `pipelined`, statements are sent without waiting
 * for the responses to earlier ones.
 */
export const createSqlTransaction =
  (
    pool: pg.Pool,
    {
      pipelined,
      timeoutMs = TRANSACTION_TIMEOUT_MS,
    }: { pipelined: boolean; timeoutMs?: number | undefined },
  ): SqlTransaction =>
  async (work) => {
    const client = await pool.connect();
    const limit = createTimeLimit(timeoutMs);
    let failure: unknown;
    let isOver = false;
    let last: Promise<unknown> = Promise.resolve();
    const send = async (query: string | pg.QueryConfig) => {
      if (!pipelined) await last;
      return client.query(query);
    };
    const queue = (query: string | pg.QueryConfig): Promise<pg.QueryResult> => {
      const sent = send(query);
      // PostgreSQL rejects all statements after a failed one, so the first error is the cause.
      last = sent.catch((error) => {
        failure ??= error;
      });
      return sent;
    };
    try {
      queue('BEGIN').then(limit.start, () => {}); // `failure` has the error
      const result = await limit.race(
        work(async (statement, values) => {
          // The connection can already serve someone else.
          if (isOver) throw new Error('The transaction is over.');
          limit.assertNotOver();
          const { rows } = await queue({ ...statement, values });
          return rows;
        }),
      );
      isOver = true;
      limit.assertNotOver();
      const { command } = await queue('COMMIT');
      if (command !== 'COMMIT') throw failure ?? new Error('the transaction was rolled back');
      client.release();
      return result;
    } catch (error) {
      isOver = true;
      await last;
      // Other errors than those of PostgreSQL leave the connection in an unknown state.
      const isIntact =
        failure === undefined || failure instanceof pg.DatabaseError
          ? await client.query('ROLLBACK').then(
              () => true,
              () => false,
            )
          : false;
      client.release(!isIntact);
      throw failure ?? error;
    } finally {
      limit.stop();
    }
  };

function createTimeLimit(ms: number) {
  const error = new Error(`The transaction took longer than ${ms} ms and was rolled back.`);
  let expire: (error: Error) => void = () => {};
  const expired = new Promise<never>((_, reject) => {
    expire = reject;
  });
  expired.catch(() => {}); // nobody waits for it after the commit
  let startedAt = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  return {
    start: () => {
      startedAt = performance.now();
      timer = setTimeout(expire, ms, error);
    },
    race: <T>(work: Promise<T>) => Promise.race([work, expired]),
    assertNotOver: () => {
      if (performance.now() - startedAt >= ms) throw error;
    },
    stop: () => clearTimeout(timer),
  };
}
