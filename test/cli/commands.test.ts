import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWellFormedSecret } from '../../src/auth/tokens.ts';
import { readMigrations } from '../../src/db/migrations.ts';
import { commandsOn } from '../support/commands.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Ended, foyer, killAll } from '../support/processes.ts';
import { administer, prepareDataDir, serverUrl, within } from '../support/templates.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-cli-'));
let test: TestDatabase;
let command: (args: string[]) => Promise<Ended>;
/** What was exported from the database of the tests. */
const file = join(directory, 'export.jsonl');

beforeAll(async () => {
  test = await openTestDatabase();
  command = await commandsOn(test.database);
});
afterAll(async () => {
  killAll();
  await test.close();
  rmSync(directory, { recursive: true });
});

describe('every command does what it says and answers --json with one object', () => {
  it('migrate', async () => {
    expect(await json('migrate')).toEqual({ applied: [] });
  });

  it('seed, once', async () => {
    const seeded = await json('seed');
    expect(Object.keys(seeded)).toEqual([
      ...['locations', 'resources', 'members', 'bookings', 'events'],
      ...['orders', 'day_passes', 'displays'],
      ...['staff', 'device_tokens'],
    ]);
    expect(seeded).toMatchObject({ locations: 2, staff: { email: 'ada@example.org' } });
    expect(seeded.device_tokens.every((it: string) => isWellFormedSecret('deviceToken', it))).toBe(
      true,
    );
    expect(await refusal('seed', '--json')).toMatch(
      /^The sample data needs an empty database\. .*\n$/,
    );
  });

  it('admin create', async () => {
    const args = ['admin', 'create', '--email', 'Olga@example.org', '--password'];
    expect(await json(...args, 'lantern brick meadow', '--role', 'manager')).toEqual({
      id: expect.any(String),
      email: 'olga@example.org',
      role: 'manager',
    });
    expect(await refusal(...args, 'lantern brick meadow')).toMatch(
      /already uses olga@example\.org/,
    );
    expect(await refusal(...args, 'short')).toMatch(/^The password needs at least 12/);
  });

  it('token create, list and revoke', async () => {
    const made = await json('token', 'create', '--name', 'till', '--scopes', 'bookings:read, *');
    expect(made).toEqual({
      id: expect.any(String),
      token: expect.any(String),
      scopes: ['bookings:read', '*'],
    });
    expect(isWellFormedSecret('apiToken', made.token)).toBe(true);
    expect(await json('token', 'revoke', made.id)).toEqual({
      id: made.id,
      revoked_at: expect.stringMatching(/Z$/),
    });
    const { tokens } = await json('token', 'list');
    expect(tokens).toEqual([
      expect.objectContaining({ id: made.id, name: 'till', revoked_at: expect.any(String) }),
    ]);
    expect(JSON.stringify(tokens)).not.toContain(made.token);
  });

  it('display create', async () => {
    const args = ['--name', 'Door', '--location', 'kreuzberg', '--resource', 'atelier'];
    const made = await json('display', 'create', ...args);
    expect(made).toEqual({ id: expect.any(String), device_token: expect.any(String) });
    expect(isWellFormedSecret('deviceToken', made.device_token)).toBe(true);
  });

  it('export, which restore reads in a process of its own and keeps every row', async () => {
    const exported = await succeed(['export']);
    writeFileSync(file, exported);
    // Always into an embedded database: from a server, moving out of it is tried as well.
    const env = { DATA_DIR: join(directory, 'main') };
    const start = async (...args: string[]) => {
      const ended = await foyer(args, env);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      return ended.stdout;
    };
    await prepareDataDir(env.DATA_DIR);
    const { restored } = JSON.parse(await start('restore', file, '--json'));
    expect(restored).toMatchObject({ locations: 2, users: 4, api_tokens: 1 });
    const again = await start('export');
    expect(again.split('\n').sort()).toEqual(exported.split('\n').sort());
    expect(await refusal('restore', file, '--json')).toMatch(/^The database is not empty/);
    // One of each group of commands, as they are started.
    expect(await start('admin', 'list')).toMatch(/^ada@example\.org {2}/);
    expect(await start('token', 'list')).toMatch(/ {2}till {2}/);
    expect(await start('display', 'list')).toMatch(/ {2}Door {2}/);
    const ben = ['--email', 'ben@example.org'];
    expect(await start('personal-data', 'show', ...ben)).toMatch(/^Stored: /);
  });

  if (serverUrl) {
    it('migrate, on a server in a process of its own', async () => {
      const name = `foyer_cli_${process.pid}`;
      await administer(serverUrl ?? '', `CREATE DATABASE ${name}`);
      const DATABASE_URL = within(serverUrl ?? '', name);
      const { code, stdout } = await foyer(['migrate', '--json'], { DATABASE_URL });
      await administer(serverUrl ?? '', `DROP DATABASE ${name} WITH (FORCE)`);
      const applied = readMigrations().map(({ name }) => name);
      expect([code, JSON.parse(stdout)]).toEqual([0, { applied }]);
    });
  }

  it('without --json it says the same in words', async () => {
    expect(await succeed(['token', 'list'])).toMatch(
      /^\S+ {2}foyer_\w{6}… {2}till {2}bookings:read,\* {2}revoked .*\n$/,
    );
  });
});

describe('what cannot be done is said in one line, with exit code 1', () => {
  const lost = '00000000-0000-4000-8000-000000000000';
  it.each<[string, string[], RegExp]>([
    ['an unknown command', ['brew'], /^error: unknown command 'brew'/],
    ['a missing option', ['token', 'create', '--name', 'x'], /^error: required option '--scopes/],
    ['an option too many', ['migrate', '--force'], /^error: unknown option '--force'/],
    ['an argument too many', ['migrate', 'now'], /^error: too many arguments/],
    ['a scope unheard of', ['token', 'create', '--name', 'x', '--scopes', 'tea:brew'], /tea:brew/],
    ['an id that is none', ['token', 'revoke', 'till'], /^The ID must be a UUID/],
    ['a token that is not there', ['token', 'revoke', lost], /^No such API token\.\n$/],
    [
      'a location that is not there',
      ['display', 'create', '--name', 'x', '--location', 'atlantis'],
      /^No such location\.\n$/,
    ],
    [
      'a file that is not there',
      ['restore', '/nowhere.jsonl'],
      /^Cannot read \/nowhere\.jsonl \(ENOENT\)/,
    ],
    ['a file of something else', ['restore', 'package.json'], /^Line 1 is invalid/],
  ])('%s', async (_, args, why) => {
    expect(await refusal(...args)).toMatch(why);
  });

  it('in a process of its own as well', async () => {
    const { code, stdout, stderr } = await foyer(['brew'], {});
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: unknown command 'brew'\n/);
  });
});

async function json(...args: string[]) {
  const stdout = await succeed([...args, '--json']);
  expect(stdout.split('\n')).toEqual([expect.any(String), '']);
  return JSON.parse(stdout);
}

async function succeed(args: string[]): Promise<string> {
  const ended = await command(args);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return ended.stdout;
}

/** The line that it leaves on standard error; Commander adds where to find help. */
async function refusal(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await command(args);
  expect([code, stdout]).toEqual([1, '']);
  const line = stderr.replace(/\n+Run the command with --help.*\n$/, '\n');
  expect(line.split('\n')).toEqual([expect.any(String), '']);
  return line;
}
