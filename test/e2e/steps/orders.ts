import assert from 'node:assert/strict';
import type { Stage } from '../stage.ts';
import { theEvent } from './events.ts';

/** Places an order through the API without signing in, as a website does whose documents are trusted. */
async function place(here: Stage['here'], quantity: number): Promise<string> {
  const { id, ticketTypes } = await theEvent(here);
  const input = {
    eventId: id,
    buyer: { name: 'Nora Lind', email: 'nora@example.org' },
    items: [{ ticketTypeId: ticketTypes[0]?.id, quantity }],
    discountCode: 'MAPS-20',
  };
  const answer = await fetch(`${here.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ documentId: 'place-order', variables: { input } }),
  });
  const body = (await answer.json()) as { data?: { placeOrder: { order: { code: string } } } };
  assert(body.data, JSON.stringify(body));
  return body.data.placeOrder.order.code;
}

export async function paidOnSite({ page, panel, shot, here }: Stage) {
  await page.goto(panel('/orders'));
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor();
  await shot(page, 'no-orders');
  const code = await place(here, 2);
  const { id } = await theEvent(here);
  await page.goto(panel(`/events/${id}`));
  await page.getByRole('row', { name: /Early bird.*2 of 3/ }).waitFor();
  await page.getByRole('row', { name: /2 × Early bird.*Nora Lind.*Pending/ }).waitFor();
  await shot(page, 'event-with-order');
  await page.getByRole('link', { name: code }).click();
  await page.getByText('Items are on hold and issued once the order is paid').waitFor();
  await shot(page, 'order-held');
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark as paid' });
  await dialog.getByRole('radio', { name: 'Card at the front desk' }).check();
  await dialog.getByText('€24.00').waitFor();
  await dialog.getByRole('button', { name: 'Mark as paid' }).click();
  await page
    .getByRole('row', { name: /Nora Lind.*Early bird.*Valid.*€12\.00/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Resend confirmation' }).click();
  await page.getByText('Confirmation resent to nora@example.org').waitFor();
  await shot(page, 'order-paid');
  await page.getByRole('link', { name: 'All orders' }).click();
  await page.getByLabel('Search').fill(code.toLowerCase());
  await page.getByRole('row', { name: /Map evening.*Nora Lind.*Confirmed.*€24\.00/ }).waitFor();
  await page.getByLabel('Search').fill('nobody');
  await page.getByRole('heading', { name: 'No matching orders' }).waitFor();
  await page.getByLabel('Search').fill('nora');
  await page.getByRole('link', { name: code }).click();
}

export async function refundOne({ page, shot, here }: Stage) {
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog', { name: /^Refund / });
  await dialog.getByText('€24.00 will be refunded, leaving €0.00').waitFor();
  await shot(page, 'refund-whole');
  await dialog.getByLabel('An amount').check();
  await dialog.getByLabel('Amount in').fill('25');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await dialog.getByText('Enter at most €24.00').waitFor();
  await dialog.getByLabel('Selected items').check();
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await dialog.getByText('Select at least one item').waitFor();
  await dialog.getByRole('checkbox').first().check();
  await dialog.getByText('€12.00 will be refunded, leaving €12.00').waitFor();
  await dialog.getByLabel('Reason').fill('A friend is ill');
  await shot(page, 'refund-one');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await page.getByRole('row', { name: /Nora Lind.*Cancelled/ }).waitFor();
  await page.getByRole('row', { name: /€12\.00.*Pending.*front desk.*A friend is ill/ }).waitFor();
  await shot(page, 'order-refunded');
  const tickets = await here.prisma.ticket.findMany({ orderBy: { position: 'asc' } });
  assert.deepEqual(
    tickets.map(({ status }) => status),
    ['cancelled', 'valid'],
  );

  await page.getByRole('link', { name: 'All orders' }).click();
  await page.getByText('1 refund to pay out at the front desk').waitFor();
  await shot(page, 'orders');
  await page.getByRole('link', { name: 'View refunds' }).click();
  await page.getByRole('row', { name: /€12\.00/ }).waitFor();
  await shot(page, 'refunds');
  await page.getByRole('button', { name: /Settle refund/ }).click();
  const settling = page.getByRole('dialog', { name: 'Settle refund' });
  await shot(page, 'settle-refund');
  await settling.getByRole('button', { name: 'Settle refund' }).click();
  await page.getByRole('heading', { name: 'No pending refunds' }).waitFor();
  assert.equal((await here.prisma.refund.findFirstOrThrow()).status, 'succeeded');
}
