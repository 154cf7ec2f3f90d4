import assert from 'node:assert/strict';
import { DAY_MS } from '../../../src/core/time/time-zone.ts';
import { type Stage, settle } from '../stage.ts';
import { assertFits } from './narrow.ts';

/** A calendar with an entry tomorrow, a weekly one, and one of another year. */
function writeCalendar() {
  const day = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
  const toEntry = (uid: string, ...lines: string[]) => [
    ...['BEGIN:VEVENT', `UID:${uid}@example.org`, 'DURATION:PT1H', ...lines, 'END:VEVENT'],
  ];
  const text = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0'],
    ...toEntry('one', `DTSTART:${day}T030000Z`, 'SUMMARY:Café des langues'),
    ...toEntry('week', `DTSTART:${day}T040000Z`, 'RRULE:FREQ=WEEKLY;COUNT=60', 'SUMMARY:Yoga'),
    ...toEntry('old', 'DTSTART:20010203T100000Z', 'SUMMARY:Opening'),
    'END:VCALENDAR',
  ].join('\r\n');
  return { name: 'events.ics', mimeType: 'text/calendar', buffer: Buffer.from(text) };
}

/** Imports events as drafts after a look at the report, and shows what the bookings of the same file would be. */
export async function importCalendars({ page, panel, shot, here }: Stage) {
  const { prisma } = here;
  const where = { importUid: { not: null } };
  await page.goto(panel('/events'));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import events' });
  await dialog.locator('input[type=file]').setInputFiles(writeCalendar());
  await dialog.getByRole('combobox', { name: 'Location' }).click();
  await page.getByRole('option').first().click();
  await settle(page);
  await shot(page, 'import-events');
  await dialog.getByRole('button', { name: 'Check the file' }).click();
  await dialog.getByText('1 entry cannot be imported').waitFor();
  await dialog.getByRole('row', { name: /Opening.* Problem It starts more than a year/ }).waitFor();
  assert.equal(await prisma.event.count({ where }), 0);
  await shot(page, 'import-events-report');
  await page.setViewportSize({ width: 390, height: 844 });
  await settle(page);
  await assertFits(page, 390);
  await shot(page, 'import-events-report-narrow');
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole('combobox', { name: 'Show' }).click();
  await page.getByRole('option', { name: 'All lines' }).click();
  await dialog.getByRole('row', { name: /Café des langues.* Added/ }).waitFor();
  await dialog.getByRole('button', { name: /^Import \d+ events$/ }).click();
  await dialog.waitFor({ state: 'detached' });
  const events = await prisma.event.findMany({ where });
  assert.ok(events.length > 50);
  assert.ok(events.every(({ status }) => status === 'draft'));
  await page.goto(panel('/settings/imports'));
  await page
    .getByRole('row', { name: /events.ics Events Imported \d+ added, 1 problem/ })
    .waitFor();

  await page.goto(panel('/bookings'));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const bookings = page.getByRole('dialog', { name: /^Import bookings at/ });
  await bookings.locator('input[type=file]').setInputFiles(writeCalendar());
  await bookings.getByRole('combobox', { name: 'Room or desk' }).click();
  await page.getByRole('option').first().click();
  await page.setViewportSize({ width: 390, height: 844 });
  await settle(page);
  await assertFits(page, 390);
  await shot(page, 'import-bookings-narrow');
  await page.setViewportSize({ width: 1280, height: 800 });
  await bookings.getByRole('button', { name: 'Check the file' }).click();
  await bookings.getByRole('button', { name: /^Import \d+ bookings$/ }).waitFor();
  await shot(page, 'import-bookings-report');
  await bookings.getByRole('button', { name: 'Cancel' }).click();
  await bookings.waitFor({ state: 'detached' });
  await settle(page);
  await shot(page, 'bookings-import-button');
  assert.equal(await prisma.booking.count({ where }), 0);
  await prisma.event.deleteMany({ where });
}
