import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createStaff } from '../../../src/auth/sign-in.ts';
import type { StaffRole } from '../../../src/db/generated/client.ts';
import { PANEL_SECTIONS, type PanelSection } from '../../support/clients/panel-sections.ts';
import type { Stage } from '../stage.ts';

export async function frontDesk(stage: Stage) {
  const page = await openAs(stage, 'front_desk');
  const { shot } = stage;
  await page.getByRole('link', { name: 'Displays' }).click();
  await page.getByRole('row', { name: /Kitchen door/ }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add a display' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: /Revoke/ }).count(), 0);
  await shot(page, 'front-desk');
  await page.context().close();
}

/** Every role sees the sections that it can open. The addresses of the others say who can open them. */
export async function sections(stage: Stage) {
  const { panel, shot } = stage;
  for (const role of ['owner', 'manager', 'front_desk'] as const) {
    const page = await openAs(stage, role);
    const isOpen = ({ roles }: PanelSection) => roles.includes(role);
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const visible = PANEL_SECTIONS.filter(isOpen).map(({ label }) => label);
    assert.deepEqual(await links.allTextContents(), visible, role);
    for (const section of PANEL_SECTIONS) {
      await page.goto(panel(`/${section.path}`));
      await page.getByRole('heading', { name: section.label, exact: true }).waitFor();
      const notice = page.getByRole('heading', {
        name: 'Only owners and managers can open this page',
      });
      if (isOpen(section)) {
        assert.equal(await notice.count(), 0, `${role}: ${section.label}`);
      } else {
        await notice.waitFor();
        await page.getByText('ask an owner to change your role').waitFor();
      }
    }
    await shot(page, `sections-${role}`);
    await page.context().close();
  }
}

async function openAs({ newPage, panel, signIn, here }: Stage, role: StaffRole) {
  const person = { email: `${role}@example.org`, password: 'umbrella stand by the door' };
  const known = await here.prisma.user.findUnique({ where: { email: person.email } });
  if (known === null) await createStaff(here.ctx, { name: 'Fay', role, ...person });
  const page = await newPage();
  await page.goto(panel());
  await signIn(page, person);
  await page.getByRole('heading', { name: 'Bookings', exact: true }).waitFor();
  return page;
}

export async function member({ newPage, panel, shot }: Stage) {
  const page = await newPage();
  const viewer = { kind: 'MEMBER', name: 'Ben', role: null, scopes: [] };
  await page.route('**/graphql', (route) => route.fulfill({ json: { data: { viewer } } }));
  await page.goto(panel());
  await page.getByRole('heading', { name: 'Staff only' }).waitFor();
  await shot(page, 'member');
  await page.context().close();
}

export async function anotherVersion({ page, panel, newPage, here, watch }: Stage) {
  const sendUnknownIds = (on: Page) =>
    on.route('**/graphql', (route) => {
      const { documentId, ...body } = route.request().postDataJSON();
      const postData = JSON.stringify(documentId ? { ...body, documentId: 'outdated' } : body);
      return route.continue({ postData });
    });
  await watch.expecting(/status of (403|404)/, async () => {
    // The service does not know the document, so the page sends its text.
    await sendUnknownIds(page);
    await page.goto(panel('/displays'));
    await page.getByRole('row', { name: /Kitchen door/ }).waitFor();
    await page.unroute('**/graphql');
    // Strangers cannot send texts.
    const stranger = await newPage();
    await sendUnknownIds(stranger);
    await stranger.goto(`${here.url}/events`);
    const search = stranger.getByRole('searchbox', { name: 'Search events' });
    const notice = stranger.getByText('This page is from another version of the service.');
    // A text that is filled before the page is taken over starts no search.
    for (let attempt = 0; attempt < 5 && !(await notice.isVisible()); attempt += 1) {
      await search.fill('');
      await search.fill('moon');
      await notice.waitFor({ timeout: 3_000 }).catch(() => {});
    }
    await notice.waitFor();
    await stranger.context().close();
  });
}

/** Whoever signs in again finds the page and the open form as they were. */
export async function endedSession({ page, panel, shot, signIn, here }: Stage) {
  await page.goto(panel('/displays'));
  await page.getByRole('row', { name: /Kitchen door/ }).waitFor();
  await page.getByRole('button', { name: 'Add a display' }).click();
  const form = page.getByRole('dialog', { name: 'Add a display' });
  await form.getByLabel('Name', { exact: true }).fill('Back door');
  await form.getByLabel('Event board').check();
  await form.getByRole('combobox', { name: 'Location' }).click();
  await page.getByRole('option', { name: 'Café Süd' }).click();
  await here.prisma.session.deleteMany();
  await form.getByRole('button', { name: 'Add display' }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await shot(page, 'session-ended');
  await signIn(page);
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ state: 'hidden' });
  assert.equal(await form.getByLabel('Name', { exact: true }).inputValue(), 'Back door');
  assert.equal(await here.prisma.display.count({ where: { name: 'Back door' } }), 0);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await here.prisma.session.deleteMany();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await signIn(page);
  await page.getByRole('button', { name: 'Create a key' }).waitFor();
  assert.equal(page.url(), panel('/settings/api-keys'));
}

export async function secretOutlivesSession({ page, shot, signIn, here }: Stage) {
  await page.getByRole('link', { name: 'Displays' }).click();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create an API key' });
  await dialog.getByLabel('Name').fill('Outliving');
  await dialog.getByRole('button', { name: 'Website' }).click();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = page.getByRole('dialog', { name: 'Outliving is ready' });
  await secret.waitFor();
  await here.prisma.session.deleteMany();
  await page.waitForTimeout(10_500); // until the cached list of displays is stale
  await page.goBack();
  await page.getByText('Your session has ended').waitFor();
  await shot(page, 'secret-outlives-session');
  await secret.getByRole('button', { name: 'Copy: API key' }).click();
  await secret.getByRole('button', { name: 'Done' }).click();
  await secret.waitFor({ state: 'hidden' });
  await signIn(page);
  await page.getByRole('heading', { name: 'Displays', exact: true }).waitFor();
}

export async function signOut({ page, panel, shot }: Stage) {
  await page.getByRole('button', { name: 'ada' }).click();
  await shot(page, 'user-menu');
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(await page.getByText('Your session has ended').count(), 0);
  await page.goto(panel('/displays'));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}
