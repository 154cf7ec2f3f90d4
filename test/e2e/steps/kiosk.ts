import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Stage } from '../stage.ts';
import { createKioskActions } from './kiosk-actions.ts';
import { GRACE, getLighthouse, LINUS, openPanel, ticketCodes } from './lighthouse.ts';
import { assertFits } from './narrow.ts';

const TABLET = { width: 1024, height: 768 };

let kiosk: Page;
let desk: Page;

const { field, enter, said, done } = createKioskActions(() => kiosk);
const spaced = (code: string) => code.toLowerCase().replace(/(.{4})(?=.)/g, '$1 ');

async function reopen({ newPage, here }: Stage) {
  await getLighthouse(here);
  if (!kiosk || kiosk.isClosed()) kiosk = await newPage({ viewport: TABLET });
  await kiosk.goto(`${here.url}/kiosk/lighthouse`);
  await field().waitFor();
}

export async function byCode(stage: Stage) {
  const { here, shot } = stage;
  await reopen(stage);
  await shot(kiosk, 'kiosk');
  // Without a live connection, the front desk polls until it has one.
  const isStream = (accept = '') => accept.includes('event-stream');
  await stage.page.route('**/graphql', (route) =>
    isStream(route.request().headers().accept) ? route.abort() : route.fallback(),
  );
  await stage.watch.expecting(/ERR_FAILED/, async () => {
    desk = await openPanel(stage, '/front-desk');
    await desk.getByText('Updates every 15 seconds.').waitFor();
    await desk.waitForTimeout(500);
    await desk.unroute('**/graphql');
    await desk.getByText('Live updates are on.').waitFor();
  });
  await desk.getByText('0 of 20 checked in').waitFor();

  const [code = ''] = await ticketCodes(here);
  await enter(spaced(code));
  await said(/^Welcome, Tom!/);
  await kiosk.getByText('Evening talk').waitFor();
  await shot(kiosk, 'kiosk-admitted');
  await desk.getByText('1 of 20 checked in').waitFor();
  await desk
    .getByRole('table', { name: 'Checked in now' })
    .or(desk.getByRole('list', { name: 'Checked in now' }))
    .getByText('Tom Kelly')
    .waitFor();
  await shot(desk, 'front-desk');
  // The screen closes automatically for the next guest.
  await field().waitFor();
  assert.equal(await field().inputValue(), '');

  // A scanner types wherever the focus is.
  await enter(code);
  await said(/already checked in/);
  await shot(kiosk, 'kiosk-already-in');
  const [, other = ''] = await ticketCodes(here);
  await kiosk.keyboard.type(other.toLowerCase());
  await kiosk.keyboard.press('Enter');
  await said(/^Welcome, Tom!/);
  await done();
}

export async function byName({ shot }: Stage) {
  await enter('gra');
  await said('Is this you?');
  await kiosk.getByRole('button', { name: /Grace H\..*g•••@e•••\.org/ }).waitFor();
  await shot(kiosk, 'kiosk-match');
  await kiosk.getByRole('button', { name: /Grace H\./ }).click();
  await said('Please see the front desk');
  await done();
  await enter(LINUS.email);
  await said('Please see the front desk');
  await kiosk.mouse.click(20, 20);
  await kiosk.getByText('This stays open until you press Done').waitFor();
  await kiosk.waitForTimeout(5_500);
  await done();
}

export async function errors({ here, shot }: Stage) {
  await enter('zz');
  await kiosk.getByText('Enter at least three letters').waitFor();
  await enter('nobody of that name');
  await kiosk.getByText(/No one found for/).waitFor();
  await shot(kiosk, 'kiosk-nobody');
  await enter('bcdf ghjk mnpq');
  await said('Code not found');
  await shot(kiosk, 'kiosk-unknown');
  await kiosk.keyboard.press('Enter');
  await field().waitFor();
  // A pasted code is submitted on every screen.
  await enter('linus');
  await said('Is this you?');
  await kiosk.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', 'bcdf ghjk mnpq');
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
  });
  await said('Code not found');
  await kiosk.keyboard.press('Escape');
  await field().waitFor();
  assert.equal(await field().inputValue(), '');
  await here.prisma.member.update({ where: { email: GRACE.email }, data: { status: 'paused' } });
  await here.prisma.checkIn.updateMany({
    where: { member: { email: GRACE.email }, result: 'admitted' },
    data: { checkedOutAt: new Date() },
  });
  await enter(GRACE.code);
  await said(/your membership is not active/);
  await done();
  await here.prisma.member.update({ where: { email: GRACE.email }, data: { status: 'active' } });
}

/** Simulates the response of the service, which it sends only after hundreds of lookups. */
export async function rateLimited({ shot }: Stage) {
  const extensions = { code: 'RATE_LIMITED', retryAfterSeconds: 40 };
  await kiosk.route('**/graphql', (route) =>
    route.fulfill({ json: { errors: [{ message: 'Too many requests.', extensions }] } }),
  );
  await enter('Linus');
  await kiosk.getByText('Please try again in 40 seconds').waitFor();
  await shot(kiosk, 'kiosk-rate-limited');
  extensions.retryAfterSeconds = 5_401;
  await enter('Linus');
  await kiosk.getByText('Please try again in 2 hours').waitFor();
  // If lookups are used up, the message of the service is shown instead.
  Object.assign(extensions, { reason: 'LOOKUPS_USED_UP', retryAfterSeconds: 86_400 });
  await enter('Linus');
  await kiosk.getByText('Too many requests.', { exact: true }).waitFor();
  await kiosk.unroute('**/graphql');
}

