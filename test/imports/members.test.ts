import { readFileSync } from 'node:fs';
import { importMembers } from '../../src/imports/import-members.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

const fixture = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url));

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.ctx.db.member.deleteMany());

const importFile = (file: Uint8Array, options: { dryRun?: boolean } = {}) =>
  importMembers(database.ctx, { file, ...options });
const importText = (text: string) => importFile(Buffer.from(text));
const members = () => database.ctx.db.member.findMany({ orderBy: { email: 'asc' } });

test('imports a member list and reports invalid rows by line', async () => {
  const report = await importFile(fixture('members.csv'));
  expect(report).toMatchObject({ dryRun: false, imported: 3, unchanged: 0, skipped: 6 });
  expect(report.rows.map(({ line, outcome, reason }) => [line, outcome, reason])).toEqual([
    [2, 'imported', undefined],
    [3, 'imported', undefined],
    [5, 'skipped', 'Line 2 has the same email address.'],
    [6, 'skipped', 'It has no email address.'],
    [7, 'skipped', 'The email address is invalid.'],
    [8, 'skipped', 'It has no name.'],
    [9, 'skipped', 'The status must be active, paused or former.'],
    [10, 'imported', undefined],
    [12, 'skipped', 'It has 8 fields, but the header has 6.'],
  ]);
  expect(report.notes).toEqual([{ line: 1, text: 'The column "Fax" is not imported.' }]);
  expect(await members()).toMatchObject([
    {
      name: 'Ada Lovelace',
      email: 'ada@example.org',
      phone: '+44 20 7946 0000',
      company: 'Analytical Engines, Ltd',
      status: 'active',
    },
    {
      name: 'Grace "Amazing" Hopper',
      email: 'grace.hopper@example.org',
      phone: null,
      status: 'paused',
    },
    { name: 'Two Lines', email: 'two@example.org', status: 'former' },
  ]);
});

test('imports a German list from Excel with its encoding and semicolons', async () => {
  const report = await importFile(fixture('mitglieder.csv'));
  expect(report.rows.map(({ line, outcome }) => [line, outcome])).toEqual([
    [3, 'imported'],
    [5, 'imported'],
  ]);
  expect(await members()).toMatchObject([
    { name: 'Jürgen Groß', phone: '030 1234', company: 'Möbel & Söhne' },
    { name: 'Zoë', email: 'zoe@example.org' },
  ]);
});

test('adds nobody in a second run', async () => {
  await importFile(fixture('members.csv'));
  const before = await members();
  const report = await importFile(fixture('members.csv'));
  expect(report).toMatchObject({ imported: 0, unchanged: 3, skipped: 6 });
  expect(await members()).toEqual(before);
});

test('adds everybody once in concurrent runs', async () => {
  const text = `name,email\n${Array.from({ length: 50 }, (_, n) => `Member ${n},m${n}@example.org`).join('\n')}`;
  const reports = await Promise.all([importText(text), importText(text)]);
  expect(reports.map(({ imported }) => imported).toSorted()).toEqual([0, 50]);
  expect(await members()).toHaveLength(50);
});

test('reports the same in a dry run and changes nothing', async () => {
  const rehearsal = await importFile(fixture('members.csv'), { dryRun: true });
  expect(await members()).toEqual([]);
  const report = await importFile(fixture('members.csv'));
  expect(rehearsal).toEqual({ ...report, dryRun: true });
});

test('does not change existing members', async () => {
  await importText('name,email\nAda,ada@example.org');
  const report = await importText('name,email\nAda Byron,Ada@Example.org');
  expect(report.rows).toMatchObject([
    { outcome: 'unchanged', reason: 'A member already has this email address.' },
  ]);
  expect(await members()).toMatchObject([{ name: 'Ada' }]);
});

test.each([
  ['name\temail\nAda\tada@example.org'],
  ['\uFEFFMember Name,MAIL\r\nAda,ada@example.org\r\n'],
  ['"Name";"E-Mail"\r"Ada";"ada@example.org"\r'],
  ['First name,Last name,Email address\n"",Ada,ada@example.org'],
  ['email,name,,\nada@example.org,Ada,,'],
])('reads the list %j', async (text) => {
  expect(await importText(text)).toMatchObject({ imported: 1, skipped: 0, notes: [] });
  expect(await members()).toMatchObject([{ name: 'Ada', email: 'ada@example.org' }]);
});

test.each([
  ['nothing', '', 1, 'empty'],
  [
    'a list without addresses',
    'Name,Phone\nAda,1',
    1,
    'There is no column named "Email", only Name, Phone.',
  ],
  [
    'a list without names',
    '\nEmail\nada@example.org',
    2,
    'There is no column named "Name", only Email.',
  ],
  [
    'a list with an open quotation mark',
    'name,email\nAda,ada@example.org\n"Ben,ben@example.org\n',
    3,
    'never closed',
  ],
])('rejects %s with the line', async (_, text, line, words) => {
  await expect(importText(text)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining(words),
    details: { line },
  });
  expect(await members()).toEqual([]);
});

test('skips and reports values that are too long', async () => {
  const long = 'x'.repeat(300);
  const report = await importText(
    `name,email,phone\n${long},a@example.org,\nBen,${long}@example.org,\nCleo,c@example.org,${long}`,
  );
  expect(report).toMatchObject({ imported: 0, skipped: 3 });
  expect(report.rows.map(({ reason }) => reason)).toEqual([
    'The name is longer than 100 characters.',
    expect.stringContaining('email address'),
    'The phone number is longer than 50 characters.',
  ]);
});

test('imports thousands of members and reports progress', async () => {
  const rows = Array.from({ length: 5000 }, (_, n) => `Member ${n},m${n}@example.org`);
  const progress: [number, number][] = [];
  const report = await importMembers(database.ctx, {
    file: Buffer.from(`name,email\n${rows.join('\n')}`),
    onProgress: (done, total) => progress.push([done, total]),
  });
  expect(report.imported).toBe(5000);
  expect(progress[0]).toEqual([0, 5000]);
  expect(progress.at(-1)).toEqual([5000, 5000]);
  expect(await database.ctx.db.member.count()).toBe(5000);
});
