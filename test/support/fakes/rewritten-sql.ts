import type { Database } from '../../../src/db/database.ts';
import type { Sql } from '../../../src/db/prepared-statement.ts';

/** The same database with hand-written statements that take locks changed, for negative controls. */
export function rewriteSql(database: Database, rewrite: (text: string) => string): Database {
  const change =
    (sql: Sql): Sql =>
    ({ text }, values) =>
      sql({ text: rewrite(text) }, values);
  return {
    ...database,
    lockingSql: change(database.lockingSql),
    sqlTransaction: (work) => database.sqlTransaction((sql) => work(change(sql))),
  };
}
