import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DEMO_PASSWORD, verifyPassword } from '../../src/auth/passwords.ts';
import { isWellFormedSecret } from '../../src/auth/tokens.ts';
import { createCommandRunner } from '../support/harness/commands.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';
import type { Ended } from '../support/harness/processes.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-cli-'));
let test: TestDatabase;
let command: (args: string[]) => Promise<Ended>;
/** The export of the test database. */
const file = join(directory, 'export.gz');

beforeAll(async () => {
  test = await openTestDatabase();
  command = await createCommandRunner(test.database);
});
afterAll(async () => {
  await test.close();
  rmSync(directory, { recursive: true });
});

describe('every command works and prints one object with --json', () => {
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
    // Only the demo, which listens on this machine, has the published password.
    const { passwordHash } = await test.ctx.db.user.findUniqueOrThrow({
      where: { email: 'ada@example.org' },
    });
    const { password } = seeded.staff;
    expect(await verifyPassword(passwordHash, password)).toBe(true);
    expect(await verifyPassword(passwordHash, DEMO_PASSWORD)).toBe(false);
    expect(password).toHaveLength(24);
    expect(seeded.device_tokens.every((it: string) => isWellFormedSecret('deviceToken', it))).toBe(
      true,
    );
    expect(await readError('seed', '--json')).toMatch(
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
    expect(await readError(...args, 'lantern brick meadow')).toMatch(
      /already uses olga@example\.org/,
    );
    expect(await readError(...args, 'short')).toMatch(/^The password needs at least 12/);
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

  it('export into a new file, and restore only into an empty database', async () => {
    expect(await json('export', file)).toMatchObject({ file, exported: { users: 4 } });
    expect(await readError('export', file)).toMatch(/already exists\. Choose another name/);
    expect(await readError('restore', file, '--json')).toMatch(/^The database is not empty/);
  });

  it('backup verify, without a database', async () => {
    const verified = await json('backup', 'verify', file);
    expect(verified).toMatchObject({ version: expect.any(String), has_checksum: true });
    expect(verified.rows).toMatchObject({ locations: 2, users: 4, closures: expect.any(Number) });
    const damaged = join(directory, 'damaged');
    writeFileSync(damaged, gunzipSync(readFileSync(file)).subarray(0, -1));
    expect(await readError('backup', 'verify', damaged)).toMatch(/^The file is incomplete/);
  });

  it('prints text without --json', async () => {
    expect(await succeed(['token', 'list'])).toMatch(
      /^\S+ {2}foyer_\w{6}… {2}till {2}bookings:read,\* {2}revoked .*\n$/,
    );
    expect(await succeed(['admin', 'list'])).toMatch(/^ada@example\.org {2}/);
    expect(await succeed(['display', 'list'])).toMatch(/ {2}Door {2}/);
  });
});

describe('errors are reported in one line with exit code 1', () => {
  const lost = '00000000-0000-4000-8000-000000000000';
  it.each<[string, string[], RegExp]>([
    ['an unknown command', ['brew'], /^error: unknown command 'brew'/],
    ['a missing option', ['token', 'create', '--name', 'x'], /^error: required option '--scopes/],
    ['an unknown flag', ['migrate', '--force'], /^error: unknown option '--force'/],
    ['an extra argument', ['migrate', 'now'], /^error: too many arguments/],
    [
      'an unknown scope',
      ['token', 'create', '--name', 'x', '--scopes', 'tea:brew'],
      /^scopes: Unknown scope tea:brew\. Choose from bookings:read, .*, \*\.\n$/,
    ],
    ['an invalid ID', ['token', 'revoke', 'till'], /^The ID must be a UUID/],
    ['an unknown token', ['token', 'revoke', lost], /^No such API token\.\n$/],
    [
      'an unknown location',
      ['display', 'create', '--name', 'x', '--location', 'atlantis'],
      /^--location: No such location\. Choose from alfama, kreuzberg\.\n$/,
    ],
    ['a missing file', ['restore', '/nowhere.jsonl'], /^Cannot read \/nowhere\.jsonl \(ENOENT\)/],
    ['a file of another format', ['restore', 'package.json'], /^The file is not a Foyer export/],
  ])('%s', async (_, args, why) => {
    expect(await readError(...args)).toMatch(why);
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

/** The first line on standard error; Commander adds where to find help. */
async function readError(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await command(args);
  expect([code, stdout]).toEqual([1, '']);
  const line = stderr.replace(/\n+Run the command with --help.*\n$/, '\n');
  expect(line.split('\n')).toEqual([expect.any(String), '']);
  return line;
}
