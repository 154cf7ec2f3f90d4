import { isWellFormedSecret } from '../../src/auth/tokens.ts';
import { createCommandRunner } from '../support/harness/commands.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';
import type { Ended } from '../support/harness/processes.ts';

let test: TestDatabase;
let command: (args: string[]) => Promise<Ended>;

beforeAll(async () => {
  test = await openTestDatabase();
  command = await createCommandRunner(test.database);
  await test.ctx.db.location.create({
    data: { slug: 'mill', name: 'Mill', timeZone: 'Europe/Berlin' },
  });
});
afterAll(() => test.close());

async function run(...args: string[]): Promise<string> {
  const ended = await command(['display', ...args]);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return ended.stdout;
}
async function readError(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await command(['display', ...args]);
  expect([code, stdout]).toEqual([1, '']);
  return stderr;
}
const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));

it('displays are created, listed, given a new token and revoked on the command line', async () => {
  expect(await run('list')).toBe('No displays yet. Create one with display create.\n');
  const made = await json('create', '--name', 'Door', '--location', 'mill');
  const { id } = made;
  const rotated = await json('rotate', id, '--overlap-minutes', '5');
  expect(rotated).toEqual({ id, device_token: expect.any(String) });
  expect(isWellFormedSecret('deviceToken', rotated.device_token)).toBe(true);
  expect(rotated.device_token).not.toBe(made.device_token);
  expect(await readError('rotate', id, '--overlap-minutes', '1441')).toMatch(/from 0 to 1440/);
  expect(await readError('rotate', id, '--overlap-minutes', 'x')).toMatch(/from 0 to 1440/);
  expect(await json('revoke', id)).toEqual({ id, revoked_at: expect.stringMatching(/Z$/) });
  expect(await readError('rotate', id)).toMatch(/was revoked/);
  expect(await readError('revoke', 'door')).toBe(
    'The ID must be a UUID: find it with display list.\n',
  );

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
