import assert from 'node:assert/strict';
import { v7 } from 'uuid';
import { type Stage, settle } from '../stage.ts';
import { openPanel } from './lighthouse.ts';
import { assertFits } from './narrow.ts';

const SUBJECT = 'Closed on Friday';
const PLAN = 'Evening plan';

/** Two members with a plan. One of their names would be markup if the preview did not escape it. */
async function addMembers({ here }: Stage): Promise<void> {
  const { id: planId } = await here.prisma.plan.create({ data: { name: PLAN } });
  for (const name of ['Anna <b>Bold', 'Zoe Zimmer']) {
    const email = `${v7()}@example.org`;
    const { id } = await here.prisma.member.create({ data: { name, email, code: v7() } });
    await here.prisma.membership.create({
      data: { planId, memberId: id, startsOn: new Date('2020-01-01') },
    });
  }
}

export async function send(stage: Stage) {
  const { page, here, shot } = stage;
  await openPanel(stage, '/mailings');
  await page.getByRole('heading', { name: 'No mailings yet' }).waitFor();
  await shot(page, 'no-mailings');
  await addMembers(stage);
  await page.goto(stage.panel('/plans'));
  await page.getByRole('link', { name: `Email members with ${PLAN}` }).click();
  await page.getByRole('region', { name: 'Recipients' }).waitFor();
  await page.getByRole('radio', { name: 'Attendees of an event' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Select an event', { exact: true }).waitFor();
  await page.getByRole('radio', { name: 'Members' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('region', { name: 'Message' }).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Enter a subject').waitFor();
  await page.getByLabel('Subject').fill(SUBJECT);
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello {{nmae}},\n\nwe are closed.');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('The only variable is {{name}}').waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello {{name}},\n\nwe are closed.');
  await shot(page, 'mailing-message');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Continue' }).press('Enter');

  const preview = page.frameLocator('iframe[title="Preview of the email"]');
  await preview.getByText('Hello Anna <b>Bold,').waitFor();
  await page.getByText('2 people will get this email.').waitFor();
  await page.getByRole('list', { name: 'Recipients' }).getByText('Zoe Zimmer').waitFor();
  await shot(page, 'mailing-preview');
  await page.setViewportSize({ width: 320, height: 640 });
  await settle(page);
  await assertFits(page, 320);
  await page.setViewportSize({ width: 1280, height: 800 });
  assert.equal(await here.prisma.mailing.count(), 0, 'nothing is sent without confirmation');
  await page.getByRole('button', { name: 'Send to 2 people' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send this email?' });
  await dialog.getByRole('button', { name: 'Send 2 emails' }).click();
  await page.getByRole('heading', { name: SUBJECT, level: 1 }).waitFor();
}

/** The page shows the progress without reloading. Without a mail server, the test marks emails as sent. */
export async function progress({ page, here, panel, shot }: Stage) {
  const progress = page.getByRole('region', { name: 'Progress' });
  await progress.getByText('0 of 2 sent').waitFor();
  await progress.getByText('Sending').waitFor();
  await waitForMails(here);
  const sent = await here.prisma.mail.findFirstOrThrow({ where: { subject: SUBJECT } });
  await here.prisma.mail.update({
    where: { id: sent.id },
    data: { status: 'sent', sentAt: new Date() },
  });
  await progress.getByText('1 of 2 sent').waitFor();
  await page.getByRole('link', { name: 'View emails' }).click();
  await page.getByRole('heading', { name: 'Emails of a mailing' }).waitFor();
  const emails = page.getByRole('row', { name: new RegExp(SUBJECT) });
  await emails.nth(1).waitFor();
  assert.equal(await emails.count(), 2);
  await page.getByRole('link', { name: 'Mailing', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel mailing' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel mailing?' });
  await dialog.getByRole('button', { name: 'Cancel mailing' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await progress.getByText('Cancelled').first().waitFor();
  assert.equal(await here.prisma.mail.count({ where: { subject: SUBJECT } }), 1);
  await shot(page, 'mailing');
  await page.goto(panel('/mailings'));
  await page.getByRole('row', { name: /Closed on Friday.*Members with Evening plan/ }).waitFor();
  await shot(page, 'mailings');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole('list', { name: 'Mailings' }).waitFor();
  await settle(page);
  await assertFits(page, 320);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** The job runs in the service. */
async function waitForMails(here: Stage['here']): Promise<void> {
  while ((await here.prisma.mail.count({ where: { subject: SUBJECT } })) < 2)
    await new Promise((resolve) => setTimeout(resolve, 100));
}
