import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { runInTransaction } from '../../../src/context.ts';
import { updateMember } from '../../../src/features/members/service/members.ts';
import { recordUpdated } from '../../../src/journal/record-changes.ts';
import { type Stage, settle } from '../stage.ts';
import { openPanel } from './lighthouse.ts';
import { assertFits } from './narrow.ts';

const PLAN = 'Night owl';
const LISE = { name: 'Lise Meitner', email: 'lise@example.org', code: 'LSE2345678' };

/** Owners see who changed a price, with its currency, and share the URL of what they see. */
export async function price(stage: Stage) {
  const { page, here, panel, shot } = stage;
  const { id } = await here.prisma.plan.create({ data: { name: PLAN } });
  await runInTransaction(here.ctx, (ctx) =>
    recordUpdated(ctx, 'plan.updated', [id], () =>
      ctx.db.plan.update({ where: { id }, data: { priceAmount: 2_400 } }),
    ),
  );
  await openPanel(stage, '/settings/audit-log');
  await page.getByRole('combobox', { name: 'About' }).click();
  await page.getByRole('option', { name: 'Plans', exact: true }).click();
  const row = page.getByRole('row', { name: new RegExp(`Plan updated.*${PLAN}`) });
  await row.getByRole('button', { name: `Details: Plan updated ${PLAN}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan updated' });
  await dialog.getByRole('row', { name: /Price.*€24\.00/ }).waitFor();
  await shot(page, 'audit-log-details');
  await dialog.getByRole('button', { name: 'All changes of this object' }).click();
  await page.getByText(`All changes of ${PLAN}`).waitFor();
  assert.equal(page.url(), panel(`/settings/audit-log?subject=${id}`));
  await page.reload();
  await row.waitFor();
  await page.goBack();
  await page.getByText(`All changes of ${PLAN}`).waitFor({ state: 'detached' });
  assert.equal(page.url(), panel('/settings/audit-log?about=plan'));
}

/** The filter finds what a member did, and the file contains the same. */
export async function byMember({ page, here, panel, shot }: Stage) {
  const { id } = await here.prisma.member.create({ data: LISE });
  const viewer = { kind: 'member', id, name: LISE.name, sessionId: '' } as const;
  await updateMember({ ...here.ctx, viewer }, id, { company: 'Salt Works' });
  await page.goto(panel('/settings/audit-log'));
  await page.getByRole('combobox', { name: 'By member' }).fill('lise');
  await page.getByRole('option', { name: /Lise Meitner/ }).click();
  const row = page.getByRole('row', { name: /Member updated.*Lise Meitner.*Company/ });
  await row.waitFor();
  await page.getByRole('table').getByRole('row').nth(2).waitFor({ state: 'detached' });
  await page.reload();
  await row.waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'By member' }).inputValue(), LISE.name);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  assert.equal(lines.length, 2);
  assert.match(
    lines[1] ?? '',
    /member\.updated,[^,]+,Lise Meitner,Member Lise Meitner.*Salt Works/,
  );
  await shot(page, 'audit-log');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole('list', { name: 'Changes' }).waitFor();
  await settle(page);
  await assertFits(page, 320);
  await page.setViewportSize({ width: 1280, height: 800 });
  await row.getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'Member updated' });
  await dialog.getByRole('link', { name: LISE.name }).click();
  await page.getByRole('heading', { name: LISE.name, level: 1 }).waitFor();
}
