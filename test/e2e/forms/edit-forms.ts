import type { Locator, Page } from 'playwright-core';
import type { EditedRows } from './fixtures.ts';

/** A field of a form, and how a person changes and reads it. */
interface EditedField {
  set: (form: Locator, value: string) => Promise<void>;
  read: (form: Locator) => Promise<string>;
}

/** A form of the panel that sends the version of the row that it shows. */
export interface EditForm {
  /** The name of the operation that saves it. */
  mutation: string;
  path: (rows: EditedRows) => string;
  /** The buttons that open it, one after the other. */
  buttons: (string | RegExp)[];
  save: string;
  first: EditedField;
  /** Three values of the first field. */
  values: [string, string, string];
  /** Undefined if the form has one field, or saves all of them as one. */
  second?: EditedField;
  secondValue?: string;
  /** What the conflict shows of the saved values. Default: the value of the first field. */
  shown?: string | RegExp;
  /** What the page says after saving, if the form stays open. */
  saved?: string;
}

const text = (label: string): EditedField => {
  const find = (form: Locator) =>
    form.getByRole('textbox', { name: new RegExp(`^${label}( \\(optional\\))?$`) }).first();
  return {
    set: (form, value) => find(form).fill(value),
    read: (form) => find(form).inputValue(),
  };
};

const labelled = (label: string): EditedField => ({
  set: (form, value) => form.getByLabel(label).fill(value),
  read: (form) => form.getByLabel(label).inputValue(),
});

const mondayOpens: EditedField = {
  ...labelled('Monday opens, 1'),
  set: async (form, value) => {
    const input = form.getByLabel('Monday opens, 1');
    if ((await input.count()) === 0)
      await form.getByRole('button', { name: 'Add hours: Monday' }).click();
    await input.fill(value);
  },
};

