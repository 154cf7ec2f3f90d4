import assert from 'node:assert/strict';
import { createStaff } from '../../../src/auth/sign-in.ts';
import type { Stage } from '../stage.ts';
import { findOpenDay } from './open-day.ts';

export async function hours({ page, panel, shot, here }: Stage) {
  await page.goto(panel('/spaces'));
  await page.getByRole('row', { name: /Café Süd.*Europe\/Berlin.*Always/ }).waitFor();
  await shot(page, 'locations');
  await page.getByRole('link', { name: 'Café Süd' }).click();
  await page.getByText('Always open').waitFor();
  await page.getByRole('button', { name: 'Edit hours' }).click();
  await page.getByRole('button', { name: 'Add hours: Monday' }).click();
  assert.equal(await page.getByLabel('Monday opens, 1').inputValue(), '09:00');
  await page.getByRole('button', { name: 'Add hours: Monday' }).click();
  await page.getByLabel('Monday opens, 2').fill('17:00');
  await page.getByLabel('Monday closes, 2').fill('00:00');
  await page.getByRole('button', { name: 'Save hours' }).click();
  await page.getByText('must not overlap').waitFor();
  await page.locator('[aria-label="Monday opens, 1"]:focus').waitFor();
  await page.getByLabel('Monday opens, 2').fill('19:00');
  await page.getByRole('button', { name: 'Copy Monday to all weekdays' }).click();
  await page.getByRole('button', { name: 'Remove hours 2 of Tuesday' }).click();
  await shot(page, 'opening-hours');
  await page.getByRole('button', { name: 'Save hours' }).click();
  await page.getByText('Mon 09:00 – 18:00, 19:00 – 24:00').waitFor();
  await page.getByText('Tue 09:00 – 18:00').waitFor();
  assert.equal(await here.prisma.openingHours.count(), 9);
}