export async function visitor({ shot }: Stage) {
  await kiosk.getByRole('button', { name: 'I’m visiting someone' }).click();
  await said('Who are you visiting?');
  await kiosk.getByLabel(/Your host/).fill('linus');
  await kiosk.getByRole('button', { name: 'Find' }).click();
  await kiosk.getByText('Enter your own name first').waitFor();
  await kiosk.getByLabel('Your name').fill('Rosa Parks');
  await kiosk.getByLabel(/Your host/).fill('linnus');
  await kiosk.getByRole('button', { name: 'Find' }).click();
  await kiosk.getByText(/enter your host’s full email address/).waitFor();
  await kiosk.getByLabel(/Your host/).fill('linus');
  await shot(kiosk, 'kiosk-visitor');
  await kiosk.getByRole('button', { name: 'Find' }).click();
  await said('Is this your host?');
  await kiosk.getByRole('button', { name: /Linus P\./ }).click();
  await said('Please see the front desk');
  await kiosk.getByText(/Linus P\. gets an email/).waitFor();
  await shot(kiosk, 'kiosk-visitor-in');
  await done();
}

export async function checkOut({ here, shot }: Stage) {
  const [code = ''] = await ticketCodes(here);
  await enter(code);
  await said(/already checked in/);
  await kiosk.getByRole('button', { name: 'I’m leaving' }).click();
  await said(/^Goodbye, Tom!/);
  await shot(kiosk, 'kiosk-goodbye');
  await done();
  // Checking out by name works, too, since this kiosk checked him in.
  await kiosk.getByRole('button', { name: 'I’m leaving' }).click();
  await enter('linus');
  await kiosk.getByRole('button', { name: /Linus P\./ }).click();
  await said('Goodbye, Linus!');
  await done();
  await enter(LINUS.email);
  await said('Please see the front desk');
  await done();
  await kiosk.getByRole('button', { name: 'I’m leaving' }).click();
  await said('Leaving? See you next time!');
  assert(await field().evaluate((element) => element === document.activeElement));
  await shot(kiosk, 'kiosk-leaving');
  await enter('linus');
  await kiosk.getByRole('button', { name: /Linus P\./ }).click();
  await said('Goodbye, Linus!');
  await done();
  await enter(code);
  await said('This ticket was already used');
  await done();
}

export async function offline({ here, watch, shot }: Stage) {
  const before = await here.prisma.checkIn.count();
  await watch.expecting(/ERR_INTERNET_DISCONNECTED/, async () => {
    await kiosk.context().setOffline(true);
    await kiosk.getByText('codes are saved and sent later').waitFor();
    await shot(kiosk, 'kiosk-cut-off');
    await enter('grace');
    await kiosk.getByText(/so we can’t look up names/).waitFor();
    await enter(GRACE.code);
    await said('Saved. Please go in');
    await shot(kiosk, 'kiosk-offline-saved');
    await done();
    await kiosk.getByText('1 scan waiting to be sent').waitFor();
    await shot(kiosk, 'kiosk-offline');
    await kiosk.waitForTimeout(3_000);
    assert.equal(await here.prisma.checkIn.count(), before);
    // The queue survives a restart.
    await kiosk.reload();
    await kiosk.getByText('1 scan waiting to be sent').waitFor();
    await kiosk.getByRole('button', { name: 'I’m visiting someone' }).click();
    await kiosk.getByLabel('Your name').fill('Rosa Parks');
    await kiosk.getByLabel(/Your host/).fill('linus');
    await kiosk.getByRole('button', { name: 'Find' }).click();
    const problem = kiosk.getByText('so we can’t look up your host');
    await problem.waitFor();
    await kiosk.context().setOffline(false);
    await problem.waitFor({ state: 'detached' });
    await kiosk.getByRole('button', { name: 'Back' }).click();
    await kiosk.getByText('1 scan waiting').waitFor({ state: 'detached', timeout: 70_000 });
  });
  const [late] = await here.prisma.checkIn.findMany({ orderBy: { createdAt: 'desc' }, take: 1 });
  assert.equal(late?.result, 'admitted');
  assert(
    late.createdAt.getTime() - late.occurredAt.getTime() > 2_000,
    'the scan must keep its own time',
  );
}

