import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { startDemo } from '../support/harness/processes.ts';
import { findChromium, launch } from './chromium.ts';

// Takes the screenshots of the documentation from the demo: `npm run build && npm run screenshots`.
// It navigates by URLs and APIs, not by texts, so that changed texts do not break it.

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const LOCATION = 'kreuzberg';
/** What shows which rows have the most related data. */
const RELATED_COUNTS = `query ($id: ID!) {
  members(first: 100) { nodes { id orders(first: 1) { totalCount { value } } } }
  location(id: $id) {
    resources(first: 50, filter: { type: [ROOM] }) {
      nodes { id bookings(first: 1) { totalCount { value } } }
    }
  }
  events(first: 50) { nodes { id waitlist(first: 1) { totalCount { value } } } }
}`;
/** Templates of which an email is shown. */
const EMAILS = ['booking-rescheduled', 'event-reminder', 'display-offline'];
const DAY_MS = 24 * 60 * 60 * 1000;
const TIMEOUT_MS = 120_000; // for machines that are slow or busy

const executable = findChromium();
if (executable === undefined) {
  console.error('Chromium is missing: install it, for example with "apt-get install chromium".');
  process.exit(1);
}

const folder = await mkdtemp(join(tmpdir(), 'foyer-screenshots-'));
const service = await startDemo(['--data-dir', join(folder, 'demo')]);
const origin = service.url.replace('127.0.0.1', 'localhost');
const token = /foyer_\w{49}/.exec(service.printed)?.[0] ?? '';
const password = /with the password "([^"]+)"/.exec(service.printed)?.[1] ?? '';
const browser = await launch(executable);
try {
  await mkdir(IMAGES, { recursive: true });
  const page = await takePanel(browser);
  await takeRelatedData(page);
  await takeMailing(page);
  await takeEmailTemplate(page);
  await takeEmails(browser, page);
  await takeAuditLog(page);
  await takeExplorer(page);
  await takeDisplay(browser);
  await takeKiosk(browser);
} finally {
  await browser.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Opens the bookings of a day on which the location is open. */
async function takePanel(browser: Browser): Promise<Page> {
  const page = await openPage(browser, { width: 1280, height: 760 });
  await page.goto(`${origin}/admin/sign-in`);
  // Sent by the page, since signing in requires the same origin.
  await page.evaluate(
    ({ query, variables }) =>
      fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      }).then((response) => response.text()),
    {
      query:
        'mutation ($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) { viewer { kind } } }',
      variables: { email: 'ada@example.org', password },
    },
  );
  const { id } = await findLocation();
  await page.goto(`${origin}/admin/bookings?location=${id}&day=${nextWeekday()}`);
  await page.getByRole('main').waitFor();
  await save(page, 'admin-panel');
  return page;
}

/** Writes a mailing to the attendees of the busiest event, and opens its preview. */
async function takeMailing(page: Page): Promise<void> {
  const { events } = await query(
    '{ events(first: 50) { nodes { id orders(first: 1) { totalCount { value } } } } }',
    {},
  );
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto(`${origin}/admin/mailings/new?eventId=${findBusiest(events.nodes, 'orders')}`);
  await page.locator('form button[type=submit]').click();
  await page.locator('form input').fill('Doors open at seven');
  await page
    .locator('form textarea')
    .first()
    .fill('Hello,\n\nthe doors open at seven, and the talk begins at half past.\n\nSee you soon!');
  await page.locator('form button[type=submit]').click();
  await page.frameLocator('iframe').locator('p').first().waitFor();
  await save(page, 'mailing-preview');
}

/** Opens the editor of a template with its preview. */
async function takeEmailTemplate(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 1100 });
  await page.goto(`${origin}/admin/settings/email-templates/booking-confirmed`);
  await page.frameLocator('iframe').locator('p').first().waitFor();
  await save(page, 'email-template');
}

/** Renders emails with example values, as wide as on a phone. */
async function takeEmails(browser: Browser, panel: Page): Promise<void> {
  const page = await openPage(browser, { width: 420, height: 620 });
  for (const key of EMAILS) {
    // Only signed-in staff can preview templates.
    const html = await panel.evaluate(async (key) => {
      const query = 'query ($key: String!) { emailTemplate(key: $key) { preview { html } } }';
      const response = await fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { key } }),
      });
      return (await response.json()).data.emailTemplate.preview.html as string;
    }, key);
    await page.setContent(html);
    await save(page, `email-${key}`);
  }
}

