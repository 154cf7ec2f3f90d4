import { type Context, runInTransaction } from '../../src/context.ts';
import {
  catchUp,
  type JournalReader,
  MAX_BATCH_SIZE,
  type RecordedChange,
  readLag,
} from '../../src/journal/read-changes.ts';
import { recordCreated } from '../../src/journal/record-changes.ts';
import { runReader } from '../../src/journal/run-readers.ts';
import { LOCAL, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty', config: LOCAL });
});
beforeEach(async () => {
  await app.ctx.db.journalReader.deleteMany();
});
afterAll(() => app.stop());

const createTeam = (name: string) =>
  runInTransaction(app.ctx, async (ctx) => {
    const { id } = await ctx.db.team.create({ data: { name } });
    await recordCreated(ctx, 'team.created', [id]);
  });

const runReaders = (readers: JournalReader[]) =>
  Promise.all(readers.map((reader) => runReader(app.ctx, reader)));

const advanceClock = (seconds: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + seconds * 1_000);
};

/** A reader that remembers the names of the created teams. `check` can fail. */
function createRecorder(name: string, check: (changes: RecordedChange[]) => void = () => {}) {
  const names: unknown[] = [];
  const handle = async (_: Context, changes: RecordedChange[]) => {
    check(changes);
    names.push(...changes.map(({ after }) => after?.name));
  };
  const reader: JournalReader = { name, findTypes: async () => ['team.created'], handle };
  return { reader, names };
}

