import type { Context } from '../../src/context.ts';
import { addPrisma, type Database } from '../../src/db/database.ts';
import { systemCtx } from './seed.ts';
import { type Content, openCopy } from './templates.ts';

export interface TestDatabase {
  database: Database;
  /** Of the system: everything is allowed. */
  ctx: Context;
  close(): Promise<void>;
}

/** A migrated database for this test file alone; `seeded` holds the demo space as of NOW. */
export async function openTestDatabase(content: Content = 'empty'): Promise<TestDatabase> {
  const database = addPrisma(await openCopy(content));
  return {
    database,
    ctx: systemCtx(database),
    close: () => database.close(),
  };
}
