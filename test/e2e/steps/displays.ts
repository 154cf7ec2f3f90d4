import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Stage } from '../stage.ts';

/** The state URL of the display. */
let address = '';

export async function firstLocation({ page, panel, shot }: Stage) {
  await page.goto(panel('/displays'));
  await page.getByRole('heading', { name: 'Add a location first' }).waitFor();
  await shot(page, 'no-location');
  await page.getByRole('button', { name: 'Add a location' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a location' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Café Süd');
  assert.equal(await dialog.getByLabel('Short name').inputValue(), 'cafe-sued');
  await dialog.getByLabel('Time zone').fill('berl');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  await shot(page, 'add-location');
  await dialog.getByRole('button', { name: 'Add location' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('heading', { name: 'No displays yet' }).waitFor();
}

export async function create({ page, shot, here }: Stage) {
  await page.getByRole('button', { name: 'Add a display' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a display' });
  await dialog.getByRole('button', { name: 'Add display' }).click();
  await dialog.getByText('Enter a name').waitFor();
  await dialog.getByLabel('Name').fill('Kitchen door');
  assert.equal(await dialog.getByRole('combobox', { name: 'Location' }).inputValue(), 'Café Süd');
  await dialog.getByText('Add a room first').waitFor();
  await shot(page, 'add-display');

  await dialog.getByRole('button', { name: 'Add a room' }).click();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Blue room');
  await shot(page, 'add-room');
  await dialog.getByRole('button', { name: 'Add to Café Süd' }).click();
  await dialog.getByRole('button', { name: 'Add display' }).waitFor();
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Kitchen door');
  await dialog.locator('input[value="Blue room"]').waitFor(); // once the rooms are loaded again
  await dialog.getByRole('button', { name: 'Add display' }).click();

  await page.getByRole('dialog', { name: 'Kitchen door is ready' }).waitFor();
  await shot(page, 'device-token');
  address = await takeAddress(page, 'Kitchen door is ready');
  assert.match(address, new RegExp(`^${here.url}/displays/state/foyerd_`));
  await page.getByRole('row', { name: /Kitchen door.*Offline.*Never/ }).waitFor();
  const { status } = await fetch(address);
  assert.equal(status, 200);
}

export async function comesOnline({ page, shot }: Stage) {
  const row = page.getByRole('row', { name: /Kitchen door.*Online.*just now/ });
  await row.waitFor({ timeout: 25_000 });
  await shot(page, 'online');
}

export async function rotate({ page, shot }: Stage) {
  await page.getByRole('button', { name: 'Details of Kitchen door' }).click();
  await page.getByRole('button', { name: 'Rotate token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate token' });
  assert(await dialog.getByRole('radio', { name: 'In an hour' }).isChecked());
  await shot(page, 'rotate-display');
  await dialog.getByRole('button', { name: 'Rotate token' }).click();
  const successor = await takeAddress(page, 'New token for Kitchen door');
  assert.notEqual(successor, address);
  for (const one of [address, successor]) assert.equal((await fetch(one)).status, 200);
}

async function takeAddress(page: Page, title: string): Promise<string> {
  const secret = page.getByRole('dialog', { name: title });
  const address = await secret.getByLabel('State URL', { exact: true }).inputValue();
  await secret.getByRole('button', { name: 'Copy: State URL' }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
  await secret.getByRole('button', { name: 'Done' }).click();
  await secret.waitFor({ state: 'hidden' });
  return address;
}

export async function statuses({ page, shot, here }: Stage) {
  const { id: locationId } = await here.prisma.location.findFirstOrThrow();
  const others = [
    { name: 'Entrance', kind: 'welcome', secondsAgo: 200 },
    { name: 'Foyer, next to the stairs', kind: 'event_board', secondsAgo: 3 * 3600 },
    { name: 'Old screen', kind: 'event_board', secondsAgo: 40 * 86_400, isRevoked: true },
  ] as const;
  for (const [index, { name, kind, secondsAgo, ...rest }] of others.entries()) {
    const lastSeenAt = new Date(Date.now() - secondsAgo * 1000);
    const tokenHash = new Uint8Array(32).fill(index);
    const revokedAt = 'isRevoked' in rest ? new Date() : null;
    const { id: displayId } = await here.prisma.display.create({
      data: { name, kind, locationId, revokedAt, tokenHash, tokenPrefix: 'foyerd_other' },
    });
    await here.prisma.displayHeartbeat.update({ where: { displayId }, data: { lastSeenAt } });
  }
  await here.prisma.location.create({ data: { name: 'North', slug: 'north', timeZone: 'UTC' } });
  await page.reload();
  await page.getByRole('row', { name: /Entrance.*Stale.*3 minutes ago/ }).waitFor();
  await page.getByRole('row', { name: /stairs.*Offline.*3 hours ago/ }).waitFor();
  await page.getByRole('row', { name: /Old screen.*Revoked.*1 month ago/ }).waitFor();

  await page.getByRole('combobox', { name: 'Location' }).click();
  await page.getByRole('option', { name: 'North' }).click();
  await page.getByRole('heading', { name: 'No displays at this location' }).waitFor();
  await page.getByRole('combobox', { name: 'Location' }).click();
  await page.getByRole('option', { name: 'All locations' }).click();

  await page.getByRole('button', { name: 'Revoke Entrance' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke display?' });
  await shot(page, 'revoke-display');
  await dialog.getByRole('button', { name: 'Revoke display' }).click();
  await page.getByRole('row', { name: /Entrance.*Revoked/ }).waitFor();
  await shot(page, 'displays');
}
