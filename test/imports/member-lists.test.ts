import fc from 'fast-check';
import { COUNTRIES, findCountry, formatCountry } from '../../src/core/countries.ts';
import { type ListedMember, readMembers } from '../../src/imports/read-members.ts';

import { MEMBER_CSV_HEADER, toMemberCsvLines } from '../../src/web/admin/members/member-csv.ts';
import { formatCsvLines, getCsvFormat } from '../../src/web/components/csv.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

const read = (text: string, undecided?: 'skip' | 'paused') =>
  readMembers(Buffer.from(text), { undecided });

const summarize = ({ name, phone, company, status, plan, startsOn, endsOn }: ListedMember) => [
  name,
  status,
  phone,
  company,
  plan,
  startsOn,
  endsOn,
];

test('reads an export of Nexudus', async () => {
  const { people, skippedRows, notes } = await read(
    `Id,FullName,Email,CompanyName,MobilePhone,TariffName,Active,RegistrationDate,CancellationDate
1,Ada Lovelace,ada@example.org,Engines,+44 20 1,Flex,True,2024-05-01 09:30,
2,Ben Hall,ben@example.org,,,Flex,False,2023-02-03 00:00,2024-01-31 00:00`,
  );
  expect(people.map(summarize)).toEqual([
    ['Ada Lovelace', 'active', '+44 20 1', 'Engines', 'Flex', '2024-05-01', null],
    ['Ben Hall', 'former', null, null, 'Flex', '2023-02-03', '2024-01-31'],
  ]);
  expect(skippedRows).toEqual([]);
  expect(notes.map(({ text }) => text)).toEqual(['The column "Id" is not imported.']);
});

test('asks about leads in an export of OfficeRnD', async () => {
  const list = `Member Name,Email,Phone,Company,Status,Start Date
Ada,ada@example.org,1,Engines,Active,2024-05-01
Ben,ben@example.org,2,,Lead,
Cleo,cleo@example.org,3,,Former,`;
  const asking = await read(list);
  expect(asking.people.map(({ name, status }) => [name, status])).toEqual([
    ['Ada', 'active'],
    ['Cleo', 'former'],
  ]);
  expect(asking.skippedRows).toMatchObject([
    { line: 3, reason: expect.stringContaining('"Lead", so it is unclear') },
  ]);
  expect((await read(list, 'skip')).skippedRows).toMatchObject([
    { line: 3, reason: 'The person is "Lead", and such people are left out.' },
  ]);
  expect((await read(list, 'paused')).people[1]).toMatchObject({ name: 'Ben', status: 'paused' });
});

test('reads an export of Cobot', async () => {
  const { people, skippedRows } = await read(
    `Name;Company;Email;Phone;Plan Name;Status;Start Date;Canceled to
Ada;Engines;ada@example.org;030 1;Flex;Current;1.5.2024;
Ben;;ben@example.org;;Flex;Canceled;1.5.2023;31.12.2023
Cleo;;cleo@example.org;;Flex;Unconfirmed;;`,
  );
  expect(people.map(({ name, status, endsOn }) => [name, status, endsOn])).toEqual([
    ['Ada', 'active', null],
    ['Ben', 'former', '2023-12-31'],
  ]);
  expect(skippedRows).toMatchObject([{ line: 4 }]);
});

test('reads contacts of Outlook, with any of their phone numbers', async () => {
  const { people } = await read(
    `First Name,Last Name,Company,Home Phone,Business Phone,Mobile Phone,E-mail Address,E-mail 2 Address
Ada,Lovelace,Engines,,+44 20 1,+44 77 2,ada@example.org,countess@example.org
Ben,Hall,,+44 20 3,,,ben@example.org,`,
  );
  expect(people.map(({ name, email, phone }) => [name, email, phone])).toEqual([
    ['Ada Lovelace', 'ada@example.org', '+44 20 1'],
    ['Ben Hall', 'ben@example.org', '+44 20 3'],
  ]);
});

test('reads contacts of Google', async () => {
  const { people } = await read(
    `Name,Given Name,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Organization 1 - Name
Ada Lovelace,Ada,* Work,ada@example.org,Mobile,+44 77 2,Engines`,
  );
  expect(people).toMatchObject([
    { name: 'Ada Lovelace', email: 'ada@example.org', phone: '+44 77 2', company: 'Engines' },
  ]);
});

