import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { openEmbedded } from './embedded.ts';
import { PrismaClient } from './generated/client.ts';
import { pendingMigrations } from './migrations.ts';
import { openPostgres } from './postgres.ts';
import { nameOf, type Sql, statement } from './sql.ts';

export interface Database {
  kind: 'embedded' | 'postgres';
  prisma: PrismaClient;
  /** On connections that all hot reads share. */
  sql: Sql;
  /** On a connection of the pool, where a statement may wait for a lock. */
  write: Sql;
  /** Speaks PostgreSQL's protocol on both; for migrations and for libraries that want a pool. */
  pool: pg.Pool;
  close(): Promise<void>;
}

/** What both ways of storing offer; the rest is built on it. */
export interface Connection {
  kind: Database['kind'];
  pool: pg.Pool;
  sql: Sql;
  write: Sql;
  close(): Promise<void>;
}

/** PostgreSQL where a URL is given, else the embedded database in its directory. Applies no migrations. */
export async function openDatabase(where: {
  databaseUrl: string | undefined;
  dataDir: string;
}): Promise<Database> {
  return withPrisma(
    where.databaseUrl ? await openPostgres(where.databaseUrl) : await openEmbedded(where.dataDir),
  );
}

export function withPrisma(connection: Connection): Database {
  const prisma = new PrismaClient({
    // Written statements are prepared within transactions too: planning the long ones takes longer than running them.
    adapter: new PrismaPg(connection.pool, {
      // Without a name it is not prepared, which its type forgets to say.
      statementNameGenerator: ({ sql }) => nameOf(sql) as string,
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

const ALIVE = statement('SELECT 1');

/** Whether the database answers and has every migration. */
export async function isReady(database: Database): Promise<boolean> {
  try {
    await database.sql(ALIVE, []); // hot reads have connections of their own
    return (await pendingMigrations(database.pool)).length === 0;
  } catch {
    return false;
  }
}
