import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { OWNER } from '../service.ts';
import type { Stage } from '../stage.ts';
import { board } from '../steps/booking-locators.ts';
import { getLighthouse, openPanel, PLACE } from '../steps/lighthouse.ts';
import { toDateInBerlin } from '../steps/member-fixtures.ts';
import { getHarbour } from './harbour.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** From the setup code to a panel with a location and desks. */
export async function setUp({ newPage, here }: Stage, setupLink: string) {
  const page = await newPage();
  await page.goto(setupLink);
  await page.getByLabel('Name of the space').fill('Harbour & Sons');
  await page.getByLabel('Your name').fill('Ada Adler');
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.keyboard.press('Enter');
  await heading(page, 'Your first location').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Pier House');
  await page.keyboard.press('Enter');
  await button(page, 'Save hours').click();
  await page.getByLabel('Desks', { exact: true }).fill('3');
  await page.getByRole('group', { name: 'Desks to add' }).getByLabel('Price per hour').fill('2.50');
  await button(page, 'Add').click();
  for (const step of ['A display', 'A test email', 'An API key']) {
    await heading(page, step).waitFor();
    await page.getByRole('button', { name: 'Skip' }).click();
  }
  await page.getByRole('link', { name: 'Open the panel' }).click();
  await heading(page, 'Bookings').waitFor();
  const desks = { type: 'desk', hourlyAmount: 250 } as const;
  assert.equal(await here.prisma.resource.count({ where: desks }), 3);
  await page.context().close();
}

/** The page that was asked for opens after a wrong password and the right one. */
export async function signIn({ page, panel, signIn }: Stage) {
  await page.goto(panel('/settings/api-keys'));
  await heading(page, 'Sign in').waitFor();
  await signIn(page, { email: 'ada@example.org', password: 'not this one' });
  await page.getByText('The email address or the password is wrong').waitFor();
  await signIn(page);
  await heading(page, 'API keys').waitFor();
}

/** A taken time is refused, and the next free one is offered. */
export async function book(stage: Stage) {
  const { place } = await getHarbour(stage.here);
  const day = toDateInBerlin(2);
  const page = await openPanel(stage, `/bookings?location=${place}&day=${day}`);
  for (const [guest, times] of [
    ['Gina', '10:00 – 12:00'],
    ['Gus', '12:00 – 14:00'],
  ] as const) {
    await button(page, 'New booking').click();
    const dialog = page.getByRole('dialog', { name: /^New booking/ });
    await dialog.getByRole('combobox', { name: 'Resource' }).click();
    await page.getByRole('option', { name: 'Harbour room' }).click();
    await dialog.getByText('For a guest').click();
    await dialog.getByLabel('Guest name').fill(guest);
    await dialog.getByLabel('From').fill('10:00');
    await dialog.getByLabel('To').fill('12:00');
    if (guest === 'Gus') {
      await dialog.getByText(/Harbour room is booked/).waitFor();
      await dialog.getByRole('button', { name: /Select .*12:00 – 14:00/ }).click();
    }
    await dialog.getByText('2 h at €20.00/h').waitFor();
    await dialog.getByRole('button', { name: 'Book', exact: true }).click();
    await board(page)
      .getByRole('button', { name: new RegExp(`${guest} .*${times}`) })
      .waitFor();
  }
}

export async function decline(stage: Stage) {
  const { place, room } = await getHarbour(stage.here);
  const startsAt = new Date(`${toDateInBerlin(3)}T09:00:00Z`);
  const endsAt = new Date(startsAt.getTime() + 3_600_000);
  await stage.here.prisma.booking.create({
    data: {
      ...{ resourceId: room, locationId: place, guestName: 'Trio', status: 'pending' },
      ...{ startsAt, endsAt, occupiedUntil: endsAt },
    },
  });
  const page = await openPanel(stage, '/bookings/requests');
  await page.getByRole('button', { name: 'Decline Harbour room, Trio' }).click();
  const dialog = page.getByRole('dialog', { name: 'Decline this request?' });
  await dialog.getByRole('button', { name: 'Decline booking' }).click();
  await heading(page, 'No requests').waitFor();
}

export async function sellDayPass(stage: Stage) {
  const { id: locationId } = await getLighthouse(stage.here);
  await stage.here.prisma.dayPassType.create({
    data: { locationId, name: 'Day on deck', priceAmount: 1_500 },
  });
  const page = await openPanel(stage, `/front-desk?location=${locationId}`);
  await button(page, 'Sell a day pass').click();
  const dialog = page.getByRole('dialog', { name: 'Sell a day pass' });
  await dialog.getByLabel('Name').fill('Wanda Walk-in');
  await dialog.getByRole('button', { name: 'Sell for €15.00' }).click();
  await page.getByText('Wanda Walk-in is checked in. €15.00 paid: Cash.').waitFor();
}

/** A line with a problem does not keep the others out. */
export async function importMembers(stage: Stage) {
  const page = await openPanel(stage, '/members');
  await button(page, 'Import').click();
  const dialog = page.getByRole('dialog', { name: 'Import members' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'members.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name;Email\nAlá Zielińska;ala@example.org\nCy;cy@\n'),
  });
  await dialog.getByRole('button', { name: 'Check the file' }).click();
  await dialog.getByRole('row', { name: /3 Cy <cy@> Problem/ }).waitFor();
  await dialog.getByRole('button', { name: 'Import the correct line' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByLabel('Search').fill('ala ziel');
  await page.getByRole('link', { name: 'Alá Zielińska' }).waitFor();
}

/** A screen shows a code. Staff enter it, and the screen shows its room. */
export async function pairDisplay(stage: Stage) {
  await getLighthouse(stage.here);
  const screen = await stage.newPage({ viewport: { width: 1920, height: 1080 } });
  await screen.goto(`${stage.here.url}/display`);
  const code = await screen.getByRole('img', { name: /^Pairing code/ }).textContent();
  const page = await openPanel(stage, '/displays');
  await page.getByRole('button', { name: 'Pair a screen' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Pair a screen' });
  await dialog.getByLabel('Name').fill('Map room door');
  await dialog.getByRole('combobox', { name: 'Location' }).fill(PLACE);
  await page.getByRole('option', { name: PLACE }).click();
  await dialog.getByRole('combobox', { name: 'Room' }).click();
  await page.getByRole('option', { name: 'Map room' }).click();
  await dialog.getByLabel('Pairing code').fill(code ?? '');
  await dialog.getByRole('button', { name: 'Pair screen' }).click();
  await screen.getByText('Busy', { exact: true }).waitFor();
  await screen.context().close();
}
