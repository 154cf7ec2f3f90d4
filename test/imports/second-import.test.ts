import {
  confirmBooking,
  updateBooking,
} from '../../src/features/bookings/service/change-booking.ts';
import {
  publishEvent,
  updateEvent,
} from '../../src/features/event-management/service/edit-event.ts';
import { undoImport } from '../../src/features/imports/service/undo-import.ts';
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

test('changes bookings with their entries, also if these swap their times, and gives them back', async () => {
  const { importFile, list } = await openRoom();
  await importFile(
    ['moved', '20260401T0800'],
    ['one', '20260401T1000'],
    ['other', '20260401T1100'],
    ['request', '20260401T1300', 'STATUS:TENTATIVE'],
    ['same', '20260401T1500'],
  );
  const before = await list();
  const report = await importFile(
    ['moved', '20260402T0800', 'SUMMARY:Moved', 'LOCATION:Attic'],
    ['one', '20260401T1100'],
    ['other', '20260401T1000'],
    ['request', '20260401T1300', 'STATUS:CONFIRMED'],
    ['same', '20260401T1500'],
  );
  expect(explain(report)).toEqual({
    Moved: 'updated: Changed: time, title, notes.',
    one: 'updated: Changed: time.',
    other: 'updated: Changed: time.',
    request: 'updated: Changed: status.',
    same: 'unchanged',
  });
  expect(report).toMatchObject({ imported: 0, updated: 4, unchanged: 1, skipped: 0 });
  expect(await list()).toMatchObject([
    { title: 'other', start: '2026-04-01T10:00' },
    { title: 'one', start: '2026-04-01T11:00' },
    { title: 'request', status: 'confirmed' },
    { title: 'same', start: '2026-04-01T15:00' },
    { title: 'Moved', notes: 'Attic', start: '2026-04-02T08:00' },
  ]);
  const changes = await app.ctx.db.change.findMany({
    where: { subjectId: { in: before.map(({ id }) => id) }, type: { not: 'booking.created' } },
  });
  expect(changes.map(({ type, job }) => `${type} ${job}`).toSorted()).toEqual([
    'booking.confirmed bookings.import',
    ...Array.from({ length: 3 }, () => 'booking.rescheduled bookings.import'),
  ]);
  const undone = await undoImport(app.ctx, { id: report.importId ?? '' });
  expect(undone.report).toEqual({ removed: 0, restored: 4, notes: [], problems: [] });
  expect(await list()).toEqual(before);
});

test('leaves bookings that have started, or that people changed in Foyer', async () => {
  const { importFile, list, find } = await openRoom();
  await importFile(
    ['past', '20260301T1000'],
    ['retitled', '20260401T0800'],
    ['approved', '20260401T1000', 'STATUS:TENTATIVE'],
    ['present', '20260401T1200'],
    ['withdrawn', '20260401T1400'],
  );
  await updateBooking(app.ctx, (await find('retitled')).id, { title: 'In Foyer' });
  await confirmBooking(app.ctx, (await find('approved')).id);
  await app.ctx.db.booking.update({
    where: { id: (await find('present')).id },
    data: { checkedInAt: app.ctx.now() },
  });
  await updateBooking(app.ctx, (await find('withdrawn')).id, { notes: 'Important' });
  const before = await list();
  const report = await importFile(
    ['past', '20260301T1100'],
    ['retitled', '20260401T0900'],
    ['approved', '20260401T1000', 'STATUS:TENTATIVE', 'SUMMARY:approved, or not'],
    ['present', '20260401T1300'],
    ['withdrawn', '20260401T1400', 'STATUS:CANCELLED'],
  );
  expect(explain(report)).toEqual({
    past: 'unchanged: Different in the file: time. It has started, so it stays as it is.',
    retitled:
      'skipped: Different in the file: time, title. It was changed in Foyer since the import, so it stays as it is.',
    approved:
      'skipped: Different in the file: status, title. It was changed in Foyer since the import, so it stays as it is.',
    present:
      'unchanged: Different in the file: time. Someone has checked in, so it stays as it is.',
    withdrawn:
      'skipped: Cancelled in the file. It was changed in Foyer since the import, so it stays as it is.',
  });
  expect(await list()).toEqual(before);
});

