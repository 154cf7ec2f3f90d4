import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { migrate } from '../../src/db/migrations.ts';
import { openPostgres } from '../../src/db/postgres/postgres-database.ts';
import { generateHistory, LARGE } from '../benchmarks/history/generate.ts';
import { buildServer } from '../support/harness/build.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Exports and restores a generated history, and compares the time with that of pg_dump and pg_restore and the rows with
// the original: npm run soak -- restore --rows 5000000 --embedded-rows 500000

const { isCheck, ...sizes } = readSizes({
  rows: [5_000_000, 50_000],
  'embedded-rows': [500_000, 5_000],
});

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const MAX_RESTORE_RATIO = 3;
const MAX_RESTORE_MB = 300;
/** Of `LARGE`, with tickets, payments and all else that belongs to its orders and displays. */
const LARGE_ROWS = 5_200_000;
const AT = new Date('2026-11-22T12:00:00Z');
const MEGABYTE = 1024 ** 2;

const directory = mkdtempSync(join(tmpdir(), 'foyer-soak-restore-'));
const databases: string[] = [];
let hasFailed = false;

await buildServer();
try {
  await compareWithPgRestore(sizes.rows);
  await measureEmbedded(sizes['embedded-rows']);
} finally {
  for (const name of databases)
    await runAsAdmin(SERVER, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  rmSync(directory, { recursive: true });
}
process.exitCode = hasFailed ? 1 : 0;

async function compareWithPgRestore(rows: number): Promise<void> {
  const source = await createDatabase('source');
  await generate(source, rows);
  const env = { DATABASE_URL: source };
  const file = join(directory, 'foyer.backup');
  const dump = join(directory, 'pg.dump');
  await measure('export', process.execPath, ['dist/cli/main.js', 'export', file], env);
  console.log(`  ${Math.round(statSync(file).size / MEGABYTE)} MB`);
  await measure('backup verify', process.execPath, ['dist/cli/main.js', 'backup', 'verify', file]);
  await measure('pg_dump -Fc', 'pg_dump', ['-Fc', '-f', dump, source]);
  const theirs = await createDatabase('pg_restore');
  const { seconds } = await measure('pg_restore', 'pg_restore', ['-d', theirs, dump]);
  await runAsAdmin(SERVER, `DROP DATABASE ${databases.pop()} WITH (FORCE)`);
  const restored = await createDatabase('restored');
  const own = await measure('restore', process.execPath, ['dist/cli/main.js', 'restore', file], {
    DATABASE_URL: restored,
  });
  const ratio = own.seconds / seconds;
  check(
    `restore takes ${ratio.toFixed(2)} times as long as pg_restore`,
    isCheck || ratio < MAX_RESTORE_RATIO,
  );
  check(`restore takes ${own.peakMb} MB of memory`, isCheck || own.peakMb <= MAX_RESTORE_MB);
  check('the restored rows are the same', (await digest(source)) === (await digest(restored)));
}

/** Exports a smaller database again, since both sizes show whether the memory grows with the file. */
async function measureEmbedded(rows: number): Promise<void> {
  if (rows === 0) return;
  for (const size of [rows / 5, rows]) {
    const source = await createDatabase(`embedded_${size}`);
    await generate(source, size);
    const file = join(directory, `${size}.gz`);
    const env = { DATABASE_URL: source };
    await measure('export to gzip', process.execPath, ['dist/cli/main.js', 'export', file], env);
    const DATA_DIR = join(directory, `data-${size}`);
    // Apart, because the creation of any embedded database takes more memory than a restore.
    await measure(
      'creation of an embedded database',
      process.execPath,
      ['dist/cli/main.js', 'migrate'],
      { DATA_DIR },
    );
    const command = ['dist/cli/main.js', 'restore', file];
    const { peakMb } = await measure(
      `restore of ${size} rows, embedded`,
      process.execPath,
      command,
      {
        DATA_DIR,
      },
    );
    check(`restore takes ${peakMb} MB of memory`, isCheck || peakMb <= MAX_RESTORE_MB);
    await measure(
      'export, embedded',
      process.execPath,
      ['dist/cli/main.js', 'export', `${file}.2`],
      {
        DATA_DIR,
      },
    );
  }
}

function check(statement: string, holds: boolean): void {
  console.log(`${holds ? 'ok' : 'FAILED'}: ${statement}`);
  if (!holds) hasFailed = true;
}

async function createDatabase(purpose: string): Promise<string> {
  const name = `foyer_soak_restore_${process.pid}_${purpose}`;
  await runAsAdmin(SERVER, `CREATE DATABASE ${name}`);
  databases.push(name);
  return withDatabaseName(SERVER, name);
}

async function generate(url: string, rows: number): Promise<void> {
  const scale = rows / LARGE_ROWS;
  const scaled = (count: number) => Math.ceil(count * scale);
  const { pool, close } = await openPostgres(url);
  await migrate(pool);
  await pool.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`);
  const size = {
    ...LARGE,
    bookings: scaled(LARGE.bookings),
    checkIns: scaled(LARGE.checkIns),
    orders: scaled(LARGE.orders),
    members: scaled(LARGE.members),
    displays: scaled(LARGE.displays),
    mails: scaled(LARGE.mails),
  };
  await generateHistory(pool, size, AT);
  const counts = await countRows(pool);
  console.log(`generated ${counts} rows`);
  await close();
}

async function countRows(pool: pg.Pool): Promise<number> {
  await pool.query('ANALYZE');
  const { rows } = await pool.query(
    `SELECT sum(reltuples)::int AS count FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  return rows[0].count;
}

/** Whatever the order of the rows is. */
async function digest(url: string): Promise<string> {
  const { pool, close } = await openPostgres(url);
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     AND relname <> '_prisma_migrations' ORDER BY 1`,
  );
  const digests: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query(
      `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS digest FROM "${name}" t`,
    );
    digests.push(`${name} ${rows[0].digest}`);
  }
  await close();
  return digests.join('\n');
}

/** Runs a process and measures its time and the most memory that it had. */
async function measure(
  title: string,
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ seconds: number; peakMb: number }> {
  const started = performance.now();
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peakMb = 0;
  const timer = setInterval(() => {
    peakMb = readPeakMb(child.pid) || peakMb;
  }, 100);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new Error(`${title} failed`);
  const seconds = (performance.now() - started) / 1000;
  console.log(`${title}: ${seconds.toFixed(1)} s, ${peakMb} MB`);
  return { seconds, peakMb };
}

function readPeakMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
