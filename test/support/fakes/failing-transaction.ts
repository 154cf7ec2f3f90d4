import type { SqlTransaction } from '../../../src/db/sql-transaction.ts';

/**
 * Calls `check` before each statement of a transaction. If it throws, the transaction fails, like a real one whose connection
 * is lost: even if nothing waits for that statement.
 */
export const checkTransaction =
  (sqlTransaction: SqlTransaction, check: (text: string) => void): SqlTransaction =>
  (work) =>
    sqlTransaction(async (sql) => {
      let failure: { error: unknown } | undefined;
      const result = await work(async (statement, values) => {
        try {
          if (failure) throw failure.error;
          check(statement.text);
        } catch (error) {
          failure = { error };
          throw error;
        }
        return sql(statement, values);
      });
      if (failure) throw failure.error;
      return result;
    });
