import { parseArgs } from 'node:util';
import { writeListOperations } from '../../support/list-walk/list-operations.ts';
import { EXPLANATIONS } from './explanations.ts';
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
    large: { type: 'string' },
    small: { type: 'string' },
  },
});

const MAX_MS = 30;
const MAX_RATIO = 3;
/** Below this, a ratio shows noise only. */
const MIN_MS_OF_RATIO = 10;

const small = await measureSpace('small', options.small);
const large = await measureSpace('large', options.large);
const rows = [...large]
  .map(([name, long]) => ({ name, long, short: small.get(name) }))
  .map((row) => ({ ...row, ratio: row.short ? row.long.ms / row.short.ms : Number.NaN }))
  .sort((a, b) => b.long.ms - a.long.ms);
const isSlow = ({ long, ratio }: (typeof rows)[number]) =>
  long.error !== undefined || long.ms > MAX_MS || (ratio > MAX_RATIO && long.ms > MIN_MS_OF_RATIO);
const explain = (name: string) => EXPLANATIONS.find(({ names }) => names.test(name))?.reason;

const print = (line: string) => process.stdout.write(`${line}\n`);
print(`${rows.length} operations. The slowest:\n`);
print('| operation | large (ms) | small (ms) | ratio | planned | |');
print('|---|---|---|---|---|---|');
for (const row of rows.filter((row, n) => n < Number(options.rows) || isSlow(row))) {
  const state = !isSlow(row) ? '' : explain(row.name) === undefined ? 'SLOW' : 'explained';
  print(
    `| ${row.name} | ${format(row.long)} | ${format(row.short)} | ${row.ratio.toFixed(1)} | ${row.long.kind} | ${state} |`,
  );
}
const slow = rows.filter(isSlow);
for (const { names, reason } of EXPLANATIONS) {
  const explained = slow.filter(({ name }) => names.test(name));
  print(`\n${names.source} (${explained.length} slow): ${reason}`);
}
const unexplained = slow.filter(({ name }) => explain(name) === undefined);
print(`\n${slow.length} are slow, of which ${unexplained.length} are not explained.`);
if (unexplained.length > 0) process.exitCode = 1;

async function measureSpace(
  name: SpaceName,
  existingUrl: string | undefined,
): Promise<Map<string, Measurement>> {
  const { url, pool, close } = await openSpace(name, existingUrl, options.keep);
  try {
    const { rows: houses } = await pool.query('SELECT id FROM locations ORDER BY slug');
    const lists = (await writeListOperations(pool, AT)).map(
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
    const results = await measureOperations(url, operations, (operation, result) => {
      if (result.ms > MAX_MS || result.error)
        process.stderr.write(`${name}: ${operation}: ${format(result)}\n`);
    });
    const seconds = ((performance.now() - started) / 1_000).toFixed();
    process.stderr.write(`${name}: ${operations.length} operations in ${seconds} s\n`);
    return results;
  } finally {
    await close();
  }
}

function format(result: Measurement | undefined): string {
  if (result === undefined) return '';
  return result.error === undefined ? result.ms.toFixed(1) : `rejected: ${result.error}`;
}
