import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { revokeDisplay } from '../../../src/features/displays/service/manage-displays.ts';
import { createLocation } from '../../../src/features/spaces/service/locations.ts';
import type { Stage } from '../stage.ts';
import { createKioskActions } from './kiosk-actions.ts';
import { GRACE, getLighthouse, openPanel } from './lighthouse.ts';
import { assertFits } from './narrow.ts';

const TABLET = { width: 1024, height: 768 };
const ONLY_CODES = 'Your code';

let tablet: Page;
const { field, button, enter, said, done } = createKioskActions(() => tablet);
const pairLink = () => tablet.getByRole('link', { name: 'Pair this kiosk' });
const staffMenu = () => tablet.getByRole('button', { name: /^For the front desk/ });

/** Makes the device poll at once, as it does when the network comes back. */
const pollNow = () => tablet.evaluate(() => window.dispatchEvent(new Event('online')));

export async function pair(stage: Stage) {
  const { here, newPage, shot } = stage;
  await getLighthouse(here);
  const { id } = await createLocation(here.ctx, {
    ...{ name: 'Quay', slug: 'quay', timeZone: 'Europe/Berlin', memberAdmission: 'all' },
  });
  const panel = await openPanel(stage, `/spaces/${id}`);
  await panel.getByRole('button', { name: 'Edit details' }).click();
  const details = panel.getByRole('dialog', { name: 'Edit Quay' });
  const access = 'Who can check people in by name or email address';
  await details.getByText(/Anyone on the internet can find out/).waitFor();
  await details.getByRole('combobox', { name: access }).click();
  await panel.getByRole('option', { name: 'Paired kiosks and staff' }).click();
  await shot(panel, 'location-needs-kiosk');
  await details.getByRole('button', { name: 'Save location' }).click();
  await panel.getByText('Finds members by name, if paired').waitFor();

  tablet = await newPage({ viewport: TABLET });
  await tablet.goto(`${here.url}/kiosk/quay`);
  await tablet.getByLabel(ONLY_CODES).fill('Grace');
  await tablet.getByLabel(ONLY_CODES).press('Enter');
  await tablet.getByText('This kiosk only takes codes').waitFor();
  await shot(tablet, 'kiosk-unpaired');
  await pairLink().click();
  const code = tablet.getByRole('img', { name: /^Pairing code/ });
  await code.waitFor();
  await shot(tablet, 'kiosk-pairing');
  // The link back works.
  await tablet.getByRole('link', { name: 'Back to the kiosk' }).click();
  await pairLink().click();
  await code.waitFor();

  await openPanel(stage, '/displays');
  await panel.getByRole('button', { name: 'Pair a screen' }).first().click();
  const claim = panel.getByRole('dialog', { name: 'Pair a screen' });
  await claim.getByLabel('Pairing code').fill((await code.textContent()) ?? '');
  await claim.getByLabel('Name').fill('Quay entrance');
  await claim.getByLabel('Check-in kiosk').check({ force: true });
  await claim.getByRole('combobox', { name: 'Location' }).fill('Quay');
  await panel.getByRole('option', { name: 'Quay' }).click();
  await shot(panel, 'pair-kiosk');
  await claim.getByRole('button', { name: 'Pair screen' }).click();
  await panel.getByText('Quay entrance paired').waitFor();

  await field().waitFor({ timeout: 20_000 });
  assert.equal(new URL(tablet.url()).pathname.endsWith(`/kiosk/${id}`), true);
  await pairLink().waitFor({ state: 'detached' });
  await shot(tablet, 'kiosk-paired');
}

export async function byName(stage: Stage) {
  const { prisma } = stage.here;
  await enter('grace');
  await said('Is this you?');
  await button(/Grace H\./).click();
  await said('Welcome, Grace!');
  await done();
  const kiosk = await prisma.display.findFirstOrThrow({ where: { name: 'Quay entrance' } });
  const arrival = await prisma.checkIn.findFirstOrThrow({
    where: { locationId: kiosk.locationId, result: 'admitted' },
  });
  assert.equal(arrival.actor, `kiosk:${kiosk.id}`);
  const panel = await openPanel(stage, '/displays');
  await panel.getByRole('button', { name: 'Details of Quay entrance' }).click();
  const details = panel.getByRole('dialog', { name: 'Quay entrance' });
  await details.getByText('Online', { exact: true }).waitFor();
  await details.getByText('foyer-web-1').waitFor();
}

/** Changes the time of the last saved scan to two days ago. */
const ageLastScan = () =>
  tablet.evaluate(() => {
    const key = Object.keys(localStorage).find((one) => one.startsWith('foyer kiosk-queue'));
    const queue = JSON.parse(localStorage.getItem(String(key)) ?? '[]');
    queue.at(-1).occurredAt = new Date(Date.now() - 2 * 86_400_000).toISOString();
    localStorage.setItem(String(key), JSON.stringify(queue));
  });

export async function rejectedLater({ watch, shot }: Stage) {
  await watch.expecting(/ERR_INTERNET_DISCONNECTED/, async () => {
    await tablet.context().setOffline(true);
    await tablet.reload(); // restarts the kiosk
    await enter('bcdf ghjk mnpq');
    await said('Saved. Please go in');
    await done();
    // The first one is accepted, since she is already checked in. The second one is too old.
    for (const _ of [1, 2]) {
      await enter(GRACE.code);
      await said('Saved. Please go in');
      await done();
    }
    await ageLastScan();
    await tablet.context().setOffline(false);
    await pollNow();
  });
  await tablet.getByRole('button', { name: /2 rejected offline scans/ }).waitFor();
  await tablet.reload();
  await button('I’m visiting someone').click();
  await said('Who are you visiting?');
  assert.equal(await staffMenu().count(), 0);
  await button('Back').click();
  await staffMenu().click();
  const list = tablet.getByRole('list', { name: 'Rejected offline scans' });
  await list.getByText('Unknown code').waitFor();
  await list.getByText('Not recorded, shown only here').waitFor();
  await list.getByText('more than 24 hours ago').waitFor();
  await shot(tablet, 'kiosk-rejected-later');
  await button('Clear the list').click();
  await shot(tablet, 'kiosk-rejected-clear');
  await button('Keep list').click();
  await button('Clear the list').click();
  await button('Clear list').click();
  await staffMenu().waitFor({ state: 'detached' });
}

export async function revoked({ here, watch, shot }: Stage) {
  const { id } = await here.prisma.display.findFirstOrThrow({ where: { name: 'Quay entrance' } });
  await revokeDisplay(here.ctx, id);
  await watch.expecting(/401/, async () => {
    await pollNow();
    await tablet.getByText('No longer paired.').waitFor();
  });
  await tablet.getByLabel(ONLY_CODES).fill(GRACE.email);
  await tablet.getByLabel(ONLY_CODES).press('Enter');
  await tablet.getByText('This kiosk only takes codes').waitFor();
  await pairLink().waitFor();
  await tablet.setViewportSize({ width: 360, height: 740 });
  await shot(tablet, 'kiosk-not-paired-any-more');
  await assertFits(tablet);
  await tablet.context().close();
}
