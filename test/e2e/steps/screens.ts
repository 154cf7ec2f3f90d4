import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createAnnouncement } from '../../../src/features/displays/announcements/service.ts';
import { createDisplay } from '../../../src/features/displays/service.ts';
import type { Stage } from '../stage.ts';
import { book, LINUS, lighthouse, moreEvents, openPanel, PLACE } from './door-place.ts';
import { assertFits } from './narrow.ts';

const TV = { width: 1920, height: 1080 };
const SEVEN_INCH = { width: 1024, height: 600 };
const TABLET = { width: 1024, height: 768 };
const SMALL = { width: 360, height: 640 };
const PHONE = { width: 360, height: 740 };

let wall: Page;

/** Screens ask again as soon as the network comes back. */
const askNow = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('online')));

const codeOn = async (page: Page) => {
  const code = page.getByRole('img', { name: /^Pairing code/ });
  await code.waitFor();
  return ((await code.textContent()) ?? '').trim();
};

export async function pair(stage: Stage) {
  const { newPage, here, shot } = stage;
  await lighthouse(here);
  wall = await newPage({ viewport: TV });
  await wall.clock.install();
  await wall.goto(`${here.url}/display`);
  const first = await codeOn(wall);
  assert.match(first, /^[A-Z]{8}$/);
  await wall.getByText(/Expires in \d+:\d\d/).waitFor();
  await shot(wall, 'screen-pairing');

  // Codes that ran out make room for fresh ones.
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
  await dialog.getByText('Give it a name').waitFor();
  // Everything that is missing is said at once, and the code comes first.
  await dialog.getByText('Type the code that the screen shows').waitFor();
  const field = dialog.getByLabel('Code on the screen');
  assert(await field.evaluate((element) => element === document.activeElement));
  await shot(page, 'pair-screen-missing');
  await dialog.getByLabel('Name').fill('Map room door');
  await dialog.getByRole('combobox', { name: 'Location' }).fill(PLACE);
  await page.getByRole('option', { name: PLACE }).click();
  await dialog.getByRole('combobox', { name: 'Room' }).click();
  await page.getByRole('option', { name: 'Map room' }).click();
  await dialog.getByLabel('Code on the screen').fill('bbbb bbbb');
  await dialog.getByRole('button', { name: 'Pair screen' }).click();
  await dialog.getByRole('alert').waitFor();
  await shot(page, 'pair-screen');
  await dialog
    .getByLabel('Code on the screen')
    .fill(`${code.slice(0, 4)} ${code.slice(4)}`.toLowerCase());
  await dialog.getByRole('button', { name: 'Pair screen' }).click();
  await page.getByText('Map room door is paired').waitFor();
  await wall.getByText('Busy', { exact: true }).waitFor({ timeout: 20_000 });
}

