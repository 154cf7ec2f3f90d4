import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Stage } from '../stage.ts';
import { assertFits } from './narrow.ts';
import { findOpenDay } from './open-day.ts';

/** Every booking, with filters that the address keeps. */
export async function allBookings({ page, panel, shot }: Stage) {
  await page.goto(panel('/bookings'));
  await page.getByRole('link', { name: 'All bookings' }).click();
  await page.getByRole('heading', { name: 'All bookings', level: 1 }).waitFor();
  const ofBen = page.getByRole('row', { name: /Map review.*Ben Okafor.*Confirmed.*Unpaid/ });
  await ofBen.waitFor();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Cancelled' }).click();
  await ofBen.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Gina/ }).waitFor();
  await page.goto(panel(`/bookings/list?payment=UNPAID&from=${findOpenDay()}&to=${findOpenDay()}`));
  await page.getByText(/due, .* paid, .* unpaid/).waitFor();
  await shot(page, 'all-bookings');
  await onPhone(page, () => shot(page, 'narrow-all-bookings'));
  await page.goto(panel('/bookings/list?from=2020-01-01&to=2020-01-31'));
  await page.getByRole('heading', { name: 'No bookings match' }).waitFor();
}

/** Bookings that need approval, on whatever day they are. */
export async function requests({ page, panel, shot, here }: Stage) {
  const hall = await here.prisma.resource.findUniqueOrThrow({ where: { slug: 'hall' } });
  const request = (guestName: string, hour: number) => {
    const startsAt = new Date(`${findOpenDay(3)}T${hour}:00:00Z`);
    const endsAt = new Date(`${findOpenDay(3)}T${hour + 1}:00:00Z`);
    const { id: resourceId, locationId } = hall;
    return here.prisma.booking.create({
      data: {
        ...{ resourceId, locationId, guestName, startsAt, endsAt, occupiedUntil: endsAt },
        status: 'pending',
      },
    });
  };
  await request('Quartet', 10);
  const { id } = await request('Trio', 13);
  await page.goto(panel('/bookings'));
  await page.getByRole('link', { name: '2 bookings need approval' }).click();
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  await page.getByRole('row', { name: /Trio/ }).waitFor();
  await shot(page, 'requests');
  await onPhone(page, () => shot(page, 'narrow-requests'));
  await page.getByRole('button', { name: 'Approve Hall, Quartet' }).click();
  await page.getByRole('row', { name: /Quartet/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Decline Hall, Trio' }).click();
  const dialog = page.getByRole('dialog', { name: 'Decline this request?' });
  await dialog.getByText('Declining it costs nothing').waitFor();
  await shot(page, 'decline-request');
  await dialog.getByRole('button', { name: 'Decline booking' }).click();
  await page.getByRole('heading', { name: 'No requests' }).waitFor();
  await page.goto(panel(`/bookings/requests?request=${id}`));
  await page.getByText('This request was decided. Nothing is left to do.').waitFor();
  await shot(page, 'decided-request');
}

/** Staff sell a day pass and a ticket to people who stand before them. */
export async function sell({ page, panel, shot, here }: Stage) {
  const { id: locationId } = await findNorth(here);
  await page.goto(panel('/front-desk'));
  await page.getByRole('button', { name: 'Sell a day pass' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sell a day pass' });
  await dialog.getByText('No day passes are left or on sale for today').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  const { id } = await here.prisma.dayPassType.create({
    data: { locationId, name: 'Day in the north', priceAmount: 1_500 },
  });
  await page.reload();
  await page.getByRole('button', { name: 'Sell a day pass' }).click();
  await dialog.getByLabel('Name').waitFor();
  await dialog.getByRole('button', { name: 'Sell for €15.00' }).click();
  await dialog.getByText('Enter a name').waitFor();
  await dialog.getByLabel('Name').fill('Wanda Walk-in');
  await shot(page, 'sell-day-pass');
  await onPhone(page, () => shot(page, 'narrow-sell-day-pass'));
  await dialog.getByRole('button', { name: 'Sell for €15.00' }).click();
  await page.getByText('Wanda Walk-in is checked in. €15.00 paid: Cash.').waitFor();
  await dialog.waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Sell a day pass' }).click();
  await dialog.getByLabel('Name').fill('Coming Guest');
  await dialog.getByLabel('Valid on').fill('2020-01-01');
  await dialog.getByText('No day passes are left or on sale for').waitFor();
  const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel('Valid on').fill(later);
  await dialog.getByLabel('Check in now').waitFor({ state: 'detached' });
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Coming Guest');
  await dialog.getByLabel('Card at the front desk').check();
  await shot(page, 'sell-day-pass-for-later');
  await dialog.getByRole('button', { name: 'Sell for €15.00' }).click();
  await dialog.getByText('Code for the entrance').waitFor();
  const sold = await here.prisma.dayPass.findFirstOrThrow({
    where: { holderName: 'Coming Guest' },
  });
  assert.equal(sold.validOn.toISOString().slice(0, 10), later);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Sell a day pass' }).click();
  await dialog.getByLabel('Name').fill('Later Guest');
  await dialog.getByLabel('Check in now').uncheck();
  await dialog.getByLabel('Card at the front desk').check();
  await dialog.getByRole('button', { name: 'Sell for €15.00' }).click();
  await dialog.getByText('Code for the entrance').waitFor();
  await shot(page, 'sold-day-pass');
  await dialog.getByRole('link', { name: 'Open the order' }).click();
  await page.getByRole('heading', { name: /^Order /, level: 1 }).waitFor();
  await page
    .getByRole('row', { name: /Later Guest/ })
    .first()
    .waitFor();
  await shot(page, 'order-at-the-desk');
  await onPhone(page, () => shot(page, 'narrow-order-at-the-desk'));
  await page.goto(panel('/front-desk'));
  await page.getByText('Wanda Walk-in').first().waitFor();
  await shot(page, 'front-desk-sales');
  await onPhone(page, () => shot(page, 'narrow-front-desk-sales'));
  // The public pages begin without day passes.
  await here.prisma.dayPassType.update({ where: { id }, data: { active: false } });
}

/** What the sales above brought, by method and product. */
export async function takings({ page, panel, shot, here }: Stage) {
  const { id } = await findNorth(here);
  await page.goto(panel('/takings'));
  await page.getByRole('heading', { name: 'Takings', level: 1 }).waitFor();
  await page.goto(panel(`/takings?location=${id}`));
  const byMethod = page.getByRole('table', { name: 'By method, EUR' });
  await byMethod.getByRole('row', { name: /Cash.*€15\.00.*1 payment/ }).waitFor();
  await byMethod.getByRole('row', { name: /Total.*€45\.00.*3 payments/ }).waitFor();
  await page.getByRole('row', { name: /Day passes.*Later Guest.*€15\.00/ }).waitFor();
  await shot(page, 'takings');
  await onPhone(page, () => shot(page, 'narrow-takings'));
  await page.goto(panel(`/takings?location=${id}&from=2020-01-01&to=2020-01-02`));
  await page.getByRole('heading', { name: 'No payments on these days' }).waitFor();
  await shot(page, 'no-takings');
}

/** Counts the cash, prints the report and corrects it. */
export async function close({ page, panel, shot, here }: Stage) {
  const { id } = await findNorth(here);
  await page.goto(panel(`/takings/closing?location=${id}`));
  await page.getByLabel('Cash at the start of the day').first().waitFor();
  await page
    .getByRole('textbox', { name: /^Cash at the start/ })
    .first()
    .fill('100');
  await page
    .getByRole('textbox', { name: /^Counted at the end/ })
    .first()
    .fill('110');
  await page.getByText('Difference: -€5.00').waitFor();
  await shot(page, 'close-day');
  await onPhone(page, () => shot(page, 'narrow-close-day'));
  await page.getByRole('button', { name: 'Close the day' }).click();
  const report = page.getByRole('table', { name: 'Daily closing' });
  await report.getByRole('row', { name: /Expected.*€115\.00/ }).waitFor();
  await page.getByRole('row', { name: /€115\.00.*€110\.00.*-€5\.00/ }).waitFor();
  await page.getByRole('button', { name: 'Correct' }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct the closing' });
  await dialog
    .getByRole('textbox', { name: /^Counted at the end/ })
    .first()
    .fill('115');
  await shot(page, 'correct-closing');
  await dialog.getByRole('button', { name: 'Correct closing' }).click();
  await report.getByRole('row', { name: /Difference.*€0\.00/ }).waitFor();
  await shot(page, 'daily-closing');
  await onPhone(page, () => shot(page, 'narrow-daily-closing'));

  await page.emulateMedia({ media: 'print' });
  await report.waitFor();
  for (const hidden of ['Print', 'Correct'])
    assert(!(await page.getByRole('button', { name: hidden }).isVisible()), `${hidden} is printed`);
  assert(!(await page.getByRole('navigation', { name: 'Main' }).isVisible()));
  await shot(page, 'printed-closing');
  await page.emulateMedia({ media: 'screen' });
}

const findNorth = ({ prisma }: Stage['here']) =>
  prisma.location.findUniqueOrThrow({ where: { slug: 'north' } });

async function onPhone(page: Page, look: () => Promise<void>): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await look();
  await assertFits(page, 390);
  await page.setViewportSize({ width: 1280, height: 800 });
}
