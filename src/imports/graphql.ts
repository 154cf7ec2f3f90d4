import { MAX_ROWS_PER_KIND } from '../core/row-sample.ts';
import { ImportOutcome } from '../features/imports/graphql.ts';
import { importInTurn } from '../features/imports/service/import-queue.ts';
import { builder, createInputType, MoneySum } from '../graphql/builder.ts';
import { addMutation } from '../graphql/mutation.ts';
import { withCost } from '../graphql/query-cost.ts';
import { importBookings } from './import-bookings.ts';
import { importCalendar } from './import-calendar.ts';
import { importEvents } from './import-events.ts';
import { importMembers } from './import-members.ts';
import {
  importBookingsInput,
  importEventsInput,
  importMembersInput,
  importPlanInput,
} from './inputs.ts';
import type {
  ImportColumn as ColumnValue,
  ImportPrices,
  ImportReport,
  ImportRow,
} from './report.ts';
import type { ImportNote as NoteValue } from './source/note.ts';

const DateOrder = builder.enumType('DateOrder', {
  description: 'How dates such as 03/04/2024 are read',
  values: {
    DAY_FIRST: { value: 'day_first', description: 'The day comes first: 3 April' },
    MONTH_FIRST: { value: 'month_first', description: 'The month comes first: March 4' },
  } as const,
});

builder.enumType('UndecidedChoice', {
  description:
    'How people in a list who are not members are imported: leads, and those who are not approved',
  values: {
    SKIP: { value: 'skip', description: 'They are left out' },
    ACTIVE: { value: 'active', description: 'They become active members' },
    PAUSED: { value: 'paused', description: 'They become paused members' },
    FORMER: { value: 'former', description: 'They become former members' },
  } as const,
});

builder.enumType('ImportEncoding', {
  description: 'The encoding of the characters of a file',
  values: {
    UTF_8: { value: 'utf-8', description: 'UTF-8' },
    UTF_16_LE: { value: 'utf-16le', description: 'UTF-16, the lower byte first' },
    UTF_16_BE: { value: 'utf-16be', description: 'UTF-16, the higher byte first' },
    WINDOWS_1250: { value: 'windows-1250', description: 'Central Europe, on Windows' },
    WINDOWS_1251: { value: 'windows-1251', description: 'Cyrillic, on Windows' },
    WINDOWS_1252: { value: 'windows-1252', description: 'Western Europe, on Windows' },
    WINDOWS_1253: { value: 'windows-1253', description: 'Greek, on Windows' },
    WINDOWS_1254: { value: 'windows-1254', description: 'Turkish, on Windows' },
    WINDOWS_1257: { value: 'windows-1257', description: 'Baltic, on Windows' },
    ISO_8859_2: { value: 'iso-8859-2', description: 'Central Europe' },
    ISO_8859_15: { value: 'iso-8859-15', description: 'Western Europe' },
    MACINTOSH: { value: 'macintosh', description: 'Mac OS Roman' },
  } as const,
});

builder.enumType('BookingPricing', {
  description: 'What imported bookings cost',
  values: {
    NONE: {
      value: 'none',
      description: 'Nothing. They use no included hours of a plan: they were agreed elsewhere.',
    },
    BY_RULES: {
      value: 'by_rules',
      description:
        'What they would cost if they were made or moved here, one after the other by their starts: by the price of the resource and the plans of members. What has started costs nothing.',
    },
  } as const,
});

const MemberColumn = builder.enumType('MemberColumn', {
  description: 'What a column of a member list contains',
  values: {
    NAME: { value: 'name', description: 'The whole name' },
    FIRST_NAME: { value: 'firstName', description: 'The first name' },
    LAST_NAME: { value: 'lastName', description: 'The last name' },
    EMAIL: { value: 'email', description: 'The email address' },
    PHONE: { value: 'phone', description: 'The phone number' },
    COMPANY: { value: 'company', description: 'The company' },
    ADDRESS: { value: 'address', description: 'Street and number' },
    POSTCODE: { value: 'postcode', description: 'The postcode' },
    CITY: { value: 'city', description: 'The city' },
    COUNTRY: { value: 'country', description: 'The country, by its name or code' },
    CUSTOMER_NUMBER: { value: 'customerNumber', description: 'The customer number' },
    STATUS: { value: 'status', description: 'The status, such as active, paused or former' },
    ACTIVE: { value: 'active', description: 'Whether the person is an active member' },
    APPROVED: { value: 'approved', description: 'Whether someone has approved the person' },
    TEAM: { value: 'team', description: 'The name of the team' },
    PLAN: { value: 'plan', description: 'The name of the plan' },
    STARTS_ON: { value: 'startsOn', description: 'The first day as a member' },
    ENDS_ON: { value: 'endsOn', description: 'The last day as a member' },
  } as const,
});

const ImportLine = builder.objectRef<ImportRow>('ImportLine').implement({
  description: 'What an import does with one line of a file',
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'The line of the file, from 1' }),
    what: t.exposeString('what', { description: 'What the line contains, such as name and email' }),
    outcome: t.expose('outcome', { type: ImportOutcome, description: 'What happens to it' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description:
        'Why it is skipped or unchanged, or what is left out; null if there is nothing to say',
    }),
  }),
});