test('cancels what the file cancels: an entry, a series, and single dates of one', async () => {
  const { importFile, list } = await openRoom();
  const daily = 'RRULE:FREQ=DAILY;COUNT=4';
  await importFile(
    ['single', '20260401T0800'],
    ['dates', '20260401T1000', daily],
    ['whole', '20260401T1200', daily],
  );
  const report = await importFile(
    ['single', '20260401T0800', 'STATUS:CANCELLED'],
    ['dates', '20260401T1000', daily, 'EXDATE:20260402T100000Z'],
    ['dates', '20260403T1000', 'RECURRENCE-ID:20260403T100000Z', 'STATUS:CANCELLED'],
    ['whole', '20260401T1200', 'STATUS:CANCELLED'],
    ['unknown', '20260401T1400', 'STATUS:CANCELLED'],
  );
  expect(report).toMatchObject({ imported: 0, updated: 7, unchanged: 2, skipped: 1 });
  expect(report.rows.filter(({ outcome }) => outcome === 'updated')).toContainEqual({
    ...{ line: 9, what: 'dates, Thu, 2 Apr 2026, 12:00', outcome: 'updated', reason: 'Cancelled.' },
  });
  const live = (await list()).filter(({ status }) => status !== 'cancelled');
  expect(live.map(({ start }) => start)).toEqual(['2026-04-01T10:00', '2026-04-04T10:00']);
  expect(await importFile(['single', '20260401T0800', 'STATUS:CANCELLED'])).toMatchObject({
    ...{ imported: 0, updated: 0, skipped: 1 },
  });

  const undone = await undoImport(app.ctx, { id: report.importId ?? '' });
  expect(undone.report).toMatchObject({ removed: 0, restored: 0 });
  expect(undone.report.notes).toHaveLength(7);
  expect(undone.report.notes[0]).toEqual({
    line: 2,
    reason:
      'The import cancelled the booking, and it stays cancelled. Import the earlier file again to book it.',
  });
  expect(await importFile(['single', '20260401T0800'])).toMatchObject({ imported: 1 });
});

test('says that a new time is taken, and that a later import must be undone first', async () => {
  const { importFile, list } = await openRoom();
  const first = await importFile(['one', '20260401T0800'], ['other', '20260401T1000']);
  const report = await importFile(
    ['one', '20260401T1030', 'SUMMARY:One'],
    ['other', '20260401T1000'],
  );
  expect(explain(report)).toMatchObject({
    One: 'skipped: Different in the file: time, title. The slot is taken by a booking, Wed, 1 Apr 2026, 12:00 – 13:00 (line 8).',
  });
  expect(await list()).toMatchObject([{ title: 'one' }, { title: 'other' }]);

  const second = await importFile(['one', '20260401T0900']);
  await expect(undoImport(app.ctx, { id: first.importId ?? '' })).rejects.toMatchObject({
    details: {
      problems: [{ reason: 'A later import changed the booking. Undo that import first.' }],
    },
  });
  await undoImport(app.ctx, { id: second.importId ?? '' });
  const undone = await undoImport(app.ctx, { id: first.importId ?? '' });
  expect(undone.report).toMatchObject({ removed: 2, problems: [] });
});

test('changes and cancels drafts of events, but no published ones', async () => {
  const { location } = await makeSpace(app);
  const importFile = (...entries: Entry[]) =>
    importEvents(app.ctx, { file: toCalendar(...entries), locationId: location.id });
  const list = () =>
    app.ctx.db.event.findMany({
      where: { locationId: location.id },
      orderBy: { importUid: 'asc' },
      omit: { updatedAt: true, importRevision: true },
    });
  await importFile(
    ['changed', '20260401T0800'],
    ['edited', '20260402T0800'],
    ['public', '20260403T0800'],
    ['withdrawn', '20260404T0800'],
  );
  const [, edited, published] = await list();
  await updateEvent(app.ctx, edited?.id ?? '', { summary: 'Bring tea' });
  await publishEvent(app.ctx, published?.id ?? '');
  const before = await list();
  const report = await importFile(
    ['changed', '20260401T0900', 'SUMMARY:changed', 'CATEGORIES:Tea', 'CLASS:PRIVATE'],
    ['edited', '20260402T0900'],
    ['public', '20260403T0900'],
    ['withdrawn', '20260404T0800', 'STATUS:CANCELLED'],
  );
  expect(explain(report)).toEqual({
    changed: 'updated: Changed: time, visibility, tags.',
    edited:
      'skipped: Different in the file: time. It was changed in Foyer since the import, so it stays as it is.',
    public: 'skipped: Different in the file: time. It is published, so it stays as it is.',
    withdrawn: 'updated: Cancelled.',
  });
  const [changed, ...others] = await list();
  expect(changed).toMatchObject({ tags: ['tea'], visibility: 'members', status: 'draft' });
  expect(others).toMatchObject([before[1], before[2], { status: 'cancelled' }]);
  const undone = await undoImport(app.ctx, { id: report.importId ?? '' });
  expect(undone.report).toEqual({ removed: 0, restored: 2, notes: [], problems: [] });
  expect(await list()).toEqual(before);
});
