import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { copyRunningDatabase } from '../../src/db/embedded/copy-running-database.ts';
import { openEmbedded } from '../../src/db/embedded/embedded-database.ts';
import { prepareDataDir } from '../support/harness/database.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-backup-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command in a process of its own, from the sources. Returns what it printed. */
const backUp = async (args: string[], env: Record<string, string>) =>
  promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--liftoff-only', '--no-opt', 'src/cli/main.ts', 'backup', ...args],
    { env: { PATH: process.env.PATH, ...env } },
  );

it('backs up what was committed, and nothing else, while another process writes', async () => {
  const dataDir = join(folder, 'main');
  await prepareDataDir(dataDir);
  const { pool, close } = await openEmbedded(dataDir, { fsync: false });
  await pool.query(`INSERT INTO teams (id, name)
    SELECT gen_random_uuid(), n || repeat(md5(n::text), 20) FROM generate_series(1, 5000) n`);
  await pool.query('INSERT INTO plans (id, name) SELECT id, name FROM teams');
  const { rows: teams } = await pool.query('SELECT id FROM teams');
  const ids = teams.map(({ id }) => id);
  let committed = 5_000;
  let isRunning = true;
  const write = async () => {
    while (isRunning) {
      const client = await pool.connect();
      await client.query('BEGIN');
      const name = `${committed} ${'x'.repeat(300)}`;
      await client.query('INSERT INTO teams (id, name) VALUES (gen_random_uuid(), $1)', [name]);
      await client.query('UPDATE teams SET name = name WHERE id = $1', [ids[committed % 997]]);
      await client.query('INSERT INTO plans (id, name) VALUES (gen_random_uuid(), $1)', [name]);
      await client.query('COMMIT');
      committed += 1;
      client.release();
      await setTimeout(2);
    }
  };
  const writing = write();
  const env = { DATA_DIR: dataDir };
  const before = committed;
  const file = join(folder, 'one.backup.gz');
  const { stdout } = await backUp([file, '--json'], env);
  isRunning = false;
  await writing;
  const { backed_up: rows, bytes } = JSON.parse(stdout);
  expect(rows.plans).toBe(rows.teams);
  expect(rows.teams).toBeGreaterThanOrEqual(before);
  expect(committed).toBeGreaterThan(before);

  expect(statSync(file)).toMatchObject({ size: bytes });
  expect(statSync(file).mode & 0o077).toBe(0);
  const record = JSON.parse(readFileSync(`${dataDir}.last-backup.json`, 'utf8'));
  expect(record).toMatchObject({ file, bytes });
  expect(readdirSync(folder).sort()).toEqual([
    'main',
    'main.last-backup.json',
    'main.lock',
    'one.backup.gz',
  ]);
  await expect(backUp([file], env)).rejects.toMatchObject({
    stderr: expect.stringContaining('already exists'),
  });
  await close();
});

it('copies again after a checkpoint, and gives up if they go on', async () => {
  const source = join(folder, 'checkpoints');
  const { pool, close } = await openEmbedded(source, { fsync: false });
  let isRunning = true;
  const write = async () => {
    while (isRunning) {
      await pool.query(`SELECT pg_logical_emit_message(true, 'test', 'test')`);
      await pool.query('CHECKPOINT');
      await setTimeout(2);
    }
  };
  const writing = write();
  const copy = copyRunningDatabase(source, join(folder, 'copy'));
  await expect(copy).rejects.toMatchObject({ details: { reason: 'BACKUP_INTERRUPTED' } });
  expect(existsSync(join(folder, 'copy'))).toBe(false);
  isRunning = false;
  await writing;
  await close();
});