const ImportNote = builder.objectRef<NoteValue>('ImportNote').implement({
  description: 'A note about a file as a whole, such as a column that is not imported',
  fields: (t) => ({
    line: t.exposeInt('line', {
      nullable: true,
      description: 'The line of the file, from 1; null if the note is about no line',
    }),
    text: t.exposeString('text', { description: 'The note' }),
  }),
});

const ImportColumn = builder.objectRef<ColumnValue>('ImportColumn').implement({
  description: 'A column of a member list',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in the header' }),
    field: t.expose('field', {
      type: MemberColumn,
      nullable: true,
      description: 'What it is read as; null if it is not imported',
    }),
  }),
});

const ImportPricesType = builder.objectRef<ImportPrices>('ImportPrices').implement({
  description: 'What bookings cost that got a price from an import',
  fields: (t) => ({
    bookings: t.exposeInt('bookings', {
      description: 'How many got a price, also those that cost nothing by the rules',
    }),
    total: t.expose('total', { type: MoneySum, description: 'The sum of their prices' }),
    includedMinutes: t.exposeInt('includedMinutes', {
      description: 'How many included minutes of plans they use',
    }),
  }),
});

const ImportReportType = builder.objectRef<ImportReport>('ImportReport').implement({
  description: 'What an import did, or would do',
  fields: (t) => ({
    dryRun: t.exposeBoolean('dryRun', { description: 'Whether nothing was changed' }),
    imported: t.exposeInt('imported', { description: 'How many lines are imported' }),
    importId: t.exposeID('importId', {
      nullable: true,
      description: 'The import that it belongs to; null for a dry run',
    }),
    updated: t.exposeInt('updated', { description: 'How many change what exists' }),
    unchanged: t.exposeInt('unchanged', { description: 'How many exist already' }),
    skipped: t.exposeInt('skipped', { description: 'How many have a problem' }),
    lines: t.field({
      type: [ImportLine],
      description: `Each line of a list, without empty ones, in order; of a calendar, the entries, at most ${MAX_ROWS_PER_KIND} of each outcome with a reason and without. The counts are of all.`,
      resolve: ({ rows }) => rows,
    }),
    dateOrder: t.field({
      type: DateOrder,
      nullable: true,
      description:
        'Whether dates such as 03/04/2024 in this file begin with the day or the month, as others of them show; null if none does',
      resolve: ({ dateOrder }) => dateOrder ?? null,
    }),
    columns: t.field({
      type: [ImportColumn],
      description: 'The columns of the header, in order',
      resolve: ({ columns }) => columns ?? [],
    }),
    unknownPlans: t.field({
      type: ['String'],
      description:
        'The plans of a list that new members cannot get, since there are none of these names or they are inactive. importMembers takes what they stand for as plans.',
      resolve: ({ unknownPlans }) => unknownPlans ?? [],
    }),
    prices: t.field({
      type: ImportPricesType,
      nullable: true,
      description:
        'What new bookings and those that move cost; null for other files. Those without a price are not counted.',
      resolve: ({ prices }) => prices ?? null,
    }),
    notes: t.expose('notes', { type: [ImportNote], description: 'Notes about the whole file' }),
  }),
});

createInputType('ImportPlanInput', importPlanInput);

addMutation('importMembers', {
  description:
    'Imports members from a CSV file, with their plans, teams and start dates. Members whose email address is known stay as they are, or are updated, so that a file can be imported again.',
  access: 'staff:manage',
  input: importMembersInput,
  ignoresIdempotencyKey: true,
  payload: { report: { type: ImportReportType, description: 'What happened to each line' } },
  resolve: async ({ file, skipProblems, columns, ...options }, { ctx }) => ({
    report: await importInTurn(ctx, () =>
      importMembers(ctx, {
        ...options,
        file: Buffer.from(file),
        mapping: columns,
        rejectProblems: !skipProblems,
      }),
    ),
  }),
});

// Reading and writing thousands of entries takes seconds.
const CALENDAR_COST = withCost({ points: 200 });
const CALENDAR_REPORT = {
  report: { type: ImportReportType, description: 'What happened to each entry' },
};

addMutation('importEvents', {
  description:
    'Imports events from an iCalendar file, from a year ago to a year ahead: all in one transaction. Entries with a problem are skipped. Drafts that were imported before change with the file; events that are published or were changed in Foyer stay as they are.',
  access: 'staff:manage',
  input: importEventsInput,
  ignoresIdempotencyKey: true,
  ...CALENDAR_COST,
  payload: CALENDAR_REPORT,
  resolve: async (input, { ctx }) => ({
    report: await importCalendar(ctx, input, (file) => importEvents(ctx, { ...input, ...file })),
  }),
});

addMutation('importBookings', {
  description:
    'Imports the calendar of a resource as bookings, from a year ago to a year ahead: all in one transaction. Nobody gets an email. Entries that conflict or have a problem are skipped. Bookings that were imported before change with the file, unless they have started or were changed in Foyer.',
  access: 'staff:manage',
  input: importBookingsInput,
  ignoresIdempotencyKey: true,
  ...CALENDAR_COST,
  payload: CALENDAR_REPORT,
  resolve: async ({ resourceId, ...input }, { ctx }) => ({
    report: await importCalendar(ctx, input, (file) =>
      importBookings(ctx, { ...input, ...file, resource: { id: resourceId } }),
    ),
  }),
});
