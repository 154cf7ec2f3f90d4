import { z } from 'zod';
import { toSnakeCase } from '../core/letter-case.ts';
import { uuid } from '../core/validation.ts';
import { DisplayStatus, DisputedAdmission, TaxNote } from '../db/generated/enums.ts';
import { bookingRow } from '../features/bookings/rows.ts';
import { calendarFeedRow } from '../features/calendar-feeds/rows.ts';
import { checkInRow } from '../features/check-ins/rows.ts';
import { dayPassTypeRow } from '../features/day-passes/rows.ts';
import { discountCodeRow } from '../features/discounts/rows.ts';
import { announcementRow, displayRow } from '../features/displays/rows.ts';
import { emailOptOutRow } from '../features/email-preferences/rows.ts';
import { emailTemplateRow } from '../features/email-templates/rows.ts';
import { eventRow, ticketTypeRow } from '../features/events/rows.ts';
import { importRow } from '../features/imports/rows.ts';
import { mailingRow } from '../features/mailings/rows.ts';
import { memberRow } from '../features/members/rows.ts';
import { dayPassRow, orderRow, ticketRow } from '../features/orders/rows.ts';
import { waitlistEntryRow } from '../features/orders/waitlist/rows.ts';
import { paymentRow, refundRow } from '../features/payments/rows.ts';
import { membershipRow, planBenefitRow, planRow } from '../features/plans/rows.ts';
import { closureRow, locationRow, openingHoursRow, resourceRow } from '../features/spaces/rows.ts';
import { staffRow } from '../features/staff/rows.ts';
import { dailyClosingRow } from '../features/takings/rows.ts';
import { teamRow } from '../features/teams/rows.ts';
import { apiTokenRow } from '../features/tokens/rows.ts';
import { webhookRow } from '../features/webhooks/rows.ts';
import { toOutputSchema } from '../rows/output-schema.ts';
import { type AnyRow, describeField, type ErasureKind, isHidden } from '../rows/row.ts';

// What changes happen to, and which of its fields the journal stores. Codes, secrets, hashes and links are never among them.

const id = uuid;
const text = z.string();

/** A row whose changes the journal records. */
export interface Subject {
  table: string;
  /** The noun whose read scope is needed. `*` for what only owners see. Not typed, since `auth` imports the journal. */
  noun: string;
  /** The stored fields, by the names of their columns. */
  fields: z.ZodObject;
  /** The primary key, if it is not `id`. Such changes have no `subject_id`. */
  key?: string;
  /** Whether the table has only one row, with the id 1. Its changes have no `subject_id` either. */
  isOnlyRow?: boolean;
  /** The fields from which an erasure removes personal data. */
  personal?: readonly string[];
  /** Whether the table has the column `updated_at`. */
  hasUpdatedAt?: boolean;
  /** SQL of the fields that are not columns of the row with this alias. */
  computed?: Record<string, (row: string) => string>;
  /** SQL of the location. By default the column `location_id`, if the fields have it, and otherwise none. */
  toLocation?: (row: string) => string;
}

const defineSubject = <Noun extends string, Fields extends z.ZodRawShape>(
  noun: Noun,
  table: string,
  fields: Fields,
  options: Omit<Subject, 'noun' | 'table' | 'fields'> = {},
) => ({ noun, table, fields: z.object(fields), ...options }) satisfies Subject;

interface RowSubjectOptions extends Pick<Subject, 'key' | 'computed' | 'toLocation'> {
  /** The fields that are not columns. `computed` has their SQL. */
  extraFields?: z.ZodRawShape;
}

/** The columns that the journal records of a row. */
const toSubject = <Noun extends string>(
  noun: Noun,
  row: AnyRow,
  { extraFields, ...options }: RowSubjectOptions = {},
) =>
  defineSubject(
    noun,
    row.table,
    { ...toSubjectFields(row).shape, ...extraFields },
    { ...options, personal: listPersonalFields(row), hasUpdatedAt: 'updatedAt' in row.columns },
  );

const PERSONAL_KINDS: readonly ErasureKind[] = ['name', 'address', 'clear', 'code', 'copy', 'row'];

const listPersonalFields = (row: AnyRow) =>
  Object.keys(toSubjectFields(row).shape).filter((field) =>
    Object.entries(row.columns).some(
      ([name, { erasure }]) =>
        toSnakeCase(name) === field && erasure !== undefined && PERSONAL_KINDS.includes(erasure),
    ),
  );

const toSubjectFields = ({ table, columns }: AnyRow) =>
  z.object(
    Object.fromEntries(
      Object.entries(columns).flatMap(([name, column]) => {
        const { schema, journal = !isHidden(column) } = column;
        if (journal === false) return [];
        if (schema === undefined)
          throw new Error(`${table}.${name} is recorded by the journal, so it needs a schema`);
        const { description } = column;
        const stored = toOutputSchema(journal === true ? schema : journal);
        const described = description
          ? stored.meta({ description: describeField({ ...column, description }) })
          : stored;
        return [[toSnakeCase(name), described]];
      }),
    ),
  );

const toEventLocation = (row: string) =>
  `(SELECT located.location_id FROM events located WHERE located.id = ${row}.event_id)`;
const toDayPassLocation = (row: string) =>
  `(SELECT located.location_id FROM day_pass_types located WHERE located.id = ${row}.type_id)`;
/** All day passes of an order are for the same location. */
const toOrderLocation = (row: string) =>
  `coalesce(${toEventLocation(row)}, (SELECT ${toDayPassLocation('pass')} FROM day_passes pass WHERE pass.order_id = ${row}.id LIMIT 1))`;