describe('readers of the journal', () => {
  it('begin with the changes after they were added', async () => {
    const { reader, names } = createRecorder('late');
    await createTeam('Before');
    await runReaders([reader]);
    await createTeam('After');
    await runReaders([reader]);
    expect(names).toEqual(['After']);
  });

  it('do not wait for one that fails, which continues where it stopped', async () => {
    let isBroken = true;
    const broken = createRecorder('broken', () => {
      if (isBroken) throw new Error('the mail server is unavailable');
    });
    const healthy = createRecorder('healthy');
    const readers = [broken.reader, healthy.reader];
    await runReaders(readers);
    for (const name of ['One', 'Two']) {
      await createTeam(name);
      await runReaders(readers);
    }
    expect([broken.names, healthy.names]).toEqual([[], ['One', 'Two']]);
    isBroken = false;
    advanceClock(60);
    await runReaders(readers);
    expect([broken.names, healthy.names]).toEqual([
      ['One', 'Two'],
      ['One', 'Two'],
    ]);
  });

  it('handle all changes but one that always fails, which they skip after ten attempts', async () => {
    let attempts = 0;
    const { reader, names } = createRecorder('careful', (changes) => {
      if (!changes.some(({ after }) => after?.name === 'Broken')) return;
      if (changes.length === 1) attempts += 1;
      throw new Error('cannot be handled');
    });
    await runReaders([reader]);
    for (const name of ['First', 'Second', 'Broken', 'Third', 'Fourth']) await createTeam(name);
    await runReaders([reader]);
    expect(names).toEqual(['First', 'Second']);
    await runReaders([reader]); // waits
    expect(attempts).toBe(1);
    for (let n = 0; n < 20; n += 1) {
      advanceClock(60);
      await runReaders([reader]);
    }
    expect(names).toEqual(['First', 'Second', 'Third', 'Fourth']);
    expect(attempts).toBe(10);
    expect(await readLag(app.ctx)).toEqual([
      { reader: 'careful', changes: 0, seconds: 0, skipped: 1 },
    ]);
  });

  it('skip a change once if several processes fail on it, and none of those after it', async () => {
    const { reader, names } = createRecorder('shared', (changes) => {
      if (changes.some(({ after }) => after?.name === 'Damaged'))
        throw new Error('cannot be handled');
    });
    await runReaders([reader]);
    for (const name of ['Damaged', 'Fifth', 'Sixth']) await createTeam(name);
    for (let n = 0; n < 20; n += 1) {
      await runReaders([reader, reader, reader]);
      advanceClock(60);
    }
    expect(names).toEqual(['Fifth', 'Sixth']);
    expect(await readLag(app.ctx)).toMatchObject([{ changes: 0, skipped: 1 }]);
  });

  it('skip a change that fails when its transaction is committed', async () => {
    await app.ctx.db.$executeRawUnsafe(`
      CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'rejected'; END $$`);
    await app.ctx.db.$executeRawUnsafe(`
      CREATE CONSTRAINT TRIGGER teams_reject AFTER INSERT ON teams DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.name = 'Made by the reader') EXECUTE FUNCTION reject()`);
    const recorder = createRecorder('late');
    const reader: JournalReader = {
      ...recorder.reader,
      handle: async (ctx, changes) => {
        await recorder.reader.handle(ctx, changes);
        if (changes.some(({ after }) => after?.name === 'Rejected'))
          await ctx.db.team.create({ data: { name: 'Made by the reader' } });
      },
    };
    await runReaders([reader]);
    for (const name of ['Seventh', 'Rejected', 'Eighth']) await createTeam(name);
    for (let n = 0; n < 20; n += 1) {
      await runReaders([reader]);
      advanceClock(60);
    }
    expect(recorder.names).toContain('Eighth');
    expect(await readLag(app.ctx)).toMatchObject([{ changes: 0, skipped: 1 }]);
    await app.ctx.db.$executeRawUnsafe('DROP FUNCTION reject CASCADE');
  });

  it('stop after the current batch when the service stops, and continue later', async () => {
    const stopping = new AbortController();
    const { reader, names } = createRecorder('interrupted', () => stopping.abort());
    await runReaders([reader]);
    await app.ctx.db.$executeRaw`
      INSERT INTO changes (id, type, actor_kind, at, after)
      SELECT gen_random_uuid(), 'team.created', 'system', now(), jsonb_build_object('name', n)
      FROM generate_series(1, ${3 * MAX_BATCH_SIZE}::int) n`;
    await runReader(app.ctx, reader, stopping.signal);
    expect(names).toHaveLength(MAX_BATCH_SIZE);
    await runReader(app.ctx, reader, stopping.signal);
    expect(names).toHaveLength(MAX_BATCH_SIZE);
    await runReaders([reader]);
    expect(new Set(names).size).toBe(3 * MAX_BATCH_SIZE);
    expect(names).toHaveLength(3 * MAX_BATCH_SIZE);
  });

  it('do not try each change of a batch that fails while the service stops', async () => {
    const stopping = new AbortController();
    let batches = 0;
    const { reader } = createRecorder('failing at the end', () => {
      batches += 1;
      stopping.abort();
      throw new Error('the connection is closed');
    });
    await runReaders([reader]);
    await createTeam('Ninth');
    await runReader(app.ctx, reader, stopping.signal);
    expect(batches).toBe(1);
    expect(await readLag(app.ctx)).toMatchObject([{ changes: 1, skipped: 0 }]);
  });

  it('report how many changes they have not handled, and for how long', async () => {
    const slow = createRecorder('slow', () => {
      throw new Error('not now');
    });
    const fast = createRecorder('fast');
    await runReaders([slow.reader, fast.reader]);
    await createTeam('Old');
    advanceClock(90);
    await runReaders([slow.reader, fast.reader]);
    await createTeam('New, without a position');
    expect(await readLag(app.ctx)).toEqual([
      { reader: 'fast', changes: 1, seconds: 0, skipped: 0 },
      { reader: 'slow', changes: 2, seconds: 90, skipped: 0 },
    ]);
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toContain('foyer_journal_lag_changes{reader="slow"} 2');
    expect(metrics).toContain('foyer_journal_lag_seconds{reader="slow"} 90');
    await catchUp(app.ctx, fast.reader);
    expect(await readLag(app.ctx)).toMatchObject([{ changes: 0, seconds: 0 }, { changes: 2 }]);
  });
});
