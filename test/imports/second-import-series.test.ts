import { updateBooking } from '../../src/features/bookings/service/change-booking.ts';
import { undoImport } from '../../src/features/imports/service/undo-import.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { explain, openImportedRoom } from '../support/imports/second-imports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const openRoom = () => openImportedRoom(app);

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
