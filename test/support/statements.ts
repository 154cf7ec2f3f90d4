import type { TestApp } from './app.ts';

/** How many of Prisma's statements that read or write this table the work takes. */
export async function statementsOn(
  app: TestApp,
  table: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const { pool } = app.database;
  const query = pool.query;
  let count = 0;
  pool.query = ((...args: [{ text?: string }]) => {
    if (args[0].text?.includes(`"${table}"`)) count += 1;
    return Reflect.apply(query, pool, args);
  }) as typeof query;
  try {
    await work();
  } finally {
    pool.query = query;
  }
  return count;
}
