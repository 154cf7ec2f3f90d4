import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../../src/db/database.ts';
import type { Sql } from '../../../src/db/prepared-statement.ts';

/**
 * The same database with hand-written statements that take locks changed, for negative controls. A pause after each changed
 * statement lets transactions overlap on any machine.
 */
export function rewriteSql(
  database: Database,
  rewrite: (text: string) => string,
  pauseMs = 0,
): Database {
  const change =
    (sql: Sql): Sql =>
    async ({ text }, values) => {
      const rewritten = rewrite(text);
      const rows = await sql<never>({ text: rewritten }, values);
      if (rewritten !== text && pauseMs > 0) await setTimeout(pauseMs);
      return rows;
    };
  return {
    ...database,
    lockingSql: change(database.lockingSql),
    sqlTransaction: (work) => database.sqlTransaction((sql) => work(change(sql))),
  };
}
