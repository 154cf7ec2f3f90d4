import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Command } from 'commander';
import { isWellFormed } from '../src/auth/secrets.ts';
import { displayCommands } from '../src/cli/displays.ts';
import { onDatabase } from '../src/cli/run.ts';
import { administer, serverUrl, within } from './support/templates.ts';

// In this process: a process for each command would take most of the time. Always on a database of its own.
const directory = mkdtempSync(join(tmpdir(), 'foyer-display-cli-'));
const name = `foyer_display_cli_${process.pid}`;
const { env } = process;
const given = { ...env };

beforeAll(async () => {
  if (serverUrl) {
    await administer(serverUrl, `CREATE DATABASE ${name}`);
    env.DATABASE_URL = within(serverUrl, name);
  }
  env.DATA_DIR = join(directory, 'main');
  await onDatabase(({ ctx }) =>
    ctx.db.location.create({ data: { slug: 'mill', name: 'Mill', timeZone: 'Europe/Berlin' } }),
  );
});
afterAll(async () => {
  process.env = given;
  rmSync(directory, { recursive: true });
  if (serverUrl) await administer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
});

async function run(...args: string[]): Promise<string> {
  const program = new Command('foyer').exitOverride();
  displayCommands(program);
  let said = '';
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += text;
    return true;
  });
  try {
    await program.parseAsync(['display', ...args], { from: 'user' });
  } finally {
    write.mockRestore();
  }
  return said;
}
const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));

it('displays are made, listed, given another token and revoked on the command line', async () => {
  expect(await run('list')).toBe('There are no displays yet: make one with display create.\n');
  const made = await json('create', '--name', 'Door', '--location', 'mill');
  const { id } = made;
  const rotated = await json('rotate', id, '--overlap-minutes', '5');
  expect(rotated).toEqual({ id, device_token: expect.any(String) });
  expect(isWellFormed('deviceToken', rotated.device_token)).toBe(true);
  expect(rotated.device_token).not.toBe(made.device_token);
  await expect(run('rotate', id, '--overlap-minutes', '1441')).rejects.toThrow(/from 0 to 1440/);
  await expect(run('rotate', id, '--overlap-minutes', 'x')).rejects.toThrow(/from 0 to 1440/);
  expect(await json('revoke', id)).toEqual({ id, revoked_at: expect.stringMatching(/Z$/) });
  await expect(run('rotate', id)).rejects.toThrow(/is revoked/);
  await expect(run('revoke', 'door')).rejects.toThrow('the id is a UUID; see display list');

  const { displays } = await json('list');
  expect(displays).toEqual([
    expect.objectContaining({
      id,
      name: 'Door',
      kind: 'welcome',
      status: 'revoked',
      location: { id: expect.any(String), name: 'Mill' },
      token_prefix: rotated.device_token.slice(0, 13),
      last_seen_at: null,
    }),
  ]);
  expect(JSON.stringify(displays)).not.toContain(rotated.device_token);
  expect(await run('list')).toBe(`${id}  Door  welcome  Mill  revoked  never seen\n`);
});
