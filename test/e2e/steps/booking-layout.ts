import type { Stage } from '../stage.ts';
import { board, newBooking } from './booking-locators.ts';
import { assertFits } from './narrow.ts';
import { findOpenDay } from './open-day.ts';

export async function narrow({ page, panel, shot, here }: Stage) {
  await page.setViewportSize({ width: 360, height: 740 });
  const place = await here.prisma.location.findUniqueOrThrow({ where: { slug: 'cafe-sued' } });
  const ben = await here.prisma.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
  await page.goto(panel(`/bookings?day=${findOpenDay()}`));
  await page.getByRole('button', { name: /Map review/ }).waitFor();
  await shot(page, 'narrow-day');
  await assertFits(page);
  await page.getByRole('button', { name: 'Book Blue room' }).click();
  const dialog = newBooking(page);
  await dialog.getByLabel('From').fill('13:00');
  await dialog.getByLabel('To').fill('15:00');
  await dialog.getByText(/Blue room is booked/).waitFor();
  await shot(page, 'narrow-new-booking');
  await dialog.getByRole('button', { name: 'Cancel' }).scrollIntoViewIfNeeded();
  await shot(page, 'narrow-new-booking-end');
  await assertFits(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /Map review/ }).click();
  await page.getByRole('dialog', { name: 'Blue room' }).getByText('Confirmed').waitFor();
  await shot(page, 'narrow-booking');

  await page.goto(panel(`/spaces/${place.id}`));
  await page.getByRole('button', { name: 'Edit hours' }).click();
  await shot(page, 'narrow-hours');
  await assertFits(page);
  await page.getByRole('button', { name: 'Edit Blue room' }).click();
  await page.getByRole('dialog').getByLabel('Booking interval').scrollIntoViewIfNeeded();
  await shot(page, 'narrow-rules');
  await assertFits(page);
  for (const [path, name] of [
    [`/members/${ben.id}`, 'Ben Okafor'],
    ['/members', 'Members'],
    ['/teams', 'Teams'],
    ['/plans', 'Plans'],
    ['/spaces', 'Spaces'],
  ] as const) {
    await page.goto(panel(path));
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
    await shot(page, `narrow-${name.split(' ')[0]?.toLowerCase()}`);
    await assertFits(page);
  }
  await page.goto(panel('/plans'));
  await page.getByRole('button', { name: 'Edit Resident' }).click();
  await shot(page, 'narrow-plan');
  await assertFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
}

export async function dark({ page, panel, shot, here }: Stage) {
  await page.emulateMedia({ colorScheme: 'dark' });
  const place = await here.prisma.location.findUniqueOrThrow({ where: { slug: 'cafe-sued' } });
  const ben = await here.prisma.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
  await page.goto(panel(`/bookings?day=${findOpenDay()}`));
  await board(page)
    .getByRole('button', { name: /Map review/ })
    .waitFor();
  await shot(page, 'dark-day');
  await page.getByRole('button', { name: 'New booking' }).click();
  const dialog = newBooking(page);
  await dialog.getByRole('combobox', { name: 'Resource' }).click();
  await page.getByRole('option', { name: 'Blue room' }).click();
  await dialog.getByLabel('From').fill('13:00');
  await dialog.getByLabel('To').fill('15:00');
  await dialog.getByText(/Blue room is booked/).waitFor();
  await shot(page, 'dark-new-booking');
  for (const [path, name] of [
    [`/spaces/${place.id}`, 'Café Süd'],
    [`/members/${ben.id}`, 'Ben Okafor'],
    ['/plans', 'Plans'],
  ] as const) {
    await page.goto(panel(path));
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
    await shot(page, `dark-${name.split(' ')[0]?.toLowerCase()}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
