import { type Context, runInTransaction } from '../../src/context.ts';
import { assignPositions } from '../../src/journal/assign-positions.ts';
import {
  addReader,
  catchUp,
  type JournalReader,
  type RecordedChange,
} from '../../src/journal/read-changes.ts';
import { recordCreated, recordUpdated } from '../../src/journal/record-changes.ts';
import { runReader } from '../../src/journal/run-readers.ts';
import { createDeferred } from '../support/deferred.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';
import { runDuringTransaction } from '../support/harness/lock-waits.ts';
import { captureStatements, explainScans } from '../support/harness/query-plans.ts';

let test: TestDatabase;
beforeEach(async () => {
  test = await openTestDatabase();
});
afterEach(() => test.close());

async function createTeam(ctx: Context, name: string): Promise<string> {
  const { id } = await ctx.db.team.create({ data: { name } });
  await recordCreated(ctx, 'team.created', [id]);
  return id;
}

/** A reader that remembers what it has handled. */
function createRecorder(name = 'recorder') {
  const handled: RecordedChange[] = [];
  const reader: JournalReader = {
    name,
    findTypes: async () => ['team.created', 'team.updated'],
    handle: async (_, changes) => void handled.push(...changes),
  };
  return { reader, handled };
}

/** Commits a change that was recorded before another one only after the other one and after `read`. */
async function commitLate(read: () => Promise<void>): Promise<void> {
  const recorded = createDeferred<void>();
  const mayCommit = createDeferred<void>();
  const late = runInTransaction(test.ctx, async (ctx) => {
    await createTeam(ctx, 'Recorded first');
    recorded.resolve();
    await mayCommit.promise;
  });
  await recorded.promise;
  await runInTransaction(test.ctx, (ctx) => createTeam(ctx, 'Committed first'));
  await read();
  mayCommit.resolve();
  await late;
  await read();
}

describe('a change that is committed after a later one', () => {
  it('is missed by who reads in the order of recording (negative control)', async () => {
    const seen: number[] = [];
    await commitLate(async () => {
      const sequence = Math.max(0, ...seen);
      const found = await test.ctx.db.change.findMany({ where: { sequence: { gt: sequence } } });
      seen.push(...found.map(({ sequence }) => Number(sequence)));
    });
    expect(seen).toHaveLength(1);
  });

  it('is read by a reader of the journal', async () => {
    const { reader, handled } = createRecorder();
    await addReader(test.ctx, reader);
    await commitLate(() => runReader(test.ctx, reader));
    expect(handled.map(({ after }) => after?.name)).toEqual(['Committed first', 'Recorded first']);
  });
});

const TEAMS = 4;
const WRITERS = 12;
const UPDATES = 25;

describe('under load', () => {
  it('every change is read once, and those of a row in their order', async () => {
    const { reader, handled } = createRecorder();
    await addReader(test.ctx, reader);
    const ids = await runInTransaction(test.ctx, async (ctx) => {
      const created: string[] = [];
      for (let n = 0; n < TEAMS; n += 1) created.push(await createTeam(ctx, `Team ${n}`));
      return created;
    });
    let isWriting = true;
    const read = async () => {
      while (isWriting) await runReader(test.ctx, reader);
    };
    const rename = (writer: number, n: number) =>
      runInTransaction(test.ctx, async (ctx) => {
        const id = ids[(writer + n) % TEAMS] ?? '';
        // Transactions take their first sequence before they wait for a row, so that sequences and commits cross.
        await createTeam(ctx, `Extra ${writer}-${n}`);
        await recordUpdated(ctx, 'team.updated', [id], () =>
          ctx.db.team.update({ where: { id }, data: { name: `${writer}-${n}` } }),
        );
      });
    const write = async (_: unknown, writer: number) => {
      for (let n = 0; n < UPDATES; n += 1) await rename(writer, n);
    };
    const reading = Promise.all([read(), read()]);
    await Promise.all(Array.from({ length: WRITERS }, write));
    isWriting = false;
    await reading;
    await runReader(test.ctx, reader);

    expect(handled).toHaveLength(TEAMS + 2 * WRITERS * UPDATES);
    expect(new Set(handled.map(({ id }) => id)).size).toBe(handled.length);
    for (const id of ids) {
      const [created, ...renamed] = handled.filter(({ subjectId }) => subjectId === id);
      expect(renamed.map(({ before }) => before?.name)).toEqual(
        [created, ...renamed].slice(0, -1).map((change) => change?.after?.name),
      );
    }
  });

  it('positions have no gaps, whoever assigns them', async () => {
    const write = (_: unknown, writer: number) =>
      runInTransaction(test.ctx, (ctx) => createTeam(ctx, `Team ${writer}`));
    const assign = () => assignPositions(test.ctx);
    await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? write(_, n) : assign())));
    await assign();
    const changes = await test.ctx.db.change.findMany({ orderBy: { position: 'asc' } });
    expect(changes.map(({ position }) => Number(position))).toEqual(changes.map((_, n) => n + 1));
  });

  it('assigning positions does not read the journal, even before PostgreSQL has analyzed it', async () => {
    const { pool } = test.database;
    const add = (count: number) =>
      pool.query(
        `INSERT INTO changes (type, actor_kind, at, before, after)
         SELECT 'team.created', 'system', now(), '{}', '{}' FROM generate_series(1, $1)`,
        [count],
      );
    await add(20_000);
    await assignPositions(test.ctx);
    await add(10);
    const sent = await captureStatements(() => assignPositions(test.ctx));
    expect(sent).toHaveLength(3);
    await pool.query('UPDATE changes SET position = NULL WHERE position > 20000');
    const client = await pool.connect();
    try {
      for (const statement of sent) {
        const scans = await explainScans(client, statement, []);
        expect(scans.map(({ name }) => name)).not.toContain('Seq Scan on changes');
      }
    } finally {
      client.release();
    }
  });
});

describe('readers', () => {
  it('never move back after they waited for another process that has read further', async () => {
    const { reader, handled } = createRecorder();
    await addReader(test.ctx, reader);
    await runInTransaction(test.ctx, (ctx) => createTeam(ctx, 'First'));
    const readTwo = 'UPDATE journal_readers SET position = position + 2';
    await runDuringTransaction(test.database.pool, [readTwo], () => catchUp(test.ctx, reader));
    await runInTransaction(test.ctx, (ctx) => createTeam(ctx, 'Second'));
    await runReader(test.ctx, reader);
    expect(handled).toEqual([]);
  });

  it('read a batch again after a failure, and do not delay each other', async () => {
    const failing = createRecorder('failing');
    const healthy = createRecorder('healthy');
    await Promise.all([failing, healthy].map(({ reader }) => addReader(test.ctx, reader)));
    await runInTransaction(test.ctx, (ctx) => createTeam(ctx, 'Printers'));
    const fail = async () => {
      throw new Error('failed');
    };
    await expect(catchUp(test.ctx, { ...failing.reader, handle: fail })).rejects.toThrow('failed');
    await runReader(test.ctx, healthy.reader);
    expect(healthy.handled).toHaveLength(1);
    await runReader(test.ctx, failing.reader);
    await runReader(test.ctx, failing.reader);
    expect(failing.handled).toHaveLength(1);
  });
});
