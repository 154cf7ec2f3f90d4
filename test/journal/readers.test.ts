import { type Context, runInTransaction } from '../../src/context.ts';
import {
  catchUp,
  type JournalReader,
  type RecordedChange,
  readLag,
  runReaders,
} from '../../src/journal/read-changes.ts';
import { recordCreated } from '../../src/journal/record-changes.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
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
    await runReaders(app.ctx, [reader]);
    await createTeam('After');
    await runReaders(app.ctx, [reader]);
    expect(names).toEqual(['After']);
  });

  it('do not wait for one that fails, which continues where it stopped', async () => {
    let isBroken = true;
    const broken = createRecorder('broken', () => {
      if (isBroken) throw new Error('the mail server is on fire');
    });
    const healthy = createRecorder('healthy');
    const readers = [broken.reader, healthy.reader];
    await runReaders(app.ctx, readers);
    for (const name of ['One', 'Two']) {
      await createTeam(name);
      await runReaders(app.ctx, readers);
    }
    expect([broken.names, healthy.names]).toEqual([[], ['One', 'Two']]);
    isBroken = false;
    await runReaders(app.ctx, readers);
    expect([broken.names, healthy.names]).toEqual([
      ['One', 'Two'],
      ['One', 'Two'],
    ]);
  });

  it('report how many changes they have not handled, and for how long', async () => {
    const slow = createRecorder('slow', () => {
      throw new Error('not now');
    });
    const fast = createRecorder('fast');
    await runReaders(app.ctx, [slow.reader, fast.reader]);
    await createTeam('Old');
    app.clock.now = new Date(app.clock.now.getTime() + 90_000);
    await runReaders(app.ctx, [slow.reader, fast.reader]);
    await createTeam('New, without a position');
    expect(await readLag(app.ctx)).toEqual([
      { reader: 'fast', changes: 1, seconds: 0 },
      { reader: 'slow', changes: 2, seconds: 90 },
    ]);
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toContain('foyer_journal_lag_changes{reader="slow"} 2');
    expect(metrics).toContain('foyer_journal_lag_seconds{reader="slow"} 90');
    await catchUp(app.ctx, fast.reader);
    expect(await readLag(app.ctx)).toMatchObject([{ changes: 0, seconds: 0 }, { changes: 2 }]);
  });
});
