import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import type { Stage } from '../stage.ts';
import { openPanel } from './lighthouse.ts';
import { assertFits } from './narrow.ts';

const PATH = '/settings/webhooks';

/** The test messages that the endpoint below has received. */
const received: { headers: IncomingHttpHeaders; body: string }[] = [];
let answer = 200;
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  // Displays of other steps may go offline meanwhile, which also sends events.
  if (body.includes('webhook.test')) received.push({ headers: request.headers, body });
  response.writeHead(answer).end();
}).unref();

let url = '';
let secret = '';

const log = (page: Page) => page.getByRole('table', { name: 'Deliveries' });
const viewLatest = (page: Page) =>
  page.getByRole('button', { name: /^View webhook\.test/ }).first();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

export async function create(stage: Stage) {
  const { page, here, shot } = stage;
  await page.goto('about:blank'); // no requests while the service restarts
  await here.restart(new URL(here.url).pathname, { WEBHOOK_PRIVATE_ADDRESSES: 'allow' });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;

  await openPanel(stage, PATH);
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  assert.equal(await page.title(), 'Webhooks · Foyer');
  await shot(page, 'no-webhooks');
  await button(page, 'Add a webhook').click();
  const dialog = page.getByRole('dialog', { name: 'Add a webhook' });
  await dialog.getByLabel('URL').fill('example.org');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await dialog.getByText('Enter a full URL').waitFor();
  await dialog.getByText('Select at least one event').waitFor();
  await dialog.getByLabel('URL').fill(url);
  await dialog.getByText('others can read messages in transit').waitFor();
  await dialog.getByLabel('Description').fill('Team chat');
  const displays = dialog.getByRole('group', { name: 'Displays' });
  await displays.getByRole('checkbox', { name: 'display.stale' }).check();
  await displays.getByRole('checkbox', { name: 'All displays' }).check();
  assert(await displays.getByRole('checkbox', { name: 'display.offline' }).isDisabled());
  await dialog.getByRole('checkbox', { name: 'check_in.admitted' }).check();
  await shot(page, 'add-webhook');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();

  secret = await takeSecret(stage, 'Team chat is ready');
  await page.getByRole('heading', { name: 'Team chat', level: 1 }).waitFor();
  const { events } = await here.prisma.webhookEndpoint.findFirstOrThrow({ where: { url } });
  assert.deepEqual(events, ['display.*', 'check_in.admitted']);
}

