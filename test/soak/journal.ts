import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Context, runInTransaction } from '../../src/context.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { addReader, type JournalReader } from '../../src/journal/read-changes.ts';
import { recordCreated, recordUpdated } from '../../src/journal/record-changes.ts';
import { runReader } from '../../src/journal/run-readers.ts';
import { createSystemContext } from '../support/factories/seed.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Two writing and two reading processes share a journal, and one of them is killed every ten seconds. Afterwards every
// change must have been read exactly once and in order by both readers. The negative control reads by `sequence`, and must
// miss changes.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const { changes, interval, ...values } = readSizes(
  {
    changes: [1_000_000, 2_000],
    /** Seconds between two kills. */
    interval: [10, 2],
  },
  'role',
  'url',
  'name',
);
const ROWS_PER_TRANSACTION = 50;
const SHARED_ROWS = 20;
const WRITERS_PER_PROCESS = 4;
const READERS = ['first', 'second'];
const SHARED = 'shared';

async function open(url: string): Promise<{ database: Database; ctx: Context }> {
  const database = await openDatabase({ databaseUrl: url, dataDir: '' });
  return { database, ctx: createSystemContext(database) };
}

/** Creates rows and renames one that the writers share, until the process is killed. */
async function write({ ctx }: { ctx: Context }): Promise<void> {
  const shared = await ctx.db.team.findMany({ where: { name: { startsWith: SHARED } } });
  const createNames = () =>
    Array.from({ length: ROWS_PER_TRANSACTION }, () => ({ name: `Team ${crypto.randomUUID()}` }));
  const writeOnce = () =>
    runInTransaction(ctx, async (ctx) => {
      const teams = await ctx.db.team.createManyAndReturn({ data: createNames() });
      await recordCreated(
        ctx,
        'team.created',
        teams.map(({ id }) => id),
      );
      // Others commit changes with a higher sequence in the meantime.
      await setTimeout(Math.random() * 30);
      const { id } = shared[Math.floor(Math.random() * shared.length)] ?? { id: '' };
      await recordUpdated(ctx, 'team.updated', [id], () =>
        ctx.db.team.update({ where: { id }, data: { name: `${SHARED} ${crypto.randomUUID()}` } }),
      );
    });
  const writer = async () => {
    for (;;) await writeOnce();
  };
  await Promise.all(Array.from({ length: WRITERS_PER_PROCESS }, writer));
}

/** Stores what it reads, in the order of reading, until the process is killed. */
async function read({ ctx }: { ctx: Context }, name: string): Promise<void> {
  const reader: JournalReader = {
    name,
    findTypes: async () => ['team.created', 'team.updated'],
    handle: async ({ lockingSql }, changes) => {
      const ids = changes.map(({ id }) => id);
      await lockingSql(STORE, [name, ids]);
    },
  };
  for (;;) {
    await runReader(ctx, reader);
    await setTimeout(20);
  }
}

const STORE = {
  text: `INSERT INTO handled (reader, change_id)
    SELECT $1, id FROM unnest($2::uuid[]) WITH ORDINALITY batch (id, n) ORDER BY n`,
};

/** The negative control: reads what has a higher sequence than everything it has read. */
async function readBySequence({ ctx }: { ctx: Context }): Promise<void> {
  for (;;) {
    await ctx.lockingSql(STORE_BY_SEQUENCE, []);
    await setTimeout(20);
  }
}

const STORE_BY_SEQUENCE = {
  text: `INSERT INTO handled_by_sequence (sequence)
    SELECT sequence FROM changes WHERE sequence > (SELECT coalesce(max(sequence), 0) FROM handled_by_sequence)`,
};

function startProcess(role: string, url: string, name = ''): ChildProcess {
  const file = fileURLToPath(import.meta.url);
  const child = fork(file, ['--role', role, '--url', url, '--name', name]);
  child.on('exit', (_, signal) => {
    if (signal === 'SIGKILL') return;
    console.error(`FAILED: the ${role} ended by itself`);
    process.kill(process.pid, 'SIGINT');
  });
  return child;
}

