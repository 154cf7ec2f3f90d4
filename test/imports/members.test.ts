import { readFileSync } from 'node:fs';
import { splitCsv } from '../../src/core/csv-parts.ts';
import { decodeFile } from '../../src/core/decode-file.ts';
import { mailReader } from '../../src/features/notifications/service/mail-reader.ts';
import { createDateParser, type DateOrder } from '../../src/imports/dates.ts';
import { importMembers } from '../../src/imports/import-members.ts';
import { importMembersInput } from '../../src/imports/inputs.ts';
import type { ImportRow } from '../../src/imports/report.ts';
import { catchUp } from '../../src/journal/read-changes.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

const fixture = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url));

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database.ctx;
  await db.membership.deleteMany();
  await db.member.deleteMany();
  await db.team.deleteMany();
});

interface Options {
  plans?: { name: string; plan: string | null }[];
  update?: boolean;
  dryRun?: boolean;
  createTeams?: boolean;
  rejectProblems?: boolean;
  sendEmails?: boolean;
  lineOffset?: number;
  dateOrder?: DateOrder | undefined;
}

const importFile = (file: Uint8Array, options: Options = {}) =>
  importMembers(database.ctx, { file, ...options });
const importText = (text: string, options?: Options) => importFile(Buffer.from(text), options);
const members = () => database.ctx.db.member.findMany({ orderBy: { email: 'asc' } });

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
  expect({ ...rehearsal, importId: report.importId }).toEqual({ ...report, dryRun: true });
});

test('does not change existing members', async () => {
  await importText('name,email\nAda,ada@example.org');
  const report = await importText('name,email\nAda Byron,Ada@Example.org');
  expect(report.rows).toMatchObject([{ outcome: 'unchanged' }]);
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
  const report = await importMembers(database.ctx, {
    file: Buffer.from(`name,email\n${rows.join('\n')}`),
    onProgress: (done, total) => progress.push([done, total]),
  });
  expect(report.imported).toBe(5000);
  expect(progress[0]).toEqual([0, 5000]);
  expect(progress.at(-1)).toEqual([5000, 5000]);
  expect(await database.ctx.db.member.count()).toBe(5000);
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
  await database.ctx.db.member.deleteMany();
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
  expect(await members()).toMatchObject([{ ...billing, customerNumber: '7' }]);
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
  expect((await members())[0]).toMatchObject({
    ...billing,
    address: 'Road 2',
    customerNumber: '7',
  });
});

