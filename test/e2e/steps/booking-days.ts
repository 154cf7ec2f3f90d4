import assert from 'node:assert/strict';
import type { Stage } from '../stage.ts';
import { board, newBooking } from './booking-locators.ts';
import { findOpenDay } from './open-day.ts';

export async function days({ page, panel }: Stage) {
  const dayShown = () => new URL(page.url()).searchParams.get('day');
  await page.goto(panel(`/bookings?day=${findOpenDay()}`));
  await board(page).waitFor();
  await page.getByRole('heading', { name: 'Bookings', exact: true }).click();
  await page.keyboard.press('ArrowRight');
  await page.getByText(/Tuesday/).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByText(/Monday/).waitFor();
  assert.equal(dayShown(), findOpenDay());
  await page.keyboard.press('t');
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(new Date());
  await page.waitForURL((url) => url.searchParams.get('day') === today);
  await page.getByRole('button', { name: 'New booking' }).click();
  await newBooking(page).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await newBooking(page).waitFor({ state: 'hidden' });
  assert.equal(dayShown(), today, 'the keys of a dialog are its own');
  await page.getByRole('combobox', { name: 'Location' }).click();
  await page.getByRole('option', { name: 'North' }).click();
  await page.getByRole('heading', { name: 'Nothing can be booked at North yet' }).waitFor();
  await page.goto(panel('/bookings'));
  const empty = page.getByRole('heading', { name: 'Nothing can be booked at North yet' });
  await empty.waitFor(); // the last location is remembered
  await page.getByRole('combobox', { name: 'Location' }).click();
  await page.getByRole('option', { name: 'Café Süd' }).click();
  await empty.waitFor({ state: 'detached' });
}

export async function clocks({ page, panel, shot, here }: Stage) {
  const room = await here.prisma.resource.findUniqueOrThrow({ where: { slug: 'blue-room' } });
  const endsAt = new Date('2031-03-30T02:00:00Z');
  const { id } = await here.prisma.booking.create({
    data: {
      resourceId: room.id,
      locationId: room.locationId,
      guestName: 'Night owl',
      startsAt: new Date('2031-03-30T00:00:00Z'),
      endsAt,
      occupiedUntil: endsAt,
    },
  });
  const { id: locationId } = await here.prisma.location.findUniqueOrThrow({
    where: { slug: 'cafe-sued' },
  });
  await page.goto(panel(`/bookings?location=${locationId}&day=2031-03-30`));
  await board(page)
    .getByRole('button', { name: /Night owl.*01:00 – 04:00/ })
    .waitFor();
  const hours = (await board(page).locator('[aria-hidden] span').allTextContents()).slice(0, 3);
  assert.deepEqual(
    hours.map((hour) => hour.replace(/\s/g, ' ')),
    ['01:00', '03:00', '04:00'],
  );
  await shot(page, 'clocks-go-forward');
  await page.getByRole('button', { name: 'New booking' }).click();
  const dialog = newBooking(page);
  await dialog.getByLabel('From').fill('02:30');
  await dialog.getByLabel('To').fill('04:00');
  await dialog.getByRole('button', { name: 'Book', exact: true }).click();
  await dialog.getByText('This time does not exist on that day because clocks change').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await here.prisma.booking.delete({ where: { id } });
}
