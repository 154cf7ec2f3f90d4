import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startSmtp } from '../../support/fakes/smtp.ts';
import { startTestService, type TestService } from '../service.ts';
import type { Stage } from '../stage.ts';
import { assertFits, tabTo } from './narrow.ts';

const PHONE = { width: 360, height: 740 };
const OLGA = { email: 'olga@example.org', password: 'lantern brick meadow' };

/** From an empty installation to the panel, by keyboard. */
export async function firstRun(stage: Stage) {
  const smtp = await startSmtp();
  let printed = '';
  const fresh = await startTestService('/foyer', {
    env: { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', SMTP_URL: smtp.url },
    print: (text) => {
      printed += text;
    },
  });
  try {
    const page = await stage.newPage();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], {
      origin: fresh.origin,
    });
    await createOwner(stage, fresh, page, /https?:\S+/.exec(printed)?.[0] ?? '');
    await takeSteps(stage, fresh, page);
    assert.deepEqual(
      smtp.received.map(({ to }) => to),
      [OLGA.email],
    );
    await finishInPanel(stage, page);
    await changeName(stage, fresh, page);
    await repeatOnPhone(stage, fresh);
    await page.context().close(); // an open page asks the service again and again
  } finally {
    await fresh.remove();
    await smtp.stop();
  }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

async function createOwner({ shot }: Stage, fresh: TestService, page: Page, link: string) {
  await page.goto(`${fresh.url}/`);
  await heading(page, 'Set up Foyer').waitFor();
  assert.equal(page.url(), `${fresh.url}/setup`);
  await assertFocused(page, 'Setup code');
  await page.keyboard.type('2222-3333-4444');
  await fillOwner(page);
  await page.getByText('The setup code is wrong or expired').waitFor();
  await assertFocused(page, 'Setup code');
  await shot(page, 'setup-wrong-code');

  await page.goto(`${fresh.url}/admin`);
  await page.getByRole('link', { name: 'Create the first account' }).waitFor();
  await shot(page, 'setup-sign-in');

  await page.goto(link);
  await heading(page, 'Set up Foyer').waitFor();
  assert.match(await page.getByLabel('Setup code').inputValue(), /^\w{4}-\w{4}-\w{4}$/);
  await page.waitForFunction(() => location.hash === '');
  await page.getByLabel('Language').selectOption('fr');
  await heading(page, 'Installer Foyer').waitFor();
  await shot(page, 'setup-french');
  await page.getByLabel('Langue').selectOption('en');
  await heading(page, 'Set up Foyer').waitFor();
  await page.getByLabel('Name of the space').fill('Harbour & Sons');
  await page.getByLabel('Your name').focus();
  await page.keyboard.type('Olga Ost');
  await page.keyboard.press('Tab');
  await fillAccount(page);
}

const assertFocused = async (page: Page, label: string) =>
  page.waitForFunction(
    (element) => element === document.activeElement,
    await page.getByRole('textbox', { name: label }).elementHandle(),
  );

async function fillOwner(page: Page) {
  await page.keyboard.press('Tab');
  await page.keyboard.type('Olga Ost');
  await page.keyboard.press('Tab');
  await fillAccount(page);
}

async function fillAccount(page: Page) {
  await page.keyboard.type(OLGA.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(OLGA.password);
  await page.keyboard.press('Enter');
}

async function takeSteps({ shot, newPage }: Stage, fresh: TestService, page: Page) {
  await heading(page, 'Your first location').waitFor();
  await page.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.type('Harbour House');
  await shot(page, 'setup-location');
  await page.keyboard.press('Enter');

  await heading(page, 'Opening hours').waitFor();
  await shot(page, 'setup-hours');
  await press(page, 'Save hours');

  await heading(page, 'Rooms and desks').waitFor();
  await page.getByLabel('Desks', { exact: true }).fill('60');
  await page.getByText('Desk 01 to Desk 60').waitFor();
  await shot(page, 'setup-resources');
  await press(page, 'Add');

  await heading(page, 'A display').waitFor();
  const screen = await newPage();
  await screen.goto(`${fresh.url}/display`);
  const code = screen.getByRole('img', { name: /^Pairing code/ });
  await page.getByLabel('Pairing code').fill((await code.textContent()) ?? '');
  assert.equal(await screen.title(), 'Display · Harbour & Sons');
  await page.getByLabel('Name', { exact: true }).fill('Entrance');
  await page.getByRole('radio', { name: 'Welcome' }).check();
  await shot(page, 'setup-display');
  await press(page, 'Pair screen');
  await screen.close();

  await heading(page, 'A test email').waitFor();
  await press(page, 'Send me a test email');
  await page.getByText('The mail server accepted the email').waitFor();
  await shot(page, 'setup-email');
  await press(page, 'Continue');
  await heading(page, 'An API key').waitFor();
  assert.equal(await fresh.prisma.resource.count(), 62);
  await shot(page, 'setup-key');
  await press(page, 'Create key');
  const secret = page.getByRole('dialog', { name: 'Your API key is ready' });
  await secret.getByRole('button', { name: 'Copy: Command' }).click();
  await shot(page, 'setup-key-command');
  await assertCommandWorks(await secret.getByLabel('Command', { exact: true }).inputValue());
  await secret.getByRole('button', { name: 'Done' }).click();
  await heading(page, 'Ready to open').waitFor();
  await shot(page, 'setup-done');
  await press(page, 'Open the panel');
}

async function press(page: Page, name: string) {
  await page
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('link', { name }))
    .focus();
  await page.keyboard.press('Enter');
}

