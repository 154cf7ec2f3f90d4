import { updateBooking } from '../../src/features/bookings/service/change-booking.ts';
import { publishEvent } from '../../src/features/event-management/service/edit-event.ts';
import { undoImport } from '../../src/features/imports/service/undo-import.ts';
import { importBookings } from '../../src/imports/import-bookings.ts';
import { importEvents } from '../../src/imports/import-events.ts';
import { makeSpace } from '../support/factories/space.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import {
  type Entry,
  explain,
  openImportedRoom,
  toCalendar,
} from '../support/imports/second-imports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const openRoom = () => openImportedRoom(app);

test('follows a series that moves, ends earlier, or becomes a single entry', async () => {
  const { importFile, list, find } = await openRoom();
  const listLive = async () =>
    (await list()).filter(({ status }) => status !== 'cancelled').map(({ start }) => start);
  const daily = 'RRULE:FREQ=DAILY;COUNT=4';
  await importFile(['one', '20260401T0800', daily], ['other', '20260401T1200', daily]);
  await updateBooking(app.ctx, (await find('one/20260403T080000Z')).id, { notes: 'Important' });

  const moved = await importFile(['one', '20260401T0830', daily]);
  expect(moved).toMatchObject({ imported: 3, updated: 3, skipped: 2 });
  expect(moved.rows.filter(({ outcome }) => outcome === 'skipped')).toMatchObject([
    {
      reason: expect.stringMatching(/^The slot is taken by a booking, Fri, 3 Apr 2026, 10:00/),
    },
    {
      what: 'one, Fri, 3 Apr 2026, 10:00',
      reason:
        'Cancelled in the file. It was changed in Foyer since the import, so it stays as it is.',
    },
  ]);
  const other = ['01', '02', '03', '04'].map((day) => `2026-04-${day}T12:00`);
  const half = ['01T08:30', '02T08:30', '03T08:00', '04T08:30'].map((time) => `2026-04-${time}`);
  expect(await listLive()).toEqual([...half, ...other].toSorted());

  const until = 'RRULE:FREQ=DAILY;UNTIL=20260402T235959Z';
  expect(await importFile(['other', '20260401T1200', until])).toMatchObject({
    ...{ imported: 0, updated: 2, unchanged: 2, skipped: 0 },
  });
  expect(await importFile(['other', '20260402T1230'])).toMatchObject({ imported: 1, updated: 2 });
  expect(await importFile(['other', '20260402T1300', daily])).toMatchObject({
    ...{ imported: 4, updated: 1, skipped: 0 },
  });
  expect((await listLive()).filter((start) => start > '2026-04-04T09')).toEqual([
    '2026-04-04T13:00',
    '2026-04-05T13:00',
  ]);
});

test('cancels nothing of a series that has a problem, or that the file has only a part of', async () => {
  const { importFile, list } = await openRoom();
  await importFile(['one', '20260401T0800', 'RRULE:FREQ=DAILY;COUNT=4']);
  const before = await list();
  for (const entries of [
    [['one', '20260401T0900', 'RRULE:FREQ=NEVER']],
    [['one', '20260401T0900', 'RRULE:FREQ=MINUTELY']],
    [['one', '20260402T0800', 'RECURRENCE-ID:20260402T080000Z']],
    [
      ['one', '20260402T0800'],
      ['one', '20260403T0800'],
    ],
    [['another', '20260402T2000']],
  ] satisfies Entry[][])
    expect(await importFile(...entries)).toMatchObject({ updated: 0 });
  expect((await list()).filter(({ title }) => title !== 'another')).toMatchObject(before);
});

test('cancels nothing that lies beyond the time that is imported', async () => {
  const { room, importFile, list } = await openRoom();
  const monthly = 'RRULE:FREQ=MONTHLY;COUNT=14';
  const later = { ...app.ctx, now: () => new Date('2026-09-01T00:00:00Z') };
  const file = toCalendar(['one', '20260401T0800', monthly]);
  await importBookings(later, { file, resource: { id: room.id } });
  // The last two lie more than a year ahead.
  expect(await importFile(['one', '20260401T0830', monthly])).toMatchObject({
    ...{ imported: 12, updated: 12, skipped: 0 },
  });
  expect((await list()).slice(-3)).toMatchObject([
    { start: '2027-03-01T08:30', status: 'confirmed' },
    { start: '2027-04-01T08:00', status: 'confirmed' },
    { start: '2027-05-01T08:00', status: 'confirmed' },
  ]);
});

