import { exportDatabase, restoreDatabase } from '../../src/db/export.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

let full: TestDatabase;
let lines: string[];

beforeAll(async () => {
  full = await openTestDatabase('seeded');
  lines = [];
  for await (const line of exportDatabase(full.database.pool)) lines.push(line);
});
afterAll(() => full.close());

/** Restores this file into a new database. */
async function restored(file: string[]) {
  const empty = await openTestDatabase();
  try {
    const outcome = await restoreDatabase(empty.database.pool, file.join('\n')).catch(
      (error) => error.code,
    );
    return { outcome, bookings: await empty.ctx.db.booking.count() };
  } finally {
    await empty.close();
  }
}

describe('an export', () => {
  it('restores the journal, which then continues', async () => {
    const empty = await openTestDatabase();
    const change = { type: 'team.created', actorKind: 'system', at: full.ctx.now() } as const;
    await full.ctx.db.change.create({ data: { ...change, sequence: 41 } });
    await full.ctx.db.journalHead.updateMany({ data: { position: 7 } });
    const file: string[] = [];
    for await (const line of exportDatabase(full.database.pool)) file.push(line);
    await restoreDatabase(empty.database.pool, file.join('\n'));
    expect(await empty.ctx.db.journalHead.findMany()).toMatchObject([{ position: 7n }]);
    expect(await empty.ctx.db.change.create({ data: change })).toMatchObject({ sequence: 42n });
    await empty.close();
  });

  it('restores completely', async () => {
    const bookings = await full.ctx.db.booking.count();
    expect(await restored(lines)).toMatchObject({ outcome: { bookings }, bookings });
  });

  it.each([
    ['its end', (all: string[]) => all.slice(0, -1)],
    ['its second half', (all: string[]) => all.slice(0, all.length / 2)],
    ['a line in its middle', (all: string[]) => all.toSpliced(200, 1)],
    ['its head', (all: string[]) => all.slice(1)],
  ])('is rejected without changes if it lacks %s', async (_, without) => {
    expect(await restored(without(lines))).toEqual({ outcome: 'BAD_REQUEST', bookings: 0 });
  });

  it('is rejected if it contains an unknown table', async () => {
    const file = lines.toSpliced(-1, 1, '{"table":"spells","row":{}}', restoreInto(lines, 1));
    expect(await restored(file)).toEqual({ outcome: 'BAD_REQUEST', bookings: 0 });
  });
});

const restoreInto = (all: string[], more: number) => {
  const { rows } = JSON.parse(all.at(-1) ?? '');
  return JSON.stringify({ end: true, rows: rows + more });
};
