import { toSnakeCase } from '../../core/letter-case.ts';
import type { AnyRow, ErasureKind } from '../../rows/row.ts';
import { bookingRow } from '../bookings/rows.ts';
import { calendarFeedRow } from '../calendar-feeds/rows.ts';
import { checkInRow } from '../check-ins/rows.ts';
import { dayPassTypeRow } from '../day-passes/rows.ts';
import { discountCodeRow } from '../discounts/rows.ts';
import { announcementRow, displayRow } from '../displays/rows.ts';
import { emailOptOutRow } from '../email-preferences/rows.ts';
import { emailTemplateRow } from '../email-templates/rows.ts';
import { eventRow, ticketTypeRow } from '../events/rows.ts';
import { importEntryRow, importRow } from '../imports/rows.ts';
import { mailingRow } from '../mailings/rows.ts';
import { mailRow } from '../mails/rows.ts';
import { memberRow } from '../members/rows.ts';
import { dayPassRow, orderRow, ticketRow } from '../orders/rows.ts';
import { waitlistEntryRow } from '../orders/waitlist/rows.ts';
import { paymentRow, refundRow } from '../payments/rows.ts';
import { membershipRow, planBenefitRow, planRow } from '../plans/rows.ts';
import { closureRow, locationRow, openingHoursRow, resourceRow } from '../spaces/rows.ts';
import { staffRow } from '../staff/rows.ts';
import { dailyClosingRow } from '../takings/rows.ts';
import { teamRow } from '../teams/rows.ts';
import { apiTokenRow } from '../tokens/rows.ts';
import { webhookAttemptRow, webhookDeliveryRow, webhookRow } from '../webhooks/rows.ts';
import {
  CHECK_INS_SQL,
  EVENT_DAY_SQL,
  isMailboxSql,
  isOnDaySql,
  MAILBOX_SQL,
  REFUNDS_SQL,
  toAdmissionConditions,
  toAnyFieldCondition,
  toComparableColumnSql,
  toLocalDaySql,
  toSubjectCondition,
  WAITLIST_ENTRIES_SQL,
} from './find-conditions.ts';
import type { PolicyKey } from './policies.ts';

/** How long rows are stored: for a special reason, by a policy that owners can change, or by a job with a fixed period. */
export type Retention =
  | { keep: string }
  | { policy: PolicyKey; alsoPurgedBy?: FixedPeriod }
  | FixedPeriod;

interface FixedPeriod {
  job: string;
  period: string;
}

export interface TableEntry {
  /** Every text or JSON column. A test compares them with the database. */
  columns: Record<string, ErasureKind>;
  retention: Retention;
  /** SQL condition for the rows `t` of the person `p`, whose columns are in `person.ts`. */
  find?: string;
  /** SQL condition for a person who is searched by name alone. If absent, no row matches. */
  findByName?: string;
  /** Whether erasing deletes these rows. Otherwise it changes their columns. */
  isDeleted?: true;
}

const UNTIL_STAFF_DELETES = 'Until staff delete it.';
const LIKE_PARENT = 'As long as its parent row.';
const RETAINED_FOR_ACCOUNTING = 'Retained for accounting.';
const RETAINED_AS_COUNTER = 'Retained: counters without personal data.';

/** The columns of a described row. */
const toErasureKinds = ({ columns }: AnyRow): Record<string, ErasureKind> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, { erasure }]) =>
      erasure ? [[toSnakeCase(name), erasure]] : [],
    ),
  );

/**
 * All tables: which columns are personal, how the rows of a person are found, and how long they are stored. A new table
 * needs an entry here and a line in `docs/personal-data.md`, or tests fail.
 */