/** Changes a price, and opens the audit log with the details of that change. */
async function takeAuditLog(page: Page): Promise<void> {
  const { resources } = await query('{ resources(first: 1) { nodes { id } } }', {});
  const change = `mutation ($id: ID!) {
    updateResource(input: { id: $id, capacity: 12, pricePerHour: { amount: 2400, currency: "EUR" } }) { resource { id } } }`;
  await query(change, { id: resources.nodes[0].id });
  await page.setViewportSize({ width: 1280, height: 760 });
  await page.goto(`${origin}/admin/settings/audit-log`);
  await page.getByRole('table').getByRole('button').first().click();
  await page.getByRole('dialog').getByRole('table').waitFor();
  await save(page, 'audit-log');
}

async function takeExplorer(page: Page): Promise<void> {
  await page.goto(`${origin}/graphiql`);
  const editor = page.locator('.graphiql-query-editor .view-line').first();
  await editor.waitFor();
  await editor.click();
  await page.keyboard.press('Control+Enter');
  await page.locator('.graphiql-response .view-line').first().waitFor();
  await save(page, 'explorer');
}

/** Opens the pages that show related data: of the busiest member, room and event, and of a location. */
async function takeRelatedData(page: Page): Promise<void> {
  const { id } = await findLocation();
  const { members, location, events } = await query(RELATED_COUNTS, { id });
  const pages = {
    'member-page': `/members/${findBusiest(members.nodes, 'orders')}`,
    'resource-page': `/spaces/resources/${findBusiest(location.resources.nodes, 'bookings')}`,
    'event-page': `/events/${findBusiest(events.nodes, 'waitlist')}`,
    'location-page': `/spaces/${id}`,
  };
  await page.setViewportSize({ width: 1280, height: 1200 });
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`${origin}/admin${path}`);
    await page.getByRole('main').getByRole('table').first().waitFor();
    await save(page, name);
  }
}

/** Pairs a screen with a new display and takes its screenshot. */
async function takeDisplay(browser: Browser): Promise<void> {
  const page = await openPage(browser, { width: 1280, height: 720 });
  const pairing = page.waitForResponse((response) => response.url().endsWith('/displays/pairings'));
  await page.goto(`${origin}/display`);
  const { data } = await (await pairing).json();
  const { id } = await findLocation();
  await query(
    'mutation ($input: ClaimPairingInput!) { claimPairing(input: $input) { display { id } } }',
    {
      input: {
        pairingCode: data.pairing_code,
        name: 'Yard board',
        locationId: id,
        kind: 'EVENT_BOARD',
      },
    },
  );
  await page.waitForResponse(
    (response) => response.url().includes('/displays/state') && response.ok(),
    { timeout: 60_000 },
  );
  await save(page, 'display');
}

async function takeKiosk(browser: Browser): Promise<void> {
  const page = await openPage(browser, { width: 1024, height: 680 });
  await page.goto(`${origin}/kiosk/${LOCATION}`);
  await page.getByRole('textbox').first().waitFor();
  await save(page, 'kiosk');
}

async function openPage(
  browser: Browser,
  viewport: { width: number; height: number },
): Promise<Page> {
  const context = await browser.newContext({ viewport, locale: 'en-GB', colorScheme: 'light' });
  context.setDefaultTimeout(TIMEOUT_MS);
  return context.newPage();
}

/** Waits until nothing is loading and animations have ended. */
async function save(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
  console.log(`docs/images/${name}.png`);
}

function nextWeekday(): string {
  const isWeekend = (time: number) => [0, 6].includes(new Date(time).getUTCDay());
  let time = Date.now();
  while (isWeekend(time)) time += DAY_MS;
  return new Date(time).toISOString().slice(0, 10);
}

async function findLocation(): Promise<{ id: string; slug: string }> {
  const { locations } = await query('{ locations(first: 10) { edges { node { id slug } } } }');
  return locations.edges
    .map(({ node }: { node: { slug: string } }) => node)
    .find(({ slug }: { slug: string }) => slug === LOCATION);
}

interface Counted {
  id: string;
  orders?: Total;
  bookings?: Total;
  waitlist?: Total;
}

interface Total {
  totalCount: { value: number };
}

function findBusiest(
  rows: Counted[],
  list: 'orders' | 'bookings' | 'waitlist',
): string | undefined {
  const count = (row: Counted) => row[list]?.totalCount.value ?? 0;
  return rows.toSorted((a, b) => count(b) - count(a))[0]?.id;
}

// biome-ignore lint/suspicious/noExplicitAny: responses of any shape
async function query(query: string, variables: object = {}): Promise<any> {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  return data;
}
