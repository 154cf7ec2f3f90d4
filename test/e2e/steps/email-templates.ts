import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type Stage, settle } from '../stage.ts';
import { openPanel } from './lighthouse.ts';
import { assertFits } from './narrow.ts';

const TITLE = 'Booking confirmed';

/** Managers change a text by keyboard, see it at once, and do not lose it by leaving the page. */
export async function edit(stage: Stage) {
  const { page, here, panel, shot } = stage;
  await openPanel(stage, '/settings/email-templates');
  await page.getByRole('link', { name: TITLE, exact: true }).press('Enter');
  const preview = page.frameLocator('iframe[title="Preview of the email"]');
  const text = page.getByRole('textbox', { name: 'Text' });
  await text.focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('See you at {{resorce}}!');
  await page.getByText('This text cannot be used').waitFor();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('See you at {{resource}}!');
  await preview.getByText(/See you at .+!/).waitFor();
  await shot(page, 'email-template');

  await page.getByRole('link', { name: 'All email templates' }).press('Enter');
  const leaving = page.getByRole('dialog', { name: 'Discard your changes?' });
  await leaving.getByRole('button', { name: 'Keep editing' }).press('Enter');
  await leaving.waitFor({ state: 'hidden' });
  assert.equal(await text.inputValue(), 'See you at {{resource}}!');
  await leaveOnceItSays(page, 'Template saved.');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByRole('row', { name: new RegExp(`${TITLE}.*Changed`) }).waitFor();
  const where = { key: 'booking-confirmed' };
  const saved = await here.prisma.emailTemplate.findUniqueOrThrow({ where });
  assert.equal(saved.body, 'See you at {{resource}}!');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(panel('/settings/email-templates/booking-confirmed'));
  await preview.getByText(/See you at .+!/).waitFor();
  await settle(page);
  await assertFits(page, 320);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Both need no reload of the page to show. */
export async function resetAndSwitchOff({ page, panel, here }: Stage) {
  await page.getByRole('button', { name: 'Reset to default' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reset to the default text?' });
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click();
  await page.getByText('The default text is back.').waitFor();
  await page.goto(panel('/settings/email-templates'));
  const row = page.getByRole('row', { name: new RegExp(`${TITLE}.*Default`) });
  const toggle = row.getByRole('switch');
  await toggle.press('Space');
  await page.getByText(`“${TITLE}” is no longer sent.`).waitFor();
  await toggle.press('Space');
  await page.getByText(`“${TITLE}” is sent again.`).waitFor();
  assert.equal(await here.prisma.emailTemplate.count({ where: { disabledAt: { not: null } } }), 0);
}

/** Leaves the page in the same moment as the message appears. By then, nothing must be unsaved. */
const leaveOnceItSays = (page: Page, message: string) =>
  page.evaluate((message) => {
    const link = [...document.querySelectorAll('a')].find(
      ({ textContent }) => textContent === 'All email templates',
    );
    const observer = new MutationObserver(() => {
      if (!document.body.textContent.includes(message)) return;
      observer.disconnect();
      link?.click();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  }, message);
