import assert from 'node:assert/strict';
import type { Request } from 'playwright-core';
import { readDocument } from '../documents.ts';
import { type Stage, settle } from '../stage.ts';
import { theEvent } from './events.ts';
import { assertFits } from './narrow.ts';

/** Opens a page of the panel and returns the names of the operations that it sends until it is loaded. */
async function listRequests({ page, panel }: Stage, path: string): Promise<string[]> {
  const operations: string[] = [];
  const record = (request: Request) => {
    if (!request.url().endsWith('/graphql') || request.method() !== 'POST') return;
    const [, name = 'unnamed'] =
      /\b(?:query|mutation|subscription) (\w+)/.exec(readDocument(request)) ?? [];
    operations.push(name);
  };
  page.on('request', record);
  await page.goto(panel(path));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
  await settle(page);
  page.off('request', record);
  return operations;
}

/** The pages, and the one operation that loads each of them. */
async function listPages({ here }: Stage): Promise<[path: string, operation: string][]> {
  const [event, order, ben, room, webhook, mailing] = await Promise.all([
    theEvent(here),
    here.prisma.order.findFirstOrThrow(),
    here.prisma.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } }),
    here.prisma.resource.findUniqueOrThrow({ where: { slug: 'blue-room' } }),
    here.prisma.webhookEndpoint.findFirstOrThrow(),
    here.prisma.mailing.findFirstOrThrow(),
  ]);
  return [
    ['/bookings', 'BookingsPage'],
    ['/front-desk', 'FrontDesk'],
    ['/front-desk/check-ins', 'CheckIns'],
    ['/events', 'EventList'],
    ['/events?view=past', 'EventList'],
    [`/events/${event.id}`, 'EventPage'],
    [`/events/${event.id}/tickets`, 'EventTickets'],
    ['/orders', 'OrderList'],
    [`/orders/${order.id}`, 'OrderPage'],
    ['/orders/refunds', 'RefundList'],
    ['/day-passes', 'DayPassesPage'],
    ['/spaces', 'Locations'],
    [`/spaces/${room.locationId}`, 'LocationPage'],
    [`/spaces/resources/${room.id}`, 'ResourcePage'],
    [`/spaces/resources/${room.id}/bookings`, 'ResourceBookings'],
    ['/members', 'Members'],
    [`/members/${ben.id}`, 'MemberPage'],
    [`/members/${ben.id}/bookings`, 'MemberBookings'],
    ['/teams', 'Teams'],
    ['/plans', 'Plans'],
    ['/mailings', 'Mailings'],
    ['/mailings/new', 'MailingAudiences'],
    [`/mailings/${mailing.id}`, 'Mailing'],
    ['/displays', 'Displays'],
    ['/displays/announcements', 'Announcements'],
    ['/settings/staff', 'Staff'],
    ['/settings/api-keys', 'ApiKeys'],
    ['/settings/webhooks', 'Webhooks'],
    [`/settings/webhooks/${webhook.id}`, 'WebhookPage'],
    ['/settings/mails', 'Mails'],
    ['/settings/email-templates', 'EmailTemplates'],
    ['/settings/email-templates/booking-confirmed', 'EmailTemplatePage'],
    ['/settings/audit-log', 'AuditLog'],
    ['/settings/personal-data', 'PersonalDataPage'],
    ['/account', 'Account'],
  ];
}

/** Besides who is signed in, how many bookings need approval, what is left of the setup, and the changes that a page waits for. */
const SHARED_OPERATIONS = [
  'Viewer',
  'CountBookingRequests',
  'SetupChecklist',
  'OccupancyChanged',
  'DisplayStatusChanged',
];

export async function oneRequest(stage: Stage) {
  const start = stage.page.url();
  await stage.page.goto(stage.panel('/bookings'));
  await stage.page.getByRole('button', { name: 'New booking' }).waitFor();
  for (const [path, operation] of await listPages(stage)) {
    const operations = await listRequests(stage, path);
    assert.deepEqual(
      operations.filter((name) => !SHARED_OPERATIONS.includes(name)),
      [operation],
      path,
    );
  }
  await stage.page.goto(start);
}