export async function test({ page, shot }: Stage) {
  await page.getByText('No deliveries yet. Send a test').waitFor();
  await button(page, 'Send a test').click();
  await log(page)
    .getByRole('row', { name: /webhook\.test.*Delivered/ })
    .waitFor();
  assert.equal(received.length, 1);
  verified(0, secret);
  await shot(page, 'webhook-delivered');
  await viewLatest(page).click();
  const dialog = page.getByRole('dialog', { name: 'webhook.test' });
  await dialog.getByRole('list', { name: 'Attempts' }).getByText('Responded 200').waitFor();
  await dialog.getByText('Foyer can reach you.').waitFor();
  await shot(page, 'webhook-delivery');
  await dialog.getByRole('button', { name: 'Resend' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await until(() => received.length === 2);
  assert.equal(received[1]?.headers['webhook-id'], received[0]?.headers['webhook-id']);
}

export async function failed({ page, shot }: Stage) {
  answer = 500;
  await button(page, 'Send a test').click();
  await log(page)
    .getByRole('row', { name: /Waiting.*The endpoint responded with 500/ })
    .waitFor();
  await page.getByText('Waiting', { exact: true }).first().click(); // the filter
  await log(page)
    .getByRole('row', { name: /webhook\.test.*Delivered/ })
    .waitFor({ state: 'hidden' });
  await shot(page, 'webhook-waiting');
  await page.getByText('Failed', { exact: true }).click();
  await page.getByText('No matching deliveries.').waitFor();
  answer = 200;
  await page.getByText('All', { exact: true }).click();
  await viewLatest(page).click();
  const dialog = page.getByRole('dialog', { name: 'webhook.test' });
  await dialog.getByRole('list', { name: 'Attempts' }).getByText('Responded 500').first().waitFor();
  await shot(page, 'webhook-failed');
  await dialog.getByRole('button', { name: 'Resend' }).click();
  await log(page)
    .getByRole('row', { name: /webhook\.test.*Waiting/ })
    .waitFor({ state: 'hidden' });
  assert.equal(
    await log(page)
      .getByRole('row', { name: /webhook\.test.*Delivered/ })
      .count(),
    2,
  );
}

export async function rotate(stage: Stage) {
  const { page, shot } = stage;
  await button(page, 'Rotate secret').click();
  const dialog = page.getByRole('dialog', { name: 'Rotate signing secret' });
  await dialog.getByRole('radio', { name: 'In an hour' }).check();
  await shot(page, 'rotate-webhook');
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  const successor = await takeSecret(stage, 'New secret for Team chat');
  assert.notEqual(successor, secret);
  await page.getByText(/Valid, expires in/).waitFor();
  const before = received.length;
  await button(page, 'Send a test').click();
  await until(() => received.length > before);
  verified(before, secret);
  verified(before, successor);
}

export async function narrow({ page, shot, panel }: Stage) {
  const at = page.url();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('list', { name: 'Deliveries' }).waitFor();
  await shot(page, 'narrow-webhook');
  await assertFits(page);
  await page.getByRole('list', { name: 'Deliveries' }).scrollIntoViewIfNeeded();
  await viewLatest(page).click();
  await page.getByRole('dialog').getByText('Foyer can reach you.').waitFor();
  await shot(page, 'narrow-delivery');
  await assertFits(page);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await button(page, 'Edit').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit webhook' });
  await dialog.getByRole('checkbox', { name: 'All displays' }).waitFor();
  await page.waitForTimeout(300); // until it has the focus
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  assert(await dialog.getByRole('checkbox', { name: 'Everything' }).isChecked());
  await shot(page, 'narrow-change-webhook');
  await assertFits(page);
  await page.keyboard.press('Enter');
  await page.getByText('Webhook saved.').waitFor();
  await page.goto(panel(PATH));
  await page.getByRole('list', { name: 'Webhooks' }).getByText('Everything').waitFor();
  await shot(page, 'narrow-webhooks');
  await assertFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(at);
  await log(page).waitFor();
  await shot(page, 'dark-webhook');
  await viewLatest(page).click();
  await page.getByRole('dialog').getByText('Foyer can reach you.').waitFor();
  await shot(page, 'dark-delivery');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.emulateMedia({ colorScheme: 'light' });
}

export async function disable({ page, shot }: Stage) {
  await button(page, 'Disable').click();
  const dialog = page.getByRole('dialog', { name: 'Disable webhook?' });
  await dialog.getByRole('button', { name: 'Disable webhook' }).click();
  await page.getByText(/Disabled by staff\./).waitFor();
  assert.equal(await button(page, 'Send a test').count(), 0);
  await page.getByRole('link', { name: 'All webhooks' }).click();
  await page
    .getByRole('row', { name: /Team chat.*Everything.*Disabled.*Disabled by staff/ })
    .waitFor();
  await shot(page, 'webhook-disabled');
  await page.getByRole('link', { name: url }).click();
  await button(page, 'Enable').click();
  await button(page, 'Send a test').waitFor();
}

export async function remove({ page }: Stage) {
  await button(page, 'Delete').click();
  const dialog = page.getByRole('dialog', { name: 'Delete webhook?' });
  await dialog.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('Webhook deleted.').waitFor();
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  receiver.close();
}

async function takeSecret({ page, shot }: Stage, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  const shown = await dialog.getByLabel('Signing secret', { exact: true }).inputValue();
  await shot(page, 'webhook-secret');
  await dialog.getByRole('button', { name: 'Copy: Signing secret' }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shown);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert(!(await page.content()).includes(shown));
  return shown;
}

/** Throws unless the request was signed with this secret. */
function verified(index: number, by: string): void {
  const { headers, body } = received[index] ?? assert.fail('nothing was received');
  new Webhook(by).verify(body, headers as Record<string, string>);
}

async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; looks < 100 && !isSo(); looks += 1)
    await new Promise((done) => setTimeout(done, 100));
  assert(isSo());
}
