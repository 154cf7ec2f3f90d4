import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createStaff } from '../../../src/auth/sign-in.ts';
import { OWNER } from '../service.ts';
import type { Stage } from '../stage.ts';
import { assertFits } from './narrow.ts';

const NORA = { email: 'nora@example.org', password: 'harbour pencil quiet moss' };
const MONA = { email: 'mona@example.org', password: 'umbrella stand by the door' };

const NARROW = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 800 };

async function choose(page: Page, person: string, action: string) {
  await page.getByRole('button', { name: `Change ${person}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Copies the link from the dialog that shows it once. */
async function copyLink(page: Page): Promise<string> {
  const secret = page.getByRole('dialog', { name: /Send this link to/ });
  const url = await secret.getByLabel('Password link', { exact: true }).inputValue();
  await secret.getByRole('button', { name: 'Copy: Password link' }).click();
  await secret.getByRole('button', { name: 'Done' }).click();
  await secret.waitFor({ state: 'hidden' });
  return url;
}

export async function invite({ page, newPage, panel, shot, here }: Stage) {
  await here.prisma.user.deleteMany({ where: { email: { not: OWNER.email } } });
  await page.goto(panel('/settings/staff'));
  await page.getByRole('heading', { name: 'You are the only one here' }).waitFor();
  await shot(page, 'staff-alone');
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('Name').fill('Nora Nordin');
  await dialog.getByLabel('Email address').fill(NORA.email);
  await dialog.getByLabel('Manager').check();
  await shot(page, 'staff-invite');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByRole('dialog', { name: 'Send this link to Nora Nordin' }).waitFor();
  await shot(page, 'staff-link');
  const url = await copyLink(page);
  await page.getByRole('row', { name: /Nora Nordin.*Invited/ }).waitFor();

  await page.goto(panel('/settings/mails'));
  await page.getByText('Some emails are stored only').waitFor();
  await shot(page, 'stored-emails');

  const guest = await newPage({ viewport: NARROW });
  await guest.goto(url);
  await guest.getByText('Welcome, Nora Nordin').waitFor();
  assert.equal(new URL(guest.url()).hash, '');
  await guest.getByLabel('New password', { exact: true }).fill('password1234');
  await guest.getByRole('button', { name: 'Set password and sign in' }).click();
  await guest.getByRole('alert').waitFor();
  await shot(guest, 'set-password');
  await assertFits(guest);
  await guest.getByLabel('New password', { exact: true }).fill(NORA.password);
  await guest.getByRole('button', { name: 'Set password and sign in' }).click();
  await guest.getByRole('heading', { name: 'Bookings', exact: true }).waitFor();
  await guest.goto(url);
  await guest.getByText('This link no longer works').waitFor();
  await shot(guest, 'link-used');
  await guest.context().close();
}

export async function manage({ page, newPage, panel, shot, signIn }: Stage) {
  const nora = await newPage();
  await nora.goto(panel());
  await signIn(nora, NORA);
  await nora.getByRole('heading', { name: 'Bookings', exact: true }).waitFor();
  await nora.goto(panel('/settings/staff'));
  await nora.getByRole('row', { name: /Nora Nordin \(you\)/ }).waitFor();
  assert.equal(await nora.getByRole('button', { name: /Change|Invite/ }).count(), 0);
  await shot(nora, 'staff-manager');
  await nora.goto(panel('/settings/api-keys'));
  await nora.getByRole('button', { name: 'Create a key' }).first().click();
  const keys = nora.getByRole('dialog', { name: 'Create an API key' });
  await keys.getByRole('button', { name: 'Website' }).waitFor();
  assert.equal(await keys.getByRole('button', { name: 'Everything' }).count(), 0);
  assert(await keys.getByLabel('Everything').isDisabled());
  await shot(nora, 'manager-key');

  await page.goto(panel('/settings/staff'));
  await choose(page, 'Nora Nordin', 'Change role');
  const role = page.getByRole('dialog', { name: 'Change role' });
  await role.getByLabel('Front desk').check();
  await role.getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('row', { name: /Nora Nordin.*Front desk/ }).waitFor();

  await choose(page, 'Nora Nordin', 'Disable account');
  const disable = page.getByRole('dialog', { name: 'Disable account?' });
  await disable.getByLabel('Also revoke their API keys').check();
  await shot(page, 'staff-disable');
  await disable.getByRole('button', { name: 'Disable account' }).click();
  await page.getByRole('row', { name: /Nora Nordin.*Disabled/ }).waitFor();
  await shot(page, 'staff-disabled');
  await nora.goto(panel('/settings/api-keys'));
  await nora.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn(nora, NORA);
  await nora.getByText('The email address or the password is wrong').waitFor();

  await choose(page, 'Nora Nordin', 'Enable account');
  await page.getByRole('dialog').getByRole('button', { name: 'Enable account' }).click();
  await page.getByRole('row', { name: /Nora Nordin.*Active/ }).waitFor();
  await choose(page, 'Nora Nordin', 'Reset password');
  const reset = page.getByRole('dialog', { name: 'Reset password?' });
  await reset.getByRole('button', { name: 'Reset password' }).click();
  await nora.goto(await copyLink(page));
  await nora.getByText('Choose a new password').waitFor();
  await nora.context().close();

  // The last active owner keeps the role.
  await page.getByRole('button', { name: 'Change Nora Nordin' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Change ada' }).count(), 0);
  await shot(page, 'staff-last-owner');
}

export async function account({ page, newPage, panel, shot, signIn, here }: Stage) {
  await createStaff(here.ctx, { name: 'Mona', role: 'manager', ...MONA });
  const [mona, phone] = [await newPage(), await newPage({ viewport: NARROW })];
  for (const device of [mona, phone]) {
    await device.goto(panel());
    await signIn(device, MONA);
    await device.getByRole('heading', { name: 'Bookings', exact: true }).waitFor();
  }
  await mona.getByRole('button', { name: 'Mona' }).click();
  await mona.getByRole('menuitem', { name: 'Your account' }).click();
  await mona.getByRole('heading', { name: 'Your account' }).waitFor();
  await mona.getByText('This browser').waitFor();
  await shot(mona, 'account');
  await phone.goto(panel('/account'));
  await phone.getByText('This browser').waitFor();
  await shot(phone, 'account-narrow');
  await assertFits(phone);
  await mona.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await mona.getByText('You are signed out everywhere else.').waitFor();
  await mona.getByLabel('Your name').fill('Mona Haddad');
  await mona.getByRole('button', { name: 'Change name' }).click();
  await mona.getByText('Signed in as Mona Haddad (manager)').waitFor();
  await mona.getByLabel('Current password', { exact: true }).fill(MONA.password);
  await mona.getByLabel('New password', { exact: true }).fill('copper lantern avenue');
  await mona.getByRole('button', { name: 'Change password' }).click();
  await mona.getByText('Password changed').waitFor();
  await phone.reload();
  await phone.getByRole('heading', { name: 'Sign in' }).waitFor();
  for (const device of [mona, phone]) await device.context().close();

  await page.setViewportSize(NARROW);
  await page.goto(panel('/settings/staff'));
  await page.getByRole('list', { name: 'Staff' }).waitFor();
  await shot(page, 'staff-narrow');
  await assertFits(page);
  await choose(page, 'Mona', 'Disable account');
  await page.getByRole('dialog', { name: 'Disable account?' }).waitFor();
  await shot(page, 'staff-narrow-disable');
  await assertFits(page);
  await page.keyboard.press('Escape');
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(panel('/settings/staff'));
  await page.getByRole('table', { name: 'Staff' }).waitFor();
  await shot(page, 'staff-dark');
  await page.emulateMedia({ colorScheme: 'light' });
}
