import { v7 } from 'uuid';
import { importMembers } from '../../src/imports/import-members.ts';
import { restoreZeros } from '../../src/imports/postcodes.ts';
import { makeMember } from '../support/factories/people.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

test.each<[string | null, string | null, string | null]>([
  ['1099', 'DE', '01099'],
  ['118', 'IT', '00118'],
  ['100', 'FI', '00100'],
  ['8001', 'ES', '08001'],
  ['6000', 'FR', '06000'],
  ['501', 'US', '00501'],
  ['2101', 'US', '02101'],
  ['150', 'NO', '0150'],
  ['10', 'NO', '0010'],
  ['10011', 'RO', '010011'],
  // They have all their digits, or lack others than a zero.
  ['10999', 'DE', null],
  ['01099', 'DE', null],
  ['109', 'DE', null],
  ['0109', 'DE', null],
  ['D-1099', 'DE', null],
  ['02101-123', 'US', null],
  ['1010', 'AT', null],
  ['5003', 'NO', null],
  ['1001', 'RO', null],
  ['8001', 'CH', null],
  ['1099', null, null],
  [null, 'DE', null],
])('the postcode %p of %p gets its zeros back as %p', (postcode, country, restored) => {
  expect(restoreZeros(postcode, country)).toBe(restored);
});

const REMARK =
  'The postcode is 01099: the file has it without the zeros at its beginning, as spreadsheets save it.';

test('restores the zero of a German postcode, and says so of its line', async () => {
  const emails = [v7(), v7(), v7()].map((id) => `${id}@example.org`);
  const known = await makeMember(app, { country: 'DE', postcode: '10999' });
  const same = await makeMember(app, { country: 'DE', postcode: '01099' });
  const importRows = (...rows: string[]) =>
    importMembers(app.ctx, {
      file: Buffer.from(['name,email,postcode,country', ...rows].join('\n')),
      update: true,
    });
  const report = await importRows(
    `Ada,${emails[0]},1099,Deutschland`,
    `Ben,${emails[1]},1099,`,
    `Cleo,${emails[2]},1010,AT`,
    // The country of members is known.
    `${known.name},${known.email},1099,`,
    `${same.name},${same.email},1099,`,
  );
  expect(report.rows.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['imported', REMARK],
    ['imported', undefined],
    ['imported', undefined],
    ['updated', `Changed: postcode. ${REMARK}`],
    ['unchanged', undefined],
  ]);
  const members = await app.ctx.db.member.findMany({
    where: { email: { in: [...emails, known.email, same.email] } },
  });
  expect(Object.fromEntries(members.map(({ email, postcode }) => [email, postcode]))).toEqual({
    [emails[0] ?? '']: '01099',
    [emails[1] ?? '']: '1099',
    [emails[2] ?? '']: '1010',
    [known.email]: '01099',
    [same.email]: '01099',
  });
});
