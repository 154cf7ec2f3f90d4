import type { Person } from './person.ts';

// Setting up a space from an empty installation: a location, rooms and desks, plans and a colleague.

export async function addLocation(owner: Person): Promise<void> {
  const { page } = owner;
  await owner.open('Spaces');
  await owner.press('Add a location');
  const dialog = owner.dialog('Add a location');
  await owner.type(dialog.getByLabel('Name', { exact: true }), 'Casa Douro');
  await owner.type(dialog.getByLabel('Address'), 'Rua das Flores 12, Porto');
  await owner.press('Add location', dialog);
  await page.getByRole('heading', { name: 'Casa Douro' }).waitFor();
}

export async function setOpeningHours(owner: Person): Promise<void> {
  const { page } = owner;
  await owner.press('Edit hours');
  await owner.press('Add hours: Monday');
  await owner.type(page.getByLabel('Monday opens, 1'), '08:00');
  await owner.type(page.getByLabel('Monday closes, 1'), '20:00');
  await owner.press('Copy Monday to all weekdays');
  await owner.press('Save hours');
  await page.getByText('Fri 08:00').waitFor();
}

const ROOMS = ['Sala Norte', 'Sala Sul', 'Sala Mar', 'Auditório'];

export async function addRooms(owner: Person): Promise<void> {
  for (const name of ROOMS) {
    await owner.press('Add rooms or desks');
    const dialog = owner.dialog(/^Add rooms or desks/);
    await owner.type(dialog.getByRole('textbox', { name: 'Name', exact: true }), name);
    await owner.type(dialog.getByLabel('Capacity'), '8');
    await owner.type(dialog.getByLabel('Price per hour', { exact: true }), '12,50');
    if (name === 'Auditório') await owner.check(dialog.getByLabel('Needs approval'));
    await owner.press(/^Add$/, dialog);
    await owner.page.getByRole('row', { name }).waitFor();
  }
}

export async function addDesks(owner: Person): Promise<void> {
  await owner.press('Add rooms or desks');
  const dialog = owner.dialog(/^Add rooms or desks/);
  await owner.choose(dialog.getByRole('combobox', { name: 'Type' }), 'Desk');
  await owner.type(dialog.getByRole('textbox', { name: 'Name', exact: true }), 'Desk');
  await owner.type(dialog.getByLabel('How many'), '60');
  await owner.type(dialog.getByLabel(/^Area|Floor or area/), 'Ground floor');
  await owner.type(dialog.getByLabel('Price per hour', { exact: true }), '3');
  await owner.press('Add 60', dialog);
  await owner.page.getByRole('row', { name: 'Desk 60' }).waitFor();
}

export const PLANS = ['Resident', 'Flex', 'Evening'];

export async function addPlans(owner: Person): Promise<void> {
  await owner.open('Plans');
  for (const [index, name] of PLANS.entries()) {
    await owner.press('Create a plan');
    const dialog = owner.dialog('Create a plan');
    await owner.type(dialog.getByLabel('Name', { exact: true }), name);
    await owner.type(dialog.getByLabel('Price', { exact: true }), String(180 - 40 * index));
    const desks = dialog.getByRole('group', { name: /Desks/ });
    await owner.type(desks.getByLabel('Included'), String(160 - 60 * index));
    await owner.press('Create plan', dialog);
    await owner.page.getByRole('row', { name }).waitFor();
  }
}

export async function inviteColleague(owner: Person): Promise<void> {
  await owner.open('Staff');
  await owner.press('Invite a person');
  const dialog = owner.dialog('Invite a person');
  await owner.type(dialog.getByLabel('Name'), 'Rui');
  await owner.type(dialog.getByLabel('Email address'), 'rui@example.org');
  await owner.press('Send invitation', dialog);
  const link = owner.dialog('Send this link to Rui');
  await owner.press(/^Copy/, link);
  await owner.press('Done', link);
  await owner.page.getByRole('row', { name: /Rui.*Invited/ }).waitFor();
}