/** Sends the request of the command, which begins with curl. */
async function assertCommandWorks(command: string) {
  const [, header = '', url = ''] = /^curl -H '(.*)' '(.*)'$/.exec(command) ?? [];
  const [name = '', value = ''] = header.split(': ');
  const response = await fetch(url, { headers: { [name]: value } });
  assert.equal(response.status, 200);
  assert.match(await response.text(), /Desk 01/);
}

async function finishInPanel({ shot }: Stage, page: Page) {
  const checklist = page.getByRole('region', { name: 'Finish the setup' });
  await checklist.getByText('6 of 8').waitFor();
  await checklist.getByText('Send a test email (done)').waitFor();
  await shot(page, 'setup-checklist');
  await checklist.getByRole('link', { name: 'Invite a colleague' }).click();
  await heading(page, 'Staff').waitFor();
  await page.goBack();
  await tabTo(page, 'Hide checklist');
  await page.keyboard.press('Enter');
  await checklist.waitFor({ state: 'hidden' });
  await page.reload();
  await heading(page, 'Bookings').waitFor();
  assert.equal(await checklist.count(), 0);
}

async function changeName({ shot, newPage }: Stage, fresh: TestService, page: Page) {
  await page.getByRole('link', { name: 'Name, language and tax' }).click();
  await heading(page, 'Name, language and tax').waitFor();
  assert.equal(await page.title(), 'Name, language and tax · Foyer');
  const name = page.getByLabel('Name of the space');
  assert.equal(await name.inputValue(), 'Harbour & Sons');
  await name.fill('Harbour "East"');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Name, language and tax saved.').waitFor();
  await shot(page, 'space-settings');
  const guest = await newPage();
  await guest.goto(`${fresh.url}/events`);
  await guest.getByText('No upcoming events').first().waitFor();
  assert.equal(await guest.title(), 'Events · Harbour "East"');
  await guest.getByRole('link', { name: 'Day passes', exact: true }).click();
  await guest.waitForFunction(() => document.title.startsWith('Day passes'));
  assert.equal(await guest.title(), 'Day passes · Harbour "East"');
  await guest.close();
}

async function repeatOnPhone({ newPage, shot, signIn }: Stage, fresh: TestService) {
  const page = await newPage({ viewport: PHONE });
  await page.goto(`${fresh.url}/setup`);
  await heading(page, 'There is an owner already').waitFor();
  await shot(page, 'setup-phone-closed');
  await assertFits(page);
  await page.getByRole('link', { name: 'Sign in to the panel' }).click();
  await heading(page, 'Sign in').waitFor();
  await signIn(page, OLGA);
  await heading(page, 'Bookings').waitFor();
  // There is a location, so the setup goes on after it.
  await page.goto(`${fresh.url}/setup`);
  await page.waitForURL(/\/setup\/(?!location)/);
  await page.goto(`${fresh.url}/setup/location`);
  await heading(page, 'Your first location').waitFor();
  for (const title of [
    'Opening hours',
    'Rooms and desks',
    'A display',
    'A test email',
    'An API key',
  ]) {
    await page.getByRole('button', { name: 'Skip' }).click();
    await heading(page, title).waitFor();
    await shot(page, `setup-phone-${title.toLowerCase().replaceAll(' ', '-')}`);
    await assertFits(page);
  }
  await page.context().close();
}
