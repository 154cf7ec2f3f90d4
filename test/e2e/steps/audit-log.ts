import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { runInTransaction } from '../../../src/context.ts';
import { updateMember } from '../../../src/features/members/service.ts';
import { recordUpdated } from '../../../src/journal/record-changes.ts';
import { type Stage, settle } from '../stage.ts';
import { getLighthouse, LINUS, openPanel } from './lighthouse.ts';
import { assertFits } from './narrow.ts';

const FILTER = 'about=resource';

/** Owners see who changed a price, with its currency, and share the URL of what they see. */
export async function price(stage: Stage) {
  const { page, here, panel, shot } = stage;
  const { resources } = await getLighthouse(here);
  const id = resources.find(({ name }) => name === 'Map room')?.id ?? '';
  await runInTransaction(here.ctx, (ctx) =>
    recordUpdated(ctx, 'resource.updated', [id], () =>
      ctx.db.resource.update({ where: { id }, data: { hourlyAmount: 2_400, currency: 'EUR' } }),
    ),
  );
  await openPanel(stage, '/settings/audit-log');
  await page.getByRole('combobox', { name: 'About' }).click();
  await page.getByRole('option', { name: 'Resources' }).click();
  const row = page.getByRole('row', { name: /Resource updated.*Map room/ });
  await row.getByRole('button', { name: 'Details: Resource updated Map room' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resource updated' });
  await dialog.getByRole('row', { name: /Hourly amount.*€24\.00/ }).waitFor();
  await shot(page, 'audit-log-details');
  await dialog.getByRole('button', { name: 'All changes of this object' }).click();
  await page.getByText('All changes of Map room').waitFor();
  assert.deepEqual(new URL(page.url()).search, `?subject=${id}`);
  await page.reload();
  await row.waitFor();
  await page.goto(panel(`/settings/audit-log?${FILTER}`));
  await row.getByRole('button').click();
  await dialog.getByRole('link', { name: 'Map room' }).click();
  await page.getByRole('heading', { name: 'Map room', level: 1 }).waitFor();
}

/** The filter finds what a member did, and the file contains the same. */
export async function byMember({ page, here, panel, shot }: Stage) {
  const { id } = await here.prisma.member.findUniqueOrThrow({ where: { email: LINUS.email } });
  const viewer = { kind: 'member', id, name: LINUS.name, sessionId: '' } as const;
  await updateMember({ ...here.ctx, viewer: viewer as never }, id, { company: 'Salt Works' });
  await page.goto(panel('/settings/audit-log'));
  await page.getByRole('combobox', { name: 'By member' }).fill('linus');
  await page.getByRole('option', { name: /Linus Pauling/ }).click();
  const row = page.getByRole('row', { name: /Member updated.*Linus Pauling.*Company/ });
  await row.waitFor();
  await page.getByRole('table').getByRole('row').nth(2).waitFor({ state: 'detached' });
  await page.reload();
  await row.waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'By member' }).inputValue(), LINUS.name);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  assert.equal(lines.length, 2);
  assert.match(
    lines[1] ?? '',
    /member\.updated,[^,]+,Linus Pauling,Member Linus Pauling.*Salt Works/,
  );
  await shot(page, 'audit-log');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole('list', { name: 'Changes' }).waitFor();
  await settle(page);
  await assertFits(page, 320);
  await page.setViewportSize({ width: 1280, height: 800 });
}