export async function member(stage: Stage) {
  const { page, panel, shot, here } = stage;
  const ben = await here.prisma.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
  await page.goto(panel(`/members/${ben.id}`));
  const upcoming = page.getByRole('region', { name: 'Upcoming bookings' });
  await upcoming.getByRole('link', { name: 'Blue room' }).first().waitFor();
  await page
    .getByRole('region', { name: 'Past bookings' })
    .getByText('No past bookings.')
    .waitFor();
  for (const empty of ['No orders yet.', 'No tickets yet.', 'No day passes yet.'])
    await page.getByText(empty).waitFor();
  await shot(page, 'member-related');
  await page.getByRole('link', { name: 'All bookings' }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Bookings: Ben Okafor', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Blue room' }).first().waitFor();
  await shot(page, 'member-bookings');
  await page.getByRole('link', { name: 'Ben Okafor' }).click();
  await page.getByRole('heading', { name: 'Ben Okafor', level: 1 }).waitFor();
  await fitsPhone(stage);
}

export async function resource(stage: Stage) {
  const { page, panel, shot, here } = stage;
  const room = await here.prisma.resource.findUniqueOrThrow({ where: { slug: 'blue-room' } });
  await page.goto(panel(`/spaces/${room.locationId}`));
  await page.getByRole('link', { name: 'Blue room' }).first().click();
  await page.getByRole('heading', { name: 'Blue room', level: 1 }).waitFor();
  await page.getByRole('region', { name: 'Free today' }).waitFor();
  const upcoming = page.getByRole('region', { name: 'Upcoming bookings' });
  await upcoming.getByRole('link', { name: 'Ben Okafor' }).first().waitFor();
  await page.getByText('No upcoming events.').waitFor();
  await shot(page, 'resource');
  await fitsPhone(stage);
  await page.getByRole('link', { name: 'All bookings' }).click();
  await page.getByRole('heading', { name: 'Bookings: Blue room', level: 1 }).waitFor();
  await page
    .getByRole('row', { name: /Ben Okafor/ })
    .first()
    .waitFor();
}

export async function event(stage: Stage) {
  const { page, panel, shot, here } = stage;
  const { id } = await theEvent(here);
  await page.goto(panel(`/events/${id}`));
  await page
    .getByRole('table', { name: 'Tickets' })
    .getByRole('row', { name: /Nora Lind/ })
    .first()
    .waitFor();
  await page.getByText('No one has checked in yet.').waitFor();
  await page.getByText('The waiting list is empty.').waitFor();
  await shot(page, 'event-related');
  await fitsPhone(stage);
  await page.getByRole('link', { name: 'All tickets' }).click();
  await page.getByRole('heading', { name: 'Tickets: Map evening', level: 1 }).waitFor();
  await page
    .getByRole('row', { name: /Nora Lind.*Early bird/ })
    .first()
    .waitFor();
  await shot(page, 'event-tickets');
  await page.getByRole('link', { name: 'Map evening' }).click();
  await page.getByRole('link', { name: 'Hall' }).click();
  await page.getByRole('heading', { name: 'Hall', level: 1 }).waitFor();
  await page.getByRole('row', { name: /Map evening/ }).waitFor();
}

export async function location(stage: Stage) {
  const { page, panel, shot, here } = stage;
  const room = await here.prisma.resource.findUniqueOrThrow({ where: { slug: 'blue-room' } });
  await page.goto(panel(`/spaces/${room.locationId}`));
  await page
    .getByRole('table', { name: 'Events' })
    .getByRole('row', { name: /Map evening/ })
    .waitFor();
  await page.getByText('No current announcements.').waitFor();
  await page.getByText('No day passes are sold here.').waitFor();
  await shot(page, 'location-related');
  await fitsPhone(stage);
  await page.getByRole('link', { name: 'All displays' }).click();
  await page.getByRole('heading', { name: 'Displays', level: 1 }).waitFor();
  assert(page.url().includes(room.locationId));
}

/** Looks at the current page on a phone. */
async function fitsPhone({ page, shot }: Stage) {
  const name = new URL(page.url()).pathname.split('/').at(-2) ?? 'page';
  await page.setViewportSize({ width: 360, height: 740 });
  await shot(page, `narrow-related-${name}`);
  await assertFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
}
