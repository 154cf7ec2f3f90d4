import assert from 'node:assert/strict';
import type { Stage } from '../stage.ts';
import { board } from './booking-locators.ts';
import { findOpenDay } from './open-day.ts';

export async function move({ page, panel, shot, here }: Stage) {
  await page.goto(panel(`/bookings?day=${findOpenDay()}`));
  await board(page).getByRole('button', { name: /Gina/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Blue room' });
  await dialog.getByText('Confirmed').waitFor();
  await shot(page, 'booking');
  await dialog.getByRole('button', { name: 'Reschedule' }).click();
  await dialog.getByLabel('From').fill('13:00');
  await dialog.getByLabel('To').fill('15:00');
  await dialog.getByText(/Blue room is booked/).waitFor();
  await dialog.getByText(/Map review, Ben Okafor/).waitFor();
  const button = dialog.getByRole('button', { name: 'Reschedule', exact: true });
  assert(await button.isDisabled());
  const present = dialog.getByRole('button', { name: /Select .*14:00 – 16:00/ });
  assert.equal(await present.count(), 0, 'the current time must not be offered');
  await shot(page, 'move');
  // The new time overlaps only the booking itself.
  await dialog.getByLabel('From').fill('15:00');
  await dialog.getByLabel('To').fill('17:00');
  await dialog.getByText('2 h at €20.00/h').waitFor();
  await dialog.getByText(/is booked/).waitFor({ state: 'detached' });
  await shot(page, 'move-price');
  await button.click();
  await board(page)
    .getByRole('button', { name: /Gina.*15:00 – 17:00/ })
    .waitFor();
  await moveToHallAndBack(page, shot);
  const gina = await here.prisma.booking.findFirstOrThrow({ where: { guestName: 'Gina' } });
  assert.equal(gina.endsAt.getTime() - gina.startsAt.getTime(), 2 * 3600 * 1000);
}

async function moveToHallAndBack(page: Stage['page'], shot: Stage['shot']) {
  const rooms = ['Blue room', 'Hall'];
  for (const [from, to] of [rooms, rooms.toReversed()]) {
    await board(page)
      .getByRole('button', { name: /Gina.*15:00 – 17:00/ })
      .click();
    const dialog = page.getByRole('dialog', { name: from ?? '' });
    await dialog.getByRole('button', { name: 'Reschedule' }).click();
    await dialog.getByRole('combobox', { name: 'Resource' }).click();
    await page.getByRole('option', { name: to ?? '' }).click();
    await dialog.getByRole('region', { name: 'Preview' }).waitFor();
    await shot(page, `move-to-${to}`);
    await dialog.getByRole('button', { name: 'Reschedule', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await board(page)
      .getByRole('button', { name: new RegExp(`^${to}: .*Gina.*15:00 – 17:00`) })
      .waitFor();
  }
}

export async function cancel({ page, shot, here }: Stage) {
  await here.prisma.resource.updateMany({ data: { freeCancellationHours: 24 * 60 } });
  await board(page).getByRole('button', { name: /Gina/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Blue room' });
  await dialog.getByRole('button', { name: 'Cancel booking' }).click();
  await dialog.getByText(/Free cancellation ended on .*The fee is €40\.00/).waitFor();
  await shot(page, 'cancel');
  await dialog.getByLabel('Waive the fee').check();
  await dialog.getByText('The fee is waived.').first().waitFor();
  await dialog.getByLabel('Reason').fill('Ill');
  await dialog.getByRole('button', { name: 'Cancel booking', exact: true }).click();
  await board(page).getByRole('button', { name: /Gina/ }).waitFor({ state: 'detached' });
  const gina = await here.prisma.booking.findFirstOrThrow({ where: { guestName: 'Gina' } });
  assert.deepEqual([gina.status, gina.cancelFee, gina.cancelReason], ['cancelled', 0, 'Ill']);

  await page.goto(page.url().replace(findOpenDay(), findOpenDay(2)));
  await board(page).getByRole('button', { name: /Cleo/ }).click();
  await dialog.getByRole('button', { name: 'Cancel booking' }).click();
  await dialog.getByLabel('This and all upcoming bookings: 2 bookings').check();
  await shot(page, 'cancel-series');
  await dialog.getByRole('button', { name: 'Cancel bookings' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const left = { seriesId: { not: null }, status: 'confirmed' as const };
  assert.equal(await here.prisma.booking.count({ where: left }), 0);
}

export async function approve({ page, panel, shot, here }: Stage) {
  const hall = await here.prisma.resource.findUniqueOrThrow({ where: { slug: 'hall' } });
  const startsAt = new Date(`${findOpenDay()}T12:00:00Z`);
  const endsAt = new Date(`${findOpenDay()}T14:00:00Z`);
  await here.prisma.booking.create({
    data: {
      resourceId: hall.id,
      locationId: hall.locationId,
      status: 'pending',
      guestName: 'Choir',
      startsAt,
      endsAt,
      occupiedUntil: endsAt,
    },
  });
  await page.goto(panel(`/bookings?day=${findOpenDay()}`));
  await board(page)
    .getByRole('button', { name: /Choir.*needs approval/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Hall' });
  await shot(page, 'pending');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await dialog.getByText('Confirmed').waitFor();
  await dialog.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Title').fill('Rehearsal');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Rehearsal').waitFor();
  await page.keyboard.press('Escape');
  await board(page)
    .getByRole('button', { name: /Rehearsal/ })
    .waitFor();
  await shot(page, 'day-with-bookings');
}
