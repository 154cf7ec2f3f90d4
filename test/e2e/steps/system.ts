import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { enqueueEmail } from '../../../src/integrations/email/outbox.ts';
import type { Stage } from '../stage.ts';
import { openPanel } from './lighthouse.ts';
import { assertFits, tabTo } from './narrow.ts';

const PATH = '/settings/system';
const problems = (page: Page) => page.getByRole('status', { name: 'Problems' });

/** Nothing listens on the port. The failed attempt appears after the page has loaded again by itself. */
export async function testEmail(stage: Stage) {
  const { page, here, shot } = stage;
  await page.goto('about:blank'); // no requests while the service restarts
  await here.restart(new URL(here.url).pathname, { SMTP_URL: 'smtp://user:secret@127.0.0.1:1' });
  await openPanel(stage, PATH);
  await problems(page).waitFor();
  await tabTo(page, 'Send test email');
  await page.keyboard.press('Enter');
  await page.getByText('The mail server cannot be reached').waitFor();
  await problems(page)
    .getByText('The mail server 127.0.0.1:1 cannot be used')
    .waitFor({ timeout: 30_000 });
  assert.equal(await page.getByText('secret').count(), 0, 'the page shows the password');
  await page
    .getByRole('row', { name: /^mail\.deliver/ })
    .getByText('Working')
    .waitFor({ timeout: 30_000 });
  await shot(page, 'system');
}

export async function narrowSystem(stage: Stage) {
  const { page, here, shot } = stage;
  await page.setViewportSize({ width: 390, height: 844 });
  await shot(page, 'narrow-system');
  await assertFits(page, 390);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('heading', { name: 'Jobs', exact: true }).scrollIntoViewIfNeeded();
  await shot(page, 'dark-system');
  await page.emulateMedia({ colorScheme: 'light' });

  // Without a mail server, emails are only stored.
  await page.goto('about:blank');
  await here.restart(new URL(here.url).pathname);
  await enqueueEmail(here.ctx, { to: 'one@example.net', subject: 'Hello', text: 'Hello' });
  await openPanel(stage, PATH);
  await problems(page).getByText('No mail server is set').waitFor();
}