describe('plans, teams and start dates', () => {
  const LIST = `Name,Email,Plan,Team,Member since
Ada,ada@example.org,FLEX,Sails,2024-05-01
Ben,ben@example.org,,,3.2.2023
Cleo,cleo@example.org,Flex,,
Dora,dora@example.org,Flex,,2024-01-01
Emil,emil@example.org,Closed,,
Finn,finn@example.org,Gold,Oars,31/02/2024`;

  beforeAll(async () => {
    const { db } = database.ctx;
    await db.plan.createMany({ data: [{ name: 'Flex' }, { name: 'Closed', active: false }] });
  });
  beforeEach(() => database.ctx.db.team.create({ data: { name: 'Sails' } }));

  const memberships = () =>
    database.ctx.db.membership.findMany({
      include: { member: true, plan: true },
      orderBy: { member: { email: 'asc' } },
    });

  test('are imported, and each problem is reported with its line', async () => {
    const report = await importText(LIST.replace('Dora,dora@example.org', 'Dora,dora@x'));
    expect(report.rows.flatMap(({ line, reason }) => (reason ? [[line, reason]] : []))).toEqual([
      [5, 'The email address is invalid.'],
      [6, 'New members cannot get the plan "Closed": it is inactive.'],
      [7, 'The start date 31/02/2024 is not a date such as 2026-03-31.'],
    ]);
    expect(await members()).toMatchObject([
      { name: 'Ada', createdAt: new Date('2024-05-01T12:00:00Z'), teamId: expect.any(String) },
      { name: 'Ben', createdAt: new Date('2023-02-03T12:00:00Z'), teamId: null },
      { name: 'Cleo', createdAt: expect.any(Date), teamId: null },
    ]);
    const today = new Date(database.ctx.now().toISOString().slice(0, 10));
    expect(await memberships()).toMatchObject([
      { member: { name: 'Ada' }, plan: { name: 'Flex' }, startsOn: new Date('2024-05-01') },
      { member: { name: 'Cleo' }, startsOn: today },
    ]);
    const again = await importText(LIST);
    expect(again).toMatchObject({ imported: 1, unchanged: 3, skipped: 2 });
    expect(await memberships()).toHaveLength(3);
  });

  test('can have other names for plans, and a second import remarks only on what differs', async () => {
    const list = `Name,Email,Plan
Ada,ada@example.org,Full Time Desk
Ben,ben@example.org,full time desk
Cleo,cleo@example.org,Closed
Dora,dora@example.org,Flex`;
    const unknown = await importText(list, { dryRun: true });
    expect(unknown).toMatchObject({ skipped: 3, unknownPlans: ['full time desk', 'Closed'] });
    const plans = [
      { name: 'Full time DESK', plan: 'Flex' },
      { name: 'closed', plan: null },
    ];
    expect(await importText(list, { plans })).toMatchObject({ imported: 4, unknownPlans: [] });
    const held = (await memberships()).map(({ member, plan }) => [member?.name, plan.name]);
    expect(held).toEqual([
      ['Ada', 'Flex'],
      ['Ben', 'Flex'],
      ['Dora', 'Flex'],
    ]);
    const changed = list.replace('Dora,dora@example.org,Flex', 'Dora B.,dora@example.org,Gold');
    const again = await importText(changed, { plans, update: true });
    expect(again.rows.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['unchanged', undefined],
      ['unchanged', undefined],
      ['unchanged', undefined],
      ['updated', 'Changed: name. The plan stays "Flex", although the file has "Gold".'],
    ]);
  });

  test('of one wrong line keep a file from being imported, until its other lines are wanted', async () => {
    await expect(importText(LIST, { rejectProblems: true })).rejects.toMatchObject({
      message: expect.stringContaining('2 lines cannot be imported, so nothing was.'),
      details: {
        reason: 'IMPORT_HAS_PROBLEMS',
        problems: [
          { line: 6, reason: expect.any(String) },
          { line: 7, reason: expect.any(String) },
        ],
      },
    });
    expect(await members()).toEqual([]);
    const correct = LIST.split('\n').slice(0, 5).join('\n');
    expect(await importText(correct, { rejectProblems: true })).toMatchObject({ imported: 4 });
  });

  test('with unknown teams are problems, or teams to create', async () => {
    const text = 'Name,Email,Team\nAda,ada@example.org,Oars\nBen,ben@example.org,OARS';
    expect((await importText(text)).rows.map(({ reason }) => reason)).toEqual([
      'There is no team named "Oars".',
      'There is no team named "OARS".',
    ]);
    const dry = await importText(text, { createTeams: true, dryRun: true });
    expect(await database.ctx.db.team.count()).toBe(1);
    const report = await importText(text, { createTeams: true });
    expect({ ...dry, importId: report.importId }).toEqual({ ...report, dryRun: true });
    expect(report.notes).toEqual([{ line: null, text: 'The team "OARS" is created.' }]);
    expect(new Set((await members()).map(({ teamId }) => teamId)).size).toBe(1);
  });

  test('of former members leave out the plan', async () => {
    const text = 'Name,Email,Status,Plan\nAda,ada@example.org,former,Flex';
    expect((await importText(text)).rows[0]).toMatchObject({
      outcome: 'imported',
      reason: 'A former member gets no membership, so the plan was left out.',
    });
    expect(await memberships()).toEqual([]);
  });

  test.each([
    ['', false, 0],
    ['if asked', true, 1],
  ])('email members %s', async (_, sendEmails, emails) => {
    const { ctx } = database;
    await ctx.db.mail.deleteMany();
    await importText('Name,Email,Plan\nAda,ada@example.org,Flex', { sendEmails });
    await catchUp(ctx, mailReader);
    expect(await ctx.db.mail.count({ where: { recipient: 'ada@example.org' } })).toBe(emails);
  });

  test('are read in a part of a file as another part shows', async () => {
    const toPart = (name: string, date: string) =>
      `name;email;start date\n${name};${name.toLowerCase()}@example.org;${date}`;
    const shown = await importText(toPart('Ben', '13/04/2024'));
    expect(shown.dateOrder).toBe('day_first');
    const alone = await importText(toPart('Ada', '03/04/2024'), { dryRun: true });
    expect(alone).toMatchObject({ dateOrder: null, skipped: 1 });
    const dateOrder = shown.dateOrder ?? undefined;
    expect(await importText(toPart('Ada', '03/04/2024'), { dateOrder })).toMatchObject({
      skipped: 0,
    });
    const ada = (await members()).find(({ name }) => name === 'Ada');
    expect(ada?.createdAt.toISOString().slice(0, 10)).toBe('2024-04-03');
    const wrong = await importText(toPart('Cleo', '04/13/2024'), { dateOrder });
    expect(wrong.rows[0]?.reason).toContain('is not a date');
  });

  test.each([
    ['03/04/2024', '13/04/2024', '2024-04-03'],
    ['03/04/2024', '04/13/2024', '2024-03-04'],
    ['03/04/2024', '2024-01-01', null],
    ['3. 4. 2024', '', '2024-04-03'],
  ])('read %s beside %s', async (date, other, expected) => {
    const text = `name;email;start date\nAda;ada@example.org;${date}\nBen;ben@example.org;${other}`;
    const [first] = (await importText(text)).rows;
    const [ada] = await members();
    if (expected === null) expect(first?.reason).toContain('can be read in two ways');
    else expect(ada?.createdAt.toISOString().slice(0, 10)).toBe(expected);
  });
});

