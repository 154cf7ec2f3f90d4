import type { Database } from '../../../src/db/database.ts';
import type { Sql } from '../../../src/db/prepared-statement.ts';

/**
 * The same database with hand-written statements that take locks changed, for negative controls. Each changed statement is
 * followed by `pause`, in which other transactions can overtake.
 */
export function rewriteSql(
  database: Database,
  rewrite: (text: string) => string,
  pause: () => Promise<unknown> = async () => {},
): Database {
  const change =
    (sql: Sql): Sql =>
    async ({ text }, values) => {
      const rewritten = rewrite(text);
      const rows = await sql<never>({ text: rewritten }, values);
      if (rewritten !== text) await pause();
      return rows;
    };
  return {
    ...database,
    lockingSql: change(database.lockingSql),
    sqlTransaction: (work) => database.sqlTransaction((sql) => work(change(sql))),
  };
}

/** Lets the first callers continue when `count` of them have arrived, and later ones at once. */
export function createMeeting(count: number): () => Promise<void> {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === count) resolve();
    return promise;
  };
}
