import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Logger } from 'pino';
import { openEmbedded } from './embedded/embedded-database.ts';
import { PrismaClient } from './generated/client.ts';
import { findPendingMigrations } from './migrations.ts';
import { openPostgres } from './postgres/postgres-database.ts';
import { getStatementName, prepareStatement, type Sql } from './prepared-statement.ts';

export interface Database {
  kind: 'embedded' | 'postgres';
  prisma: PrismaClient;
  /** On connections that all hot reads share. */
  pipelinedSql: Sql;
  /** On a connection of the pool, where a statement may wait for a lock. */
  lockingSql: Sql;
  /** Speaks PostgreSQL's protocol on both; for migrations and for libraries that want a pool. */
  pool: pg.Pool;
  close(): Promise<void>;
}

/** What both ways of storing offer; the rest is built on it. */
export interface Connection {
  kind: Database['kind'];
  pool: pg.Pool;
  pipelinedSql: Sql;
  lockingSql: Sql;
  close(): Promise<void>;
}

/** PostgreSQL where a URL is given, else the embedded database in its directory. Applies no migrations. */
export async function openDatabase(
  where: { databaseUrl: string | undefined; dataDir: string },
  log?: Logger,
): Promise<Database> {
  return addPrisma(
    where.databaseUrl
      ? await openPostgres(where.databaseUrl)
      : await openEmbedded(where.dataDir, log),
  );
}

export function addPrisma(connection: Connection): Database {
  const prisma = new PrismaClient({
    // Written statements are prepared within transactions too: planning the long ones takes longer than running them.
    adapter: new PrismaPg(connection.pool, {
      // Without a name it is not prepared, which its type forgets to say.
      statementNameGenerator: ({ sql }) => getStatementName(sql) as string,
    }),
    errorFormat: 'minimal', // the others quote what was to be written
    transactionOptions: { maxWait: 10_000, timeout: 30_000 },
  });
  return {
    ...connection,
    prisma,
    close: async () => {
      await prisma.$disconnect();
      await connection.close();
    },
  };
}

// A standby, a primary that was demoted or switched to read-only, an embedded database whose disk is full.
const IS_READ_ONLY = prepareStatement(
  `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
);

/** Why the database cannot serve; undefined where it answers, takes writes and has every migration. Writes nothing itself. */
export async function findUnreadiness({
  pipelinedSql,
  pool,
}: Database): Promise<'unreachable' | 'read-only' | 'not migrated' | undefined> {
  try {
    // Hot reads have connections of their own, and either kind may lead to another server.
    const [reads, writes] = await Promise.all([
      pipelinedSql<{ isReadOnly: boolean }>(IS_READ_ONLY, []),
      pool.query<{ isReadOnly: boolean }>(IS_READ_ONLY.text),
    ]);
    if (reads[0]?.isReadOnly || writes.rows[0]?.isReadOnly) return 'read-only';
    return (await findPendingMigrations(pool)).length === 0 ? undefined : 'not migrated';
  } catch {
    return 'unreachable';
  }
}
