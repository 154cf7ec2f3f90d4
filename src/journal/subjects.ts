import { z } from 'zod';
import { toSnakeCase } from '../core/snake-case.ts';
import {
  AdmissionStatus,
  BookingStatus,
  DisplayStatus,
  EventStatus,
  EventVisibility,
  OrderStatus,
  PaymentProvider,
  ResourceType,
} from '../db/generated/enums.ts';
import { calendarFeedRow } from '../features/calendar-feeds/rows.ts';
import { checkInRow } from '../features/check-ins/rows.ts';
import { dayPassTypeRow } from '../features/day-passes/rows.ts';
import { discountCodeRow } from '../features/discounts/rows.ts';
import { announcementRow, displayRow } from '../features/displays/rows.ts';
import { emailTemplateRow } from '../features/email-templates/rows.ts';
import { mailingRow } from '../features/mailings/rows.ts';
import { memberRow } from '../features/members/rows.ts';
import { waitlistEntryRow } from '../features/orders/waitlist/rows.ts';
import { paymentRow, refundRow } from '../features/payments/rows.ts';
import { membershipRow, planBenefitRow, planRow } from '../features/plans/rows.ts';
import { closureRow, locationRow, openingHoursRow } from '../features/spaces/rows.ts';
import { staffRow } from '../features/staff/rows.ts';
import { teamRow } from '../features/teams/rows.ts';
import { apiTokenRow } from '../features/tokens/rows.ts';
import { webhookRow } from '../features/webhooks/rows.ts';
import { toOutputSchema } from '../rows/output-schema.ts';
import { type AnyRow, isHidden } from '../rows/row.ts';

// What changes happen to, and which of its fields the journal stores. Codes, secrets, hashes and links are never among them.

const instant = z.iso.datetime();
const date = z.iso.date();
const id = z.uuid();
const text = z.string();
const minutes = z.int();

/** A row whose changes the journal records. */
export interface Subject {
  table: string;
  /** The noun whose read scope is needed. `*` for what only owners see. Not typed, since `auth` imports the journal. */
  noun: string;
  /** The stored fields, by the names of their columns. */
  fields: z.ZodObject;
  /** The primary key, if it is not `id`. Such changes have no `subject_id`. */
  key?: string;
  /** SQL of the fields that are not columns of the row with this alias. */
  computed?: Record<string, (row: string) => string>;
  /** SQL of the location. By default the column `location_id`, if the fields have it, and otherwise none. */
  toLocation?: (row: string) => string;
}

const defineSubject = <Noun extends string, Fields extends z.ZodRawShape>(
  noun: Noun,
  table: string,
  fields: Fields,
  options: Pick<Subject, 'key' | 'computed' | 'toLocation'> = {},
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
) => defineSubject(noun, row.table, { ...toSubjectFields(row).shape, ...extraFields }, options);

const toSubjectFields = ({ columns }: AnyRow) =>
  z.object(
    Object.fromEntries(
      Object.entries(columns).flatMap(([name, column]) => {
        const { schema, journal = !isHidden(column) } = column;
        if (journal === false || schema === undefined) return [];
        return [[toSnakeCase(name), toOutputSchema(journal === true ? schema : journal)]];
      }),
    ),
  );

const toEventLocation = (row: string) =>
  `(SELECT located.location_id FROM events located WHERE located.id = ${row}.event_id)`;
const toDayPassLocation = (row: string) =>
  `(SELECT located.location_id FROM day_pass_types located WHERE located.id = ${row}.type_id)`;
const toOrderLocation = (order: string) =>
  `(SELECT located.location_id FROM orders placed JOIN events located ON located.id = placed.event_id WHERE placed.id = ${order})`;

const salesLimits = {
  max_seats_per_email: z.int().nullable(),
  max_seats_per_address: z.int().nullable(),
  max_seats_per_network: z.int().nullable(),
  limit_window_hours: z.int(),
  confirm_free_orders: z.boolean().nullable(),
};

