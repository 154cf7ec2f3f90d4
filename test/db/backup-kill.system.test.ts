import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { countRows, exportAll, type restoreAll } from '../support/backups.ts';
import { buildServer } from '../support/harness/build.ts';
import {
  openTestDatabase,
  prepareDataDir,
  runAsAdmin,
  serverUrl,
  withDatabaseName,
} from '../support/harness/database.ts';
import { runFoyer, SHORT_LIVED } from '../support/harness/processes.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-backup-kill-'));
const path = join(directory, 'foyer.backup');
const name = `foyer_backup_kill_${process.pid}`;
const env: Record<string, string> = serverUrl
  ? { DATABASE_URL: withDatabaseName(serverUrl, name) }
  : { DATA_DIR: join(directory, 'main') };
let file: Buffer;

beforeAll(async () => {
  await buildServer();
  if (serverUrl) await runAsAdmin(serverUrl, `CREATE DATABASE ${name}`);
  else await prepareDataDir(env.DATA_DIR ?? '');
  const source = await openTestDatabase();
  // More than the embedded database writes at once.
  await source.database.pool.query(`INSERT INTO teams (id, name)
    SELECT gen_random_uuid(), n || repeat(md5(n::text), 30) FROM generate_series(1, 8000) n`);
  file = await exportAll(source.database);
  writeFileSync(path, file);
  await source.close();
});
afterAll(async () => {
  if (serverUrl) await runAsAdmin(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  rmSync(directory, { recursive: true });
});

it('leaves an empty database if it is killed while it loads rows', async () => {
  const child = spawn(process.execPath, [...SHORT_LIVED, 'dist/cli/main.js', 'restore', '-'], {
    env: { PATH: process.env.PATH, DATA_FSYNC: 'off', ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  // The process has read what was written, except for what fits into the pipe and its buffers.
  const written = file.subarray(0, file.length / 2); // ends among the teams
  await new Promise((resolve) => child.stdin.write(written, resolve));
  if (serverUrl) await waitUntil(async () => (await countCopies()) > 0);
  child.kill('SIGKILL');
  await once(child, 'exit');

  if (serverUrl) {
    const pool = new pg.Pool({ connectionString: env.DATABASE_URL });
    await waitUntil(async () => {
      const { rows } = await pool.query(
        'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      return rows.length === 0;
    });
    expect(await countRows({ pool } as Parameters<typeof restoreAll>[0])).toBe(0);
    await pool.end();
  }
  // A database with rows would be rejected.
  const ended = await runFoyer(['restore', path, '--json'], env);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(ended.stdout).restored).toMatchObject({ teams: 8000 });
});

/** Counts the copies into the database that have begun. */
async function countCopies(): Promise<number> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  const { rows } = await client.query(
    'SELECT FROM pg_stat_progress_copy WHERE datname = current_database() AND tuples_processed > 0',
  );
  await client.end();
  return rows.length;
}