test('hides a title that became private, also as the name of the guest', async () => {
  const { importFile, find } = await openRoom();
  await importFile(
    ['tea', '20260401T0800'],
    ['Ben', '20260401T1000', 'ORGANIZER;CN=Ben:invalid:nomail'],
    ['Cleo', '20260401T1200', 'ORGANIZER;CN=Cleo:mailto:cleo@example.org'],
  );
  const report = await importFile(
    ['tea', '20260401T0800', 'CLASS:PRIVATE'],
    ['Ben', '20260401T1000', 'ORGANIZER;CN=Ben:invalid:nomail', 'SUMMARY:Lunch'],
    ['Cleo', '20260401T1200', 'SUMMARY:Supper'],
  );
  expect(explain(report)).toMatchObject({ tea: 'updated: Changed: title, notes.' });
  expect(await find('tea')).toMatchObject({ title: null, guestName: 'Guest', notes: 'tea' });
  expect(await find('Ben')).toMatchObject({ title: 'Lunch', guestName: 'Ben' });
  expect(await find('Cleo')).toMatchObject({ title: 'Supper', guestName: 'Cleo' });

  const renamed = await importFile(['tea', '20260401T0800', 'SUMMARY:Coffee']);
  expect(await find('tea')).toMatchObject({ title: 'Coffee', guestName: 'Coffee', notes: null });
  await undoImport(app.ctx, { id: renamed.importId ?? '' });
  expect(await find('tea')).toMatchObject({ title: null, guestName: 'Guest', notes: 'tea' });
  await updateBooking(app.ctx, (await find('tea')).id, { notes: 'In Foyer' });
  await importFile(['tea', '20260401T0800', 'SUMMARY:Coffee']);
  expect(await find('tea')).toMatchObject({ guestName: 'Guest', notes: 'In Foyer' });
});

test('cancels a booking whose entry became free time, so that another can take its time', async () => {
  const { importFile, list, find } = await openRoom();
  await importFile(['tea', '20260401T0800'], ['kept', '20260401T1000']);
  await updateBooking(app.ctx, (await find('kept')).id, { notes: 'In Foyer' });
  const free: Entry[] = [
    ['tea', '20260401T0800', 'TRANSP:TRANSPARENT'],
    ['kept', '20260401T1000', 'TRANSP:TRANSPARENT'],
  ];
  expect(explain(await importFile(...free, ['lunch', '20260401T0800']))).toEqual({
    tea: 'updated: It is marked as free time, so it blocks nothing. Cancelled.',
    kept: 'skipped: It is marked as free time, so it blocks nothing. Cancelled in the file. It was changed in Foyer since the import, so it stays as it is.',
    lunch: 'imported',
  });
  const live = (await list()).filter(({ status }) => status !== 'cancelled');
  expect(live.map(({ title }) => title)).toEqual(['lunch', 'kept']);
  expect(explain(await importFile(...free))).toMatchObject({
    tea: 'skipped: It is marked as free time, so it blocks nothing.',
  });
});

test('finds the occurrences of an entry with a very long UID', async () => {
  const { importFile, list } = await openRoom();
  const uid = 'x'.repeat(600);
  await importFile([uid, '20260401T0800', 'RRULE:FREQ=DAILY;COUNT=3', 'SUMMARY:Tea']);
  const report = await importFile([uid, '20260401T0800', 'SUMMARY:Tea', 'STATUS:CANCELLED']);
  expect(report).toMatchObject({ updated: 3, skipped: 0 });
  expect((await list()).map(({ status }) => status)).toEqual(Array(3).fill('cancelled'));
});

test('cancels the drafts of a series at its old times, but not what is published', async () => {
  const { location } = await makeSpace(app);
  const importFile = (...entries: Entry[]) =>
    importEvents(app.ctx, { file: toCalendar(...entries), locationId: location.id });
  const list = () =>
    app.ctx.db.event.findMany({
      where: { locationId: location.id, status: { not: 'cancelled' } },
      orderBy: { startsAt: 'asc' },
    });
  const daily = 'RRULE:FREQ=DAILY;COUNT=2';
  await importFile(['series', '20260401T0800', daily], ['other', '20260401T1200']);
  await publishEvent(app.ctx, (await list())[0]?.id ?? '');
  const report = await importFile(['series', '20260401T0900', daily]);
  expect(report).toMatchObject({ imported: 2, updated: 1, skipped: 1 });
  expect((await list()).map(({ startsAt }) => startsAt.toISOString().slice(8, 13))).toEqual([
    ...['01T08', '01T09', '01T12', '02T09'],
  ]);
  // Its old times come back.
  expect(await importFile(['series', '20260401T0800', daily])).toMatchObject({
    ...{ imported: 0, updated: 3, unchanged: 1 },
  });
});
