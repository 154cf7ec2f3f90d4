import pg from 'pg';
import { type BenchDatabase, createDatabase } from '../database.ts';
import { generateHistory, type HistorySize, LARGE, SMALL, TINY } from './generate.ts';
import { generateRecords } from './generate-records.ts';

/** The time of the generated history and of the service. */
export const AT = new Date('2026-11-22T12:00:00Z');

export type SpaceName = 'tiny' | 'small' | 'large';

const SIZES: Record<SpaceName, { history: HistorySize; records: number; changes: number }> = {
  tiny: { history: TINY, records: 100, changes: 1_000 },
  small: { history: SMALL, records: 1_000, changes: 10_000 },
  large: { history: LARGE, records: 20_000, changes: 2_000_000 },
};

/** Opens the database of an earlier run, or generates one. `close` drops the generated one unless it is kept. */
export async function openSpace(
  name: SpaceName,
  existingUrl: string | undefined,
  isKept: boolean,
): Promise<{ url: string; pool: pg.Pool; close: () => Promise<void> }> {
  if (existingUrl !== undefined) {
    const pool = new pg.Pool({ connectionString: existingUrl });
    return { url: existingUrl, pool, close: () => pool.end() };
  }
  const database = await createDatabase({ suffix: `_${name}` });
  if (database === null) throw new Error('PostgreSQL is not running. Set BENCH_DATABASE_URL.');
  try {
    await generate(name, database);
  } catch (error) {
    await database.drop();
    throw error;
  }
  const { url, pool } = database;
  return { url, pool, close: () => (isKept ? pool.end() : database.drop()) };
}

async function generate(name: SpaceName, { url, pool }: BenchDatabase): Promise<void> {
  process.stderr.write(`Generating the ${name} space in ${url} ...\n`);
  const { history, records, changes } = SIZES[name];
  const client = await pool.connect();
  try {
    await client.query('SET synchronous_commit = off');
    await generateHistory(client, history, AT);
    await generateRecords(client, { records, changes }, AT);
    await client.query('VACUUM (ANALYZE)');
  } finally {
    client.release();
  }
}
