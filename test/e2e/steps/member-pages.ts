import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createBooking } from '../../../src/features/bookings/service/create-booking.ts';
import { readDocument } from '../documents.ts';
import type { Stage } from '../stage.ts';
import {
  bookForGuest,
  createMemberFixtures,
  findClockChange,
  findSignInLink,
  MIA,
  toDateInBerlin,
} from './member-fixtures.ts';

const PHONE = { width: 360, height: 740 };
let page: Page;
let ids: Awaited<ReturnType<typeof createMemberFixtures>>;

const upcoming = () => page.getByRole('list', { name: 'Upcoming bookings' });
const ended = () => page.getByRole('list', { name: 'Past and cancelled bookings' });
const go = (name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

export async function signIn({ newPage, here, shot }: Stage) {
  ids = await createMemberFixtures(here);
  // Times must be in the location's time zone, not in the browser's.
  page = await newPage({ viewport: PHONE, timezoneId: 'America/New_York' });
  await page.goto(`${here.url}/my`);
  await page.getByLabel('Email address').fill(MIA.email);
  await page.getByRole('button', { name: /^(Send|Request) sign-in link$/ }).click();
  await page.getByText('Ask the staff for your link').waitFor();
  await page.goto('about:blank');
  await page.goto(await findSignInLink(here, MIA.email));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'No upcoming bookings' }).waitFor();
  await page.getByText('None yet.').waitFor();
  await shot(page, 'my-no-bookings');
  await assertFits();
}

export async function book({ shot }: Stage) {
  await page.getByRole('link', { name: 'New booking' }).click();
  await chooseLocation();
  await page.getByRole('button', { name: 'Next day' }).click();
  await page.getByLabel('Earliest start').fill('09:00');
  const times = page.getByRole('list', { name: 'Free times for Harbour room' });
  await times.getByRole('button', { name: '09:00' }).waitFor();
  await shot(page, 'my-free-times');
  await assertFits();
  await times.getByRole('button', { name: '09:00' }).click();

  const dialog = page.getByRole('dialog', { name: 'Confirm your booking' });
  await dialog.getByText('1 h included in the plan').waitFor();
  await dialog.getByText('1 h at €20.00/h, 25% off').waitFor();
  await dialog.getByText('€15.00').first().waitFor();
  await dialog.getByLabel('Title (optional)').fill('Interview');
  await shot(page, 'my-preview');
  await assertFits();
  await dialog.getByRole('button', { name: 'Confirm booking' }).click();
  await upcoming().getByText('Interview, Harbour room').waitFor();
  await upcoming().getByText('09:00 – 11:00 (Berlin time)').waitFor();
  await shot(page, 'my-booked');
}

