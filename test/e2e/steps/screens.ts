import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createAnnouncement } from '../../../src/features/displays/announcements/service.ts';
import { createDisplay } from '../../../src/features/displays/service/manage-displays.ts';
import type { Stage } from '../stage.ts';
import { book, createMoreEvents, getLighthouse, LINUS, openPanel, PLACE } from './lighthouse.ts';
import { assertFits } from './narrow.ts';

const TV = { width: 1920, height: 1080 };
const SEVEN_INCH = { width: 1024, height: 600 };
const TABLET = { width: 1024, height: 768 };
const SMALL = { width: 360, height: 640 };
const PHONE = { width: 360, height: 740 };

let wall: Page;

/** Screens poll as soon as the network comes back. */
const pollNow = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('online')));

const codeOn = async (page: Page) => {
  const code = page.getByRole('img', { name: /^Pairing code/ });
  await code.waitFor();
  return ((await code.textContent()) ?? '').trim();
};

export async function pair(stage: Stage) {
  const { newPage, here, shot } = stage;
  await getLighthouse(here);
  wall = await newPage({ viewport: TV });
  await wall.clock.install();
  await wall.goto(`${here.url}/display`);
  const first = await codeOn(wall);
  assert.match(first, /^[A-Z]{8}$/);
  await wall.getByText(/Expires in \d+:\d\d/).waitFor();
  await shot(wall, 'screen-pairing');

  // An expired code is replaced by a new one.
  const expired = { success: true, data: { status: 'expired' } };
  await wall.route('**/displays/pairings/*', (route) => route.fulfill({ json: expired }), {
    times: 1,
  });
  await wall
    .getByRole('img')
    .filter({ hasText: first })
    .waitFor({ state: 'detached', timeout: 20_000 });
  const code = await codeOn(wall);
  assert.notEqual(code, first);

  const page = await openPanel(stage, '/displays');
  await page.getByRole('button', { name: 'Pair a screen' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Pair a screen' });
  await dialog.getByRole('button', { name: 'Pair screen' }).click();
  await dialog.getByText('Enter a name').waitFor();
  // All missing fields are reported at once, and the code gets the focus.
  await dialog.getByText('Enter the code shown on the screen').waitFor();
  const field = dialog.getByLabel('Pairing code');
  assert(await field.evaluate((element) => element === document.activeElement));
  await shot(page, 'pair-screen-missing');
  await dialog.getByLabel('Name').fill('Map room door');
  await dialog.getByRole('combobox', { name: 'Location' }).fill(PLACE);
  await page.getByRole('option', { name: PLACE }).click();
  await dialog.getByRole('combobox', { name: 'Room' }).click();
  await page.getByRole('option', { name: 'Map room' }).click();
  await dialog.getByLabel('Pairing code').fill('bbbb bbbb');
  await dialog.getByRole('button', { name: 'Pair screen' }).click();
  await dialog.getByRole('alert').waitFor();
  await shot(page, 'pair-screen');
  await dialog
    .getByLabel('Pairing code')
    .fill(`${code.slice(0, 4)} ${code.slice(4)}`.toLowerCase());
  await dialog.getByRole('button', { name: 'Pair screen' }).click();
  await page.getByText('Map room door paired.').waitFor();
  await wall.getByText('Busy', { exact: true }).waitFor({ timeout: 20_000 });
}

export async function follow({ here, shot }: Stage) {
  await wall.getByRole('heading', { name: 'Map room' }).waitFor();
  await wall.getByText('Chart review').first().waitFor();
  await wall.getByText('Grace H.').first().waitFor();
  await book(here, 'Map room', 'Tide tables', 60, 90, LINUS.email);
  await pollNow(wall);
  await wall.getByText(/Next: .*Tide tables, Linus P\./).waitFor();
  // An unchanged state is not sent again.
  const unchanged = wall.waitForResponse(
    (response) => response.url().includes('/displays/state') && response.status() === 304,
  );
  await pollNow(wall);
  await unchanged;
  await shot(wall, 'room-busy-tv');
  for (const [name, size] of [
    ['7-inch', SEVEN_INCH],
    ['tablet', TABLET],
    ['phone', PHONE],
  ] as const) {
    await wall.setViewportSize(size);
    await shot(wall, `room-busy-${name}`);
  }
  await assertFits(wall);
  await wall.setViewportSize(TV);
}

export async function cutOff({ shot, watch }: Stage) {
  await watch.expecting(/ERR_INTERNET_DISCONNECTED/, async () => {
    await wall.context().setOffline(true);
    await pollNow(wall);
    await wall.getByText(/^Offline since/).waitFor();
    await wall.getByText('Busy', { exact: true }).waitFor();
    // Offline, the screen uses its own clock.
    await wall.clock.fastForward('47:00');
    await wall.getByText('Free', { exact: true }).waitFor();
    await shot(wall, 'room-free-offline');
    await wall.emulateMedia({ colorScheme: 'dark' });
    await shot(wall, 'room-free-dark');
    // The screen is restarted.
    await wall.reload();
    await wall.getByText('Free', { exact: true }).waitFor();
    await wall.getByText(/^Offline since/).waitFor();
    await wall.emulateMedia({ colorScheme: 'light' });
    await wall.clock.fastForward('15:00');
    await wall.getByText('Busy', { exact: true }).waitFor();
    await wall.getByText('Tide tables').first().waitFor();
    // The saved state covers one day.
    await wall.clock.fastForward('24:00:00');
    await wall.getByText('No update for more than a day').waitFor();
    await shot(wall, 'room-not-known');
    await wall.context().setOffline(false);
    await pollNow(wall);
    await wall.getByText(/^Offline since/).waitFor({ state: 'detached' });
  });
  // The clock of the service decides, and there it is still today.
  await pollNow(wall);
  await wall.getByText('Chart review').first().waitFor({ timeout: 20_000 });
}

export async function details(stage: Stage) {
  const { shot } = stage;
  const page = await openPanel(stage, '/displays');
  await page.getByRole('button', { name: 'Details of Map room door' }).click();
  const dialog = page.getByRole('dialog', { name: 'Map room door' });
  await dialog.getByText('foyer-web-1').waitFor();
  await dialog.getByText('Online', { exact: true }).waitFor();
  await dialog
    .getByText(/offline to online/)
    .first()
    .waitFor();
  await shot(page, 'display-details');
  await dialog.getByRole('button', { name: 'Edit' }).click();
  const change = page.getByRole('dialog', { name: 'Edit Map room door' });
  await change.getByLabel('Name').fill('Attic door');
  await change.getByRole('combobox', { name: 'Room' }).click();
  await page.getByRole('option', { name: 'Attic' }).click();
  await change.getByRole('button', { name: 'Save display' }).click();
  await page.getByText('Attic door saved.').waitFor();
  await pollNow(wall);
  await wall.getByRole('heading', { name: 'Attic' }).waitFor();
  await wall.getByText('today', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Details of Attic door' }).click();
  await page.getByRole('button', { name: 'Rotate token' }).click();
  const rotation = page.getByRole('dialog', { name: 'Rotate token' });
  await rotation.getByLabel('Immediately').check({ force: true });
  await rotation.getByRole('button', { name: 'Rotate token' }).click();
  const secret = page.getByRole('dialog', { name: 'New token for Attic door' });
  const address = await secret.getByLabel('Browser URL', { exact: true }).inputValue();
  assert.match(address, /\/display#foyerd_/);
  await secret.getByRole('button', { name: 'Copy: Browser URL' }).click();
  await secret.getByRole('button', { name: 'Done' }).click();
  await stage.watch.expecting(/401/, async () => {
    await pollNow(wall);
    await wall.getByText('This screen was removed in the admin panel').waitFor();
  });
  await wall.goto('about:blank');
  await wall.goto(address);
  await wall.getByRole('heading', { name: 'Attic' }).waitFor();
  assert.equal(new URL(wall.url()).hash, '', 'the token must be removed from the URL');
}

export async function replace(stage: Stage) {
  const { newPage, here, shot, watch } = stage;
  const spare = await newPage({ viewport: SEVEN_INCH });
  await spare.goto(`${here.url}/display`);
  const code = await codeOn(spare);
  await shot(spare, 'screen-pairing-7-inch');
  await spare.setViewportSize(PHONE);
  await shot(spare, 'screen-pairing-phone');
  await assertFits(spare);

  const page = await openPanel(stage, '/displays');
  await page.getByRole('button', { name: 'Details of Attic door' }).click();
  await page.getByRole('button', { name: 'Replace screen' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replace screen' });
  await dialog.getByLabel('Pairing code').fill(code);
  await dialog.getByRole('button', { name: 'Replace screen' }).click();
  await page.getByText('The new screen now shows Attic door.').waitFor();
  await spare.getByRole('heading', { name: 'Attic' }).waitFor({ timeout: 20_000 });
  await watch.expecting(/401/, async () => {
    await pollNow(wall);
    await codeOn(wall);
  });
  await shot(wall, 'screen-taken-off');
  await wall.context().close();

  await page.getByRole('button', { name: 'Revoke Attic door' }).click();
  await page.getByRole('button', { name: 'Revoke display' }).click();
  await page.getByText('Attic door revoked.').waitFor();
  await watch.expecting(/401/, async () => {
    await pollNow(spare);
    await spare.getByText('This screen was removed in the admin panel').waitFor();
  });
  await spare.context().close();
}

export async function announcements(stage: Stage) {
  const { shot } = stage;
  const page = await openPanel(stage, '/displays');
  await page.getByRole('button', { name: 'Add an announcement' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an announcement' });
  await dialog.getByRole('button', { name: 'Save announcement' }).click();
  await dialog.getByText('Enter a title').waitFor();
  await dialog.getByLabel('Title').fill('Soup at noon');
  await dialog.getByLabel('Details (optional)').fill('Lentils, in the kitchen. Bring a bowl.');
  await dialog.getByRole('combobox', { name: 'Location' }).click();
  await page.getByRole('option', { name: PLACE }).click();
  await dialog.getByText(/the location’s time zone/).waitFor();
  await shot(page, 'announcement');
  await dialog.getByRole('button', { name: 'Save announcement' }).click();
  await page.getByRole('row', { name: /Soup at noon.*Live.*no end.*Lighthouse/ }).waitFor();

  await page.getByRole('button', { name: 'Add an announcement' }).click();
  await dialog.getByLabel('Title').fill('Elevator out of order');
  await dialog.getByLabel('From (optional)').fill('2031-01-05T09:00');
  await dialog.getByLabel('Until (optional)').fill('2031-01-05T08:00');
  await dialog.getByRole('button', { name: 'Save announcement' }).click();
  await dialog.getByText('Enter an end after the start').waitFor();
  await dialog.getByLabel('Until (optional)').fill('2031-01-05T18:00');
  await dialog.getByRole('button', { name: 'Save announcement' }).click();
  await page
    .getByRole('row', { name: /Elevator out of order.*Scheduled.*All locations/ })
    .waitFor();
  await shot(page, 'displays-and-announcements');

  await page.getByRole('button', { name: 'Edit Elevator out of order' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit announcement' });
  assert.equal(await edit.getByLabel('From').inputValue(), '2031-01-05T09:00');
  await edit.getByLabel('Until (optional)').fill('');
  await edit.getByRole('button', { name: 'Save announcement' }).click();
  await page.getByRole('row', { name: /Elevator out of order.*no end/ }).waitFor();
  await page.getByRole('button', { name: 'Delete Elevator out of order' }).click();
  await page.getByRole('button', { name: 'Delete announcement' }).click();
  await page.getByRole('row', { name: /Elevator out of order/ }).waitFor({ state: 'detached' });
}

export async function layout({ newPage, here, shot }: Stage) {
  const { id: locationId } = await getLighthouse(here);
  await createMoreEvents(here, locationId);
  for (let hour = 1; hour < 14; hour += 1) {
    await book(here, 'Attic', `Shift ${hour}`, 60 * hour, 60 * hour + 50, LINUS.email);
  }
  const body =
    'This takes until noon. Please use the stairs, and ask the front desk to carry heavy things.';
  for (const title of ['Elevator out of order', 'New printer', 'Window cleaning']) {
    await createAnnouncement(here.ctx, { title, body });
  }
  const sizes = { tv: TV, tablet: TABLET, '7-inch': SEVEN_INCH, small: SMALL, phone: PHONE };
  for (const [kind, sign] of [
    ['event_board', 'Evening talk'],
    ['welcome', 'Welcome to'],
  ] as const) {
    const { deviceToken } = await createDisplay(here.ctx, { name: kind, kind, locationId });
    const page = await newPage({ viewport: TV });
    await page.clock.install();
    await page.goto(`${here.url}/display#${deviceToken}`);
    await page.getByText(sign).first().waitFor();
    await page.getByText('Window cleaning').waitFor();
    for (const [name, size] of Object.entries(sizes)) {
      await page.setViewportSize(size);
      await shot(page, `${kind}-${name}`);
    }
    await assertFits(page);
    if (kind === 'welcome') await turnsItsPages(page);
    await page.setViewportSize({ width: 1080, height: 1920 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await shot(page, `${kind}-upright-dark`);
    await page.context().close();
  }
}

/** Checks that even a small screen shows every entry in turn. */
async function turnsItsPages(page: Page) {
  await page.setViewportSize(SMALL);
  const guests = page.getByRole('list', { name: 'Guests' }).getByRole('listitem');
  await guests.first().waitFor();
  for (const title of ['Window cleaning', 'New printer', 'Elevator out of order', 'Soup at noon']) {
    for (let turn = 0; turn < 4 && !(await page.getByText(title).isVisible()); turn += 1) {
      await page.clock.fastForward(10_000);
      await page.waitForTimeout(200);
    }
    await page.getByText(title).waitFor();
  }
  await page.getByText(/4 of 4$/).waitFor();
}
