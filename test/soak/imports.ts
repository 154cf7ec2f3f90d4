import { performance } from 'node:perf_hooks';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { importMemberFile } from '../../src/imports/import-member-file.ts';
import { createSystemContext } from '../support/factories/seed.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Imports member lists of 10,000 and 100,000 rows into PostgreSQL, each after a dry run, and compares the memory that they
// need.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const { small, large } = readSizes({ small: [10_000, 500], large: [100_000, 1_000] });
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

const name = `foyer_import_${process.pid}`;
await runAsAdmin(SERVER, `CREATE DATABASE ${name}`);
const database = await openDatabase({ databaseUrl: withDatabaseName(SERVER, name), dataDir: '' });
try {
  await migrate(database.pool);
  for (const dryRun of [true, false]) {
    const peaks: number[] = [];
    for (const rows of [small, large]) peaks.push(await measureImport(rows, dryRun));
    const [least = 0, most = 0] = peaks;
    if (most - least > MAX_GROWTH_MB) throw new Error('The memory grows with the list.');
  }
} finally {
  await database.close();
  await runAsAdmin(SERVER, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** Imports a list as the command does, and returns how many megabytes of heap it needs at most. */
async function measureImport(rows: number, dryRun: boolean): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let peak = 0;
  const start = performance.now();
  const report = await importMemberFile(createSystemContext(database), createList(rows), {
    dryRun,
    onRow: () => {},
    onProgress: () => {
      globalThis.gc?.();
      peak = Math.max(peak, (process.memoryUsage().heapUsed - before) / 1e6);
    },
  });
  if (report.imported !== rows) throw new Error(JSON.stringify(report));
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(
    `${rows} rows${dryRun ? ', dry run' : ''}: ${peak.toFixed(1)} MB of heap, ${seconds} s`,
  );
  return peak;
}