const toTicketTypeLocation = (row: string) =>
  `(SELECT ${toEventLocation('type')} FROM ticket_types type WHERE type.id = ${row}.ticket_type_id)`;
const toResourceLocation = (row: string) =>
  `(SELECT located.location_id FROM resources located WHERE located.id = ${row}.resource_id)`;

/** SQL of the opening hours of a location. */
export const toHoursSql = (location: string) => `(
  SELECT coalesce(jsonb_agg(jsonb_build_object('weekday', h.weekday, 'opens_minute', h.opens_minute,
    'closes_minute', h.closes_minute) ORDER BY h.weekday, h.opens_minute), '[]')
  FROM opening_hours h WHERE h.location_id = ${location}.id)`;

export const SUBJECTS = {
  location: toSubject('spaces', locationRow, { toLocation: (row) => `${row}.id` }),
  opening_hours: defineSubject(
    'spaces',
    'locations',
    {
      hours: z.array(toSubjectFields(openingHoursRow)).meta({
        description: 'When it is open, by weekday: 1 is Monday. Empty if it is always open',
      }),
    },
    {
      computed: {
        hours: toHoursSql,
      },
      toLocation: (row) => `${row}.id`,
      hasUpdatedAt: true,
    },
  ),
  closure: toSubject('spaces', closureRow),
  resource: toSubject('spaces', resourceRow),
  member: toSubject('members', memberRow),
  team: toSubject('members', teamRow),
  plan: toSubject('plans', planRow, {
    extraFields: {
      benefits: z
        .array(toSubjectFields(planBenefitRow))
        .meta({ description: 'What it offers, by type of resource' }),
    },
    computed: {
      benefits: (row) => `(
          SELECT coalesce(jsonb_agg(jsonb_build_object('resource_type', b.resource_type, 'included_hours', b.included_hours,
            'discount_percent', b.discount_percent, 'limit_hours', b.limit_hours) ORDER BY b.resource_type), '[]')
          FROM plan_benefits b WHERE b.plan_id = ${row}.id)`,
    },
  }),
  membership: toSubject('members', membershipRow),
  booking: toSubject('bookings', bookingRow),
  calendar_feed: toSubject('bookings', calendarFeedRow, { toLocation: toResourceLocation }),
  event: toSubject('events', eventRow),
  ticket_type: toSubject('events', ticketTypeRow, { toLocation: toEventLocation }),
  discount_code: toSubject('orders', discountCodeRow, { toLocation: toEventLocation }),
  waitlist_entry: toSubject('orders', waitlistEntryRow, { toLocation: toTicketTypeLocation }),
  day_pass_type: toSubject('day-passes', dayPassTypeRow),
  order: toSubject('orders', orderRow, { toLocation: toOrderLocation }),
  payment: toSubject('orders', paymentRow),
  refund: toSubject('orders', refundRow),
  daily_closing: toSubject('orders', dailyClosingRow),
  ticket: toSubject('orders', ticketRow, { toLocation: toEventLocation }),
  day_pass: toSubject('orders', dayPassRow, { toLocation: toDayPassLocation }),
  check_in: toSubject('check-ins', checkInRow),
  display: toSubject('displays', displayRow, {
    extraFields: {
      status: z.enum(DisplayStatus).meta({ description: 'Whether heartbeats arrive' }),
    },
    computed: {
      status: (row) => `(SELECT h.status FROM display_heartbeats h WHERE h.display_id = ${row}.id)`,
    },
  }),
  announcement: toSubject('displays', announcementRow),
  mailing: toSubject('mailings', mailingRow, {
    toLocation: (row) => `coalesce(${row}.location_id, ${toEventLocation(row)})`,
  }),
  api_token: toSubject('*', apiTokenRow),
  staff: toSubject('*', staffRow),
  webhook: toSubject('webhooks', webhookRow, {
    extraFields: {
      url: text.meta({ description: 'Without its query, which can contain a secret' }),
    },
    computed: { url: (row) => `split_part(${row}.url, '?', 1)` },
  }),
  import: toSubject('*', importRow, { toLocation: toResourceLocation }),
  email_template: toSubject('*', emailTemplateRow, { key: 'key' }),
  email_opt_out: toSubject('*', emailOptOutRow),
  erasure: defineSubject('*', 'erasures', {
    user_id: id.nullable().meta({
      description: 'The account that requested it; null for the command line',
    }),
  }),
  retention_policy: defineSubject(
    '*',
    'retention_settings',
    {
      policy: text.meta({ description: 'Which kind of data' }),
      days: z.int().nullable().meta({ description: 'How long it is stored. Null: forever' }),
    },
    { key: 'policy', hasUpdatedAt: true },
  ),
  settings: defineSubject(
    '*',
    'setup',
    {
      name: text.nullable().meta({ description: 'Of the space. Null: it has none' }),
      language: text.nullable().meta({
        description:
          'Of displays, kiosks, public pages, the pages of members and emails. Null: English',
      }),
      disputed_admission: z
        .enum(DisputedAdmission)
        .meta({ description: 'Whether tickets admit while their payment is disputed' }),
      tax_note: z.enum(TaxNote).meta({ description: 'What prices say about tax' }),
    },
    { isOnlyRow: true, hasUpdatedAt: true },
  ),
} satisfies Record<string, Subject>;

export type SubjectName = keyof typeof SUBJECTS;

/** The id of the only row of a table. */
export const ONLY_ROW = '1';

/** Whether changes of a subject say by `subject_id` which row has changed. */
export const hasSubjectId = ({ key, isOnlyRow }: Subject): boolean =>
  key === undefined && isOnlyRow !== true;
