import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Stage } from '../stage.ts';

export async function fits({ page, panel, shot }: Stage) {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(panel('/displays'));
  await page.getByRole('list', { name: 'Displays' }).waitFor();
  await shot(page, 'narrow-displays');
  await assertFits(page);
  await assertFitsWithLargeText(page);

  await tabTo(page, 'Open navigation');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'ada');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'Add a display', 'the closed navigation takes the focus');
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await shot(page, 'narrow-navigation');
  await scrollToLastSection(page);
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('list', { name: 'API keys' }).waitFor();
  await page.getByRole('button', { name: 'Open navigation' }).waitFor();
  await shot(page, 'narrow-keys');
  await assertFits(page);

  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create an API key' });
  await dialog.getByLabel('Name').fill('Phone');
  await shot(page, 'narrow-create-key');
  await assertFits(page);
  await dialog.getByRole('button', { name: 'Website' }).click();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = page.getByRole('dialog', { name: 'Phone is ready' });
  await secret.waitFor();
  await shot(page, 'narrow-secret');
  await assertFits(page);
  await secret.getByRole('button', { name: 'Done' }).click();
  await secret.getByRole('button', { name: 'Close without copying' }).click();
  await secret.waitFor({ state: 'hidden' });
  await page.setViewportSize({ width: 1366, height: 650 });
  await scrollToLastSection(page);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** The navigation is longer than the window. */
async function scrollToLastSection(page: Page) {
  const last = page.getByRole('navigation', { name: 'Main' }).getByRole('link').last();
  await last.scrollIntoViewIfNeeded();
  const { y = 0, height = 0 } = (await last.boundingBox()) ?? {};
  const window = page.viewportSize()?.height ?? 0;
  assert.ok(height > 0 && y + height <= window, 'the last section is below the window');
}

export async function dark({ page, panel, shot }: Stage) {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(panel('/displays'));
  await page.getByRole('table', { name: 'Displays' }).waitFor();
  await shot(page, 'dark-displays');
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('table', { name: 'API keys' }).waitFor();
  await shot(page, 'dark-keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Website' }).click();
  await shot(page, 'dark-create-key');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.emulateMedia({ colorScheme: 'light' });
}

export async function keyboard({ newPage, panel, shot }: Stage) {
  const page = await newPage();
  await page.goto(panel('/settings/api-keys'));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.keyboard.type('ada@example.org');
  await page.keyboard.press('Tab');
  await page.keyboard.type('correct horse battery staple');
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'API keys' }).waitFor();

  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'Skip to content');
  await shot(page, 'skip-link');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'API explorer');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'Create a key');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Create an API key' });
  await dialog.waitFor();
  await page.waitForTimeout(300);
  await page.keyboard.type('By keyboard');
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'By keyboard');
  for (let press = 0; press < 40; press += 1) await page.keyboard.press('Tab');
  assert(await isInside(page, 'Create an API key'), 'the focus left the dialog');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.waitForTimeout(100);
  assert.equal(await focused(page), 'Create a key');

  await page.keyboard.press('Enter');
  await page.waitForTimeout(300);
  await page.keyboard.type('By keyboard');
  await tabTo(page, 'Read only');
  await page.keyboard.press('Space');
  await tabTo(page, 'Create key');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'By keyboard is ready' }).waitFor();
  await page.waitForTimeout(300);
  assert.equal(await focused(page), 'Copy: API key');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Done');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await tabTo(page, 'Revoke By keyboard');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Revoke key?' }).waitFor();
  await page.waitForTimeout(300);
  await tabTo(page, 'Revoke key');
  await page.keyboard.press('Enter');
  await page.getByText('By keyboard revoked.').waitFor();
  await page.context().close();
}

export async function tabTo(page: Page, name: string): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`cannot be reached by keyboard: "${name}"`);
}

const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    return at?.getAttribute('aria-label') ?? at?.textContent?.trim();
  });

const isInside = (page: Page, dialog: string) =>
  page
    .getByRole('dialog', { name: dialog })
    .evaluate((element) => element.contains(document.activeElement));

export async function assertFits(page: Page, max = 360): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(width <= max, `the page is ${width} pixels wide`);
}

/** With text of twice the size, as browsers set it, the page does not scroll sideways and no text is cut. */
export async function assertFitsWithLargeText(page: Page): Promise<void> {
  const style = await page.addStyleTag({ content: ':root { font-size: 200% !important }' });
  const problems = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const cut = [...document.body.querySelectorAll('*')].filter(
      (element) =>
        /hidden|clip/.test(getComputedStyle(element).overflowX) &&
        getComputedStyle(element).textOverflow !== 'ellipsis' &&
        element.clientWidth > 2 && // not what only screen readers read
        element.scrollWidth > element.clientWidth + 1 &&
        element.textContent?.trim(),
    );
    return [
      ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} pixels wide`] : []),
      ...cut.map(({ textContent }) => `cut: ${textContent?.trim().slice(0, 60)}`),
    ];
  });
  assert.deepEqual(problems, []);
  await style.evaluate((element) => (element as Element).remove());
}
