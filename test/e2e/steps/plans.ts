import assert from 'node:assert/strict';
import type { Stage } from '../stage.ts';

export async function create({ page, panel, shot, here }: Stage) {
  await page.goto(panel('/plans'));
  await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
  await page.getByRole('button', { name: 'Create a plan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a plan' });
  await dialog.getByLabel('Name').fill('Resident');
  await dialog.getByLabel('Price', { exact: true }).fill('250');
  const rooms = dialog.getByRole('group', { name: 'Rooms per month' });
  await rooms.getByLabel('Included').fill('3');
  await rooms.getByLabel('Discount after that').fill('20');
  await rooms.getByLabel('Limit').fill('2');
  await dialog.getByRole('button', { name: 'Create plan' }).click();
  await dialog.getByText('Enter at least the included hours').waitFor();
  await rooms.getByLabel('Limit').fill('40');
  await dialog.getByText('3 h of rooms included, then 20% off, up to 40 h per month').waitFor();
  await shot(page, 'plan-form');
  await dialog.getByRole('button', { name: 'Create plan' }).click();
  await page
    .getByRole('row', { name: /Resident.*€250\.00 per month.*3 h of rooms.*Available/ })
    .waitFor();
  await shot(page, 'plans');
  assert.equal((await here.prisma.plan.findFirstOrThrow()).priceAmount, 25_000);
}
