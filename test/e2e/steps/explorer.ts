import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createApiToken } from '../../../src/features/tokens/service.ts';
import type { Stage } from '../stage.ts';

export async function session({ page, panel, here, shots }: Stage) {
  await page.goto(panel('/settings/api-keys'));
  await page.getByRole('link', { name: 'API explorer' }).click();
  await loaded(page);
  assert.equal(page.url(), `${here.url}/graphiql`);
  await openExample(page, /Who am I/);
  const response = await run(page);
  assert.equal(response.data.viewer.kind, 'STAFF');
  await page.locator('.graphiql-response .view-line', { hasText: 'STAFF' }).waitFor();
  await page.screenshot({ path: `${shots}/explorer.png` });
}

export async function key({ page, here, shots, panel }: Stage) {
  const { plainText } = await createApiToken(here.ctx, { name: 'Tried', scopes: ['orders:read'] });
  await page.goto(`${here.url}/graphiql`);
  await loaded(page);
  await page.getByLabel('API key').fill(plainText);
  await page.keyboard.press('Enter');
  await page.getByText('Requests use the API key.').waitFor();
  await openExample(page, /Who am I/);
  const { data } = await run(page);
  assert.deepEqual([data.viewer.kind, data.viewer.scopes], ['TOKEN', ['orders:read']]);
  assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes('foyer_')), false);
  await page.setViewportSize({ width: 360, height: 740 });
  const overflow = () => document.documentElement.scrollWidth - window.innerWidth;
  assert.equal(await page.evaluate(overflow), 0);
  await page.screenshot({ path: `${shots}/explorer-narrow.png` });
  await page.setViewportSize({ width: 1280, height: 800 });
  const other = await page.context().newPage();
  await other.goto(`${here.url}/graphiql`);
  assert.equal(await other.getByLabel('API key').inputValue(), '');
  await other.close();
  await page.goto(panel('/settings/api-keys'));
}

const loaded = (page: Page) => page.locator('.graphiql-query-editor .view-line').first().waitFor();

/** By keyboard, as a person who cannot use a mouse does. */
async function openExample(page: Page, name: RegExp) {
  const show = page.getByRole('button', { name: 'Show Examples' });
  if ((await show.count()) > 0) {
    await show.focus();
    await page.keyboard.press('Enter');
  }
  await page.getByRole('button', { name }).focus();
  await page.keyboard.press('Enter');
}

async function run(page: Page) {
  const answer = page.waitForResponse(
    (response) =>
      response.url().endsWith('/graphql') &&
      response.request().postDataJSON().operationName !== 'IntrospectionQuery',
  );
  await page.keyboard.press('Control+Enter');
  return (await answer).json();
}
