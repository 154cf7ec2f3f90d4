import { createDateParser } from '../../src/imports/dates.ts';
import { setUpMemberImports } from '../support/imports/member-imports.ts';

const { getContext, importText, listMembers } = setUpMemberImports();

describe('start dates', () => {
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
    const ada = (await listMembers()).find(({ name }) => name === 'Ada');
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
    const [ada] = await listMembers();
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
  ])('%s is rejected', (text, words) =>
    expect(parse(text)).toMatchObject({ message: expect.stringContaining(words) }),
  );

  test('is rejected if it is a moment in UTC, and the locations have several zones', () => {
    const elsewhere = createDateParser({ order: null, timeZone: null });
    expect(elsewhere('2024-04-30T22:00:00Z')).toMatchObject({
      message: expect.stringContaining('Write the day.'),
    });
    expect(elsewhere('2024-05-01T00:00:00Z')).toBe('2024-05-01');
  });
});

test('reads moments in UTC as days of the locations, and names as people write them', async () => {
  await getContext().db.location.create({
    data: { name: 'House', slug: 'house', timeZone: 'Europe/Berlin' },
  });
  const report = await importText(
    'name,email,start date\n\u202aDr.Weiss\u202c,\u200bada@example.org,2024-04-30T22:00:00Z\nwww.x.com,b@example.org,\nB\u{e0041}en,c@example.org,\n' +
      `Dr.${'W'.repeat(97)},d@example.org,`,
  );
  await getContext().db.location.deleteMany();
  expect(await listMembers()).toMatchObject([
    { name: 'Dr. Weiss', email: 'ada@example.org', createdAt: new Date('2024-05-01T12:00:00Z') },
  ]);
  expect(report.rows.slice(-3).map(({ reason }) => reason)).toEqual([
    'The name contains a web or email address.',
    'The name has invisible characters. Type it again.',
    'The name is longer than 100 characters.', // with the space after the dot
  ]);
});
