import assert from 'node:assert/strict';
import type { Stage } from '../stage.ts';
import { findOpenDay } from './open-day.ts';

export async function create({ page, panel, shot, here }: Stage) {
  await page.goto(panel('/day-passes'));
  const there = page.getByRole('region', { name: 'Café Süd' });
  await there.getByText('No day passes yet. Add one').waitFor();
  await there.getByRole('button', { name: 'Add a day pass' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a day pass for Café Süd' });
  await dialog.getByRole('button', { name: 'Add day pass' }).click();
  await dialog.getByText('Enter a name').waitFor();
  await dialog.getByLabel('Name').fill('Day pass');
  await dialog.getByLabel('Price', { exact: true }).fill('19.50');
  await dialog.getByLabel('Passes per day').fill('8');
  await shot(page, 'day-pass-form');
  await dialog.getByRole('button', { name: 'Add day pass' }).click();
  await page.getByRole('row', { name: /Day pass.*€19\.50.*up to 60 days before/ }).waitFor();
  await page.getByLabel('Check availability on').fill(findOpenDay());
  await page.getByRole('row', { name: /Day pass.*8 of 8.*On sale/ }).waitFor();
  await shot(page, 'day-passes');
  await page.getByRole('button', { name: 'Edit Day pass' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit Day pass' });
  await editing.getByRole('switch', { name: 'On sale' }).click({ force: true });
  await editing.getByRole('button', { name: 'Save day pass' }).click();
  await page.getByRole('row', { name: /Day pass.*not on sale.*not on sale.*Off sale/ }).waitFor();
  const type = await here.prisma.dayPassType.findFirstOrThrow();
  assert.deepEqual([type.priceAmount, type.dailyCapacity, type.active], [1950, 8, false]);
}