describe('a date as programs write it', () => {
  const parse = createDateParser({ order: 'day_first', timeZone: 'Europe/Berlin' });
  test.each([
    ...['2024-05-01', '2024/5/1', '2024.05.01', '1.5.2024', '01.05.24', '1/5/24', '01-05-2024'],
    ...['1 May 2024', '01-May-2024', '1-May-24', 'May 1, 2024', 'May 1st, 2024', '2024-May-01'],
    ...['1. Mai 2024', '1 mai 2024', '1er mai 2024', '1.Mai.2024'],
    ...[
      '2024-05-01 09:30',
      '2024-05-01T00:00:00.000Z',
      '2024-05-01 00:00:00 UTC',
      '1/5/24 9:30 AM',
    ],
    ...['2024-05-01T00:00:00+02:00', '2024-04-30T22:00:00.000Z', '30/04/2024 10:00 PM UTC'],
    ...['2024-04-30 22:00:00 +0000'],
  ])('%s is 1 May 2024', (text) => expect(parse(text)).toBe('2024-05-01'));

  test.each([
    ['3. März 1998', '1998-03-03'],
    ['3 févr. 98', '1998-02-03'],
    ['3 août 2024', '2024-08-03'],
    ['3. Jänner 2024', '2024-01-03'],
    ['3 Sept 2024', '2024-09-03'],
    ['3. Okt. 2024', '2024-10-03'],
    ['3 déc. 2024', '2024-12-03'],
    ['3 Mrz 2049', '2049-03-03'],
  ])('%s is %s', (text, date) => expect(parse(text)).toBe(date));

  test.each([
    ['45413', 'is the number that a spreadsheet has for a day'],
    ['3 jui 2024', 'is not a date'],
    ['31 February 2024', 'is not a date'],
    ['May 2024', 'is not a date'],
    ['1 2 3', 'is not a date'],
    ['2024-13-01', 'is not a date'],
  ])('%s is refused', (text, words) =>
    expect(parse(text)).toMatchObject({ message: expect.stringContaining(words) }),
  );

  test('is refused if it is a moment in UTC, and the locations have several zones', () => {
    const elsewhere = createDateParser({ order: null, timeZone: null });
    expect(elsewhere('2024-04-30T22:00:00Z')).toMatchObject({
      message: expect.stringContaining('Write the day.'),
    });
    expect(elsewhere('2024-05-01T00:00:00Z')).toBe('2024-05-01');
  });
});

test('reads moments in UTC as days of the locations, and names as people write them', async () => {
  await database.ctx.db.location.create({
    data: { name: 'House', slug: 'house', timeZone: 'Europe/Berlin' },
  });
  const report = await importText(
    'name,email,start date\n\u202aDr.Weiss\u202c,\u200bada@example.org,2024-04-30T22:00:00Z\nwww.x.com,b@example.org,\nB\u{e0041}en,c@example.org,\n' +
      `Dr.${'W'.repeat(97)},d@example.org,`,
  );
  await database.ctx.db.location.deleteMany();
  expect(await members()).toMatchObject([
    { name: 'Dr. Weiss', email: 'ada@example.org', createdAt: new Date('2024-05-01T12:00:00Z') },
  ]);
  expect(report.rows.slice(-3).map(({ reason }) => reason)).toEqual([
    'The name contains a web or email address.',
    'The name has invisible characters. Type it again.',
    'The name is longer than 100 characters.', // with the space after the dot
  ]);
});
