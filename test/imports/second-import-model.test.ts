import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time/time-zone.ts';
import type { Booking } from '../../src/db/generated/client.ts';
import {
  cancelBooking,
  updateBooking,
} from '../../src/features/bookings/service/change-booking.ts';
import { undoImport } from '../../src/features/imports/service/undo-import.ts';
import { importBookings } from '../../src/imports/import-bookings.ts';
import type { ImportReport } from '../../src/imports/report.ts';
import { makeSpace } from '../support/factories/space.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

const RUNS = propertyRuns(8);
const DAY = Date.parse('2026-04-01T08:00:00Z');
const UIDS = ['a', 'b', 'c', 'd', 'e'];

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

interface Entry {
  uid: string;
  /** Half hours after the first one. An entry lasts an hour, so that many overlap. */
  slot: number;
  title: string;
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED' | 'FREE';
  isPrivate: boolean;
}

const entry: fc.Arbitrary<Entry> = fc.record({
  uid: fc.constantFrom(...UIDS),
  slot: fc.nat(9),
  title: fc.constantFrom('One', 'Two'),
  status: fc.constantFrom('CONFIRMED', 'CONFIRMED', 'CONFIRMED', 'TENTATIVE', 'CANCELLED', 'FREE'),
  isPrivate: fc.boolean(),
});
const file = fc.uniqueArray(entry, { selector: ({ uid }) => uid, minLength: 1 });

const step = fc.oneof(
  { weight: 4, arbitrary: file.map((entries) => ({ kind: 'import' as const, entries })) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('retitle' as const, 'move' as const, 'cancel' as const),
      uid: fc.constantFrom(...UIDS),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'undo' as const }) },
);

const toStart = ({ slot }: Entry) => DAY + slot * 30 * MINUTE_MS;

const toFile = (entries: Entry[]) =>
  Buffer.from(
    [
      'BEGIN:VCALENDAR',
      ...entries.flatMap((one) => [
        ...['BEGIN:VEVENT', `UID:${one.uid}`, `SUMMARY:${one.title}`],
        one.status === 'FREE' ? 'TRANSP:TRANSPARENT' : `STATUS:${one.status}`,
        ...[`CLASS:${one.isPrivate ? 'PRIVATE' : 'PUBLIC'}`, `DTSTART:${formatUtc(toStart(one))}`],
        ...['DURATION:PT1H', 'END:VEVENT'],
      ]),
      'END:VCALENDAR',
    ].join('\n'),
  );

const formatUtc = (at: number) => new Date(at).toISOString().replace(/[-:]|\.000/g, '');

/** What the file says about the bookings that exist, and what people did, in order. */
async function createSpace() {
  const { room } = await makeSpace(app, { bufferMinutes: 15 });
  const { db } = app.ctx;
  /** The ids of bookings that people changed. */
  const touched = new Set<string>();
  let moves = 0;
  let last: { importId: string; before: Booking[] } | null = null;
  const list = () =>
    db.booking.findMany({ where: { resourceId: room.id }, orderBy: { id: 'asc' } });
  const run = (entries: Entry[], dryRun: boolean) =>
    importBookings(app.ctx, { file: toFile(entries), resource: { id: room.id }, dryRun });

  async function importEntries(entries: Entry[]) {
    const before = await list();
    const preview = await run(entries, true);
    expect(await list()).toEqual(before);
    const report = await run(entries, false);
    expect({ ...report, importId: undefined, dryRun: true }).toEqual(preview);
    const after = await list();
    for (const { occupiedUntil, ...booking } of before.filter(({ id }) => touched.has(id)))
      expect(after).toContainEqual(expect.objectContaining(booking)); // a buffer can become shorter
    expectOnlyOverlapsSkipped(entries, report, after);
    expectAsInFile(entries, report, after);
    // The same file again changes nothing.
    expect(await run(entries, false)).toMatchObject({ imported: 0, updated: 0 });
    expect(await list()).toEqual(after);
    last = { importId: report.importId ?? '', before };
  }

  /** A new entry is skipped only if its time itself is taken, not the buffer of the room. */
  function expectOnlyOverlapsSkipped(entries: Entry[], report: ImportReport, after: Booking[]) {
    const live = after.filter(({ status }) => status !== 'cancelled');
    for (const [n, one] of entries.entries()) {
      const row = report.rows.find(({ line }) => line === n * 8 + 2);
      if (!row?.reason?.includes('The slot is taken')) continue;
      const [start, end] = [toStart(one), toStart(one) + HOUR_MS];
      const isTaken = live.some(({ startsAt, endsAt }) => +startsAt < end && +endsAt > start);
      expect(isTaken).toBe(true);
      expect(row.reason).not.toContain('buffer');
    }
  }

  function expectAsInFile(entries: Entry[], report: ImportReport, after: Booking[]) {
    for (const [n, one] of entries.entries()) {
      // Eight lines an entry, after the first line.
      const row = report.rows.find(({ line }) => line === n * 8 + 2);
      const booking = after.find(({ importUid }) => importUid === one.uid);
      const isCancelled = one.status === 'CANCELLED' || one.status === 'FREE';
      if (isCancelled && row?.outcome === 'updated') expect(booking).toBeUndefined();
      else if (!isCancelled && row?.outcome !== 'skipped')
        expect(booking).toMatchObject({
          status: one.status === 'CONFIRMED' ? 'confirmed' : 'pending',
          startsAt: new Date(toStart(one)),
          title: one.isPrivate ? null : one.title,
          guestName: one.isPrivate ? 'Guest' : one.title,
        });
    }
  }

  /** Right after the import, undoing it gives every booking back that it did not cancel. */
  async function undo() {
    if (last === null) return;
    const { importId, before } = last;
    last = null;
    await undoImport(app.ctx, { id: importId });
    const toContent = (booking: Booking) => {
      const { id, startsAt, endsAt, title, guestName, status, notes } = booking;
      return { id, startsAt, endsAt, title, guestName, status, notes };
    };
    const after = new Map((await list()).map((booking) => [booking.id, booking]));
    for (const booking of before) {
      const now = after.get(booking.id) as Booking;
      const isCancelled = booking.importUid !== null && now.importUid === null;
      expect(toContent(now)).toEqual(
        isCancelled ? { ...toContent(now), status: 'cancelled' } : toContent(booking),
      );
    }
  }

  async function change(kind: 'retitle' | 'move' | 'cancel', uid: string) {
    const booking = await db.booking.findFirst({ where: { resourceId: room.id, importUid: uid } });
    if (booking === null || booking.status === 'cancelled') return;
    const { id } = booking;
    last = null;
    touched.add(id);
    if (kind === 'retitle') await updateBooking(app.ctx, id, { title: 'In Foyer' });
    if (kind === 'cancel') await cancelBooking(app.ctx, id, {});
    if (kind !== 'move') return;
    // To a day of its own, after that of the entries.
    moves += 1;
    const startsAt = new Date(DAY + moves * 24 * HOUR_MS);
    const endsAt = new Date(+startsAt + HOUR_MS);
    const occupiedUntil = new Date(+endsAt + 15 * MINUTE_MS);
    await db.booking.update({ where: { id }, data: { startsAt, endsAt, occupiedUntil } });
  }
  return { importEntries, undo, change };
}

