import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Stage } from '../stage.ts';
import { findOpenDay } from './open-day.ts';

const DAY = findOpenDay(3);

export async function draft({ page, panel, shot, here }: Stage) {
  await page.goto(panel('/events'));
  await page.getByRole('heading', { name: 'No upcoming events' }).waitFor();
  await shot(page, 'no-events');
  await page.getByRole('button', { name: 'Create an event' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create an event' });
  await dialog.getByRole('button', { name: 'Create draft' }).click();
  await dialog.getByText('Enter a title').waitFor();
  await dialog.getByLabel('Title').fill('Map evening');
  await dialog.getByRole('combobox', { name: 'Location' }).click();
  await page.getByRole('option', { name: 'Café Süd' }).click();
  await dialog.getByRole('combobox', { name: 'Room' }).click();
  await page.getByRole('option', { name: 'Hall' }).click();
  await dialog.getByLabel('Starts on').fill(DAY);
  assert.equal(await dialog.getByLabel('Ends on').inputValue(), DAY);
  await dialog.getByLabel('Ends at').fill('17:00');
  await dialog.getByLabel('Capacity').fill('20');
  await dialog.getByRole('button', { name: 'Create draft' }).click();
  await dialog.getByText('Enter an end after the start').waitFor();
  await shot(page, 'event-form');
  await dialog.getByLabel('Ends at').fill('21:00');
  await dialog.getByRole('button', { name: 'Create draft' }).click();
  await page.getByRole('heading', { name: 'Map evening', level: 1 }).waitFor();
  await page.getByText('18:00 – 21:00, Berlin time').waitFor();
  await page.getByText('No ticket types: no one can sign up').waitFor();
  await shot(page, 'event-draft');
  const event = await theEvent(here);
  assert.deepEqual(
    [event.status, event.capacity, event.refundHours, event.startsAt.toISOString().slice(0, 10)],
    ['draft', 20, 24, DAY],
  );
}

export async function ticketTypes({ page, shot, here }: Stage) {
  await addType(page, { name: 'Early bird', price: '15', quantity: '3' });
  await page.getByRole('row', { name: /Early bird.*€15\.00.*0 of 3.*Scheduled/ }).waitFor();
  await page.getByRole('button', { name: 'Add a ticket type' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a ticket type' });
  await dialog.getByLabel('Name').fill('Helper');
  await dialog.getByLabel('Price', { exact: true }).fill('0');
  await dialog.getByLabel('Sale starts').fill(`${DAY}T12:00`);
  await dialog.getByLabel('Sale ends').fill(`${DAY}T11:00`);
  await dialog.getByRole('button', { name: 'Add ticket type' }).click();
  await dialog.getByText('Enter an end after the start').waitFor();
  await shot(page, 'ticket-type-form');
  await dialog.getByLabel('Sale starts').fill('');
  await dialog.getByRole('button', { name: 'Add ticket type' }).click();
  await page.getByRole('row', { name: /Helper.*free/ }).waitFor();
  await page.getByRole('button', { name: 'Stop sales of Helper' }).click();
  await page.getByRole('button', { name: 'Stop sales', exact: true }).last().click();
  await page.getByRole('row', { name: /Helper.*Stopped/ }).waitFor();

  await page.getByRole('button', { name: 'Add a code' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a discount code' });
  await adding.getByLabel('Code').fill('maps-20');
  await adding.getByLabel('Discount per order').fill('20');
  await adding.getByLabel('Maximum uses').fill('5');
  await shot(page, 'discount-form');
  await adding.getByRole('button', { name: 'Add code' }).click();
  await page.getByRole('row', { name: /MAPS-20.*20% off.*0 of 5.*On/ }).waitFor();
  const { ticketTypes } = await theEvent(here);
  assert.deepEqual(
    ticketTypes.map(({ name, priceAmount, active }) => [name, priceAmount, active]),
    [
      ['Early bird', 1500, true],
      ['Helper', 0, false],
    ],
  );
}

export async function publish({ page, panel, shot }: Stage) {
  await page.getByRole('button', { name: 'Edit event' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit Map evening' });
  await editing.getByLabel('Short summary').fill('Mapmakers show old maps.');
  await editing.getByRole('button', { name: 'Save event' }).click();
  await page.getByText('Ready to publish').waitFor();
  await shot(page, 'event-ready');
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish event?' });
  await dialog.getByText('It reserves Hall').waitFor();
  await shot(page, 'publish-event');
  await dialog.getByRole('button', { name: 'Publish event' }).click();
  await page.getByRole('row', { name: /Early bird.*On sale/ }).waitFor();
  await page.goto(panel('/events?view=drafts'));
  await page.getByRole('heading', { name: 'No drafts' }).waitFor();
  await page.getByText('Upcoming').click();
  await page.getByLabel('Search').fill('map');
  await page.getByRole('row', { name: /Map evening.*Café Süd.*Published.*0 of 20/ }).waitFor();
  await shot(page, 'events');
}

export async function cancel({ page, panel, shot, here }: Stage) {
  const { id } = await theEvent(here);
  await page.goto(panel(`/events/${id}`));
  await page.getByRole('button', { name: 'Cancel event' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel event?' });
  await dialog.getByText('1 ticket is sold or on hold').waitFor();
  await dialog.getByLabel('Reason').fill('The hall is flooded');
  await shot(page, 'cancel-event');
  await dialog.getByRole('button', { name: 'Cancel event' }).click();
  await page.getByText('The hall is flooded').waitFor();
  await page.getByRole('row', { name: /Nora Lind.*Cancelled.*€24\.00 refunded/ }).waitFor();
  assert.equal(await page.getByRole('button', { name: /Edit|Publish|Stop/ }).count(), 0);
  await shot(page, 'event-cancelled');
  const mails = await here.prisma.mail.findMany({ where: { recipient: 'nora@example.org' } });
  assert(mails.some(({ text }) => text?.includes('The hall is flooded')));
}

async function addType(page: Page, type: { name: string; price: string; quantity: string }) {
  await page.getByRole('button', { name: 'Add a ticket type' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a ticket type' });
  await dialog.getByLabel('Name').fill(type.name);
  await dialog.getByRole('button', { name: 'Add ticket type' }).click();
  await dialog.getByText('Enter a price (0 = free)').last().waitFor();
  await dialog.getByLabel('Price', { exact: true }).fill(type.price);
  await dialog.getByLabel('Quantity').fill(type.quantity);
  await dialog.getByRole('button', { name: 'Add ticket type' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

export const theEvent = (here: Stage['here']) =>
  here.prisma.event.findFirstOrThrow({
    where: { title: 'Map evening' },
    include: { ticketTypes: { orderBy: { position: 'asc' } } },
  });
