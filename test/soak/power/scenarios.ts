import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbedded } from '../../../src/db/embedded/embedded-database.ts';
import { migrate, readMigrations } from '../../../src/db/migrations.ts';
import { prepareDataDir } from '../../support/harness/database.ts';
import { runFoyer, startService } from '../../support/harness/processes.ts';
import type { Query } from './check-database.ts';
import { type AcknowledgedRow, createStage, runOperations } from './operations.ts';
import { countRecords } from './trace.ts';

const RECORDER = fileURLToPath(new URL('recorder.mjs', import.meta.url));
const OWNER = { ADMIN_EMAIL: 'olga@example.org', ADMIN_PASSWORD: 'lantern brick meadow' };

/** What a recorded service or command did with the files of a directory. */
export interface Scenario {
  name: string;
  /** The files before, all of them durable. Undefined if there were none. */
  base: string | undefined;
  trace: string;
  /** The number of records in the trace. */
  records: number;
  /** The rows that the service has acknowledged, by the operations that the responses in the trace name. */
  acknowledged: Map<string, AcknowledgedRow>;
  /** Checks what only this scenario promises. `isFinished` is true after the last record. */
  check(query: Query, isFinished: boolean): Promise<void>;
}

interface Recording {
  directory: string;
  /** Defaults to on, as in the service. */
  fsync?: 'on' | 'off';
}

/** Paths of a recording in its directory. */
function prepare({ directory, fsync = 'on' }: Recording) {
  rmSync(directory, { recursive: true, force: true });
  const root = join(directory, 'root');
  mkdirSync(root, { recursive: true });
  const dataDir = join(root, 'main');
  const base = join(directory, 'base');
  const trace = join(directory, 'trace');
  const env = {
    DATA_DIR: dataDir,
    DATA_FSYNC: fsync,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--import=${RECORDER}`,
    POWER_ROOT: root,
    POWER_TRACE: trace,
  };
  return { root, dataDir, base, trace, env };
}

/** The first start, with a directory to create, the migrations and the first owner. */
export async function recordFirstStart(recording: Recording): Promise<Scenario> {
  const { trace, env, dataDir } = prepare(recording);
  const nested = { ...env, ...OWNER, DATA_DIR: join(dataDir, 'nested') };
  await (await startService(nested)).stop();
  return {
    name: 'first start',
    base: undefined,
    trace,
    records: countRecords(trace),
    acknowledged: new Map(),
    check: async (query, isFinished) => {
      if (isFinished) await expectCount(query, 'users', [1]);
    },
  };
}

/** Operations over HTTP, with the periodic work of the service and a start before each part. */
export async function recordOperations(
  recording: Recording & { operations: number; starts?: number },
): Promise<Scenario> {
  const { operations, starts = 2 } = recording;
  const { root, dataDir, base, trace, env } = prepare(recording);
  await prepareDataDir(dataDir);
  const stage = await createStage(dataDir, operations);
  cpSync(root, base, { recursive: true });
  const acknowledged = new Map<string, AcknowledgedRow>();
  for (let start = 0; start < starts; start += 1) {
    const from = Math.floor((operations * start) / starts);
    const to = Math.floor((operations * (start + 1)) / starts);
    const index = existsSync(trace) ? countRecords(trace) : 0;
    const service = await startService({ ...env, POWER_TRACE_INDEX: String(index) });
    for (const [n, row] of await runOperations(service.url, stage, { from, to }))
      acknowledged.set(n, row);
    await service.stop();
  }
  return {
    name: 'operations',
    base,
    trace,
    records: countRecords(trace),
    acknowledged,
    check: async () => {},
  };
}

const OLD_MIGRATIONS = 5;

/** Migrations of a database with an older schema and a row. */
export async function recordMigration(recording: Recording): Promise<Scenario> {
  const { root, dataDir, base, trace, env } = prepare(recording);
  const connection = await openEmbedded(dataDir, { fsync: false });
  await migrate(connection.pool, readMigrations().slice(0, OLD_MIGRATIONS));
  await connection.pool.query(
    "INSERT INTO members (id, name, email, code) VALUES (gen_random_uuid(), 'Ada', 'ada@example.org', 'ADA')",
  );
  await connection.close();
  cpSync(root, base, { recursive: true });
  await runFoyerOrThrow(['migrate'], env);
  return {
    name: 'migration',
    base,
    trace,
    records: countRecords(trace),
    acknowledged: new Map(),
    check: (query) => expectCount(query, 'members', [1]),
  };
}

/** A restore into a new database of what another scenario has left. */
export async function recordRestore(recording: Recording, source: string): Promise<Scenario> {
  const { trace, env } = prepare(recording);
  const file = join(recording.directory, 'export');
  const { stdout } = await runFoyerOrThrow(['export'], { DATA_DIR: source });
  writeFileSync(file, stdout);
  await runFoyerOrThrow(['restore', file], env);
  const counts = await countRows(source);
  const none = counts.replaceAll(/\d+/g, '0');
  return {
    name: 'restore',
    base: undefined,
    trace,
    records: countRecords(trace),
    acknowledged: new Map(),
    check: async (query, isFinished) => {
      const [row] = await query<{ counts: string }>(COUNT_ROWS);
      const allowed = isFinished ? [counts] : [none, counts];
      if (!allowed.includes(row?.counts ?? ''))
        throw new Error(`${row?.counts} rows instead of ${allowed.join(' or ')}`);
    },
  };
}

const COUNT_ROWS = `SELECT concat_ws(' ', ${[
  'members',
  'bookings',
  'orders',
  'check_ins',
  'changes',
]
  .map((table) => `(SELECT count(*) FROM ${table})`)
  .join(', ')}) AS counts`;

async function countRows(dataDir: string): Promise<string> {
  const connection = await openEmbedded(dataDir, { fsync: false });
  const { rows } = await connection.pool.query<{ counts: string }>(COUNT_ROWS);
  await connection.close();
  return rows[0]?.counts ?? '';
}

async function runFoyerOrThrow(args: string[], env: NodeJS.ProcessEnv) {
  const ended = await runFoyer(args, env);
  if (ended.code !== 0) throw new Error(`${args[0]} failed: ${ended.stderr}`);
  return ended;
}

async function expectCount(query: Query, table: string, allowed: number[]): Promise<void> {
  const [row] = await query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  if (!allowed.includes(row?.count ?? -1))
    throw new Error(`${table} has ${row?.count} rows instead of ${allowed.join(' or ')}`);
}