test('never overwrites what people did, and otherwise follows the file, as its dry run says', async () => {
  await checkProperty(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const space = await createSpace();
      for (const one of steps) {
        if (one.kind === 'import') await space.importEntries(one.entries);
        else if (one.kind === 'undo') await space.undo();
        else await space.change(one.kind, one.uid);
      }
    }),
    { numRuns: RUNS },
  );
});

interface Series {
  /** Half hours after the first one. */
  slot: number;
  /** Null for a single entry. */
  repeats: { interval: number; count: number; excluded: number[] } | null;
}

const series: fc.Arbitrary<Series> = fc.record({
  slot: fc.nat(4),
  repeats: fc.option(
    fc.record({
      interval: fc.integer({ min: 1, max: 2 }),
      count: fc.integer({ min: 1, max: 5 }),
      excluded: fc.uniqueArray(fc.integer({ min: 1, max: 4 })),
    }),
  ),
});

/** The starts of the occurrences, and of those that are excluded. */
function listStarts({ slot, repeats }: Series) {
  const { count, interval, excluded } = repeats ?? { count: 1, interval: 1, excluded: [] };
  const toTime = (n: number) => DAY + slot * 30 * MINUTE_MS + n * interval * 24 * HOUR_MS;
  const all = Array.from({ length: count }, (_, n) => n);
  return {
    starts: all.filter((n) => !excluded.includes(n)).map(toTime),
    excluded: excluded.map(toTime),
  };
}

function toSeriesFile(one: Series) {
  const { starts, excluded } = listStarts(one);
  const { repeats } = one;
  return Buffer.from(
    [
      ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:series', 'SUMMARY:Series', 'DURATION:PT1H'],
      `DTSTART:${formatUtc(starts[0] ?? 0)}`,
      ...(repeats ? [`RRULE:FREQ=DAILY;INTERVAL=${repeats.interval};COUNT=${repeats.count}`] : []),
      ...excluded.map((at) => `EXDATE:${formatUtc(at)}`),
      ...['END:VEVENT', 'END:VCALENDAR'],
    ].join('\n'),
  );
}

test('books exactly the occurrences of a series that its newest file has', async () => {
  await checkProperty(
    fc.asyncProperty(fc.array(series, { minLength: 2, maxLength: 5 }), async (versions) => {
      const { room } = await makeSpace(app, { bufferMinutes: 15 });
      for (const version of versions) {
        const input = { file: toSeriesFile(version), resource: { id: room.id } };
        expect(await importBookings(app.ctx, input)).toMatchObject({ skipped: 0 });
        const live = await app.ctx.db.booking.findMany({
          where: { resourceId: room.id, status: { not: 'cancelled' } },
          orderBy: { startsAt: 'asc' },
        });
        expect(live.map(({ startsAt }) => +startsAt)).toEqual(listStarts(version).starts);
        expect(await importBookings(app.ctx, input)).toMatchObject({ imported: 0, updated: 0 });
      }
    }),
    { numRuns: RUNS },
  );
});
