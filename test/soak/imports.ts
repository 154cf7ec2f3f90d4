import { performance } from 'node:perf_hooks';
import { importMemberFile } from '../../src/imports/import-member-file.ts';
import { openTestDatabase } from '../support/harness/database.ts';

// Imports member lists of 10,000 and 100,000 rows, and compares the memory that they need.

const SIZES = [10_000, 100_000];
const MAX_GROWTH_MB = 64;
const ROWS_PER_PIECE = 500;

/** A list in Windows-1252, generated while it is read. */
const createList = (rows: number) =>
  async function* () {
    yield Buffer.from('Name,Email,Phone,Company\r\n');
    for (let from = 0; from < rows; from += ROWS_PER_PIECE) {
      const lines = Array.from({ length: Math.min(ROWS_PER_PIECE, rows - from) }, (_, n) => {
        const id = `${rows}-${from + n}`;
        return `J\xfcrgen Gro\xdf,m${id}@example.org,+49 30 ${from + n},M\xf6bel GmbH\r\n`;
      });
      yield Buffer.from(lines.join(''), 'latin1');
    }
  };

const { ctx, close } = await openTestDatabase();
const peaks: number[] = [];
for (const rows of SIZES) {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let peak = 0;
  let problems = 0;
  const start = performance.now();
  const report = await importMemberFile(ctx, createList(rows), {
    onRow: ({ outcome }) => {
      if (outcome === 'skipped') problems += 1;
    },
    onProgress: () => {
      globalThis.gc?.();
      peak = Math.max(peak, process.memoryUsage().heapUsed - before);
    },
  });
  if (report.imported !== rows || problems > 0) throw new Error(JSON.stringify(report));
  peaks.push(peak / 1e6);
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${rows} rows: ${(peak / 1e6).toFixed(1)} MB of heap, ${seconds} s`);
}
await close();
const [small = 0, large = 0] = peaks;
if (large - small > MAX_GROWTH_MB) throw new Error('The memory grows with the list.');
