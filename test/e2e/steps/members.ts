import assert from 'node:assert/strict';
import { type Stage, settle } from '../stage.ts';
import { assertFits } from './narrow.ts';

export async function create({ page, panel, shot, here }: Stage) {
  await here.prisma.member.create({
    data: { name: 'Cleo Arendt', email: 'cleo@example.org', code: 'M-CLEO-1' },
  });
  await page.goto(panel('/members'));
  await page.getByRole('row', { name: /Cleo Arendt/ }).waitFor();
  await page.getByRole('button', { name: 'Add a member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a member' });
  await dialog.getByLabel('Name').fill('Ben Okafor');
  await dialog.getByLabel('Email address').fill('ben');
  await dialog.getByRole('button', { name: 'Add member' }).click();
  await dialog.getByText('Enter a full email address').waitFor();
  await dialog.getByLabel('Email address').fill('ben@example.org');
  await dialog.getByRole('button', { name: 'Add member' }).click();
  await page.getByRole('heading', { name: 'Ben Okafor', level: 1 }).waitFor();

  await page.getByRole('button', { name: 'Edit member' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit Ben Okafor' });
  await editing.getByLabel('Company').fill('Okafor Maps');
  await shot(page, 'edit-member');
  await editing.getByRole('button', { name: 'Save member' }).click();
  await editing.waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'All members' }).click();
  await page.getByLabel('Search').fill('okaf');
  await page.getByRole('row', { name: /Cleo/ }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Ben Okafor.*Okafor Maps.*Active/ }).waitFor();
  await shot(page, 'members');
}

