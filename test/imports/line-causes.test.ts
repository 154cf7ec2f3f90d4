import { v7 } from 'uuid';
import { importMemberFile } from '../../src/imports/import-member-file.ts';
import { importMembers } from '../../src/imports/import-members.ts';
import type { ImportReport, ImportRow } from '../../src/imports/report.ts';
import { makeMember } from '../support/factories/people.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const HEADER = 'name,email,customer number,team';
const importRows = (rows: string[], options = {}) =>
  importMembers(app.ctx, { file: Buffer.from([HEADER, ...rows].join('\n')), ...options });
const listReasons = ({ rows }: Pick<ImportReport, 'rows'>) =>
  rows.map(({ line, reason }) => [line, reason]);

test('says of a duplicate whether the line that it repeats is skipped too', async () => {
  const [one, two, three] = [v7(), v7(), v7()].map((id) => `${id}@example.org`);
  const report = await importRows([
    `Ada,${one},N-1,No such team`,
    `Ada,${one},,`,
    `Ben,${two},N-1,`,
    `Cleo,${three},,`,
    `Cleo,${three},,`,
  ]);
  expect(listReasons(report)).toEqual([
    [2, 'There is no team named "No such team".'],
    [3, 'Line 2 has the same email address. Line 2 is skipped too: correct it first.'],
    [4, 'Line 2 has the same customer number. Line 2 is skipped too: correct it first.'],
    [5, undefined],
    [6, 'Line 5 has the same email address.'],
  ]);
});

test('says so of lines in another batch of a large file', async () => {
  const email = `${v7()}@example.org`;
  const others = Array.from({ length: 1_000 }, () => `Zoe,${v7()}@example.org,,`);
  const rows: ImportRow[] = [];
  const file = [HEADER, `Ada,${email},,No such team`, ...others, `Ada,${email},,`].join('\n');
  async function* readFile() {
    yield Buffer.from(file);
  }
  await importMemberFile(app.ctx, readFile, { dryRun: true, onRow: (row) => rows.push(row) });
  expect(listReasons({ rows: rows.filter(({ reason }) => reason) })).toEqual([
    [2, 'There is no team named "No such team".'],
    [1003, 'Line 2 has the same email address. Line 2 is skipped too: correct it first.'],
  ]);
});

test('says which line gives the member with a customer number another one, and whether it is skipped', async () => {
  const [first, second, third] = [v7(), v7(), v7()].map((id) => `C-${id.slice(-6)}`);
  const [one, two, three] = [
    await makeMember(app, { customerNumber: first }),
    await makeMember(app, { customerNumber: second }),
    await makeMember(app, { customerNumber: third }),
  ];
  const rows = [
    `One,${one.email},${first}-new,No such team`,
    `Two,${two.email},${second}-new,`,
    `Three,${three.email},,`,
    ...[first, second, third].map((number) => `New,${v7()}@example.org,${number},`),
  ];
  const taken = (number?: string) => `Another member has the customer number ${number}.`;
  expect(listReasons(await importRows(rows, { update: true, dryRun: true }))).toEqual([
    [2, 'There is no team named "No such team".'],
    [3, 'Changed: name, customer number.'],
    [4, 'Changed: name.'],
    [
      5,
      `${taken(first)} Line 2 gives that member another one, but is skipped too: correct it first.`,
    ],
    [
      6,
      `${taken(second)} Line 3 gives that member another one: import that line first, and then this one.`,
    ],
    [7, taken(third)],
  ]);
  // Without the update, no line gives a known member another number.
  expect(listReasons(await importRows(rows, { dryRun: true })).slice(3)).toEqual([
    [5, taken(first)],
    [6, taken(second)],
    [7, taken(third)],
  ]);
});
