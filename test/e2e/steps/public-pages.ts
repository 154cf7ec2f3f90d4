import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { cancelOrderBySecret } from '../../../src/features/orders/service/cancel-order.ts';
import { readDocument } from '../documents.ts';
import type { Stage } from '../stage.ts';
import { assertFits } from './narrow.ts';
import {
  createPublicFixtures,
  fillBuyer,
  findEmailedLink,
  OTTO,
  payInSandbox,
  secretIn,
  startSandbox,
  VERA,
} from './public-fixtures.ts';

const PHONE = { width: 360, height: 740 };
let page: Page;

const heading = (name: string, on = page) => on.getByRole('heading', { name, exact: true });
const topic = (name: string) =>
  page.getByRole('group', { name: 'Topics' }).getByText(name, { exact: true });
const tickets = () => page.getByRole('list', { name: 'Tickets' }).getByRole('listitem');
const dialog = (name: string) => page.getByRole('dialog', { name });

export async function noEvents({ newPage, here, page: staffPage, shot }: Stage) {
  await staffPage.goto('about:blank');
  await startSandbox(here);
  // Times must be in the location's time zone, not in the browser's.
  page = await newPage({ viewport: PHONE, timezoneId: 'America/New_York' });
  await page.goto(`${here.url}/events`);
  await heading('No upcoming events').waitFor();
  await shot(page, 'public-no-events');
  // Neither page leads to the other while both are empty.
  assert.equal(await page.getByRole('link', { name: 'See day passes' }).count(), 0);
  await page.goto(`${here.url}/day-passes`);
  await heading('No day passes on sale').waitFor();
}

export async function listEvents({ here, shot }: Stage) {
  await createPublicFixtures(here);
  await page.goto(`${here.url}/events`);
  // Browsers keep the page for some seconds. Reloading asks for the current one.
  await page.reload();
  await page.getByRole('link', { name: 'Open evening' }).waitFor();
  await page.getByText('(Berlin time)').first().waitFor();
  await page.getByText('Sold out').waitFor();
  await page.getByText('From €5.00').waitFor();
  await shot(page, 'public-events');
  await assertFits(page);
  await topic('craft').click();
  await page.getByRole('link', { name: 'Open evening' }).waitFor({ state: 'detached' });
  await topic('craft').click();
  await page.getByRole('searchbox', { name: 'Search events' }).fill('xylophone');
  await heading('No matching events').waitFor();
  await page.getByRole('button', { name: 'Show all events' }).click();
  await page.getByRole('link', { name: 'Open evening' }).click();
  await heading('Open evening').waitFor();
}

/** Who is signed in is known before the event is. */
export async function signedIn({ page: staffPage, here }: Stage) {
  await staffPage.route('**/graphql', async (route) => {
    if (!readDocument(route.request()).includes('query Viewer')) await setTimeout(1_000);
    await route.continue();
  });
  await staffPage.goto(`${here.url}/events/open-evening`);
  await heading('Open evening', staffPage).waitFor();
  await staffPage.unroute('**/graphql');
  await staffPage.goto('about:blank');
}