export async function anyDesk({ here, shot }: Stage) {
  const desks = ['Bench 1', 'Bench 2', 'Bench 3'].map((name, n) => ({
    ...{ name, slug: `bench-${n}`, locationId: ids.place, type: 'desk' as const },
    area: n === 0 ? 'Ground floor' : 'Gallery',
  }));
  await here.prisma.resource.createMany({ data: desks });
  await page.goto(`${here.url}/my/book?location=${ids.place}&type=desk&after=09:00`);
  await page.getByRole('button', { name: 'Next day' }).click();
  await page.getByText('3 desks have free times').waitFor();
  assert.equal(await page.getByRole('list', { name: /^Free times/ }).count(), 1);
  await page.getByRole('button', { name: 'Choose a particular desk' }).click();
  await page.getByRole('list', { name: 'Free times for Bench 3' }).waitFor();
  await page.getByRole('button', { name: 'Hide the desks' }).click();
  await page.getByRole('combobox', { name: 'Area' }).click();
  await page.getByRole('option', { name: 'Gallery' }).click();
  await page.getByText('2 desks have free times').waitFor();
  await page.reload();
  const times = page.getByRole('list', { name: 'Free times for any desk' });
  await page.getByText('2 desks have free times').waitFor();
  await shot(page, 'my-any-desk');
  await assertFits();
  await times.getByRole('button', { name: '09:00', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your booking' });
  await dialog.getByText('Any free desk').waitFor();
  await shot(page, 'my-any-desk-preview');
  await dialog.getByRole('button', { name: 'Confirm booking' }).click();
  await upcoming().getByText('Bench 2').waitFor();
  const desk = { resource: { slug: { startsWith: 'bench-' } } };
  await here.prisma.booking.deleteMany({ where: desk });
  await here.prisma.resource.deleteMany({ where: desk.resource });
}

export async function slotTaken({ here, shot }: Stage) {
  await go('Book');
  await chooseLocation();
  await page.getByRole('button', { name: 'Next day' }).click();
  await page.getByLabel('Earliest start').fill('13:00');
  await page.getByRole('button', { name: '13:00', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your booking' });
  await dialog.getByRole('button', { name: 'Confirm booking' }).waitFor();
  await bookForGuest(here, ids.room, 13, 2);
  await dialog.getByRole('button', { name: 'Confirm booking' }).click();
  await dialog.getByText('This time was just taken').waitFor();
  await shot(page, 'my-just-taken');
  await dialog.getByRole('button', { name: /11:00/ }).click();
  await dialog.getByRole('button', { name: 'Confirm booking' }).click();
  await upcoming().getByText('11:00 – 13:00').waitFor();
}

export async function lostResponse({ shot, watch }: Stage) {
  await go('Book');
  await chooseLocation();
  await page.getByRole('button', { name: 'Next day' }).click();
  await page.getByLabel('Earliest start').fill('20:00');
  await page.getByRole('button', { name: '22:00', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your booking' });
  await dialog.getByRole('button', { name: 'Confirm booking' }).waitFor();
  await page.route('**/graphql', async (route) => {
    if (!readDocument(route.request()).includes('createBooking(')) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await watch.expecting(/ERR_FAILED/, async () => {
    await dialog.getByRole('button', { name: 'Confirm booking' }).click();
    await dialog.getByText('You’ve already booked this').waitFor();
  });
  await page.unroute('**/graphql');
  await shot(page, 'my-answer-is-lost');
  await dialog.getByRole('link', { name: 'See my bookings' }).click();
  await upcoming().getByText('22:00 – ').waitFor();
}

export async function reschedule({ here, shot }: Stage) {
  await upcoming()
    .getByRole('button', { name: /Reschedule .*, 11:00 –/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Reschedule this booking' });
  await dialog.getByRole('button', { name: '15:00', exact: true }).waitFor();
  await shot(page, 'my-move');
  await assertFits();
  await dialog.getByRole('button', { name: '15:00', exact: true }).click();
  await dialog.getByText('2 h at €20.00/h, 25% off').waitFor();
  await shot(page, 'my-move-price');
  await assertFits();
  await bookForGuest(here, ids.room, 16, 1);
  await dialog.getByRole('button', { name: 'Reschedule' }).click();
  await dialog.getByText('This time was just taken').waitFor();
  const nearest = dialog.getByRole('list', { name: 'Nearest free times' });
  await nearest.getByRole('button').first().waitFor();
  assert.equal(await nearest.getByText('11:00').count(), 0, 'the current time must not be offered');
  await shot(page, 'my-move-rejected');
  await dialog.getByRole('button', { name: 'Choose another time' }).click();
  await dialog.getByRole('button', { name: '17:00', exact: true }).click();
  await dialog.getByRole('button', { name: 'Reschedule' }).click();
  await upcoming().getByText('17:00 – 19:00').waitFor();

  // An hour later, the new time overlaps the old one. Half an hour later, it is off the grid.
  await upcoming()
    .getByRole('button', { name: /Reschedule .*, 17:00 –/ })
    .click();
  await dialog.getByLabel('New start time').fill('17:00');
  await dialog.getByText('This is the current start time').waitFor();
  await dialog.getByLabel('New start time').fill('17:30');
  await dialog.getByText('This can’t be booked').waitFor();
  await nearest.getByRole('button', { name: /18:00/ }).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Reschedule' }).count(), 0);
  await shot(page, 'my-move-off-the-grid');
  await dialog.getByLabel('New start time').fill('18:00');
  await dialog.getByRole('button', { name: 'Reschedule' }).click();
  await upcoming().getByText('18:00 – 20:00').waitFor();
}

export async function cancel({ here, shot }: Stage) {
  await upcoming()
    .getByRole('button', { name: /Cancel .*, 18:00 –/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' });
  await dialog.getByText('You can cancel free of charge until').waitFor();
  await shot(page, 'my-cancel');
  await dialog.getByRole('button', { name: 'Cancel booking' }).click();
  await ended().getByText('No charge').waitFor();
  assert.equal(await upcoming().getByText('18:00 – 20:00').count(), 0);

  const soon = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 3_600_000);
  await createBooking(here.ctx, {
    resourceId: ids.room,
    memberId: ids.member,
    startsAt: soon,
    endsAt: new Date(soon.getTime() + 3 * 3_600_000),
    title: 'In a hurry',
    override: true,
  });
  await page.reload();
  const hurried = upcoming().getByRole('listitem').filter({ hasText: 'In a hurry' });
  await hurried.getByText('Rescheduling was possible until').waitFor();
  await hurried.getByRole('button', { name: /Cancel/ }).click();
  await dialog.getByText(/The full price of €\d+\.00 is due/).waitFor();
  await shot(page, 'my-late-cancel');
  await dialog.getByRole('button', { name: 'Cancel booking' }).click();
  await ended().getByText('Late cancellation: €').waitFor();
  await shot(page, 'my-cancelled');
  await assertFits();
}

export async function clocksGoBack({ here, shot }: Stage) {
  const day = findClockChange();
  await page.goto(`${here.url}/my/book?location=${ids.place}&minutes=60&after=01:00&day=${day}`);
  const times = page.getByRole('list', { name: 'Free times for Harbour room' });
  await times.getByRole('button', { name: '02:00 (UTC+2)' }).waitFor();
  await shot(page, 'my-clocks-go-back');
  await times.getByRole('button', { name: '02:00 (UTC+1)' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your booking' });
  await dialog.getByText(/02:00 \(UTC\+1\) – 03:00/).waitFor();
  await dialog.getByRole('button', { name: 'Confirm booking' }).click();
  await upcoming()
    .getByText(/02:00 \(UTC\+1\) – 03:00/)
    .waitFor();
  const { startsAt } = await here.prisma.booking.findFirstOrThrow({
    where: { memberId: ids.member },
    orderBy: { startsAt: 'desc' },
  });
  assert.equal(startsAt.toISOString(), `${day}T01:00:00.000Z`);
}

export async function plan({ here, shot }: Stage) {
  await go('My plan');
  await page.getByRole('heading', { name: 'Nomad' }).waitFor();
  await page.getByText(/^1 h of 1 h used$/).waitFor();
  const { code } = await here.prisma.member.findUniqueOrThrow({ where: { id: ids.member } });
  await page.getByText(code, { exact: true }).waitFor();
  await shot(page, 'my-plan');
  await page.getByRole('button', { name: 'Create URL' }).click();
  const secret = page.getByRole('dialog', { name: 'Calendar of Mia' });
  const address = await secret.getByLabel('Calendar URL', { exact: true }).inputValue();
  await shot(page, 'my-calendar');
  await assertFits();
  await secret.getByRole('button', { name: 'Copy: Calendar URL' }).click();
  await secret.getByRole('button', { name: 'Done' }).click();
  assert.match(await (await fetch(address)).text(), /Interview/);
}

export async function paused({ here, shot }: Stage) {
  const setStatus = (status: 'active' | 'paused') =>
    here.prisma.member.update({ where: { id: ids.member }, data: { status } });
  // No other step books on this day. The membership is paused while the page shows free times; afterwards there are none.
  const day = toDateInBerlin(3);
  await page.goto(`${here.url}/my/book?location=${ids.place}&minutes=120&after=12:00&day=${day}`);
  const slot = page.getByRole('button', { name: '20:00', exact: true });
  await slot.waitFor();
  await setStatus('paused');
  await slot.click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your booking' });
  await dialog.getByText('The membership of Mia is paused').waitFor();
  assert.equal(await dialog.getByRole('list').count(), 0, 'no other time must be offered');
  await shot(page, 'my-paused');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByText('Your membership is paused').waitFor();
  await page.getByText('No free times for 2 h on this day').waitFor();
  await setStatus('active');
}

export async function layout({ shot }: Stage) {
  await page.setViewportSize({ width: 1280, height: 800 });
  await go('Bookings');
  await upcoming().getByText('Interview').waitFor();
  await shot(page, 'my-wide');
  await page.emulateMedia({ colorScheme: 'dark' });
  await shot(page, 'my-dark');
  await go('Book');
  await page.getByRole('list', { name: 'Free times for Harbour room' }).waitFor();
  await shot(page, 'my-dark-book');
  await go('My plan');
  await page.getByText(/^1 h of 1 h used$/).waitFor();
  await shot(page, 'my-dark-plan');
}

export async function keyboard() {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.reload();
  await page.getByRole('heading', { name: 'Nomad' }).waitFor();
  await tabTo('Skip to content');
  await tabTo('Book');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Free times for Harbour room' }).waitFor();
  await tabTo('Next day');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(300);
  await tabTo('00:00');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Title (optional)').waitFor();
  await tabTo('Back');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.waitForTimeout(100);
  assert.equal(await focused(), '00:00');
}

export async function staffAndSignOut({ here, page: staffPage, shot }: Stage) {
  await staffPage.goto(`${here.url}/my/book`);
  await staffPage.getByRole('heading', { name: 'This page is for members' }).waitFor();
  await shot(staffPage, 'my-staff');
  await staffPage.getByRole('link', { name: 'panel' }).click();
  await staffPage.waitForURL(/\/admin/);

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: /^(Send|Request) sign-in link$/ }).waitFor();
  await page.goto(`${here.url}/my/plan`);
  await page.getByRole('button', { name: /^(Send|Request) sign-in link$/ }).waitFor();
  await page.context().close();
}

/** Selects the location and a duration of two hours. */
async function chooseLocation() {
  await page.getByRole('combobox', { name: 'Location' }).click();
  await page.getByRole('option', { name: 'Harbour house' }).click();
  await page.getByRole('combobox', { name: 'Duration' }).click();
  await page.getByRole('option', { name: '2 h', exact: true }).click();
}

async function assertFits(): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(width <= PHONE.width, `the page is ${width} pixels wide`);
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
    const at = document.activeElement;
    return at?.getAttribute('aria-label') ?? at?.textContent?.trim();
  });
