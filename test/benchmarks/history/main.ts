import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { addPrisma } from '../../../src/db/database.ts';
import { openPostgres } from '../../../src/db/postgres/postgres-database.ts';
import { createApiToken } from '../../../src/features/tokens/service.ts';
import { createDatabase } from '../database.ts';
import { generateHistory, type HistorySize, LARGE, SMALL } from './generate.ts';
import { listOperations, type Operation } from './operations.ts';

// Measures each operation in a space with a long history and in one with a short history: npm run bench:history

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
    // Databases of an earlier run. The others are dropped at the end.
    large: { type: 'string' },
    small: { type: 'string' },
  },
});

/** The time of the generated history and of the service. */
const AT = new Date('2026-11-22T12:00:00Z');
const SCOPES = ['bookings:read', 'orders:read', 'check-ins:read', 'members:read', 'spaces:read'];
/** An operation that is slower than this is measured less often. */
const SLOW_MS = 1_000;

type Result = { ms: number } | { error: string };

const small = await measureSpace('small', SMALL, options.small);
const large = await measureSpace('large', LARGE, options.large);
process.stdout.write(`${toTable(large, small)}\n`);

async function measureSpace(
  name: string,
  size: HistorySize,
  existingUrl: string | undefined,
): Promise<Map<string, Result>> {
  if (existingUrl !== undefined) return measureDatabase(existingUrl);
  const database = await createDatabase();
  if (database === null) throw new Error('PostgreSQL is not running. Set BENCH_DATABASE_URL.');
  try {
    process.stderr.write(`Generating the ${name} space in ${database.url} ...\n`);
    await database.pool.query('SET synchronous_commit = off');
    await generateHistory(database.pool, size, AT);
    await database.pool.query('VACUUM (ANALYZE)');
    return await measureDatabase(database.url);
  } finally {
    await database.drop();
  }
}

async function measureDatabase(url: string): Promise<Map<string, Result>> {
  const database = addPrisma(await openPostgres(url));
  const app = createApp({
    config: readConfig({ BASE_URL: 'http://localhost', DATABASE_URL: url }),
    database,
    log: pino({ level: 'silent' }),
    now: () => AT,
  });
  const server = createServer(app.listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { plainText: token } = await createApiToken(app.systemContext, {
      name: 'benchmark',
      scopes: SCOPES,
    });
    const run = async ({ query, run }: Operation) => {
      if (run) return run(app.systemContext);
      const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      const { errors } = await response.json();
      if (errors) throw new Error(errors[0].message);
    };
    const locations = await app.systemContext.db.location.findMany({ orderBy: { slug: 'asc' } });
    const results = new Map<string, Result>();
    for (const operation of listOperations(AT, (n) => locations[n - 1]?.id ?? '')) {
      if (!operation.name.includes(options.only)) continue;
      const result = await measure(() => run(operation));
      results.set(operation.name, result);
      process.stderr.write(`${operation.name}: ${format(result)}\n`);
    }
    return results;
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await app.close();
    await database.close();
  }
}

/** Returns the median. The first runs do not count: they prepare statements, and jobs do overdue work. */
async function measure(work: () => Promise<unknown>): Promise<Result> {
  try {
    for (let run = 0; run < 3; run += 1) await work();
    const times: number[] = [];
    const runs = Number(options.runs);
    while (times.length < runs && !(times.length >= 3 && (times[0] ?? 0) > SLOW_MS)) {
      const started = performance.now();
      await work();
      times.push(performance.now() - started);
    }
    return { ms: times.sort((a, b) => a - b)[times.length >> 1] ?? 0 };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function format(result: Result | undefined): string {
  if (result === undefined) return '';
  return 'error' in result ? `rejected: ${result.error}` : result.ms.toFixed(1);
}

function toTable(large: Map<string, Result>, small: Map<string, Result>): string {
  const rows = [...small].map(([name, short]) => {
    const long = large.get(name);
    const ratio = long && 'ms' in long && 'ms' in short ? (long.ms / short.ms).toFixed(1) : '';
    return `| ${name} | ${format(long)} | ${format(short)} | ${ratio} |`;
  });
  return ['| operation | large (ms) | small (ms) | ratio |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
}
