import { createCommandRunner } from '../support/harness/commands.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';
import type { Ended } from '../support/harness/processes.ts';

const OLGA = ['--email', 'olga@example.org'];
const MIRA = ['--email', 'mira@example.org'];
const PASSWORD = 'lantern brick meadow';

let test: TestDatabase;
let command: (args: string[]) => Promise<Ended>;
let setupCode: Ended;

beforeAll(async () => {
  test = await openTestDatabase();
  command = await createCommandRunner(test.database, { BASE_URL: 'https://foyer.test' });
  setupCode = await command(['setup-code', '--json']);
  await run('create', ...OLGA, '--password', PASSWORD);
  await run('create', ...MIRA, '--password', PASSWORD, '--role', 'manager', '--name', 'Mira');
});
afterAll(() => test.close());

const run = async (...args: string[]) => {
  const ended = await command(['admin', ...args]);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return ended.stdout;
};
const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));
const readError = async (...args: string[]) => {
  const { code, stdout, stderr } = await command(['admin', ...args]);
  expect([code, stdout]).toEqual([1, '']);
  return stderr;
};

it('prints a setup code until there is an owner', async () => {
  expect(JSON.parse(setupCode.stdout)).toEqual({
    code: expect.stringMatching(/^\w{4}-\w{4}-\w{4}$/),
    expires_at: expect.any(String),
    url: 'https://foyer.test/setup',
  });
  const { code, stderr } = await command(['setup-code']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('has an owner already')]);
});

describe('staff accounts on the command line', () => {
  it('are listed by name', async () => {
    const { staff } = await json('list');
    expect(staff).toEqual([
      expect.objectContaining({ email: 'mira@example.org', role: 'manager', status: 'active' }),
      expect.objectContaining({
        email: 'olga@example.org',
        role: 'owner',
        last_active_at: null,
        disabled_at: null,
        active_token_count: 0,
      }),
    ]);
    expect(JSON.stringify(staff)).not.toContain('argon2');
    expect(await run('list')).toMatch(
      /^mira@example\.org {2}Mira {2}manager {2}active {2}never active\n/,
    );
  });

  it('change their role, except for the last owner', async () => {
    expect(await readError('set-role', ...OLGA, '--role', 'manager')).toBe(
      'This is the last active owner of the space. Make someone else an owner first.\n',
    );
    expect(await json('set-role', ...MIRA, '--role', 'owner')).toMatchObject({ role: 'owner' });
    expect(await run('set-role', ...OLGA, '--role', 'front_desk')).toBe(
      'olga@example.org is now front_desk.\n',
    );
  });

  it('are disabled and enabled', async () => {
    expect(await readError('disable', ...MIRA)).toMatch(/^This is the last active owner/);
    expect(await json('disable', '--email', 'OLGA@example.org', '--revoke-tokens')).toMatchObject({
      status: 'disabled',
      disabled_at: expect.stringMatching(/Z$/),
    });
    expect(await readError('reset-password', ...OLGA)).toMatch(
      /is disabled\. Enable it first\.\n$/,
    );
    expect(await run('enable', ...OLGA)).toBe(
      'olga@example.org can sign in again as front_desk.\n',
    );
  });

  it('get a new password directly or by a link', async () => {
    expect(await run('reset-password', ...OLGA, '--password', 'harbour pencil quiet moss')).toBe(
      'olga@example.org has a new password. All its sessions have ended.\n',
    );
    expect(await readError('reset-password', ...OLGA, '--password', 'short')).toMatch(
      /^The password needs at least 12/,
    );
    const link = /^https:\/\/foyer\.test\/admin\/set-password#foyeri_[0-9A-Za-z]{49}$/;
    const { url, link_expires_at } = await json('reset-password', ...MIRA);
    expect(url).toMatch(link);
    expect(Date.parse(link_expires_at)).toBeGreaterThan(Date.now());
  });

  it('that do not exist are reported with what to do', async () => {
    expect(await readError('disable', '--email', 'nobody@example.org')).toBe(
      'No staff account has the address nobody@example.org. List the accounts with admin list, or create one with admin create.\n',
    );
    expect(await readError('set-role', ...OLGA)).toMatch(/^error: required option '--role/);
  });
});
