import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { prepareDataDir } from '../support/harness/database.ts';
import { killAll, startExpectingExit } from '../support/harness/processes.ts';
import { readStartError } from '../support/harness/start-error.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-startup-'));
const at = (name: string) => join(directory, name);

afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true });
});

describe('a failing start reports its reason in one line and changes nothing', () => {
  beforeAll(() => {
    mkdirSync(at('old'));
    writeFileSync(at('old/PG_VERSION'), '16\n');
    mkdirSync(at('photos'));
    writeFileSync(at('photos/cat.jpg'), 'meow');
    writeFileSync(at('file'), 'not a directory');
  });

  const postgres = 'postgresql://postgres@127.0.0.1';
  const absent = at('absent/data');
  it.each<[string, NodeJS.ProcessEnv, RegExp]>([
    ['a directory of another PostgreSQL', { DATA_DIR: at('old') }, /^DATA_DIR .* PostgreSQL 16;/],
    ['a file for a directory', { DATA_DIR: at('file') }, /^DATA_DIR .* cannot be used .*not a dir/],
    ['a closed port', { DATABASE_URL: `${postgres}:1/x` }, /^DATABASE_URL: .*ECONNREFUSED/],
    [
      'trusted documents that are absent',
      { TRUSTED_DOCUMENTS_FILE: at('absent.json') },
      /^TRUSTED_DOCUMENTS_FILE: .*absent\.json cannot be read/,
    ],
  ])('%s', async (_, env, why) => {
    const before = await contents(directory);
    const logged: string[] = [];
    const error = await readStartError({ DATA_DIR: absent, ...env }, logged);
    expect([error, logged]).toEqual([expect.stringMatching(why), []]);
    expect(error.split('\n')).toEqual([expect.any(String), '']);
    expect(await contents(directory)).toEqual(before);
  });

  it.each<[string, NodeJS.ProcessEnv, RegExp]>([
    ['a directory of other files', { DATA_DIR: at('photos') }, /^DATA_DIR .* contains other files/],
    ['text as a port', { PORT: 'http' }, /^Configuration: PORT: must be a number/],
  ])('in a process of its own, with exit code 1: %s', async (_, env, why) => {
    const before = await contents(directory);
    const { code, stdout, stderr } = await startExpectingExit({
      PORT: '0',
      DATA_DIR: absent,
      ...env,
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(why);
    expect(stderr.split('\n')).toEqual([expect.any(String), '']);
    expect(await contents(directory)).toEqual(before);
  });
});

it.each<[string, NodeJS.ProcessEnv, RegExp]>([
  ['a port too high', { PORT: '65536' }, /^Configuration: PORT: must be a number/],
  ['a URL of another database', { DATABASE_URL: 'mysql://x/y' }, /^Configuration: DATABASE_URL: /],
  ['an owner without a password', { ADMIN_EMAIL: 'o@example.org' }, /ADMIN_PASSWORD go together/],
  ['half of Stripe', { STRIPE_SECRET_KEY: 'sk_test_x' }, /STRIPE_WEBHOOK_SECRET go together/],
  ['the other half', { STRIPE_WEBHOOK_SECRET: 'whsec_x' }, /STRIPE_WEBHOOK_SECRET go together/],
  [
    'a sandbox together with Stripe',
    { PAYMENTS: 'sandbox', STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' },
    /^Configuration: PAYMENTS is sandbox, but STRIPE_SECRET_KEY is set too; remove one of them/,
  ],
  [
    'an unknown kind of payments',
    { PAYMENTS: 'barter' },
    /^Configuration: PAYMENTS: must be on_site or/,
  ],
])('the configuration rejects %s', (_, env, why) => {
  expect(() => readConfig(env)).toThrow(why);
});

it('an address that the machine does not have is reported as HOST, not as PORT', async () => {
  const env = { HOST: '192.0.2.1', DATA_DIR: at('foreign') };
  await prepareDataDir(env.DATA_DIR);
  expect(await readStartError(env)).toBe(
    'HOST: cannot listen on 192.0.2.1:0: this machine does not have that address.\n',
  );
});

it('a weak password of the first owner is reported with its variable, before anything is stored', async () => {
  const owner = { ADMIN_EMAIL: 'o@example.org', ADMIN_PASSWORD: 'short' };
  const logged: string[] = [];
  const error = await readStartError({ DATA_DIR: at('new'), ...owner }, logged);
  expect(error).toMatch(/^ADMIN_PASSWORD: The password needs at least 12 characters\./);
  expect(logged.join()).not.toContain('migrations applied');
});

/** All files below with size, time and content. */
async function contents(root: string): Promise<string[]> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  return Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = statSync(join(root, name));
      const hash = createHash('sha1').update(
        statSync(join(root, name)).isFile() ? await readFile(join(root, name)) : '',
      );
      return [name, size, mtimeMs, hash.digest('hex')].join(' ');
    }),
  );
}
