import pg from 'pg';
import { migrate } from '../../src/db/migrations.ts';

const SERVER = process.env.BENCH_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

export interface BenchDatabase {
  url: string;
  pool: pg.Pool;
  drop(): Promise<void>;
}

/** A migrated, empty database of our own; null when no PostgreSQL answers. */
export async function createDatabase(): Promise<BenchDatabase | null> {
  const name = `foyer_bench_${process.pid}`;
  try {
    await administer(`CREATE DATABASE ${name}`);
  } catch (error) {
    if (error instanceof pg.DatabaseError) throw error;
    return null;
  }
  const url = within(SERVER, name);
  // What the README recommends for any disk without moving parts.
  await administer(`ALTER DATABASE ${name} SET random_page_cost = 1.1`);
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => {});
  const drop = async () => {
    await pool.end();
    await administer(`DROP DATABASE ${name} WITH (FORCE)`);
  };
  try {
    await migrate(pool);
  } catch (error) {
    await drop();
    throw error;
  }
  return { url, pool, drop };
}

async function administer(command: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(command);
  } finally {
    await client.end();
  }
}

function within(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