export async function importFile({ page, panel, shot, here }: Stage) {
  await page.goto(panel('/members'));
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import members' });
  const file = (text: string) => ({
    name: 'members.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });
  const choose = (text: string) => dialog.locator('input[type=file]').setInputFiles(file(text));
  await choose('Phone\n1');
  await dialog.getByRole('button', { name: 'Check the file' }).click();
  await dialog.getByText('There is no column named').waitFor();
  await choose('Name;Email;Start date\nAlá Zielińska;ala@example.org;2024-05-01\nCy;cy@;\n');
  await dialog.getByRole('button', { name: 'Check the file' }).click();
  await dialog
    .getByRole('row', { name: /3 Cy <cy@> Problem The email address is invalid/ })
    .waitFor();
  await shot(page, 'import-members');
  assert.equal(await here.prisma.member.count({ where: { email: 'ala@example.org' } }), 0);
  await dialog.getByRole('combobox', { name: 'Show' }).click();
  await page.getByRole('option', { name: 'All lines' }).click();
  await dialog.getByRole('row', { name: /2 Alá Zielińska <ala@example.org> Added/ }).waitFor();
  await dialog.getByRole('button', { name: 'Import the correct line' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByLabel('Search').fill('ala ziel');
  await page.getByRole('link', { name: 'Alá Zielińska' }).click();
  await page.getByText('1 May 2024').waitFor();
}

/** The list of imports, what one did with each line, and its undo, first while a booking depends on it. */
export async function undoImport({ page, panel, shot, here }: Stage) {
  const { prisma } = here;
  await page.goto(panel('/settings/imports'));
  await page
    .getByRole('row', { name: /members.csv Members Imported 1 added, 1 problem/ })
    .waitFor();
  await shot(page, 'imports');
  await page.getByRole('link', { name: 'members.csv' }).click();
  await page.getByRole('row', { name: /Line 3 Problem The email address is invalid/ }).waitFor();
  await page.getByRole('combobox', { name: 'Result' }).click();
  await page.getByRole('option', { name: 'Added' }).click();
  await page.getByRole('link', { name: 'Open the record of line 2' }).waitFor();
  await shot(page, 'import');
  await page.setViewportSize({ width: 390, height: 844 });
  await settle(page);
  await assertFits(page, 390);
  await shot(page, 'import-narrow');

  const { id: memberId } = await prisma.member.findUniqueOrThrow({
    where: { email: 'ala@example.org' },
  });
  const resource = await prisma.resource.findFirstOrThrow();
  const endsAt = new Date('2031-03-01T11:00:00Z');
  const booking = await prisma.booking.create({
    data: {
      ...{ resourceId: resource.id, locationId: resource.locationId, memberId },
      ...{ startsAt: new Date('2031-03-01T10:00:00Z'), endsAt, occupiedUntil: endsAt },
    },
  });
  await page.getByRole('button', { name: 'Undo import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Undo this import?' });
  await dialog.getByText('Line 2: The member has a booking.').waitFor();
  await settle(page);
  await shot(page, 'undo-import-in-use');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.setViewportSize({ width: 1280, height: 800 });

  await prisma.booking.delete({ where: { id: booking.id } });
  await page.getByRole('button', { name: 'Undo import' }).click();
  await dialog.getByText('After this: 1 member removed. Nobody gets an email.').waitFor();
  await shot(page, 'undo-import');
  await dialog.getByRole('button', { name: 'Undo import' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('Undone', { exact: true }).first().waitFor();
  assert.equal(await prisma.member.count({ where: { email: 'ala@example.org' } }), 0);
}

export async function membership({ page, panel, shot, here }: Stage) {
  await page.goto(panel('/teams'));
  await page.getByRole('button', { name: 'Create a team' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Mapmakers');
  await page.getByRole('dialog').getByRole('button', { name: 'Create team' }).click();
  await page.getByRole('article', { name: 'Mapmakers' }).waitFor();

  const ben = await here.prisma.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
  await page.goto(panel(`/members/${ben.id}`));
  await page.getByRole('button', { name: 'Edit member' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit Ben Okafor' });
  await editing.getByRole('combobox', { name: 'Team' }).click();
  await page.getByRole('option', { name: 'Mapmakers' }).click();
  await editing.getByRole('button', { name: 'Save member' }).click();
  await editing.waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Start membership' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start membership for Ben Okafor' });
  await dialog.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /Resident/ }).click();
  await shot(page, 'start-membership');
  await dialog.getByRole('button', { name: 'Start membership' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('3 h of rooms included').waitFor();
  assert.equal(await here.prisma.membership.count({ where: { memberId: ben.id } }), 1);

  await page.getByRole('button', { name: 'Start membership' }).click();
  await dialog.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /Resident/ }).click();
  await dialog.getByRole('button', { name: 'Start membership' }).click();
  await dialog.getByText('There is already a membership with the plan Resident').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await here.prisma.plan.create({ data: { name: 'Flex' } });
  await page.reload();
  await page.getByRole('button', { name: 'Change plan Resident' }).click();
  const changing = page.getByRole('dialog', { name: 'Change the plan of Ben Okafor' });
  await changing.getByRole('combobox', { name: 'New plan' }).click();
  await page.getByRole('option', { name: /Flex/ }).click();
  await shot(page, 'change-plan');
  await changing.getByRole('button', { name: 'Change plan' }).click();
  await page.getByText(/^Changes to Flex on /).waitFor();
  await shot(page, 'changed-plan');
  await page.getByRole('button', { name: 'Undo change to Flex' }).click();
  await page.getByRole('button', { name: 'Undo change', exact: true }).last().click();
  await page.getByText(/^Changes to Flex on /).waitFor({ state: 'detached' });
  assert.equal(await here.prisma.membership.count({ where: { memberId: ben.id } }), 1);

  await page.goto(panel('/teams'));
  await page.getByRole('link', { name: 'Ben Okafor' }).waitFor();
  await shot(page, 'teams');
}

export async function calendar({ page, panel, shot, here }: Stage) {
  const ben = await here.prisma.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
  await page.goto(panel(`/members/${ben.id}`));
  await page
    .getByRole('row', { name: /Blue room/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Create URL' }).click();
  const secret = page.getByRole('dialog', { name: 'Calendar of Ben Okafor' });
  const address = await secret.getByLabel('Calendar URL', { exact: true }).inputValue();
  await secret.getByRole('button', { name: 'Copy: Calendar URL' }).click();
  await secret.getByRole('button', { name: 'Done' }).click();
  const answer = await fetch(address);
  assert.match(await answer.text(), /BEGIN:VEVENT/);
  await shot(page, 'member');

  await page.getByRole('button', { name: /^End of / }).click();
  const dialog = page.getByRole('dialog', { name: 'End membership' });
  await dialog.getByLabel('Last day').fill('2099-12-31');
  await dialog.getByRole('button', { name: 'Save end date' }).click();
  await page.getByText(/ends Thu, 31 Dec 2099/).waitFor();
}

/** Two people edit the same member: nothing is overwritten silently, and either change can be kept. */
export async function conflict({ page, panel, shot, here }: Stage) {
  const find = () => here.prisma.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
  const { id } = await find();
  const colleague = await page.context().newPage();
  const openForm = async (tab: typeof page) => {
    await tab.goto(panel(`/members/${id}`));
    await tab.getByRole('button', { name: 'Edit member' }).click();
    return tab.getByRole('dialog', { name: 'Edit Ben Okafor' });
  };
  const save = async (tab: typeof page, field: string, value: string) => {
    const form = tab.getByRole('dialog', { name: 'Edit Ben Okafor' });
    await form.getByLabel(field).fill(value);
    await form.getByRole('button', { name: 'Save member' }).click();
    return form;
  };

  const mine = await openForm(page);
  await openForm(colleague);
  await (await save(colleague, 'Phone', '+49 30 1234')).waitFor({ state: 'hidden' });
  await save(page, 'Company', 'Okafor Charts');
  await mine.getByText('Someone else changed this while you were editing').waitFor();
  await mine.getByRole('row', { name: /Phone.*\+49 30 1234/ }).waitFor();
  await shot(page, 'edit-conflict');
  await mine.getByRole('button', { name: 'Save my changes' }).click();
  await mine.waitFor({ state: 'hidden' });
  const { phone, company } = await find();
  assert.deepEqual([phone, company], ['+49 30 1234', 'Okafor Charts']);

  await openForm(page);
  await openForm(colleague);
  await (await save(colleague, 'Company', 'Okafor Atlas')).waitFor({ state: 'hidden' });
  await save(page, 'Company', 'Okafor Maps');
  await mine.getByRole('button', { name: 'Discard my changes' }).click();
  await mine.waitFor({ state: 'hidden' });
  await page.getByText('Okafor Atlas').first().waitFor();
  assert.equal((await find()).company, 'Okafor Atlas');
  await openForm(page);
  await save(page, 'Company', 'Okafor Maps');
  await mine.waitFor({ state: 'hidden' });
  await colleague.close();
}