export async function follow({ here, shot }: Stage) {
  await wall.getByRole('heading', { name: 'Map room' }).waitFor();
  await wall.getByText('Chart review').first().waitFor();
  await wall.getByText('Grace H.').first().waitFor();
  await book(here, 'Map room', 'Tide tables', 60, 90, LINUS.email);
  await askNow(wall);
  await wall.getByText(/Next: .*Tide tables, Linus P\./).waitFor();
  // What did not change is not sent again.
  const unchanged = wall.waitForResponse(
    (response) => response.url().includes('/displays/state/') && response.status() === 304,
  );
  await askNow(wall);
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
    await askNow(wall);
    await wall.getByText(/^Offline since/).waitFor();
    await wall.getByText('Busy', { exact: true }).waitFor();
    // By its own clock: what is on ends, and the next begins.
    await wall.clock.fastForward('47:00');
    await wall.getByText('Free', { exact: true }).waitFor();
    await shot(wall, 'room-free-offline');
    await wall.emulateMedia({ colorScheme: 'dark' });
    await shot(wall, 'room-free-dark');
    // Switched off and on.
    await wall.reload();
    await wall.getByText('Free', { exact: true }).waitFor();
    await wall.getByText(/^Offline since/).waitFor();
    await wall.emulateMedia({ colorScheme: 'light' });
    await wall.clock.fastForward('15:00');
    await wall.getByText('Busy', { exact: true }).waitFor();
    await wall.getByText('Tide tables').first().waitFor();
    // What is known reaches a day ahead, and no further.
    await wall.clock.fastForward('24:00:00');
    await wall.getByText('No update for more than a day').waitFor();
    await shot(wall, 'room-not-known');
    await wall.context().setOffline(false);
    await askNow(wall);
    await wall.getByText(/^Offline since/).waitFor({ state: 'detached' });
  });
  // The service's clock counts, and it says that it is still today.
  await askNow(wall);
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
  await dialog.getByRole('button', { name: 'Change' }).click();
  const change = page.getByRole('dialog', { name: 'Change Map room door' });
  await change.getByLabel('Name').fill('Attic door');
  await change.getByRole('combobox', { name: 'Room' }).click();
  await page.getByRole('option', { name: 'Attic' }).click();
  await change.getByRole('button', { name: 'Save display' }).click();
  await page.getByText('Attic door is saved').waitFor();
  await askNow(wall);
  await wall.getByRole('heading', { name: 'Attic' }).waitFor();
  await wall.getByText('today', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Details of Attic door' }).click();
  await page.getByRole('button', { name: 'New token' }).click();
  await page
    .getByRole('dialog', { name: 'A new token' })
    .getByLabel('At once')
    .check({ force: true });
  await page.getByRole('button', { name: 'Make a new token' }).click();
  const secret = page.getByRole('dialog', { name: 'New token for Attic door' });
  const address = await secret.getByLabel('Address for a browser', { exact: true }).inputValue();
  assert.match(address, /\/display#foyerd_/);
  await secret.getByRole('button', { name: 'Copy: Address for a browser' }).click();
  await secret.getByRole('button', { name: 'Done' }).click();
  await stage.watch.expecting(/401/, async () => {
    await askNow(wall);
    await wall.getByText('This screen was removed in the admin panel').waitFor();
  });
  await wall.goto('about:blank');
  await wall.goto(address);
  await wall.getByRole('heading', { name: 'Attic' }).waitFor();
  assert.equal(new URL(wall.url()).hash, '', 'the token does not stay in the address');
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
  await page.getByRole('button', { name: 'Replace the screen' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replace the screen' });
  await dialog.getByLabel('Code on the screen').fill(code);
  await dialog.getByRole('button', { name: 'Replace the screen' }).click();
  await page.getByText('The new screen takes the place of Attic door').waitFor();
  await spare.getByRole('heading', { name: 'Attic' }).waitFor({ timeout: 20_000 });
  await watch.expecting(/401/, async () => {
    await askNow(wall);
    await codeOn(wall);
  });
  await shot(wall, 'screen-taken-off');
  await wall.context().close();

  await page.getByRole('button', { name: 'Revoke Attic door' }).click();
  await page.getByRole('button', { name: 'Revoke display' }).click();
  await page.getByText('Attic door is revoked').waitFor();
  await watch.expecting(/401/, async () => {
    await askNow(spare);
    await spare.getByText('This screen was removed in the admin panel').waitFor();
  });
  await spare.context().close();
}

export async function announcements(stage: Stage) {
  const { shot } = stage;
  const page = await openPanel(stage, '/displays');
  await page.getByRole('button', { name: 'Write an announcement' }).click();
  const dialog = page.getByRole('dialog', { name: 'Write an announcement' });
  await dialog.getByRole('button', { name: 'Save announcement' }).click();
  await dialog.getByText('Say what it is about').waitFor();
  await dialog.getByLabel('Title').fill('Soup at noon');
  await dialog.getByLabel('More').fill('Lentils, in the kitchen. Bring a bowl.');
  await dialog.getByRole('combobox', { name: 'Shown at' }).click();
  await page.getByRole('option', { name: PLACE }).click();
  await dialog.getByText(/time, by the clocks of the location/).waitFor();
  await shot(page, 'announcement');
  await dialog.getByRole('button', { name: 'Save announcement' }).click();
  await page
    .getByRole('row', { name: /Soup at noon.*Shown.*until it is deleted.*Lighthouse/ })
    .waitFor();

  await page.getByRole('button', { name: 'Write an announcement' }).click();
  await dialog.getByLabel('Title').fill('The lift rests');
  await dialog.getByLabel('From (optional)').fill('2031-01-05T09:00');
  await dialog.getByLabel('Until (optional)').fill('2031-01-05T08:00');
  await dialog.getByRole('button', { name: 'Save announcement' }).click();
  await dialog.getByText('Later than the beginning').waitFor();
  await dialog.getByLabel('Until (optional)').fill('2031-01-05T18:00');
  await dialog.getByRole('button', { name: 'Save announcement' }).click();
  await page.getByRole('row', { name: /The lift rests.*To come.*Everywhere/ }).waitFor();
  await shot(page, 'displays-and-announcements');

  await page.getByRole('button', { name: 'Edit The lift rests' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the announcement' });
  assert.equal(await edit.getByLabel('From').inputValue(), '2031-01-05T09:00');
  await edit.getByLabel('Until (optional)').fill('');
  await edit.getByRole('button', { name: 'Save announcement' }).click();
  await page.getByRole('row', { name: /The lift rests.*until it is deleted/ }).waitFor();
  await page.getByRole('button', { name: 'Delete The lift rests' }).click();
  await page.getByRole('button', { name: 'Delete announcement' }).click();
  await page.getByRole('row', { name: /The lift rests/ }).waitFor({ state: 'detached' });
}

export async function looks({ newPage, here, shot }: Stage) {
  const { id: locationId } = await lighthouse(here);
  await moreEvents(here, locationId);
  for (let hour = 1; hour < 14; hour += 1) {
    await book(here, 'Attic', `Shift ${hour}`, 60 * hour, 60 * hour + 50, LINUS.email);
  }
  const body =
    'It comes back at noon. Until then the stairs lead up, and the porter carries what is heavy.';
  for (const title of ['The lift rests', 'New printer', 'Windows are cleaned']) {
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
    await page.getByText('Windows are cleaned').waitFor();
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

/** However small the wall, everybody and everything has a turn. */
async function turnsItsPages(page: Page) {
  await page.setViewportSize(SMALL);
  const guests = page.getByRole('list', { name: 'Guests' }).getByRole('listitem');
  await guests.first().waitFor();
  for (const title of ['Windows are cleaned', 'New printer', 'The lift rests', 'Soup at noon']) {
    for (let turn = 0; turn < 4 && !(await page.getByText(title).isVisible()); turn += 1) {
      await page.clock.fastForward(10_000);
      await page.waitForTimeout(200);
    }
    await page.getByText(title).waitFor();
  }
  await page.getByText(/4 of 4$/).waitFor();
}
