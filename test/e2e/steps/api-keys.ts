import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Stage } from '../stage.ts';

let key = '';
const keys = (page: Page) => page.getByRole('table', { name: 'API keys' });

export async function create({ page, shot }: Stage) {
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
  assert.equal(await page.title(), 'API keys · Foyer');
  await shot(page, 'no-keys');
  await page.getByRole('button', { name: 'Create a key' }).click();

  const dialog = page.getByRole('dialog', { name: 'Create an API key' });
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Select at least one permission').waitFor();
  await dialog.getByLabel('Name').fill('Door controller');
  await dialog.getByRole('button', { name: 'Front desk' }).click();
  const bookings = dialog.getByRole('group', { name: 'Bookings' });
  assert(await bookings.getByRole('checkbox', { name: 'Write' }).isChecked());
  await dialog.getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: 'In a year' }).click();
  await shot(page, 'create-key');
  await dialog.getByRole('button', { name: 'Create key' }).click();

  const secret = page.getByRole('dialog', { name: 'Door controller is ready' });
  await secret.waitFor();
  await page.mouse.click(5, 400);
  await page.keyboard.press('Escape');
  await shot(page, 'secret');
  await secret.getByRole('button', { name: 'Done' }).click();
  await secret.getByText('You have not copied it yet').waitFor();
  await secret.getByRole('button', { name: 'Copy: API key' }).click();
  key = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(key, /^foyer_/);
  await secret.getByRole('button', { name: 'Done' }).click();
  await secret.waitFor({ state: 'hidden' });
  await keys(page)
    .getByRole('row', { name: /Door controller.*Active.*Expires/ })
    .waitFor();
  assert(!(await page.content()).includes(key));
}

export async function rotate({ page, shot, here }: Stage) {
  assert.equal(await answerTo(here.url, key), 200);
  await page.getByRole('button', { name: 'Rotate Door controller' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate key' });
  await dialog.getByRole('radio', { name: 'In an hour' }).check();
  await shot(page, 'rotate-key');
  await dialog.getByRole('button', { name: 'Rotate key' }).click();
  const secret = page.getByRole('dialog', { name: 'New secret for Door controller' });
  const successor = await secret.getByLabel('API key', { exact: true }).inputValue();
  await secret.getByRole('button', { name: 'Copy: API key' }).click();
  await secret.getByRole('button', { name: 'Done' }).click();
  await keys(page)
    .getByRole('row', { name: /Being replaced.*Expires in/ })
    .waitFor();
  assert.equal(await answerTo(here.url, key), 200);
  assert.equal(await answerTo(here.url, successor), 200);
  await shot(page, 'rotated');
}

export async function revoke({ page, shot, here }: Stage) {
  await keys(page)
    .getByRole('row', { name: /Being replaced/ })
    .getByRole('button', { name: 'Revoke Door controller' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Revoke key?' });
  await shot(page, 'revoke-key');
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Door controller revoked.').waitFor();
  assert.equal(await answerTo(here.url, key), 401);
  await keys(page)
    .getByRole('row', { name: /Rotated/ })
    .waitFor();
}

export async function list({ page, shot, here }: Stage) {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const scopes = ['bookings', 'spaces', 'members', 'events', 'orders'].map(
    (noun) => `${noun}:read`,
  );
  const kinds = [
    { name: 'Website', createdAt: daysAgo(400), lastUsedAt: daysAgo(0.2), scopes },
    { name: 'Newsletter export', createdAt: daysAgo(200), lastUsedAt: null, scopes: ['*'] },
    {
      name: 'Trial',
      createdAt: daysAgo(90),
      lastUsedAt: daysAgo(70),
      expiresAt: daysAgo(60),
      scopes,
    },
  ];
  const many = Array.from({ length: 26 }, (_, index) => ({
    name: `Sensor ${index + 1}`,
    createdAt: daysAgo(500 + index),
    lastUsedAt: daysAgo(1),
    scopes: ['check-ins:write'],
  }));
  await here.prisma.apiToken.createMany({
    data: [...kinds, ...many].map((token, index) => ({
      ...token,
      prefix: 'foyer_abc123',
      hash: new Uint8Array(32).fill(index),
    })),
  });
  await page.reload();
  const table = keys(page);
  await table.getByRole('row', { name: /Website.*Older than a year/ }).waitFor();
  await table
    .getByRole('row', { name: /Newsletter.*Not used for three months.*Everything/ })
    .waitFor();
  await table.getByRole('row', { name: /Trial.*Expired/ }).waitFor();
  await page.getByRole('button', { name: '2 more' }).first().click();
  await shot(page, 'keys');
  assert.equal(await table.getByRole('row').count(), 26);
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByText('All 31 shown').waitFor();
  assert.equal(await table.getByRole('row').count(), 32);
}

async function answerTo(url: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/bookings`, { headers: { authorization: `Bearer ${token}` } });
  return answer.status;
}
