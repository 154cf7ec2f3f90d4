import { readFileSync } from 'node:fs';
import { splitCsv } from '../../src/core/csv-parts.ts';
import { decodeFile } from '../../src/core/decode-file.ts';
import { importMembers } from '../../src/imports/import-members.ts';
import { importMembersInput } from '../../src/imports/inputs.ts';
import type { ImportRow } from '../../src/imports/report.ts';
import { setUpMemberImports } from '../support/imports/member-imports.ts';

const fixture = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url));

const { getContext, importFile, importText, listMembers } = setUpMemberImports();

test('names the first columns of a file with thousands', async () => {
  const columns = Array.from({ length: 5_000 }, (_, index) => `c${index}`).join(',');
  const { notes } = await importText(`Name,Email,${columns}\nAda Lovelace,ada@example.org\n`);
  expect(notes.map(({ text }) => text).slice(-2)).toEqual([
    'The column "c19" is not imported.',
    '4980 more columns are not imported.',
  ]);
  const rejected = importText(`${columns}\n1\n`);
  await expect(rejected).rejects.toThrow('c19.');
  const { details } = await rejected.catch((error) => error);
  expect(JSON.stringify(details).length).toBeLessThan(1_000);
});

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
  expect(await listMembers()).toMatchObject([
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
  expect(await listMembers()).toMatchObject([
    { name: 'Jürgen Groß', phone: '030 1234', company: 'Möbel & Söhne' },
    { name: 'Zoë', email: 'zoe@example.org' },
  ]);
});

test('adds nobody in a second run', async () => {
  await importFile(fixture('members.csv'));
  const before = await listMembers();
  const report = await importFile(fixture('members.csv'));
  expect(report).toMatchObject({ imported: 0, unchanged: 3, skipped: 6 });
  expect(await listMembers()).toEqual(before);
});

test('adds everybody once in concurrent runs', async () => {
  const text = `name,email\n${Array.from({ length: 50 }, (_, n) => `Member ${n},m${n}@example.org`).join('\n')}`;
  const reports = await Promise.all([importText(text), importText(text)]);
  expect(reports.map(({ imported }) => imported).toSorted()).toEqual([0, 50]);
  expect(await listMembers()).toHaveLength(50);
});

test('reports the same in a dry run and changes nothing', async () => {
  const rehearsal = await importFile(fixture('members.csv'), { dryRun: true });
  expect(await listMembers()).toEqual([]);
  const report = await importFile(fixture('members.csv'));
  expect({ ...rehearsal, importId: report.importId }).toEqual({ ...report, dryRun: true });
});

test('does not change existing members', async () => {
  await importText('name,email\nAda,ada@example.org');
  const report = await importText('name,email\nAda Byron,Ada@Example.org');
  expect(report.rows).toMatchObject([{ outcome: 'unchanged' }]);
  expect(await listMembers()).toMatchObject([{ name: 'Ada' }]);
});

test.each([
  ['name\temail\nAda\tada@example.org'],
  ['\uFEFFMember Name,MAIL\r\nAda,ada@example.org\r\n'],
  ['"Name";"E-Mail"\r"Ada";"ada@example.org"\r'],
  ['First name,Last name,Email address\n"",Ada,ada@example.org'],
  ['email,name,,\nada@example.org,Ada,,'],
])('reads the list %j', async (text) => {
  expect(await importText(text)).toMatchObject({ imported: 1, skipped: 0, notes: [] });
  expect(await listMembers()).toMatchObject([{ name: 'Ada', email: 'ada@example.org' }]);
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
  expect(await listMembers()).toEqual([]);
});

test('skips and reports values that are too long', async () => {
  const long = 'x'.repeat(300);
  const report = await importText(
    `name,email,phone,start date\n${long},a@example.org,,\nBen,${long}@example.org,,\nCleo,c@example.org,${long},
Dora,d@example.org,,${'x'.repeat(29)}\u{1F4C5}`,
  );
  expect(report).toMatchObject({ imported: 0, skipped: 4 });
  expect(report.rows.map(({ reason }) => reason)).toEqual([
    'The name is longer than 100 characters.',
    expect.stringContaining('email address'),
    'The phone number is longer than 50 characters.',
    expect.stringContaining('is not a date'),
  ]);
});

test('imports thousands of members and reports progress', async () => {
  const rows = Array.from({ length: 5000 }, (_, n) => `Member ${n},m${n}@example.org`);
  const progress: [number, number][] = [];
  const report = await importMembers(getContext(), {
    file: Buffer.from(`name,email\n${rows.join('\n')}`),
    onProgress: (done, total) => progress.push([done, total]),
  });
  expect(report.imported).toBe(5000);
  expect(progress[0]).toEqual([0, 5000]);
  expect(progress.at(-1)).toEqual([5000, 5000]);
  expect(await getContext().db.member.count()).toBe(5000);
});

test.each([
  ['members.csv', 1],
  ['members.csv', 2],
  ['mitglieder.csv', 1],
])('reports the same lines of %s in parts of %s rows as of the whole file', async (name, size) => {
  const parts = splitCsv(decodeFile(fixture(name)).text, size);
  expect(parts.length).toBeGreaterThan(1);
  const lines: ImportRow[] = [];
  for (const { text, lineOffset } of parts)
    lines.push(...(await importText(text, { lineOffset })).rows);
  await getContext().db.member.deleteMany();
  const whole = await importFile(fixture(name));
  // What is twice in the file is a problem in one part, and exists already in another one.
  const toLine = ({ line, what, outcome }: ImportRow) => [line, what, outcome === 'imported'];
  expect(lines.map(toLine)).toEqual(whole.rows.map(toLine));
});

test.each(['\n', '\r\n', '\r'])('takes at most 2,000 lines that end with %j at once', (end) => {
  const accepts = (lines: number) =>
    importMembersInput.safeParse({ file: `a,b${end}`.repeat(lines) }).success;
  expect([accepts(2_000), accepts(2_001)]).toEqual([true, false]);
});

test('imports addresses and customer numbers, and keeps each number with one member', async () => {
  const list = (rows: string) => `Name,Email,Street,PLZ,Ort,Land,Kundennummer,Company\n${rows}`;
  // The form rejects controls of direction, so what is imported has none.
  await importText(
    list('Ada,ada@example.org,\u202eRoad\u200b 1\u202c,10999,Berlin,Deutschland,7,'),
  );
  const billing = { address: 'Road 1', postcode: '10999', city: 'Berlin', country: 'DE' };
  expect(await listMembers()).toMatchObject([{ ...billing, customerNumber: '7' }]);
  const file = list(`Ada,ada@example.org,Road 2,,,,7,
Ben,ben@example.org,,,,,7,
Cleo,cleo@example.org,,,,Atlantis,,
Dora,dora@example.org,,,,,8,
Eva,eva@example.org,,,,,8,
`);
  const { rows } = await importText(file, { update: true });
  expect(rows.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['updated', 'Changed: address.'],
    ['skipped', 'Line 2 has the same customer number.'],
    ['skipped', expect.stringContaining('The country is unknown.')],
    ['imported', undefined],
    ['skipped', 'Line 5 has the same customer number.'],
  ]);
  const taken = await importText(list('Ben,ben@example.org,,,,,7,\nDora,dora@example.org,,,,,7,'), {
    update: true,
  });
  expect(taken.rows[0]?.reason).toBe('Another member has the customer number 7.');
  expect((await listMembers())[0]).toMatchObject({
    ...billing,
    address: 'Road 2',
    customerNumber: '7',
  });
});
