import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readMigrations } from '../../src/db/migrations.ts';
import { digestRows } from '../support/backups.ts';
import {
  prepareDataDir,
  runAsAdmin,
  serverUrl,
  withDatabaseName,
} from '../support/harness/database.ts';
import { killAll, runFoyer } from '../support/harness/processes.ts';

// Commands in processes of their own, each with its own database. `commands.test.ts` tests every command.

const directory = mkdtempSync(join(tmpdir(), 'foyer-processes-'));
afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true });
});

it('exports and restores without losing a row, and verifies the file without a database', async () => {
  const from = { DATA_DIR: join(directory, 'from') };
  const to = { DATA_DIR: join(directory, 'to') };
  const file = join(directory, 'export.gz');
  const run = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
    const ended = await runFoyer(args, env);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    return ended.stdout;
  };
  await prepareDataDir(from.DATA_DIR);
  await prepareDataDir(to.DATA_DIR);
  await run(from, 'seed');
  await run(from, 'token', 'create', '--name', 'till', '--scopes', '*');
  await run(from, 'export', file);
  const { restored, migrated } = JSON.parse(await run(to, 'restore', file, '--json'));
  expect(restored).toMatchObject({ locations: 2, users: 3, api_tokens: 1 });
  expect(migrated).toEqual([]);
  const again = Buffer.from(await run(to, 'export'));
  expect(digestRows(again)).toEqual(digestRows(gunzipSync(readFileSync(file))));
  expect(await run(to, 'personal-data', 'show', '--email', 'ben@example.org')).toMatch(/^Stored: /);
  expect(
    await run({ DATABASE_URL: 'postgresql://127.0.0.1:1/absent' }, 'backup', 'verify', file),
  ).toMatch(/^The file contains .*3 users.*, and is complete and unchanged\.\n$/);
});

if (serverUrl) {
  it('migrates on a server', async () => {
    const name = `foyer_cli_${process.pid}`;
    await runAsAdmin(serverUrl ?? '', `CREATE DATABASE ${name}`);
    const DATABASE_URL = withDatabaseName(serverUrl ?? '', name);
    const { code, stdout } = await runFoyer(['migrate', '--json'], { DATABASE_URL });
    await runAsAdmin(serverUrl ?? '', `DROP DATABASE ${name} WITH (FORCE)`);
    const applied = readMigrations().map(({ name }) => name);
    expect([code, JSON.parse(stdout)]).toEqual([0, { applied }]);
  });
}

it('reports an unknown command in one line with exit code 1', async () => {
  const { code, stdout, stderr } = await runFoyer(['brew'], {});
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: unknown command 'brew'\n/);
});

it('reports a missing embedded database, which the command does not create, as one JSON object with --json', async () => {
  const DATA_DIR = join(directory, 'absent');
  const { code, stdout, stderr } = await runFoyer(['token', 'list', '--json'], { DATA_DIR });
  expect([code, stdout, stderr.split('\n')]).toEqual([1, '', [expect.any(String), '']]);
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'NOT_FOUND',
      reason: 'NOT_FOUND',
      message: `There is no database in ${DATA_DIR}. Set DATA_DIR to the directory of your database, such as .data/demo for the demo, or create one with npm start.`,
    },
  });
  expect(existsSync(DATA_DIR)).toBe(false);
});
