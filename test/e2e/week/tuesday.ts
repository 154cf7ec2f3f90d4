import type { TestService } from '../service.ts';
import { board } from '../steps/booking-locators.ts';
import { findOpenDay } from '../steps/open-day.ts';
import { PLANS } from './monday.ts';
import type { Person } from './person.ts';

// Members and their bookings.

const MEMBER_COUNT = 45;

/** Two lines are wrong: an address and a plan. */
function writeMembersFile(): string {
  const lines = Array.from({ length: MEMBER_COUNT }, (_, index) => {
    const number = String(index + 1).padStart(2, '0');
    const email = index === 7 ? 'member08(at)example.org' : `member${number}@example.org`;
    const plan = index === 30 ? 'Flexx' : PLANS[index % PLANS.length];
    return `Member ${number},${email},${index % 9 === 0 ? 'Studio Mar' : ''},${plan},2026-01-05`;
  });
  return ['name,email,team,plan,start date', ...lines].join('\n');
}

export async function importMembers(owner: Person): Promise<void> {
  const { page } = owner;
  await owner.open('Members');
  await owner.press(/^Import/);
  const dialog = page.getByRole('dialog');
  await owner.upload(dialog.locator('input[type=file]'), 'members.csv', writeMembersFile());
  await owner.check(dialog.getByLabel('Create missing teams'));
  await owner.press('Check the file', dialog);
  await dialog.getByText('2 lines cannot be imported').waitFor();
  await owner.press(`Import the ${MEMBER_COUNT - 2} correct lines`, dialog);
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: /Member 01.*Resident/ }).waitFor();
}

export async function changePlan(owner: Person): Promise<void> {
  const { page } = owner;
  await owner.click(page.getByRole('link', { name: 'Member 01' }));
  await owner.press(/^Change plan/);
  const dialog = page.getByRole('dialog');
  await owner.choose(dialog.getByRole('combobox', { name: 'New plan' }), /Flex/);
  await owner.press('Change plan', dialog);
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText(/Flex/).first().waitFor();
}

export async function addMember(owner: Person): Promise<void> {
  await owner.open('Members');
  await owner.press('Add a member');
  const dialog = owner.dialog('Add a member');
  await owner.type(dialog.getByLabel('Name'), 'Beatriz Sá');
  await owner.type(dialog.getByLabel('Email address'), 'beatriz@example.org');
  await owner.press('Add member', dialog);
  await owner.page.getByRole('heading', { name: 'Beatriz Sá', level: 1 }).waitFor();
}

/** Books a room for a member, and moves the booking to another room. */
export async function bookRoom(owner: Person): Promise<void> {
  const { page } = owner;
  await owner.open('Bookings');
  await owner.type(page.getByLabel('Day', { exact: true }), findOpenDay());
  await owner.press('Book Sala Norte');
  const dialog = owner.dialog(/^New booking/);
  await owner.type(dialog.getByRole('combobox', { name: 'Member' }), 'Beatriz');
  await owner.click(page.getByRole('option', { name: /Beatriz/ }));
  await owner.press(/^Book$/, dialog);
  await board(page)
    .getByRole('button', { name: /Sala Norte:.*Beatriz/ })
    .waitFor();
}

export async function moveToAnotherRoom(owner: Person): Promise<void> {
  const { page } = owner;
  await owner.click(board(page).getByRole('button', { name: /Sala Norte:.*Beatriz/ }));
  const dialog = page.getByRole('dialog');
  await owner.press('Reschedule', dialog);
  await owner.choose(dialog.getByRole('combobox', { name: 'Resource' }), 'Sala Sul');
  await owner.press(/^Reschedule$/, dialog);
  await board(page)
    .getByRole('button', { name: /Sala Sul:.*Beatriz/ })
    .waitFor();
}

/** Approves a request, which another person has made. */
export async function approveRequest(owner: Person, here: TestService): Promise<void> {
  const { page } = owner;
  const room = await here.prisma.resource.findFirstOrThrow({ where: { requiresApproval: true } });
  const startsAt = new Date(`${findOpenDay(1)}T12:00:00Z`);
  const endsAt = new Date(`${findOpenDay(1)}T14:00:00Z`);
  await here.prisma.booking.create({
    data: {
      ...{ resourceId: room.id, locationId: room.locationId, guestName: 'Coro do Porto' },
      ...{ status: 'pending', startsAt, endsAt, occupiedUntil: endsAt },
    },
  });
  await page.reload();
  await page.getByRole('region', { name: 'Bookings of the day' }).waitFor();
  await owner.click(page.getByRole('main').getByRole('link', { name: /needs? approval/ }));
  await owner.press(/^Approve/);
  await page.getByRole('row', { name: /Coro do Porto/ }).waitFor({ state: 'detached' });
}
