import { importMemberFile } from '../../src/imports/import-member-file.ts';
import type { ImportRow } from '../../src/imports/report.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.ctx.db.member.deleteMany());

/** A file that arrives in pieces of a few bytes. */
const toReadFile = (text: string) =>
  async function* () {
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += 7) yield bytes.subarray(from, from + 7);
  };

const BATCH_ROWS = 40;

const importText = async (text: string, dryRun = false) => {
  const rows: ImportRow[] = [];
  const report = await importMemberFile(database.ctx, toReadFile(text), {
    dryRun,
    batchRows: BATCH_ROWS,
    onRow: (row) => rows.push(row),
  });
  return { report, rows };
};

/** More rows than two batches have. The last one repeats the first, and only its neighbor shows how dates are read. */
const LIST = [
  'Name,Email,Start date',
  ...Array.from({ length: 90 }, (_, n) => `Zoë Žagar,m${n}@example.org,03/04/2024`),
  'Ben,ben@example.org,31/04/2024',
  'Cleo,cleo@example.org,30/04/2024',
  'Zoë Žagar,m0@example.org,',
].join('\n');

test('imports a list in batches as it would import it at once, and reports the same before in a dry run', async () => {
  const rehearsal = await importText(LIST, true);
  expect(await database.ctx.db.member.count()).toBe(0);
  const { report, rows } = await importText(LIST);
  const { importId, ...reported } = report;
  expect(importId).toBeDefined();
  expect(rehearsal).toEqual({ rows, report: { ...reported, dryRun: true } });
  expect(report).toMatchObject({ imported: 91, unchanged: 0, skipped: 2, notes: [] });
  expect(rows).toHaveLength(93);
  expect(rows.filter(({ outcome }) => outcome === 'skipped')).toMatchObject([
    { line: 92, reason: expect.stringContaining('is not a date') },
    { line: 94, reason: 'Line 2 has the same email address.' },
  ]);
  const first = await database.ctx.db.member.findUnique({ where: { email: 'm0@example.org' } });
  expect(first).toMatchObject({ name: 'Zoë Žagar', createdAt: new Date('2024-04-03T12:00:00Z') });
  expect(await database.ctx.db.member.count()).toBe(91);
});

test('imports nothing of a file that is broken at its end', async () => {
  await expect(importText(`${LIST}\n"Dora,dora@example.org`)).rejects.toMatchObject({
    details: { reason: 'UNREADABLE_FILE', line: 95 },
  });
  expect(await database.ctx.db.member.count()).toBe(0);
});
