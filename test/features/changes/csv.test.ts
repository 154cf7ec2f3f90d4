import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { CSV_HEADER, toCsvLines } from '../../../src/web/admin/audit-log/csv.ts';
import { formatCsvLines, getCsvFormat } from '../../../src/web/components/csv.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';

type Change = Parameters<typeof toCsvLines>[0];

const text = fc.oneof(
  fc.string(),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', '1', 'a'),
  }),
);

const toChange = (before: unknown, after: unknown): Change =>
  ({
    ...{ id: '1', at: '2026-03-18T09:30:00.000Z', type: 'team.updated', subjectId: '2' },
    ...{ actor: { kind: 'STAFF', name: 'Ada' }, actorId: '3', job: null, locationId: null },
    ...{ address: null, requestId: null, references: [] },
    ...{ before: { name: before }, after: { name: after } },
  }) as unknown as Change;

it('contains every value, and none that a spreadsheet runs as a formula', () => {
  checkProperty(
    fc.property(text, text, fc.constantFrom('en', 'de'), (before, after, language) => {
      fc.pre(before !== after); // only what has changed is listed
      const format = getCsvFormat(language);
      const rows: string[][] = parse(
        formatCsvLines([CSV_HEADER, ...toCsvLines(toChange(before, after))], format),
        {
          delimiter: format.separator,
          record_delimiter: '\r\n',
        },
      );
      const [header = [], row = []] = rows;
      expect([rows.length, row.length]).toEqual([2, header.length]);
      const cell = (name: string) => row[header.indexOf(name)] ?? '';
      for (const [name, value] of [
        ['before', before],
        ['after', after],
      ] as const) {
        expect(cell(name).replaceAll("'", '')).toBe(value.replaceAll("'", ''));
        if (!/^-?\d+(\.\d+)?$/.test(value))
          for (const part of cell(name).split(/[;\n]/))
            expect(part).not.toMatch(/^[ "]*[=+\-@\t\r]/);
      }
    }),
    { numRuns: propertyRuns(100) },
  );
});

test.each([
  ['en', 'Ada,1.50,"1,5"\r\n'],
  ['de', 'Ada;"1,50";"1,5"\r\n'],
  ['fr', 'Ada;"1,50";"1,5"\r\n'],
])('is what spreadsheets expect in the language %s', (language, line) => {
  expect(formatCsvLines([['Ada', '1.50', '1,5']], getCsvFormat(language))).toBe(line);
});
