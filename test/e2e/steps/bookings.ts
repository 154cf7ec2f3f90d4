import assert from 'node:assert/strict';
import type { Stage } from '../stage.ts';
import { board, newBooking } from './booking-locators.ts';
import { findOpenDay } from './open-day.ts';

export async function noLocation({ page, panel, shot }: Stage) {
  await page.goto(panel('/bookings'));
  await page.getByRole('heading', { name: 'Add a location first' }).waitFor();
  await shot(page, 'bookings-without-location');
  await page.getByRole('link', { name: 'Go to Spaces' }).click();
  await page.getByRole('button', { name: 'Add a location' }).waitFor();
}

export async function create({ page, panel, shot, here }: Stage) {
  await page.goto(panel(`/bookings?day=${findOpenDay()}`));
  await page.getByText('Open 09:00 – 18:00, 19:00 – 24:00').waitFor();
  await page.getByRole('button', { name: 'Book Blue room' }).focus();
  await page.keyboard.press('Enter');
  const dialog = newBooking(page);
  await dialog.getByLabel('From').fill('10:00');
  await dialog.getByLabel('To').fill('14:00');
  await dialog.getByText('Price for a guest').waitFor();
  await dialog.getByText('4 h at €20.00/h').waitFor();
  await dialog.getByRole('combobox', { name: 'Member' }).fill('okaf');
  await page.getByRole('option', { name: /Ben Okafor/ }).click();
  await dialog.getByText('3 h included in the plan').waitFor();
  await dialog.getByText('1 h at €20.00/h, 20% off').waitFor();
  await dialog.getByLabel('Title').fill('Map review');
  await shot(page, 'new-booking');
  await dialog.getByRole('button', { name: 'Book', exact: true }).click();
  await board(page)
    .getByRole('button', { name: /Blue room: Map review Ben Okafor · 10:00 – 14:00/ })
    .waitFor();
  await shot(page, 'day');
  const [made] = await here.prisma.booking.findMany();
  assert.equal(made?.priceAmount, 1600);
  assert.notEqual(made?.startsAt.getUTCHours(), 10, 'ten by the clocks of Berlin, not of UTC');
}

export async function alternative({ page, shot, here }: Stage) {
  await page.getByRole('button', { name: 'New booking' }).click();
  const dialog = newBooking(page);
  await dialog.getByRole('combobox', { name: 'Resource' }).click();
  await page.getByRole('option', { name: 'Blue room' }).click();
  await dialog.getByText('For a guest').click();
  await dialog.getByLabel('Guest name').fill('Gina');
  await dialog.getByLabel('From').fill('13:00');
  await dialog.getByLabel('To').fill('15:00');
  await dialog.getByText(/Blue room is booked/).waitFor();
  await dialog.getByText(/Map review, Ben Okafor/).waitFor();
  assert(await dialog.getByRole('button', { name: 'Book', exact: true }).isDisabled());
  await shot(page, 'taken');
  await dialog.getByRole('button', { name: /Select .*14:00 – 16:00/ }).click();
  await dialog.getByText(/Blue room is booked/).waitFor({ state: 'detached' });
  assert.equal(await dialog.getByLabel('From').inputValue(), '14:00');
  await dialog.getByRole('button', { name: 'Book', exact: true }).click();
  await board(page)
    .getByRole('button', { name: /Gina \(guest\) 14:00 – 16:00/ })
    .waitFor();
  assert.equal(await here.prisma.booking.count({ where: { guestName: 'Gina' } }), 1);
}

/** Someone else books the slot between the preview and the click. */
export async function overtaken({ page, shot, here }: Stage) {
  await page.getByRole('button', { name: 'New booking' }).click();
  const dialog = newBooking(page);
  await dialog.getByRole('combobox', { name: 'Resource' }).click();
  await page.getByRole('option', { name: 'Hall' }).click();
  await dialog.getByText('For a guest').click();
  await dialog.getByLabel('Guest name').fill('Slow');
  await dialog.getByLabel('From').fill('10:00');
  await dialog.getByLabel('To').fill('11:00');
  await dialog.getByText(/1 h at/).waitFor();
  const hall = await here.prisma.resource.findUniqueOrThrow({ where: { slug: 'hall' } });
  const startsAt = new Date(`${findOpenDay()}T06:00:00Z`);
  const endsAt = new Date(`${findOpenDay()}T14:00:00Z`);
  const { id } = await here.prisma.booking.create({
    data: {
      resourceId: hall.id,
      locationId: hall.locationId,
      guestName: 'Fast',
      startsAt,
      endsAt,
      occupiedUntil: endsAt,
    },
  });
  await dialog.getByRole('button', { name: 'Book', exact: true }).click();
  await dialog.getByText('This is not possible now').waitFor();
  await dialog.getByText(/^Fast/).waitFor();
  await dialog
    .getByRole('button', { name: /^Select / })
    .first()
    .waitFor();
  await shot(page, 'overtaken');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await here.prisma.booking.delete({ where: { id } });
}

export async function override({ page, shot }: Stage) {
  await page.getByRole('button', { name: 'New booking' }).click();
  const dialog = newBooking(page);
  await dialog.getByRole('combobox', { name: 'Resource' }).click();
  await page.getByRole('option', { name: 'Hall' }).click();
  await dialog.getByText('For a guest').click();
  await dialog.getByLabel('Guest name').fill('Cleaners');
  await dialog.getByLabel('From').fill('07:00');
  await dialog.getByLabel('To').fill('08:00');
  await dialog.getByText(/Café Süd is open/).waitFor();
  await shot(page, 'override');
  await dialog.getByRole('button', { name: 'Book anyway' }).click();
  await board(page)
    .getByRole('button', { name: /Hall:.*07:00/ })
    .waitFor();
}

export async function series({ page, shot, here }: Stage) {
  await page.getByRole('button', { name: 'New booking' }).click();
  const dialog = newBooking(page);
  await dialog.getByRole('combobox', { name: 'Resource' }).click();
  await page.getByRole('option', { name: 'Blue room' }).click();
  await dialog.getByRole('combobox', { name: 'Member' }).fill('cleo');
  await page.getByRole('option', { name: /Cleo/ }).click();
  await dialog.getByLabel('From').fill('11:00');
  await dialog.getByLabel('To').fill('12:00');
  await dialog.getByRole('combobox', { name: 'Repeat' }).click();
  await page.getByRole('option', { name: 'Every week' }).click();
  await dialog.getByLabel('Number of bookings').fill('3');
  await dialog.getByText('1 unavailable:').waitFor();
  await shot(page, 'series');
  await dialog.getByRole('button', { name: 'Book the other 2' }).click();
  await page.getByText('2 bookings created.').waitFor();
  assert.equal(await here.prisma.booking.count({ where: { seriesId: { not: null } } }), 2);
  await board(page)
    .getByRole('button', { name: /Cleo.*11:00 – 12:00/ })
    .waitFor();
  assert.equal(new URL(page.url()).searchParams.get('day'), findOpenDay(1));
}
