import type pg from 'pg';
import type { PrismaClient } from './generated/client.ts';
import type { Sql } from './prepared-statement.ts';
import type { RowCopier } from './row-copier.ts';
import type { SqlTransaction } from './sql-transaction.ts';
import type { WatchedPool } from './watched-pool.ts';

/** A connection to the embedded database or to PostgreSQL. */
export interface Connection {
  kind: 'embedded' | 'postgres';
  /** For migrations and for libraries that need a pool. */
  pool: pg.Pool;
  /** The connections for which callers can wait. */
  watchedPools: WatchedPool[];
  /** For backups. */
  rowCopier: RowCopier;
  /** Uses connections that all hot reads share. */
  pipelinedSql: Sql;
  /** Uses separate connections, on which a statement can wait for a lock. */
  lockingSql: Sql;
  /** Uses separate connections, one for each transaction. */
  sqlTransaction: SqlTransaction;
  close(): Promise<void>;
}

/** A connection with the client of Prisma. */
export interface Database extends Connection {
  prisma: PrismaClient;
}
