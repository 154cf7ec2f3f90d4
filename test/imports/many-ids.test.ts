import { v7 } from 'uuid';
import { type Context, runInTransaction } from '../../src/context.ts';
import { HOUR_MS } from '../../src/core/time/time-zone.ts';
import {
  cancelImportedBookings,
  changeBookings,
  lockBookings,
} from '../../src/features/imports/service/change-bookings.ts';
import { lockEvents } from '../../src/features/imports/service/change-events.ts';
import { toNotes } from '../../src/features/imports/service/imports.ts';
import { importBookings } from '../../src/imports/import-bookings.ts';
import { makeSpace } from '../support/factories/space.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { captureStatements } from '../support/harness/query-plans.ts';
import { type Entry, toCalendar } from '../support/imports/second-imports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

/** With more values, Prisma sends several statements, of which the last can run after their transaction. */
const MAX_VALUES = 32_767;
const ids = Array.from({ length: MAX_VALUES + 1 }, () => v7());

it.each<[string, (ctx: Context) => Promise<unknown[]>]>([
  ['bookings', (ctx) => lockBookings(ctx, ids, [])],
  ['events', (ctx) => lockEvents(ctx, ids)],
  ['lines', (ctx) => toNotes(ctx, v7(), new Map(ids.map((id) => [id, 'It is paid.'])))],
])('reads %s in statements that Prisma does not split', async (_, read) => {
  const statements = await captureStatements(() => runInTransaction(app.ctx, read));
  const counts = statements.map(({ values }) => values.length);
  expect(counts.length).toBeGreaterThan(0);
  expect(Math.max(...counts)).toBeLessThan(MAX_VALUES / 10);
});

const FIRST = Date.parse('2026-04-01T00:00:00Z');
const BOOKINGS = 200;
const STARTS = Array.from({ length: BOOKINGS }, (_, n) => new Date(FIRST + n * HOUR_MS));
/** How often one booking is read: to lock it, free its slot, move it, record it before and after, and give buffers back. */
const MAX_READS_PER_BOOKING = 30;

/** Imports meetings of an hour back to back, and returns how many rows of bookings a change of all of them reads. */
async function countReads(
  change: (ctx: Context, ids: string[], resourceId: string) => Promise<unknown>,
) {
  const { room } = await makeSpace(app, { bufferMinutes: 30 });
  const entries = STARTS.map(
    (start, n): Entry => [`entry-${n}`, start.toISOString().slice(0, 16).replace(/[-:]/g, '')],
  );
  await importBookings(app.ctx, { file: toCalendar(...entries), resource: { id: room.id } });
  const rows = await app.ctx.db.booking.findMany({ where: { resourceId: room.id } });
  return runInTransaction(app.ctx, async (ctx) => {
    const before = await readCounter(ctx);
    await change(
      ctx,
      rows.map(({ id }) => id),
      room.id,
    );
    return (await readCounter(ctx)) - before;
  });
}

async function readCounter({ db }: Context): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid))::int AS count
    FROM pg_class c WHERE c.oid = 'bookings'::regclass
      OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'bookings'::regclass)`;
  return row?.count ?? 0;
}

// A statement that searched for the next booking of each one among all of them would read each as often as there are bookings.
test('reads each booking only a few times when a calendar moves or is cancelled', async () => {
  const moved = await countReads(async (ctx, ids, resourceId) => {
    const bookings = await lockBookings(
      ctx,
      ids,
      STARTS.map((startsAt) => ({ resourceId, startsAt })),
    );
    const resource = await ctx.db.resource.findUniqueOrThrow({
      where: { id: bookings[0]?.resourceId ?? '' },
      include: { location: true },
    });
    const toLater = (date: Date) => new Date(+date + HOUR_MS);
    const rewrites = bookings.map((booking) => ({
      booking,
      fields: {
        ...booking,
        startsAt: toLater(booking.startsAt),
        endsAt: toLater(booking.endsAt),
        occupiedUntil: toLater(booking.occupiedUntil),
      },
    }));
    const { conflicts } = await changeBookings(ctx, rewrites, { resource, lines: new Map() });
    expect(conflicts).toEqual(new Map());
  });
  expect(moved / BOOKINGS).toBeLessThan(MAX_READS_PER_BOOKING);
  const cancelled = await countReads(cancelImportedBookings);
  expect(cancelled / BOOKINGS).toBeLessThan(MAX_READS_PER_BOOKING);
});