export const EDIT_FORMS: EditForm[] = [
  {
    mutation: 'UpdateLocation',
    path: ({ locationId }) => `/spaces/${locationId}`,
    buttons: ['Edit details'],
    save: 'Save location',
    first: text('Phone'),
    values: ['+49 30 1', '+49 30 2', '+49 30 3'],
    second: text('Address'),
    secondValue: 'Ring 1',
  },
  {
    mutation: 'UpdateResource',
    path: ({ resourceId }) => `/spaces/resources/${resourceId}`,
    buttons: ['Edit resource'],
    save: 'Save',
    first: text('Area'),
    values: ['Attic', 'Cellar', 'Yard'],
    second: text('Capacity \\(people\\)'),
    secondValue: '5',
  },
  {
    mutation: 'UpdatePlan',
    path: () => '/plans',
    buttons: [/^Edit Twin plan/],
    save: 'Save plan',
    first: text('Price'),
    values: ['130', '140', '150'],
    second: text('Name'),
    secondValue: 'Twin plan 2',
  },
  {
    mutation: 'UpdateMember',
    path: ({ memberId }) => `/members/${memberId}`,
    buttons: ['Edit member'],
    save: 'Save member',
    first: text('Company'),
    values: ['Twins Ltd', 'Twins & Co', 'Twins plc'],
    second: text('Phone'),
    secondValue: '+49 30 4',
  },
  {
    mutation: 'EndMembership',
    path: ({ memberId }) => `/members/${memberId}`,
    buttons: [/^(End|Change end) of Twin plan/],
    save: 'Save end date',
    first: labelled('Last day'),
    values: ['2098-01-31', '2098-02-28', '2098-03-31'],
  },
  {
    mutation: 'RenameTeam',
    path: () => '/teams',
    buttons: [/^Edit Twin team/],
    save: 'Save team',
    first: text('Name'),
    values: ['Twin team 1', 'Twin team 2', 'Twin team 3'],
  },
  {
    mutation: 'UpdateBooking',
    path: ({ locationId, bookingDay }) => `/bookings?location=${locationId}&day=${bookingDay}`,
    buttons: [/Theo Twin/, 'Edit'],
    save: 'Save',
    first: text('Title'),
    values: ['Twin talk', 'Twin tea', 'Twin tour'],
    second: text('Notes'),
    secondValue: 'Two chairs',
  },
  {
    mutation: 'RescheduleBooking',
    path: ({ locationId, bookingDay }) => `/bookings?location=${locationId}&day=${bookingDay}`,
    buttons: [/Theo Twin/, 'Reschedule'],
    save: 'Reschedule',
    first: labelled('From'),
    values: ['13:00', '14:00', '15:00'],
    shown: /Starts at/,
  },
  {
    mutation: 'UpdateEvent',
    path: ({ eventId }) => `/events/${eventId}`,
    buttons: ['Edit event'],
    save: 'Save event',
    first: text('Short summary'),
    values: ['One twin', 'Two twins', 'No twins'],
    second: text('Title'),
    secondValue: 'Twin night',
  },
  {
    mutation: 'UpdateTicketType',
    path: ({ eventId }) => `/events/${eventId}`,
    buttons: ['Edit Twin ticket'],
    save: 'Save ticket type',
    first: text('Price'),
    values: ['6', '7', '8'],
    second: text('Description'),
    secondValue: 'With tea',
  },
  {
    mutation: 'UpdateDayPassType',
    path: ({ locationId }) => `/day-passes?location=${locationId}`,
    buttons: ['Edit Twin pass'],
    save: 'Save day pass',
    first: text('Price'),
    values: ['16', '17', '18'],
    second: text('Description'),
    secondValue: 'A desk',
  },
  {
    mutation: 'UpdateDisplay',
    path: ({ locationId }) => `/displays?location=${locationId}`,
    buttons: [/^Details of Twin display/, 'Edit'],
    save: 'Save display',
    first: text('Name'),
    values: ['Twin display 1', 'Twin display 2', 'Twin display 3'],
  },
  {
    mutation: 'UpdateAnnouncement',
    path: ({ locationId }) => `/displays/announcements?location=${locationId}`,
    buttons: [/^Edit Twin announcement/],
    save: 'Save announcement',
    first: text('Details'),
    values: ['At one', 'At two', 'At three'],
    second: text('Title'),
    secondValue: 'Twin announcement 1',
  },
  {
    mutation: 'CorrectDailyClosing',
    path: ({ locationId }) => `/takings/closing?location=${locationId}`,
    buttons: ['Correct'],
    save: 'Correct closing',
    first: text('Counted at the end of the day'),
    values: ['11', '12', '13'],
    second: text('Cash at the start of the day'),
    secondValue: '20',
  },
  {
    mutation: 'UpdateWebhook',
    path: ({ webhookId }) => `/settings/webhooks/${webhookId}`,
    buttons: ['Edit'],
    save: 'Save webhook',
    first: text('Description'),
    values: ['Till', 'Printer', 'Lights'],
    second: text('URL'),
    secondValue: 'https://example.org/1',
  },
  {
    mutation: 'UpdateEmailTemplate',
    path: () => '/settings/email-templates/member-welcome',
    buttons: [],
    save: 'Save',
    saved: 'Template saved.',
    first: text('Subject'),
    values: ['Hello', 'Good day', 'Good evening'],
    second: text('Text'),
    secondValue: 'Come in.',
  },
  {
    mutation: 'UpdateSettings',
    path: () => '/settings/language',
    buttons: [],
    save: 'Save',
    saved: 'Name, language and tax saved.',
    first: text('Name of the space'),
    values: ['Pier House', 'Harbour House', 'Quay House'],
  },
  {
    mutation: 'UpdateRetentionPolicy',
    path: () => '/settings/personal-data',
    buttons: [/^Change\b/],
    save: 'Save',
    first: labelled('Days'),
    values: ['41', '42', '43'],
  },
  {
    mutation: 'SetOpeningHours',
    // Without bookings, which would be shown before the hours are saved.
    path: ({ quietLocationId }) => `/spaces/${quietLocationId}`,
    buttons: ['Edit hours'],
    save: 'Save hours',
    first: mondayOpens,
    values: ['07:00', '08:00', '09:00'],
  },
];

/** Mutations that take a version, but have no form in which a person chooses what to keep. */
export const OTHER_MUTATIONS = {
  UpdateDiscountCode: 'a button that turns a code on or off',
  UpdateResources: 'names the row that someone changed, and changes nothing',
  ChangePlan:
    'the second of two plans is never wanted: the conflict with an end date has its own step',
};

/** Opens a form, and returns the part of the page that contains it. */
export async function openForm(page: Page, address: string, { buttons, save }: EditForm) {
  await page.goto(address);
  for (const name of buttons) await page.getByRole('button', { name, exact: true }).first().click();
  const form = page
    .locator('form')
    .filter({ has: page.getByRole('button', { name: save, exact: true }) });
  await form.waitFor();
  return form;
}
