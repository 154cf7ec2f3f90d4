import { runInTransaction } from '../../src/context.ts';
import { assignPositions } from '../../src/journal/assign-positions.ts';
import { CATALOG } from '../../src/journal/catalog.ts';
import {
  recordAction,
  recordCreated,
  recordDeleted,
  recordUpdated,
  toFieldsSql,
} from '../../src/journal/record-changes.ts';
import { SUBJECTS, type Subject } from '../../src/journal/subjects.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase('seeded');
});
afterAll(() => test.close());

const listRecorded = (type: string) =>
  test.ctx.db.change.findMany({ where: { type }, orderBy: { sequence: 'asc' } });

const createTeam = (name: string) =>
  runInTransaction(test.ctx, async (ctx) => {
    const team = await ctx.db.team.create({ data: { name } });
    await recordCreated(ctx, 'team.created', [team.id]);
    return team;
  });

describe('recording', () => {
  it('stores the fields of a created row, who created it and when', async () => {
    const viewer = {
      kind: 'staff',
      id: crypto.randomUUID(),
      name: 'Ada',
      role: 'owner',
      sessionId: '',
    } as const;
    const origin = { viewer, clientAddress: '192.0.2.7', requestId: 'request-1' };
    await runInTransaction({ ...test.ctx, ...origin }, async (ctx) => {
      const team = await ctx.db.team.create({ data: { name: 'Printers' } });
      await recordCreated(ctx, 'team.created', [team.id]);
    });
    const [change] = await listRecorded('team.created');
    expect(change).toMatchObject({
      actorKind: 'staff',
      actorId: viewer.id,
      address: '192.0.2.7',
      requestId: 'request-1',
      job: null,
      at: test.ctx.now(),
      before: null,
      after: { name: 'Printers' },
    });
  });

  it('stores only the fields that differ, of the rows that differ', async () => {
    const location = await test.ctx.db.location.findFirstOrThrow();
    const before = { starts_on: '2027-01-01', ends_on: '2027-01-02' };
    const ids = await Promise.all(
      ['Inventory', 'Painting'].map(async (reason) => {
        const dates = { startsOn: new Date(before.starts_on), endsOn: new Date(before.ends_on) };
        const data = { locationId: location.id, reason, ...dates };
        return (await test.ctx.db.closure.create({ data })).id;
      }),
    );
    const [changedId] = ids;
    await runInTransaction(test.ctx, (ctx) =>
      recordUpdated(ctx, 'closure.created', ids, () =>
        ctx.db.closure.update({
          where: { id: changedId },
          data: { endsOn: new Date('2027-01-05') },
        }),
      ),
    );
    expect(await listRecorded('closure.created')).toEqual([
      expect.objectContaining({
        subjectId: changedId,
        locationId: location.id,
        before: { ends_on: '2027-01-02' },
        after: { ends_on: '2027-01-05' },
      }),
    ]);
  });

  it('stores the fields of a deleted row', async () => {
    const { id } = await createTeam('Deleted soon');
    await runInTransaction(test.ctx, async (ctx) => {
      await recordDeleted(ctx, 'team.deleted', [id]);
      await ctx.db.team.delete({ where: { id } });
    });
    expect(await listRecorded('team.deleted')).toEqual([
      expect.objectContaining({
        subjectId: id,
        before: expect.objectContaining({ name: 'Deleted soon' }),
        after: null,
      }),
    ]);
  });

  it('is undone with the change', async () => {
    const failing = runInTransaction(test.ctx, async (ctx) => {
      const team = await ctx.db.team.create({ data: { name: 'Never' } });
      await recordCreated(ctx, 'team.created', [team.id]);
      throw new Error('failed later');
    });
    await expect(failing).rejects.toThrow('failed later');
    const recorded = await listRecorded('team.created');
    expect(recorded.map(({ after }) => after)).not.toContainEqual({ name: 'Never' });
  });

  it('requires a transaction', async () => {
    await expect(recordAction(test.ctx, 'team.updated', [])).rejects.toThrow('transaction');
  });
});

describe('the subjects', () => {
  it.each(Object.entries<Subject>(SUBJECTS))(
    '%s has fields as its schema says',
    async (_, subject) => {
      const rows = await test.ctx.lockingSql<{ fields: unknown }>(
        {
          text: `SELECT ${toFieldsSql(subject, 'row')} AS fields FROM ${subject.table} row LIMIT 200`,
        },
        [],
      );
      for (const { fields } of rows)
        expect(() => subject.fields.strict().parse(fields)).not.toThrow();
    },
  );

  it.each(Object.entries<Subject>(SUBJECTS))(
    '%s has no field that could open something',
    (_, subject) => {
      const fields = Object.keys(subject.fields.shape);
      expect(
        fields.filter((field) => /hash|secret|token$|salt|(^|_)code$|password|prefix/.test(field)),
      ).toEqual([]);
    },
  );

  it('have a location if their rows refer to something that has one', async () => {
    const subjects: Subject[] = Object.values(SUBJECTS);
    const isLocated = ({ fields, toLocation }: Subject) =>
      toLocation !== undefined || 'location_id' in fields.shape;
    const located = subjects.filter(isLocated).map(({ table }) => table);
    const keys = await test.ctx.db.$queryRaw<{ from: string; to: string }[]>`
      SELECT conrelid::regclass::text AS "from", confrelid::regclass::text AS "to" FROM pg_constraint WHERE contype = 'f'`;
    const missing = subjects
      .filter((subject) => !isLocated(subject))
      .flatMap(({ table }) =>
        keys.filter(({ from, to }) => from === table && located.includes(to)),
      );
    expect(missing).toEqual([]);
  });

  it('all have types of changes', () => {
    expect(Object.keys(CATALOG)).toEqual(expect.arrayContaining(Object.keys(SUBJECTS)));
  });
});

describe('positions', () => {
  it('follow the order of recording and have no gaps', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => createTeam(`Team ${n}`)));
    await Promise.all([assignPositions(test.ctx), assignPositions(test.ctx)]);
    const changes = await test.ctx.db.change.findMany({ orderBy: { sequence: 'asc' } });
    const [first] = changes;
    expect(changes.map(({ position }) => Number(position))).toEqual(
      changes.map((_, n) => Number(first?.position) + n),
    );
  });
});
