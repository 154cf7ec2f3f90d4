import pg from 'pg';
import { migrate } from '../../src/db/migrations.ts';

const SERVER = process.env.BENCH_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

export interface BenchDatabase {
  url: string;
  pool: pg.Pool;
  drop(): Promise<void>;
}

/** Creates an empty database, migrated by this checkout unless a server will do it. Null if PostgreSQL is not running. */
export async function createDatabase({
  suffix = '',
  isMigrated = true,
} = {}): Promise<BenchDatabase | null> {
  const name = `foyer_bench_${process.pid}${suffix}`;
  try {
    await runAsAdmin(`CREATE DATABASE ${name}`);
  } catch (error) {
    if (error instanceof pg.DatabaseError) throw error;
    return null;
  }
  const url = withDatabaseName(SERVER, name);
  // The documentation recommends this for disks without moving parts.
  await runAsAdmin(`ALTER DATABASE ${name} SET random_page_cost = 1.1`);
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => {});
  const drop = async () => {
    await pool.end();
    await runAsAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
  };
  try {
    if (isMigrated) await migrate(pool);
  } catch (error) {
    await drop();
    throw error;
  }
  return { url, pool, drop };
}

async function runAsAdmin(command: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(command);
  } finally {
    await client.end();
  }
}

function withDatabaseName(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
