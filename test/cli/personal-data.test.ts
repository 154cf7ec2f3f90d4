import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMember } from '../../src/features/members/service/members.ts';
import { createCommandRunner } from '../support/harness/commands.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';
import type { Ended } from '../support/harness/processes.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-personal-data-cli-'));
let test: TestDatabase;
let command: (args: string[]) => Promise<Ended>;
let memberId: string;

beforeAll(async () => {
  test = await openTestDatabase();
  command = await createCommandRunner(test.database);
  const { ctx } = test;
  const member = await createMember(ctx, { name: 'Lena Lang', email: 'lena@example.org' });
  memberId = member.id;
  await ctx.db.mail.create({ data: { recipient: 'lena@example.org', subject: 'x', text: 'x' } });
});
afterAll(async () => {
  await test.close();
  rmSync(directory, { recursive: true });
});

async function run(...args: string[]): Promise<string> {
  const ended = await command(['personal-data', ...args]);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return ended.stdout;
}
async function readError(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await command(['personal-data', ...args]);
  expect([code, stdout]).toEqual([1, '']);
  return stderr;
}

const lena = ['--email', 'Lena@example.org'];
const FOUND = {
  emails: ['lena@example.org'],
  names: ['Lena Lang'],
  counts: { mails: 1, members: 1 },
  open_bookings: 0,
  open_memberships: 0,
};

describe('personal-data', () => {
  it('show counts the stored data', async () => {
    expect(JSON.parse(await run('show', ...lena, '--json'))).toMatchObject({
      ...FOUND,
      member_ids: [memberId],
    });
    expect(await run('show', ...lena)).toBe(
      'Stored: 1 changes, 1 mails, 1 members.\nNames: Lena Lang\n',
    );
  });

  it('export writes one file that only its owner can read, and overwrites no file', async () => {
    const file = join(directory, 'lena.json');
    const args = ['export', '--member', memberId, '--out', file, '--json'];
    expect(JSON.parse(await run(...args))).toEqual({ file, rows: 3 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const written = JSON.parse(readFileSync(file, 'utf8'));
    expect(written.data.members).toEqual([expect.objectContaining({ name: 'Lena Lang' })]);
    expect(await readError(...args)).toMatch(/^Cannot write .* \(EEXIST\)/);
    expect(JSON.parse(await run('export', ...lena)).person).toEqual(written.person);
  });

  it('erase requires a confirmation and reports the changes', async () => {
    expect(await readError('erase', ...lena)).toMatch(/Nothing was changed.*add --yes/);
    expect(JSON.parse(await run('show', ...lena, '--json'))).toMatchObject(FOUND);
    const erased = JSON.parse(await run('erase', ...lena, '--yes', '--json'));
    expect(erased).toMatchObject({ counts: FOUND.counts, mentions: [], other_emails: [] });
    expect(await readError('erase', ...lena, '--yes')).toBe(
      'Nothing is stored about this person.\n',
    );
    expect(await run('show', ...lena)).toBe('Stored: nothing.\n');
  });

  it.each<[string, string[], RegExp]>([
    ['no person', ['show'], /^Enter exactly one of an email address, a member or a name/],
    ['an invalid address', ['show', '--email', 'lena'], /--email: must be an email address/],
    ['an invalid ID', ['show', '--member', 'lena'], /--member: must be the ID of a member/],
    ['an invalid date', ['show', '--name', 'L', '--date', '2026-02-30'], /--date: must be a real/],
  ])('rejects %s', async (_, args, message) => {
    expect(await readError(...args)).toMatch(message);
  });
});