async function run(): Promise<boolean> {
  const name = `foyer_journal_${process.pid}`;
  const url = withDatabaseName(SERVER, name);
  await runAsAdmin(SERVER, `CREATE DATABASE ${name}`);
  const processes = new Map<string, () => ChildProcess>();
  const running = new Map<string, ChildProcess>();
  const { database, ctx } = await prepare(url);
  try {
    for (const n of [1, 2]) processes.set(`writer ${n}`, () => startProcess('writer', url));
    // Each process runs both readers, as the processes of a service do.
    for (const n of [1, 2])
      for (const reader of READERS)
        processes.set(`${reader} ${n}`, () => startProcess('reader', url, reader));
    processes.set('control', () => startProcess('control', url));
    for (const [key, start] of processes) running.set(key, start());
    let kills = 0;
    const started = Date.now();
    const count = async () => Number((await one(database, 'SELECT count(*) FROM changes')).count);
    for (let last = 0; last < changes; last = await count()) {
      // On a busy machine, processes take long to start.
      do await setTimeout(interval * 1_000);
      while ((await count()) === last);
      const victims = [...processes.keys()].filter((key) => key !== 'control');
      const key = victims[kills % victims.length] ?? '';
      running.get(key)?.kill('SIGKILL');
      running.set(key, (processes.get(key) as () => ChildProcess)());
      kills += 1;
      if (kills % 3 === 0) console.log(`${await count()} changes, ${kills} kills`);
    }
    const seconds = (Date.now() - started) / 1_000;
    for (const key of ['writer 1', 'writer 2']) running.get(key)?.kill('SIGKILL');
    await waitForReaders(database, ctx);
    console.log(`${await count()} changes in ${seconds.toFixed(0)} s, ${kills} kills`);
    return await verify(database);
  } finally {
    for (const child of running.values()) child.kill('SIGKILL');
    await database.close();
    await runAsAdmin(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function prepare(url: string) {
  const opened = await open(url);
  await migrate(opened.database.pool);
  await opened.database.pool.query(`
    CREATE TABLE handled (n bigserial, reader text NOT NULL, change_id uuid NOT NULL);
    CREATE TABLE handled_by_sequence (sequence bigint NOT NULL)`);
  const { ctx } = opened;
  await ctx.db.team.createMany({
    data: Array.from({ length: SHARED_ROWS }, (_, n) => ({ name: `${SHARED} ${n}` })),
  });
  for (const name of READERS) await addReader(ctx, { name });
  return opened;
}

async function one(database: Database, text: string): Promise<Record<string, unknown>> {
  return (await database.pool.query(text)).rows[0];
}

async function waitForReaders(database: Database, ctx: Context): Promise<void> {
  for (;;) {
    await setTimeout(1_000);
    const { behind } = await one(
      database,
      `SELECT count(*)::int AS behind FROM journal_readers, journal_head
       WHERE name IN ('${READERS.join("','")}') AND (journal_readers.position < journal_head.position
         OR EXISTS (SELECT FROM changes WHERE changes.position IS NULL))`,
    );
    if (behind === 0) return;
    ctx.log.info({ behind }, 'waiting for the readers');
  }
}

/** Counts what must not happen. */
const CHECKS: Record<string, string> = {
  'changes not read by a reader': `SELECT count(*) FROM changes CROSS JOIN unnest(ARRAY['${READERS.join("','")}']) reader
    WHERE NOT EXISTS (SELECT FROM handled h WHERE h.change_id = changes.id AND h.reader = reader)`,
  'changes read twice': `SELECT count(*) FROM (
    SELECT FROM handled GROUP BY reader, change_id HAVING count(*) > 1) twice`,
  'changes read in another order than that of their positions': `SELECT count(*) FROM (
    SELECT position - lag(position) OVER (PARTITION BY reader ORDER BY n) AS step
    FROM handled JOIN changes ON changes.id = change_id) steps WHERE step <> 1`,
  'changes that do not continue the one before of the same row': `SELECT count(*) FROM (
    SELECT before ->> 'name' AS before, lag(after ->> 'name') OVER (PARTITION BY subject_id ORDER BY position) AS last
    FROM changes WHERE type = 'team.updated') chain WHERE last <> before`,
  'rows without a change': `SELECT count(*) FROM teams WHERE name LIKE 'Team %'
    AND NOT EXISTS (SELECT FROM changes WHERE subject_id = teams.id AND type = 'team.created')`,
};

async function verify(database: Database): Promise<boolean> {
  await database.pool.query('CREATE INDEX ON handled (change_id, reader)');
  await database.pool.query('ANALYZE');
  let isRight = true;
  for (const [name, text] of Object.entries(CHECKS)) {
    const { count } = await one(database, text);
    console.log(`${name}: ${count}`);
    isRight &&= Number(count) === 0;
  }
  const { count } = await one(
    database,
    `SELECT count(*) FROM changes WHERE NOT EXISTS (
       SELECT FROM handled_by_sequence h WHERE h.sequence = changes.sequence)`,
  );
  console.log(`negative control, changes missed by reading in the order of sequences: ${count}`);
  return isRight && Number(count) > 0;
}

if (values.role === undefined) {
  const isRight = await run();
  console.log(isRight ? 'Nothing was lost, repeated or reordered.' : 'FAILED');
  process.exit(isRight ? 0 : 1);
} else {
  const opened = await open(values.url as string);
  if (values.role === 'writer') await write(opened);
  else if (values.role === 'control') await readBySequence(opened);
  else await read(opened, values.name as string);
}