export async function frontDesk(stage: Stage) {
  const { here, shot } = stage;
  desk = await openPanel(stage, '/front-desk');
  const present = desk.getByRole('region', { name: 'Checked in now' });
  await present.getByText('Rosa Parks').waitFor();
  await present.getByText('Unconfirmed').first().waitFor();
  await shot(desk, 'front-desk-unconfirmed');
  await present.getByRole('button', { name: 'Confirm Rosa Parks' }).click();
  await desk.getByText('Rosa Parks is confirmed.').waitFor();
  await present.getByRole('button', { name: 'Confirm Rosa Parks' }).waitFor({ state: 'detached' });
  await present.getByRole('button', { name: 'Check out Rosa Parks' }).click();
  await desk.getByText('Rosa Parks checked out.').waitFor();
  await present.getByText('Rosa Parks').waitFor({ state: 'detached' });

  await chooseLocation(desk);
  const [code = ''] = await ticketCodes(here);
  await desk.getByLabel('Code', { exact: true }).fill(spaced(code));
  await desk.getByRole('button', { name: 'Check in', exact: true }).first().click();
  await desk.getByText('Already used: Tom Kelly').waitFor();
  await shot(desk, 'front-desk-used');
  await desk.getByRole('button', { name: 'Readmit' }).click();
  await desk.getByRole('status').filter({ hasText: 'Checked in: Tom Kelly' }).waitFor();
  await present.getByText('Tom Kelly').first().waitFor();

  await desk.getByLabel('Code', { exact: true }).fill('NOSUCHCODE');
  await desk.getByRole('button', { name: 'Check in', exact: true }).first().click();
  await desk.getByText('No match for this code').waitFor();

  await desk.getByRole('combobox', { name: 'Member' }).fill('linus');
  await desk.getByRole('option', { name: /Linus Pauling/ }).click();
  await desk.getByRole('button', { name: 'Check in member' }).click();
  await present.getByText('Linus Pauling').waitFor();
  await desk
    .getByRole('region', { name: 'Recent check-ins' })
    .getByText('Unknown code')
    .first()
    .waitFor();
  await shot(desk, 'front-desk-in');
  await desk.setViewportSize({ width: 360, height: 740 });
  await shot(desk, 'front-desk-narrow');
  await assertFits(desk);
  await desk.setViewportSize({ width: 1280, height: 800 });
  await desk.emulateMedia({ colorScheme: 'dark' });
  await shot(desk, 'front-desk-dark');
  await desk.emulateMedia({ colorScheme: 'light' });
}

async function chooseLocation(page: Page) {
  const form = page.getByRole('region', { name: 'Check in a guest' });
  const choice = form.getByRole('combobox', { name: 'Location' });
  if ((await choice.count()) === 0) return;
  await choice.click();
  await page.getByRole('option', { name: 'Lighthouse' }).click();
}

export async function namesDisabled(stage: Stage) {
  const { here, shot } = stage;
  const { id } = await getLighthouse(here);
  const page = await openPanel(stage, `/spaces/${id}`);
  await page.getByRole('button', { name: 'Edit details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Lighthouse' });
  await dialog.getByLabel('Find members by name at the kiosk').uncheck({ force: true });
  await dialog.getByLabel('Guest notification email').fill('desk@example.org');
  await shot(page, 'location-kiosk');
  await dialog.getByRole('button', { name: 'Save location' }).click();
  await page.getByText('Asks for an email address or code').waitFor();
  await page.getByText('desk@example.org').waitFor();
  await kiosk.goto(`${here.url}/kiosk/lighthouse`);
  const address = kiosk.getByLabel('Your email address or code');
  await address.fill('zz');
  await address.press('Enter');
  await kiosk.getByText('Enter your full email address or your code.').waitFor();
  await address.fill('Grace');
  await address.press('Enter');
  await kiosk.getByText('You can’t check in by name here').waitFor();
  await kiosk.getByRole('button', { name: 'I’m visiting someone' }).click();
  await kiosk.getByLabel('Your host’s email address', { exact: true }).waitFor();
  await shot(kiosk, 'kiosk-visitor-names-off');
  await here.prisma.location.update({ where: { id }, data: { lookupNames: true } });
}

export async function layout({ newPage, here, shot }: Stage) {
  const page = await newPage({ viewport: { width: 360, height: 740 } });
  await page.clock.install();
  await page.goto(`${here.url}/kiosk`);
  if ((await here.prisma.location.count()) > 1) {
    await page.getByRole('heading', { name: 'Where is this kiosk?' }).waitFor();
    await shot(page, 'kiosk-choice');
    await page.getByRole('link', { name: 'Lighthouse' }).click();
  }
  const name = page.getByLabel(/name, email address or code/);
  await name.waitFor();
  await shot(page, 'kiosk-narrow');
  await assertFits(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await shot(page, 'kiosk-narrow-dark');
  // The field has the initial focus.
  await page.keyboard.type('lin');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Is this you?' }).waitFor();
  await shot(page, 'kiosk-match-narrow-dark');
  await assertFits(page);
  // The names disappear if the guest walks away.
  await page.clock.fastForward(21_000);
  await name.waitFor();
  await page.keyboard.type('lin');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Is this you?' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /Linus/ }).waitFor();
  await shot(page, 'kiosk-result-narrow');
  await assertFits(page);
  const targets = await page
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)));
  assert(
    targets.every((height) => height >= 44),
    `targets are ${targets} pixels high`,
  );
  await page.context().close();
  await kiosk.context().close();
}