export const TABLES: Record<string, TableEntry> = {
  announcements: {
    columns: toErasureKinds(announcementRow),
    retention: { keep: UNTIL_STAFF_DELETES },
  },
  api_tokens: {
    columns: toErasureKinds(apiTokenRow),
    retention: { policy: 'api_tokens' },
  },
  booking_invitations: { columns: {}, retention: { keep: LIKE_PARENT } },
  booking_series: { columns: { rule: 'technical' }, retention: { keep: LIKE_PARENT } },
  bookings: {
    columns: toErasureKinds(bookingRow),
    find: 't.member_id = ANY (p.members) OR lower(t.guest_email) = ANY (p.emails)',
    findByName: `t.guest_email IS NULL AND ${toComparableColumnSql('guest_name')} = ANY (p.only_names)
      AND ${isOnDaySql(toLocalDaySql('t.starts_at', 't.location_id'))}`,
    retention: { policy: 'bookings' },
  },
  calendar_feeds: {
    columns: toErasureKinds(calendarFeedRow),
    find: 't.member_id = ANY (p.members) OR t.created_by_id = ANY (p.users)',
    isDeleted: true,
    retention: { policy: 'calendar_feeds' },
  },
  check_ins: {
    columns: toErasureKinds(checkInRow),
    find: CHECK_INS_SQL,
    findByName: `t.ticket_id = ANY (p.tickets) OR t.day_pass_id = ANY (p.passes) OR t.booking_id = ANY (p.bookings)
      OR t.subject = 'visitor' AND ${toComparableColumnSql('label')} = ANY (p.only_names)
        AND ${isOnDaySql(toLocalDaySql('t.occurred_at', 't.location_id'))}`,
    retention: {
      policy: 'check_ins',
      alsoPurgedBy: { job: 'check-ins.purge', period: 'rejected attempts: 30 days' },
    },
  },
  changes: {
    columns: {
      type: 'technical',
      job: 'technical',
      address: 'clear',
      request_id: 'technical',
      agent: 'technical',
      before: 'fields',
      after: 'fields',
    },
    find: `t.subject_id = ANY (p.members || p.users || p.orders || p.tickets || p.passes || p.bookings) OR ${toSubjectCondition('check_ins', CHECK_INS_SQL)}
      OR ${toSubjectCondition('refunds', REFUNDS_SQL)} OR ${toSubjectCondition('waitlist_entries', WAITLIST_ENTRIES_SQL)}
      OR ${toAnyFieldCondition('p.emails')} OR ${isMailboxSql(`coalesce(t.after, t.before) ->> 'recipient_key'`)}`,
    findByName: toAnyFieldCondition('p.only_names'),
    retention: { policy: 'changes' },
  },
  closure_bookings: { columns: {}, retention: { keep: LIKE_PARENT } },
  closure_recipients: {
    columns: { recipient_key: 'row' },
    find: MAILBOX_SQL,
    isDeleted: true,
    retention: { keep: LIKE_PARENT },
  },
  closures: { columns: toErasureKinds(closureRow), retention: { keep: UNTIL_STAFF_DELETES } },
  daily_closings: {
    columns: toErasureKinds(dailyClosingRow),
    retention: { keep: RETAINED_FOR_ACCOUNTING },
  },
  day_pass_days: { columns: {}, retention: { keep: RETAINED_AS_COUNTER } },
  day_pass_types: {
    columns: toErasureKinds(dayPassTypeRow),
    retention: { keep: UNTIL_STAFF_DELETES },
  },
  day_passes: {
    columns: toErasureKinds(dayPassRow),
    ...toAdmissionConditions('holder_name', 'holder_email', 't.valid_on'),
    retention: { policy: 'orders' },
  },
  discount_codes: {
    columns: toErasureKinds(discountCodeRow),
    retention: { keep: UNTIL_STAFF_DELETES },
  },
  display_content_changes: {
    columns: {},
    retention: {
      job: 'displays.compact-changes',
      period: '1 minute, then counted in display_content_versions',
    },
  },
  display_content_versions: { columns: {}, retention: { keep: RETAINED_AS_COUNTER } },
  display_heartbeats: { columns: { app_version: 'technical' }, retention: { keep: LIKE_PARENT } },
  booking_request_reports: {
    columns: {},
    retention: { job: 'bookings.report-requests', period: 'until the booking starts' },
  },
  display_outages: {
    columns: {},
    retention: { job: 'displays.report-outages', period: '2 days' },
  },
  display_pairings: {
    columns: { code: 'technical' },
    retention: { job: 'pairings.purge', period: '1 day' },
  },
  display_status_changes: {
    columns: {},
    retention: { job: 'displays.purge', period: '90 days' },
  },
  displays: {
    columns: toErasureKinds(displayRow),
    retention: { policy: 'displays' },
  },
  email_opt_outs: {
    columns: toErasureKinds(emailOptOutRow),
    find: MAILBOX_SQL,
    isDeleted: true,
    retention: { keep: 'Until the person wants these emails again.' },
  },
  email_preference_links: {
    columns: { recipient_key: 'row' },
    find: MAILBOX_SQL,
    isDeleted: true,
    retention: { job: 'reminders.send', period: '400 days' },
  },
  email_templates: {
    columns: toErasureKinds(emailTemplateRow),
    retention: { keep: UNTIL_STAFF_DELETES },
  },
  erasures: { columns: { reason: 'copy', counts: 'technical' }, retention: { policy: 'erasures' } },
  event_moves: {
    columns: {},
    retention: { job: 'events.announce-moves', period: 'until its emails are written' },
  },
  events: {
    columns: toErasureKinds(eventRow),
    retention: { keep: UNTIL_STAFF_DELETES },
  },
  idempotency_keys: {
    columns: { caller: 'row', key: 'technical', body: 'row' }, // the body is encrypted with the request, which is not stored
    find: `t.caller IN (SELECT 'member:' || id FROM unnest(p.members) id)`,
    isDeleted: true,
    retention: { job: 'idempotency.purge', period: '1 day' },
  },
  import_changes: {
    columns: { subject_type: 'technical', before: 'row', after: 'row' },
    find: 't.subject_id = ANY (p.members || p.bookings)',
    isDeleted: true,
    retention: { keep: LIKE_PARENT },
  },
  import_file_parts: {
    columns: {},
    retention: { job: 'import-files.purge', period: '1 day, or until the file is imported' },
  },
  import_rows: { columns: toErasureKinds(importEntryRow), retention: { keep: LIKE_PARENT } },
  imports: { columns: toErasureKinds(importRow), retention: { policy: 'imports' } },
  journal_head: { columns: {}, retention: { keep: RETAINED_AS_COUNTER } },
  journal_readers: { columns: { name: 'technical' }, retention: { keep: RETAINED_AS_COUNTER } },
  known_browsers: {
    columns: {},
    find: 't.user_id = ANY (p.users)',
    isDeleted: true,
    retention: { job: 'known-browsers.purge', period: '400 days after the last sign-in' },
  },
  last_backup: {
    columns: { file: 'technical' },
    retention: { keep: 'Until the next backup replaces it.' },
  },
  last_runs: {
    columns: { name: 'technical', error: 'technical' },
    retention: { keep: 'Until the next run replaces it.' },
  },
  locations: {
    columns: toErasureKinds(locationRow),
    find: 't.host_email = ANY (p.emails)',
    retention: { keep: UNTIL_STAFF_DELETES },
  },
  lookup_handles: {
    columns: { address: 'row' },
    find: 't.member_id = ANY (p.members)',
    isDeleted: true,
    retention: { job: 'lookups.purge', period: '1 day' },
  },
  mail_budgets: {
    columns: { recipient_key: 'row', client_key: 'technical' },
    find: MAILBOX_SQL,
    isDeleted: true,
    retention: { job: 'mails.purge', period: '1 day after the last email' },
  },
  mailings: { columns: toErasureKinds(mailingRow), retention: { policy: 'mailings' } },
  mails: {
    columns: toErasureKinds(mailRow),
    find: 'lower(t.recipient) = ANY (p.emails)',
    isDeleted: true,
    retention: { job: 'mails.purge', period: '90 days' },
  },
  member_email_changes: {
    columns: { email: 'row' },
    find: 't.member_id = ANY (p.members)',
    isDeleted: true,
    retention: {
      job: 'member-email-changes.purge',
      period: 'until the links expire, after 7 days',
    },
  },
  members: {
    columns: toErasureKinds(memberRow),
    find: 't.id = ANY (p.members)',
    retention: { keep: 'Until the member is erased.' },
  },
  memberships: {
    columns: toErasureKinds(membershipRow),
    find: 't.member_id = ANY (p.members)',
    retention: { keep: RETAINED_FOR_ACCOUNTING },
  },
  occupancies: { columns: {}, retention: { keep: RETAINED_AS_COUNTER } },
  opening_hours: {
    columns: toErasureKinds(openingHoursRow),
    retention: { keep: UNTIL_STAFF_DELETES },
  },
  order_access_tokens: { columns: {}, retention: { policy: 'order_links' } },
  orders: {
    columns: toErasureKinds(orderRow),
    find: 't.buyer_email = ANY (p.emails) OR t.member_id = ANY (p.members)',
    // Staff can sell at the front desk to people without an address.
    findByName: `t.buyer_email IS NULL AND ${toComparableColumnSql('buyer_name')} = ANY (p.only_names)
      AND (${isOnDaySql(EVENT_DAY_SQL)} OR EXISTS (SELECT FROM day_passes d WHERE d.order_id = t.id AND d.valid_on = p.day))`,
    retention: { policy: 'orders' },
  },
  payments: {
    columns: toErasureKinds(paymentRow),
    find: 't.order_id = ANY (p.orders) OR t.booking_id = ANY (p.bookings)',
    retention: { keep: RETAINED_FOR_ACCOUNTING },
  },
  plan_benefits: { columns: toErasureKinds(planBenefitRow), retention: { keep: LIKE_PARENT } },
  plans: {
    columns: toErasureKinds(planRow),
    retention: { keep: UNTIL_STAFF_DELETES },
  },
  provider_events: {
    columns: { id: 'technical', type: 'technical', payload: 'copy', last_error: 'copy' },
    retention: { policy: 'provider_events' },
  },
  rate_limits: {
    columns: { key: 'technical' }, // accounts are hashed
    retention: { job: 'rate-limits.purge', period: 'until the counter ends, at most 1 day' },
  },
  refunds: {
    columns: toErasureKinds(refundRow),
    find: REFUNDS_SQL,
    retention: { keep: RETAINED_FOR_ACCOUNTING },
  },
  reminders: {
    columns: {},
    retention: { job: 'reminders.send', period: '1 day after the start' },
  },
  resources: {
    columns: toErasureKinds(resourceRow),
    retention: { keep: UNTIL_STAFF_DELETES },
  },
  retention_settings: {
    columns: { policy: 'technical' },
    retention: { keep: UNTIL_STAFF_DELETES },
  },
  seat_usages: {
    columns: {},
    retention: { job: 'seat-usages.purge', period: 'until its window ends, at most 7 days' },
  },
  sessions: {
    columns: { browser: 'row' },
    find: 't.user_id = ANY (p.users)',
    isDeleted: true,
    retention: { policy: 'sessions' },
  },
  setup: {
    columns: { language: 'technical' },
    retention: { keep: 'Retained: one row without personal data.' },
  },
  setup_codes: { columns: {}, retention: { job: 'setup-codes.purge', period: '1 day' } },
  sign_in_links: {
    columns: {},
    find: 't.member_id = ANY (p.members)',
    isDeleted: true,
    retention: { job: 'sign-in-links.purge', period: '1 day after they expire' },
  },
  staff_links: {
    columns: {},
    find: 't.user_id = ANY (p.users)',
    isDeleted: true,
    retention: { job: 'staff-links.purge', period: '30 days after they expire' },
  },
  system_problems: {
    columns: { code: 'technical', message: 'technical' },
    retention: { keep: 'Until the problem is solved.' },
  },
  teams: { columns: toErasureKinds(teamRow), retention: { keep: UNTIL_STAFF_DELETES } },
  ticket_types: {
    columns: toErasureKinds(ticketTypeRow),
    retention: { keep: LIKE_PARENT },
  },
  tickets: {
    columns: toErasureKinds(ticketRow),
    ...toAdmissionConditions('attendee_name', 'attendee_email', EVENT_DAY_SQL),
    retention: { policy: 'orders' },
  },
  unconfirmed_visitor_emails: {
    columns: {},
    find: 't.host_id = ANY (p.members)',
    isDeleted: true,
    retention: { job: 'unconfirmed-visitor-emails.purge', period: '2 days' },
  },
  users: {
    columns: toErasureKinds(staffRow),
    find: 't.id = ANY (p.users)',
    retention: { keep: 'Until the account or the member is erased.' },
  },
  waitlist_entries: {
    columns: toErasureKinds(waitlistEntryRow),
    find: WAITLIST_ENTRIES_SQL,
    retention: { policy: 'waitlist_entries' },
  },
  webhook_attempts: {
    columns: toErasureKinds(webhookAttemptRow),
    retention: { keep: LIKE_PARENT },
  },
  webhook_deliveries: {
    columns: toErasureKinds(webhookDeliveryRow),
    retention: { keep: LIKE_PARENT },
  },
  webhook_endpoints: {
    columns: toErasureKinds(webhookRow),
    retention: { keep: UNTIL_STAFF_DELETES },
  },
  webhook_messages: {
    columns: { type: 'technical', payload: 'copy' },
    retention: { job: 'webhooks.purge', period: '30 days' },
  },
};

export interface SubjectTable extends TableEntry {
  name: string;
  find: string;
}

/** The tables in which a person can have rows. */
export const SUBJECT_TABLES: SubjectTable[] = Object.entries(TABLES).flatMap(
  ([name, { find, ...entry }]) => (find === undefined ? [] : [{ name, find, ...entry }]),
);

export const listColumnsOfKind = ({ columns }: Pick<TableEntry, 'columns'>, kind: ErasureKind) =>
  Object.entries(columns).flatMap(([name, columnKind]) => (columnKind === kind ? [name] : []));
