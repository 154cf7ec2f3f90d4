import type { Ctx } from '../../src/context.ts';
import { type Database, withPrisma } from '../../src/db/database.ts';
import { systemCtx } from './seed.ts';
import { type Content, openCopy } from './templates.ts';

export interface TestDatabase {
  database: Database;
  /** Of the system: everything is allowed. */
  ctx: Ctx;
  close(): Promise<void>;
}

/** A migrated database for this test file alone; `seeded` holds the demo space as of NOW. */
export async function openTestDatabase(content: Content = 'empty'): Promise<TestDatabase> {
  const database = withPrisma(await openCopy(content));
  return {
    database,
    ctx: systemCtx(database),
    close: () => database.close(),
  };
}
