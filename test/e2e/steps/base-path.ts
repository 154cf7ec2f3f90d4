import assert from 'node:assert/strict';
import type { Stage } from '../stage.ts';

export async function withoutPath({ page, here, shot, signIn }: Stage) {
  await page.goto('about:blank');
  await here.restart('');
  await page.goto(`${here.origin}/admin`);
  await signIn(page);
  await page.getByRole('heading', { name: 'Bookings', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Displays' }).click();
  await page.getByRole('row', { name: /Kitchen door/ }).waitFor();
  assert.equal(page.url(), `${here.origin}/admin/displays`);
  await page.goto(`${here.origin}/admin/settings/api-keys`);
  await page.getByRole('table', { name: 'API keys' }).waitFor();
  await page.goto(`${here.origin}/admin/no/such/page`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await shot(page, 'no-such-page');
}