export async function orderFreeTicket({ here, shot, watch }: Stage) {
  await page.getByRole('button', { name: 'Register' }).waitFor();
  await shot(page, 'public-event');
  await assertFits(page);
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByText('Enter your email address').waitFor();
  assert.equal(await focused(), 'Your name', 'the first invalid field must have the focus');
  await page.getByRole('button', { name: 'Add one: Seat' }).click();
  await fillBuyer(page);
  await page.getByRole('button', { name: 'Attendee names' }).click();
  await page.getByLabel('Name: Seat 2').fill('Ben Okri');
  await shot(page, 'public-attendee-names');
  await assertFits(page);
  // The response is lost. Sending the order again must not create a second one.
  await page.route('**/graphql', async (route) => {
    if (!readDocument(route.request()).includes('placeOrder(')) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await watch.expecting(/ERR_FAILED/, async () => {
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Cannot reach the service.').waitFor();
  });
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Register' }).click();
  // The event is small, so the order must be confirmed by the link in the email.
  await page.getByText(`We’ve emailed ${VERA.email}`).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Confirm' }).count(), 0);
  await shot(page, 'public-portal-to-confirm');
  await assertFits(page);
  await page.goto('about:blank');
  await page.goto(await findEmailedLink(here, VERA.email, 'orders', /^Confirm/));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Your 2 tickets are below').waitFor();
  assert.match(page.url(), /\/orders#\w+$/);
  await tickets().filter({ hasText: 'Ben Okri' }).getByRole('img', { name: /QR/ }).waitFor();
  await shot(page, 'public-portal-free');
  await assertFits(page);
  const count = await here.prisma.order.count({ where: { buyerEmail: VERA.email } });
  assert.equal(count, 1);
  const seat = await page.request.get(
    (await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')) ?? '',
  );
  assert.match(await seat.text(), /BEGIN:VEVENT/);
}

export async function formErrors({ here, shot }: Stage) {
  await page.goto(`${here.url}/events/letterpress-workshop`);
  await page.getByText('Only 3 left').waitFor();
  await page.getByRole('link', { name: 'Sign in to buy' }).waitFor();
  await page.getByText(/On sale from/).waitFor();
  await page.getByRole('button', { name: 'Add one: Standard' }).click();
  await page.getByRole('button', { name: 'Add one: Standard' }).click();
  await fillBuyer(page);
  await page.getByLabel('Discount code (optional)').fill('NOPE');
  await page.getByText('The discount is applied when you order.').waitFor();
  await page.getByRole('button', { name: 'Order and pay' }).click();
  await page.getByText('The discount code NOPE is not valid for this order.').waitFor();
  assert.equal(await focused(), 'Discount code (optional)');
  await shot(page, 'public-discount-rejected');
  await assertFits(page);
  await page.getByLabel('Discount code (optional)').fill('INK50');
}

export async function pay({ shot }: Stage) {
  await page.getByRole('button', { name: 'Order and pay' }).click();
  await payInSandbox(page, /fail/);
  await page.getByText('The payment failed').waitFor();
  // Going back leads to the order, not to the form.
  await page.goBack();
  await page.goBack();
  await page.getByText(/Reserved for you until/).waitFor();
  await page.getByRole('timer').waitFor();
  await shot(page, 'public-portal-held');
  await assertFits(page);
  await page.getByRole('link', { name: 'Pay €20.00' }).click();
  await payInSandbox(page, /^Pay/);
  await page.getByText('Your 2 tickets are below').waitFor();
  await shot(page, 'public-portal-paid');
  await assertFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await shot(page, 'public-portal-wide');
}

export async function renameAndTransfer({ here, shot }: Stage) {
  const [first, second] = [tickets().nth(0), tickets().nth(1)];
  await first.getByRole('button', { name: /Change name/ }).click();
  await dialog('Change name').getByLabel('Name').fill('Vera L. Lind');
  await shot(page, 'public-change-name');
  await dialog('Change name').getByRole('button', { name: 'Change name' }).click();
  await first.getByText('Vera L. Lind').waitFor();
  await second.getByRole('button', { name: /Transfer/ }).click();
  const transfer = dialog('Transfer this ticket');
  await transfer.getByRole('button', { name: 'Transfer' }).click();
  await transfer.getByText('Enter their name').waitFor();
  await transfer.getByLabel('Their name').fill('Gus Holm');
  await transfer.getByLabel('Their email address').fill('gus@example.org');
  await shot(page, 'public-transfer');
  await transfer.getByRole('button', { name: 'Transfer' }).click();
  await second.getByText('Gus Holm').waitFor();

  const link = await findEmailedLink(here, 'gus@example.org', 'ticket');
  const theirs = await page.context().newPage();
  await theirs.setViewportSize(PHONE);
  await theirs.goto(link);
  await theirs.getByRole('img', { name: /^QR code/ }).waitFor();
  await theirs.getByText('Gus Holm').waitFor();
  await theirs.getByText('(Berlin time)').waitFor();
  await shot(theirs, 'public-ticket');
  await assertFits(theirs);
  await theirs.goto(`${here.url}/events`);
  await theirs.goto(`${here.url}/ticket#FOY-NOBODYS`);
  await theirs.getByText('This code isn’t valid').waitFor();
  await theirs.goto(`${here.url}/events`);
  await theirs.goto(`${here.url}/ticket`);
  await heading('This link is incomplete', theirs).waitFor();
  await theirs.close();
}

export async function cancelTicket({ here, shot }: Stage) {
  await page.getByRole('button', { name: 'Cancel tickets' }).click();
  const cancelDialog = dialog('Cancel tickets');
  await cancelDialog.getByText('Select what to cancel').waitFor();
  await cancelDialog.getByRole('button', { name: 'Select all' }).click();
  await cancelDialog.getByText('You’ll be refunded €20.00').waitFor();
  await cancelDialog.getByRole('checkbox', { name: /Vera/ }).click();
  await cancelDialog.getByText('You’ll be refunded €10.00. Refunds are available until').waitFor();
  await shot(page, 'public-cancel');
  await cancelDialog.getByRole('button', { name: 'Cancel 1 ticket and refund €10.00' }).click();
  await tickets().filter({ hasText: 'Gus Holm' }).getByText('Cancelled').waitFor();
  await page.getByRole('list', { name: 'Refunds' }).getByText('Refund of €10.00').waitFor();
  await page.getByRole('button', { name: 'Resend confirmation' }).click();
  await page.getByText('Confirmation sent to').waitFor();
  await shot(page, 'public-cancelled');
  const receipt = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Receipt' }).click();
  const paper = await receipt;
  await paper.getByText('Refunded').first().waitFor();
  await paper.close();
  const pdfUrl = await page.getByRole('link', { name: 'Tickets as PDF' }).getAttribute('href');
  const pdf = await page.request.get(pdfUrl ?? '');
  assert.equal(pdf.headers()['content-type'], 'application/pdf');
  const mine = { order: { buyerEmail: VERA.email } };
  assert.equal(await here.prisma.refund.count({ where: mine }), 1);
  await page.emulateMedia({ media: 'print' });
  await shot(page, 'public-portal-print');
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  await shot(page, 'public-portal-dark');
  await page.setViewportSize(PHONE);
  await shot(page, 'public-portal-dark-phone');
}

export async function waitlist({ here, shot }: Stage) {
  await page.emulateMedia({ colorScheme: 'light' });
  await joinWaitlist(here, () => shot(page, 'public-waiting-list'));
  await page.goto(await findEmailedLink(here, VERA.email, 'waitlist'));
  await page.getByText('You’re waiting for one ticket.').waitFor();
  await page.getByLabel('Offer me fewer tickets').uncheck();
  await shot(page, 'public-waiting-list-entry');
  await assertFits(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Your changes are saved.').waitFor();
  await page.getByRole('button', { name: 'Leave the waiting list' }).click();
  await page.getByText('You’ve left the waiting list').waitFor();

  // Two seats are released, and one is offered to the waiting person.
  await joinWaitlist(here);
  await cancelOrderBySecret(
    here.ctx,
    secretIn(await findEmailedLink(here, OTTO.email, 'orders')),
    undefined,
  );
  await page.goto('about:blank');
  await page.goto(await findEmailedLink(here, VERA.email, 'waitlist'));
  await page.getByText('We’re holding one ticket for you until').waitFor();
  await shot(page, 'public-leave');
  await page.goto(await findEmailedLink(here, VERA.email, 'orders', /^Tickets available/));
  await page.getByText('Confirm that you’re coming').waitFor();
  await shot(page, 'public-offer');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Your ticket is below').waitFor();
}

async function joinWaitlist(here: Stage['here'], onFilled?: () => Promise<void>): Promise<void> {
  await page.goto(`${here.url}/events/dinner`);
  await page.getByRole('button', { name: 'Join the waiting list: Seat' }).click();
  const form = dialog('Join the waiting list');
  await fillBuyer(form);
  await onFilled?.();
  await form.getByRole('button', { name: 'Join the waiting list' }).click();
  await form.getByText('You’re on the waiting list').waitFor();
  await form.getByRole('button', { name: 'Close' }).last().click();
}

export async function endedWaitlist({ here }: Stage) {
  await page.goto('about:blank');
  await page.goto(await findEmailedLink(here, VERA.email, 'waitlist'));
  await page.getByText('You’ve accepted the offer.').waitFor();
  await page.goto(`${here.url}/waitlist#nonsense`);
  await page.getByText('This link isn’t valid').waitFor();
}

export async function dayPasses({ here, shot }: Stage) {
  await page.goto(`${here.url}/day-passes?day=2020-01-01`);
  await page.waitForURL(`${here.url}/day-passes`);
  await page.getByLabel('Date', { exact: true }).fill('2020-01-01');
  await page.getByText('This day has passed.').waitFor();
  await shot(page, 'public-day-passed');
  await page.getByRole('button', { name: 'Next day' }).click();
  await page.getByText('Only 4 left').waitFor();
  await page.getByRole('radio', { name: /Flex desk/ }).click();
  await page.getByRole('button', { name: 'Add one: day passes' }).click();
  await fillBuyer(page);
  await shot(page, 'public-day-passes');
  await assertFits(page);
  await page.getByRole('button', { name: 'Order and pay' }).click();
  await payInSandbox(page, /^Pay/);
  await page.getByText('Your 2 day passes are below').waitFor();
  await shot(page, 'public-day-pass-portal');
  await assertFits(page);
  await page.goto(`${here.url}/day-passes`);
  await page.getByRole('button', { name: 'Next day' }).click();
  await page.getByText('Only 2 left').waitFor();
}

export async function findOrders({ here, shot }: Stage) {
  await page.goto(`${here.url}/orders#nonsense`);
  await page.getByText('Order not found').waitFor();
  await shot(page, 'public-wrong-link');
  for (const email of ['nobody@example.org', VERA.email]) {
    await page.goto(`${here.url}/events`);
    await page.getByRole('link', { name: 'My orders' }).click();
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send me the links' }).click();
    await page.getByText(`If there are orders for ${email}`).waitFor();
  }
  await shot(page, 'public-find');
  await page.goto(await findEmailedLink(here, VERA.email, 'orders'));
  await page.getByText(/Order \w+/).waitFor();
}

export async function cancelledEvent({ here, shot, watch }: Stage) {
  await page.goto(`${here.url}/events/a-talk`);
  await page.getByText('The speaker has a cold.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Register' }).count(), 0);
  await shot(page, 'public-cancelled-event');
  await watch.expecting(/404/, async () => {
    const unknown = await page.goto(`${here.url}/events/nothing-like-it`);
    assert.equal(unknown?.status(), 404);
    await heading('Looking for an event?').waitFor();
    const missing = await page.goto(`${here.url}/events/nothing/like/it`);
    assert.equal(missing?.status(), 404);
    await heading('Looking for an event?').waitFor();
    await page.goto(`${here.url}/orders/nothing`);
    await heading('Page not found').waitFor();
    await shot(page, 'public-missing-page');
  });
}

export async function layout({ here, shot }: Stage) {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${here.url}/events`);
    await page.getByRole('link', { name: 'Open evening' }).waitFor();
    await shot(page, `public-events-${colorScheme}`);
    await page.goto(`${here.url}/events/letterpress-workshop`);
    await page.getByRole('list', { name: 'Ticket types' }).waitFor();
    await shot(page, `public-event-${colorScheme}`);
    await page.goto(`${here.url}/day-passes`);
    await page.getByRole('radio', { name: /Flex desk/ }).waitFor();
    await shot(page, `public-day-passes-${colorScheme}`);
  }
}

export async function keyboard({ here }: Stage) {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${here.url}/events`);
  await page.getByRole('link', { name: 'Open evening' }).waitFor();
  await tabTo('Skip to content');
  await page.keyboard.press('Enter');
  await tabTo('Open evening');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Register' }).waitFor();
  await tabTo('Add one: Seat');
  await page.keyboard.press('Enter');
  await tabTo('Your name');
  await page.keyboard.type('Kim Aster');
  await tabTo('Your email address');
  await page.keyboard.type('kim@example.org');
  await page.keyboard.press('Enter');
  await page.getByText('We’ve emailed kim@example.org').waitFor();
  await page.context().close();
}

export async function withoutPath({ here, newPage }: Stage) {
  const other = await newPage();
  await other.goto(`${here.origin}/events`);
  await other.getByRole('link', { name: 'Letterpress workshop' }).click();
  await heading('Letterpress workshop', other).waitFor();
  assert.equal(new URL(other.url()).pathname, '/events/letterpress-workshop');
  await other.getByRole('link', { name: 'Sign in', exact: true }).click();
  await other.getByRole('button', { name: /^(Send|Request) sign-in link$/ }).waitFor();
  await other.context().close();
}

async function tabTo(name: string): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    if ((await focused()) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`cannot be reached by keyboard: "${name}"`);
}

const focused = () =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLInputElement | null;
    return (
      at?.getAttribute('aria-label') ?? at?.labels?.[0]?.textContent ?? at?.textContent?.trim()
    );
  });
