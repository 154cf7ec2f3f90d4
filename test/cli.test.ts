import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWellFormed } from '../src/auth/secrets.ts';
import { readMigrations } from '../src/db/migrations.ts';
import { foyer, killAll } from './support/processes.ts';
import { administer, serverUrl, within } from './support/templates.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-cli-'));
const name = `foyer_cli_${process.pid}`;
const env: NodeJS.ProcessEnv = serverUrl
  ? { DATABASE_URL: within(serverUrl, name) }
  : { DATA_DIR: join(directory, 'main') };
/** Always an embedded one: on a server, moving out of it is tried as well. */
const otherEnv = { DATA_DIR: join(directory, 'other') };

beforeAll(async () => {
  if (serverUrl) await administer(serverUrl, `CREATE DATABASE ${name}`);
});
afterAll(async () => {
  killAll();
  rmSync(directory, { recursive: true });
  if (serverUrl) await administer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
});

describe('every command does what it says and answers --json with one object', () => {
  it('migrate', async () => {
    expect(await json('migrate')).toEqual({ applied: readMigrations().map(({ name }) => name) });
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
    expect(seeded.device_tokens.every((it: string) => isWellFormed('deviceToken', it))).toBe(true);
    expect(await refusal('seed', '--json')).toMatch(/^The demo space needs an empty database\.\n$/);
  });

  it('admin create', async () => {
    const args = ['admin', 'create', '--email', 'Olga@example.org', '--password'];
    expect(await json(...args, 'lantern brick meadow', '--role', 'manager')).toEqual({
      id: expect.any(String),
      email: 'olga@example.org',
      role: 'manager',
    });
    expect(await refusal(...args, 'lantern brick meadow')).toMatch(/olga@example\.org is there/);
    expect(await refusal(...args, 'short')).toMatch(/^The password needs at least 12/);
  });

  it('token create, list and revoke', async () => {
    const made = await json('token', 'create', '--name', 'till', '--scopes', 'bookings:read, *');
    expect(made).toEqual({
      id: expect.any(String),
      token: expect.any(String),
      scopes: ['bookings:read', '*'],
    });
    expect(isWellFormed('apiToken', made.token)).toBe(true);
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
    expect(isWellFormed('deviceToken', made.device_token)).toBe(true);
  });

  it('export and restore, which keep every row', async () => {
    const exported = await foyer(['export'], env);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    const file = join(directory, 'export.jsonl');
    writeFileSync(file, exported.stdout);
    const { restored } = JSON.parse((await succeed(['restore', file, '--json'], otherEnv)).stdout);
    expect(restored).toMatchObject({ locations: 2, users: 4, api_tokens: 1 });
    const again = await succeed(['export'], otherEnv);
    expect(again.stdout.split('\n').sort()).toEqual(exported.stdout.split('\n').sort());
    const refused = await foyer(['restore', file, '--json'], otherEnv);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^The database is not empty/);
  });

  it('without --json it says the same in words', async () => {
    const { stdout } = await succeed(['token', 'list'], env);
    expect(stdout).toMatch(/^\S+ {2}foyer_\w{6}… {2}till {2}bookings:read,\* {2}revoked .*\n$/);
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
    ['an id that is none', ['token', 'revoke', 'till'], /^the id is a UUID/],
    ['a token that is not there', ['token', 'revoke', lost], /^No such API token\.\n$/],
    [
      'a location that is not there',
      ['display', 'create', '--name', 'x', '--location', 'atlantis'],
      /^No such location\.\n$/,
    ],
    [
      'a file that is not there',
      ['restore', '/nowhere.jsonl'],
      /^\/nowhere\.jsonl cannot be read \(ENOENT\)/,
    ],
    ['a file of something else', ['restore', 'package.json'], /^Line 1 is not as export writes it/],
  ])('%s', async (_, args, why) => {
    expect(await refusal(...args)).toMatch(why);
  });
});

async function json(...args: string[]) {
  const { stdout } = await succeed([...args, '--json'], env);
  expect(stdout.split('\n')).toEqual([expect.any(String), '']);
  return JSON.parse(stdout);
}

async function succeed(args: string[], env: NodeJS.ProcessEnv) {
  const ended = await foyer(args, env);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return ended;
}

/** The line that it leaves on standard error; Commander adds where to find help. */
async function refusal(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await foyer(args, env);
  expect([code, stdout]).toEqual([1, '']);
  const line = stderr.replace(/\n\nAdd --help.*\n$|\nAdd --help.*\n$/, '\n');
  expect(line.split('\n')).toEqual([expect.any(String), '']);
  return line;
}