export async function rules({ page, shot, here }: Stage) {
  await page.getByRole('button', { name: 'Edit Blue room' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Blue room' });
  await dialog.getByLabel('Price per hour', { exact: true }).fill('1.250');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter an amount such as 1,250.50').waitFor();
  await dialog.getByLabel('Price per hour', { exact: true }).fill('20,00');
  await dialog.getByLabel('Booking interval').fill('20');
  await dialog.getByLabel('Free cancellation').fill('24');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a multiple of 20 minutes').first().waitFor();
  await shot(page, 'resource-rules');
  await dialog.getByLabel('Booking interval').fill('15');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('row', { name: /Blue room.*€20\.00.*free cancellation until 24 h/ })
    .waitFor();
  await page.getByRole('button', { name: 'Edit details' }).click();
  const location = page.getByRole('dialog', { name: 'Edit Café Süd' });
  await location.getByLabel('Guest notification email').fill('ada..l@example.org');
  await location.getByRole('button', { name: 'Save location' }).click();
  await location.getByText('Check what you entered').waitFor();
  await location.getByText('Guest notification email must be an email address.').waitFor();
  await location.locator('[data-path="hostEmail"]:focus').waitFor();
  await shot(page, 'rejected-field');
  // Going back closes the dialog and stays on the page.
  await page.goBack();
  await location.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Café Süd' }).waitFor();
  await page.getByRole('button', { name: 'Add rooms or desks' }).click();
  const adding = page.getByRole('dialog', { name: 'Add rooms or desks at Café Süd' });
  await adding.getByRole('textbox', { name: 'Name', exact: true }).fill('Hall');
  await adding.getByLabel('Needs approval').check({ force: true });
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('row', { name: /Hall.*needs approval/ }).waitFor();
  await shot(page, 'location');
  const room = await here.prisma.resource.findUniqueOrThrow({ where: { slug: 'blue-room' } });
  assert.deepEqual(
    [room.hourlyAmount, room.gridMinutes, room.freeCancellationHours, room.noShowMinutes],
    [2000, 15, 24, null],
  );
}

export async function several({ page, panel, shot, here }: Stage) {
  await page.goto(panel('/spaces'));
  await page.getByRole('link', { name: 'Café Süd' }).click();
  await page.getByRole('button', { name: 'Add rooms or desks' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Bench');
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Desk' }).click();
  await dialog.getByLabel('How many').fill('3');
  await dialog.getByText('Adds Bench 01 to Bench 03').waitFor();
  await shot(page, 'several-desks');
  await dialog.getByRole('button', { name: 'Add 3' }).click();
  await page.getByRole('row', { name: /Bench 03 Desk – 1 free 30 min to 24 h/ }).waitFor();
  await page.getByRole('button', { name: 'Duplicate Bench 03' }).click();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Bench 04');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('row', { name: /Bench 04 Desk – 1 free 30 min to 24 h/ }).waitFor();
  for (const name of ['Bench 01', 'Bench 04']) await page.getByLabel(`Select ${name}`).check();
  await page.getByRole('button', { name: 'Edit 2 selected' }).click();
  await dialog.getByLabel('Area').fill('Gallery');
  await shot(page, 'change-several');
  const bench = { slug: 'bench-04' };
  await here.prisma.resource.update({ where: bench, data: { updatedAt: new Date(0) } });
  await dialog.getByRole('button', { name: 'Change 2' }).click();
  await dialog.getByText('Someone else changed Bench 04').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit 2 selected' }).click();
  await dialog.getByLabel('Area').fill('Gallery');
  await dialog.getByRole('button', { name: 'Change 2' }).click();
  await page.getByRole('row', { name: /Bench 04 Desk Gallery/ }).waitFor();

  await page.goto(panel('/bookings'));
  const board = page.getByRole('region', { name: 'Bookings of the day' });
  await board.getByRole('heading', { name: 'Desks · Gallery' }).waitFor();
  await page.getByRole('radiogroup', { name: 'Type' }).getByText('Desks').click();
  await board.getByRole('heading', { name: 'Rooms' }).waitFor({ state: 'detached' });
  await page.reload();
  await board.getByText('Bench 02').waitFor();
  assert.equal(await board.getByRole('heading', { name: 'Rooms' }).count(), 0);
  await shot(page, 'calendar-of-desks');
  await here.prisma.resource.deleteMany({ where: { slug: { startsWith: 'bench-' } } });
}

export async function closure({ page, panel, shot }: Stage) {
  await page.goto(panel('/spaces'));
  await page.getByRole('link', { name: 'Café Süd' }).click();
  await page.getByRole('button', { name: 'Add a closure' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a closure' });
  await dialog.getByLabel('First day').fill(findOpenDay());
  await dialog.getByLabel('Last day').fill(findOpenDay());
  await dialog.getByLabel('Reason').fill('New floor');
  await dialog.getByText(/\d bookings fall within this closure:/).waitFor();
  await dialog.getByLabel('They stay. Email each holder').check();
  await dialog.getByLabel('Message').fill('Café Nord is open.');
  await shot(page, 'closure');
  await dialog.getByRole('button', { name: 'Add closure and email holders' }).click();
  await page.getByText(/^Holders of bookings get an email/).waitFor();
  await page.getByText(/\d bookings fall within this closure and stay/).waitFor();
  await page.getByRole('button', { name: /^Show effects of closure / }).click();
  const shown = page.getByRole('dialog', { name: 'Within this closure' });
  await shown.getByText(/\d bookings fall within this closure:/).waitFor();
  await shot(page, 'closure-bookings');
  await shown.getByRole('button', { name: 'Email holders' }).click();
  await page.getByText('Nobody to email').waitFor();
  await page.goto(panel(`/bookings?day=${findOpenDay()}`));
  await page.getByText('Closed on this day').waitFor();
  await shot(page, 'closed-day');
  await page.goBack();
  await page.getByRole('button', { name: /^Remove closure ./ }).click();
  await page.getByRole('button', { name: 'Remove closure', exact: true }).click();
  await page.getByText('No upcoming closures.').waitFor();
}

export async function frontDesk({ newPage, panel, shot, signIn, here }: Stage) {
  const flo = { email: 'flo@example.org', password: 'a bell on the counter' };
  await createStaff(here.ctx, { name: 'Flo', role: 'front_desk', ...flo });
  const page = await newPage();
  await page.goto(panel('/spaces'));
  await signIn(page, flo);
  await page.getByRole('link', { name: 'Café Süd' }).click();
  await page.getByRole('row', { name: /Blue room Room/ }).waitFor();
  for (const name of [/Edit hours/, /Add a closure/, /Add a room/, /Edit/]) {
    assert.equal(await page.getByRole('button', { name }).count(), 0);
  }
  await shot(page, 'front-desk-location');
  await page.getByRole('link', { name: 'Bookings' }).click();
  await page.getByRole('button', { name: 'New booking' }).waitFor();
  await page.context().close();
}