export const SUBJECTS = {
  location: toSubject('spaces', locationRow, { toLocation: (row) => `${row}.id` }),
  opening_hours: defineSubject(
    'spaces',
    'locations',
    { hours: z.array(toSubjectFields(openingHoursRow)) },
    {
      computed: {
        hours: (row) => `(
          SELECT coalesce(jsonb_agg(jsonb_build_object('weekday', h.weekday, 'opens_minute', h.opens_minute,
            'closes_minute', h.closes_minute) ORDER BY h.weekday, h.opens_minute), '[]')
          FROM opening_hours h WHERE h.location_id = ${row}.id)`,
      },
      toLocation: (row) => `${row}.id`,
    },
  ),
  closure: toSubject('spaces', closureRow),
  resource: defineSubject('spaces', 'resources', {
    location_id: id,
    slug: text,
    name: text,
    type: z.enum(ResourceType),
    capacity: z.int(),
    amenities: z.array(text),
    hourly_amount: z.int(),
    currency: text,
    min_minutes: minutes,
    max_minutes: minutes,
    slot_interval_minutes: minutes,
    buffer_minutes: minutes,
    min_notice_minutes: minutes,
    max_advance_days: z.int(),
    free_cancellation_hours: z.int(),
    no_show_minutes: minutes.nullable(),
    requires_approval: z.boolean(),
    active: z.boolean(),
  }),
  member: toSubject('members', memberRow),
  team: toSubject('members', teamRow),
  plan: toSubject('plans', planRow, {
    extraFields: {
      benefits: z.array(toSubjectFields(planBenefitRow)),
    },
    computed: {
      benefits: (row) => `(
          SELECT coalesce(jsonb_agg(jsonb_build_object('resource_type', b.resource_type, 'included_hours', b.included_hours,
            'discount_percent', b.discount_percent, 'limit_hours', b.limit_hours) ORDER BY b.resource_type), '[]')
          FROM plan_benefits b WHERE b.plan_id = ${row}.id)`,
    },
  }),
  membership: toSubject('members', membershipRow),
  booking: defineSubject('bookings', 'bookings', {
    resource_id: id,
    location_id: id,
    member_id: id.nullable(),
    guest_name: text.nullable(),
    guest_email: text.nullable(),
    status: z.enum(BookingStatus),
    title: text.nullable(),
    notes: text.nullable(),
    starts_at: instant,
    ends_at: instant,
    price_amount: z.int(),
    price_currency: text,
    membership_id: id.nullable(),
    included_minutes: minutes,
    series_id: id.nullable(),
    checked_in_at: instant.nullable(),
    cancel_reason: text.nullable(),
    cancel_fee: z.int().nullable(),
  }),
  calendar_feed: toSubject('bookings', calendarFeedRow),
  event: defineSubject('events', 'events', {
    slug: text,
    title: text,
    summary: text.nullable(),
    description: text.nullable(),
    status: z.enum(EventStatus),
    visibility: z.enum(EventVisibility),
    location_id: id,
    resource_id: id.nullable(),
    starts_at: instant,
    ends_at: instant,
    tags: z.array(text),
    capacity: z.int().nullable(),
    refund_hours: z.int().nullable(),
    ...salesLimits,
    cancel_reason: text.nullable(),
  }),
  ticket_type: defineSubject(
    'events',
    'ticket_types',
    {
      event_id: id,
      name: text,
      description: text.nullable(),
      position: z.int(),
      price_amount: z.int(),
      price_currency: text,
      quantity: z.int().nullable(),
      sales_start_at: instant.nullable(),
      sales_end_at: instant.nullable(),
      max_per_order: z.int(),
      audience: z.enum(EventVisibility),
      active: z.boolean(),
    },
    { toLocation: toEventLocation },
  ),
  discount_code: toSubject('orders', discountCodeRow, { toLocation: toEventLocation }),
  waitlist_entry: toSubject('orders', waitlistEntryRow),
  day_pass_type: toSubject('day-passes', dayPassTypeRow),
  order: defineSubject(
    'orders',
    'orders',
    {
      status: z.enum(OrderStatus),
      event_id: id.nullable(),
      member_id: id.nullable(),
      buyer_name: text,
      buyer_email: text,
      currency: text,
      total_amount: z.int(),
      discount_amount: z.int(),
      provider: z.enum(PaymentProvider).nullable(),
      expires_at: instant.nullable(),
    },
    { toLocation: toEventLocation },
  ),
  payment: toSubject('orders', paymentRow, {
    toLocation: (row) => toOrderLocation(`${row}.order_id`),
  }),
  refund: toSubject('orders', refundRow, {
    toLocation: (row) => toOrderLocation(`${row}.order_id`),
  }),
  ticket: defineSubject(
    'orders',
    'tickets',
    {
      order_id: id,
      event_id: id,
      ticket_type_id: id,
      status: z.enum(AdmissionStatus),
      attendee_name: text,
      attendee_email: text.nullable(),
      amount: z.int(),
      cancel_reason: text.nullable(),
    },
    { toLocation: toEventLocation },
  ),
  day_pass: defineSubject(
    'orders',
    'day_passes',
    {
      order_id: id,
      type_id: id,
      valid_on: date,
      status: z.enum(AdmissionStatus),
      holder_name: text,
      holder_email: text.nullable(),
      amount: z.int(),
      cancel_reason: text.nullable(),
    },
    { toLocation: toDayPassLocation },
  ),
  check_in: toSubject('check-ins', checkInRow),
  display: toSubject('displays', displayRow, {
    extraFields: { status: z.enum(DisplayStatus) },
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
  email_template: toSubject('*', emailTemplateRow, { key: 'key' }),
  erasure: defineSubject('*', 'erasures', { user_id: id.nullable() }),
  retention_policy: defineSubject(
    '*',
    'retention_settings',
    { policy: text, days: z.int().nullable() },
    { key: 'policy' },
  ),
} satisfies Record<string, Subject>;

export type SubjectName = keyof typeof SUBJECTS;
