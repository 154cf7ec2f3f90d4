import { findOpenDay } from '../steps/open-day.ts';
import type { Person } from './person.ts';

// Wednesday to Friday: an event with tickets, sales at the front desk, and the money.

export async function publishEvent(owner: Person): Promise<void> {
  const { page } = owner;
  await owner.open('Events');
  await owner.press('Create an event');
  const dialog = owner.dialog('Create an event');
  await owner.type(dialog.getByLabel('Title'), 'Noite de mapas');
  await owner.choose(dialog.getByRole('combobox', { name: 'Location' }), 'Casa Douro');
  await owner.choose(dialog.getByRole('combobox', { name: 'Room' }), 'Auditório');
  await owner.type(dialog.getByLabel('Starts on'), findOpenDay(3));
  await owner.type(dialog.getByLabel('Capacity'), '40');
  await owner.press('Create draft', dialog);
  await owner.press('Add a ticket type');
  const type = owner.dialog('Add a ticket type');
  await owner.type(type.getByLabel('Name'), 'Entrada');
  await owner.type(type.getByLabel('Price', { exact: true }), '15');
  await owner.press('Add ticket type', type);
  await page.getByRole('row', { name: /Entrada/ }).waitFor();
  await owner.press(/^Publish/);
  await owner.press(/^Publish/, page.getByRole('dialog'));
  await page.getByText('Published').first().waitFor();
}

export async function addDayPass(owner: Person): Promise<void> {
  await owner.open('Day passes');
  await owner.press('Add a day pass');
  const dialog = owner.page.getByRole('dialog');
  await owner.type(dialog.getByLabel('Name', { exact: true }), 'Dia');
  await owner.type(dialog.getByLabel('Price', { exact: true }), '18');
  await owner.press('Add day pass', dialog);
  await dialog.waitFor({ state: 'hidden' });
}

export async function sellDayPass(staff: Person): Promise<void> {
  const { page } = staff;
  await staff.press('Sell a day pass');
  const dialog = staff.dialog('Sell a day pass');
  await staff.type(dialog.getByLabel('Name', { exact: true }), 'Óscar Lima');
  await staff.press(/^Sell for/, dialog);
  await page.getByText('Óscar Lima is checked in').waitFor();
}

export async function sellTicket(staff: Person): Promise<void> {
  const { page } = staff;
  await staff.press('Sell a ticket');
  const dialog = staff.dialog('Sell a ticket');
  await staff.type(dialog.getByLabel('Name', { exact: true }), 'Úrsula Reis');
  await staff.check(dialog.getByLabel('Card at the front desk'));
  await staff.press(/^Sell for/, dialog);
  await page.getByText('Sold', { exact: true }).waitFor();
}

/** A visitor reserves tickets on a phone. */
export async function reserveTickets(visitor: Person, url: string): Promise<void> {
  const { page } = visitor;
  await page.goto(`${url}/events`);
  await visitor.click(page.getByRole('link', { name: 'Noite de mapas' }));
  await visitor.press('Add one: Entrada');
  await visitor.type(page.getByLabel('Your name'), 'Zé Faria');
  await visitor.type(page.getByLabel('Email address'), 'ze@example.org');
  await visitor.press('Reserve, pay at the front desk');
  await page
    .getByText(/front desk/)
    .first()
    .waitFor();
}

export async function markBookingPaid(staff: Person): Promise<void> {
  const { page } = staff;
  await staff.open('Takings');
  await staff.click(page.getByRole('link', { name: 'Unpaid bookings' }));
  await staff.press(/^Details/, page.getByRole('row', { name: /Beatriz/ }));
  const dialog = page.getByRole('dialog');
  await staff.press('Mark as paid', dialog);
  await dialog.getByText('How did they pay?').waitFor();
  await staff.press('Mark as paid', dialog);
  await dialog.getByText('Undo payment').waitFor();
  await staff.click(dialog.getByRole('button', { name: 'Close' }));
  await page.getByRole('row', { name: /Beatriz/ }).waitFor({ state: 'detached' });
}

export async function closeDay(staff: Person): Promise<void> {
  const { page } = staff;
  await staff.open('Takings');
  await page.getByText('Day passes').first().waitFor();
  await staff.click(page.getByRole('link', { name: 'Close the day' }));
  await staff.type(page.getByLabel('Cash at the start of the day', { exact: true }), '100');
  await staff.type(page.getByLabel('Counted at the end of the day', { exact: true }), '118');
  await staff.press('Close the day');
  await page.getByText('Day closed').waitFor();
}
