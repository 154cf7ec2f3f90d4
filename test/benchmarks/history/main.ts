import { parseArgs } from 'node:util';
import {
  type ListOperation,
  writeListOperations,
} from '../../support/list-walk/list-operations.ts';
import { EXPLANATIONS } from './explanations.ts';
import { isSlow, judge, type Outcome } from './limits.ts';
import { type Measurement, measureOperations, type Operation } from './measure.ts';
import { listOperations } from './operations.ts';
import { AT, openSpace, type SpaceName } from './spaces.ts';

// Measures every list of the schema, with every filter and order, and other searches and jobs, in a space with a long history
// and in one with a short history: npm run bench:history. Fails if one is slower than its limits and nothing explains it.

const { values: options } = parseArgs({
  options: {
    /** Measures only operations whose names contain this. */
    only: { type: 'string', default: '' },
    /** How many rows of the table are printed. */
    rows: { type: 'string', default: '60' },
    /** Keeps the generated databases, for the next two options of a later run. */
    keep: { type: 'boolean', default: false },
    /** Reads every list with one value of each filter in one tiny space, and fails if one is rejected. Times are not judged. */
    check: { type: 'boolean', default: false },
    large: { type: 'string' },
    small: { type: 'string' },
  },
});

const small = options.check
  ? new Map<string, Measurement>()
  : await measureSpace('small', options.small);
const large = await measureSpace(options.check ? 'tiny' : 'large', options.large);
const rows = [...large]
  .map(([name, long]) => ({ name, long, short: small.get(name) }))
  .map((row) => ({
    ...row,
    ratio: row.short ? row.long.ms / row.short.ms : Number.NaN,
    outcome: options.check && row.long.error === undefined ? ('fast' as const) : judge(row),
  }))
  .sort((a, b) => toSortKey(b) - toSortKey(a));

const print = (line: string) => process.stdout.write(`${line}\n`);
print(`${rows.length} operations. The slowest:\n`);
print('| operation | large (ms) | small (ms) | ratio | planned | |');
print('|---|---|---|---|---|---|');
for (const row of rows.filter(({ outcome }, n) => n < Number(options.rows) || outcome !== 'fast')) {
  const state = { fast: '', explained: 'explained', slow: 'SLOW', failed: 'FAILED' }[row.outcome];
  print(
    `| ${row.name} | ${format(row.long)} | ${format(row.short)} | ${row.ratio.toFixed(1)} | ${row.long.kind} | ${state} |`,
  );
}
for (const { names, maxMs, reason } of EXPLANATIONS) {
  const explained = rows.filter(({ name, outcome }) => outcome === 'explained' && names.test(name));
  const slowest = Math.max(0, ...explained.map(({ long }) => long.ms)).toFixed();
  print(`\n${names.source} (${explained.length} slow, up to ${slowest} of ${maxMs} ms): ${reason}`);
}
const count = (counted: Outcome) => rows.filter(({ outcome }) => outcome === counted).length;
print(
  `\n${count('explained')} are slow and explained, ${count('slow')} are slow and not explained or slower than their explanation allows, ${count('failed')} have failed.`,
);
if (count('slow') + count('failed') > 0) process.exitCode = 1;

/** What has failed has no time, and comes first. */
function toSortKey({ long, outcome }: { long: Measurement; outcome: Outcome }): number {
  return outcome === 'failed' ? Number.MAX_VALUE : long.ms;
}

async function measureSpace(
  name: SpaceName,
  existingUrl: string | undefined,
): Promise<Map<string, Measurement>> {
  const { url, pool, close } = await openSpace(name, existingUrl, options.keep);
  try {
    const { rows: houses } = await pool.query('SELECT id FROM locations ORDER BY slug');
    const written = await writeListOperations(pool, AT, { isBrief: options.check });
    const lists = (options.check ? chooseOfEachFilter(written) : written).map(
      ({ name, query, variables }): Operation => ({
        name,
        run: ({ sendGraphql }) => sendGraphql(query, variables),
      }),
    );
    const others = listOperations(AT, (n) => houses[n - 1]?.id ?? '').map(
      ({ name, query, path, run }): Operation => ({
        name,
        run: ({ ctx, sendGraphql, getRest }) =>
          run ? run(ctx) : path === undefined ? sendGraphql(query ?? '') : getRest(path),
      }),
    );
    const operations = [...lists, ...others].filter(({ name }) => name.includes(options.only));
    const started = performance.now();
    const results = await measureOperations(url, operations, options.check, (operation, result) => {
      if (isSlow(result) || result.error)
        process.stderr.write(`${name}: ${operation}: ${format(result)}\n`);
    });
    const seconds = ((performance.now() - started) / 1_000).toFixed();
    process.stderr.write(`${name}: ${operations.length} operations in ${seconds} s\n`);
    return results;
  } finally {
    await close();
  }
}

/** Keeps one operation of each query and each filter. */
function chooseOfEachFilter(operations: readonly ListOperation[]): ListOperation[] {
  const byFilter = new Map(
    operations.map((operation) => [
      `${operation.query} ${Object.keys(operation.variables.filter ?? {})}`,
      operation,
    ]),
  );
  return [...byFilter.values()];
}

function format(result: Measurement | undefined): string {
  if (result === undefined) return '';
  return result.error === undefined ? result.ms.toFixed(1) : `rejected: ${result.error}`;
}