test.each(['membership_expiry_date', 'Expires on', 'Valid until', 'Gültig bis'])(
  'reads the column %s as the last day',
  async (column) => {
    const { people } = await read(`Name,Email,${column}\nAda,ada@example.org,2024-05-31`);
    expect(people).toMatchObject([{ endsOn: '2024-05-31' }]);
  },
);

test.each([
  ['Active', 'False', 'former'],
  ['Active', 'true', 'active'],
  ['Aktiv', 'nein', 'former'],
  ['Status', 'Not active', 'former'],
  ['Status', 'On hold', 'paused'],
  ['Approved', 'True', 'active'],
  ['Approved', 'False', null],
  ['Status', 'Pending', null],
  ['Active', 'perhaps', null],
])('reads the column %s with %s', async (column, value, status) => {
  const { people } = await read(`Name,Email,${column}\nAda,ada@example.org,${value}`);
  expect(people[0]?.status ?? null).toBe(status);
});

test('reads what our own exports guard, and rejects formulas', async () => {
  const { people, skippedRows } = await read(
    `Name,Email,Phone,Company
Ada,ada@example.org,'+49 30 1,'@Work
Ben,ben@example.org,+49 (30) 2,@Work
"=HYPERLINK(""https://evil.example"",""Cleo"")",cleo@example.org,,
Dora,dora@example.org,,+SUM(A1)`,
  );
  expect(people.map(({ phone, company }) => [phone, company])).toEqual([
    ['+49 30 1', '@Work'],
    ['+49 (30) 2', '@Work'],
  ]);
  expect(skippedRows.map(({ line, reason }) => [line, reason])).toEqual([
    [4, expect.stringContaining('The name is a formula of a spreadsheet.')],
    [5, expect.stringContaining('The company is a formula of a spreadsheet.')],
  ]);
});

const word = fc
  .string({
    unit: fc.constantFrom('a', 'é', '7', '-', ';', ',', '"', ' ', '+'),
    maxLength: 12,
  })
  .map((text) => text.trim());
const optional = fc.option(
  word.filter((text) => text !== ''),
  { nil: null },
);

test('reads what the panel exports', async () => {
  const fields = fc.record({
    ...{ phone: optional, company: optional, postcode: optional, city: optional },
    ...{ customerNumber: optional, country: fc.constantFrom(null, ...COUNTRIES) },
    address: fc.constantFrom(null, 'Road 1', 'Road 1\nBack house'),
  });
  await checkProperty(
    fc.asyncProperty(fields, fc.constantFrom('en', 'de'), async (row, language) => {
      const exported = {
        ...{ ...row, name: 'Ada', email: 'ada@example.org', status: 'PAUSED' },
        team: { id: '1', name: 'Engines' },
        currentMembership: {
          ...{ startsOn: '2026-03-01', endsOn: null, member: { id: '2' } },
          plan: { name: 'Flex', price: { amount: 1250, currency: 'EUR' } },
        },
      } as unknown as Parameters<typeof toMemberCsvLines>[0];
      const file = formatCsvLines(
        [MEMBER_CSV_HEADER, ...toMemberCsvLines(exported)],
        getCsvFormat(language),
      );
      const { people, skippedRows } = await read(file);
      const normal = (text: string | null) => text?.replace(/ +/g, ' ') ?? null;
      expect(skippedRows).toEqual([]);
      expect(people).toMatchObject([
        {
          ...{ ...row, phone: normal(row.phone), company: normal(row.company) },
          ...{ postcode: normal(row.postcode), city: normal(row.city) },
          customerNumber: normal(row.customerNumber),
          ...{ status: 'paused', team: 'Engines', plan: 'Flex', startsOn: '2026-03-01' },
        },
      ]);
    }),
    { numRuns: propertyRuns(50) },
  );
});

test('knows each country by its code and its names', () => {
  for (const code of COUNTRIES)
    for (const name of [code, ...['en', 'de', 'fr'].map((locale) => formatCountry(code, locale))])
      expect([name, findCountry(` ${name.toLowerCase()}`)]).toEqual([name, code]);
  expect(findCountry('Deutschland')).toBe('DE');
  expect(findCountry('U.K.')).toBe('GB');
  expect(findCountry('Atlantis')).toBeNull();
});
