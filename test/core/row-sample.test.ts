import { createRowSample, MAX_ROWS_PER_KIND } from '../../src/core/row-sample.ts';

test('keeps the first rows of each kind, and says how many it leaves out', () => {
  const sample = createRowSample<{ line: number; outcome: string; reason?: string }>();
  const last = MAX_ROWS_PER_KIND + 10;
  for (let line = 1; line <= last; line++) sample.add({ line, outcome: 'imported' });
  expect(sample.rows).toHaveLength(MAX_ROWS_PER_KIND);
  // The first problem is listed, however late it comes.
  sample.add({ line: last + 1, outcome: 'skipped', reason: 'It has no name.' });
  sample.add({ line: last + 2, outcome: 'imported', reason: 'A former member gets none.' });
  expect(sample.rows.slice(-2).map(({ line }) => line)).toEqual([last + 1, last + 2]);
  expect(sample.formatLeftOut()).toBe(
    `The file has ${last + 2} entries. This report lists the first ${MAX_ROWS_PER_KIND} of each result and leaves out 10; its counts are of all.`,
  );
});

test('says nothing about a short report', () => {
  const sample = createRowSample<{ outcome: string }>();
  sample.add({ outcome: 'imported' });
  expect(sample.formatLeftOut()).toBe(null);
});
