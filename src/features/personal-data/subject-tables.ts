import { bookingRow } from '../bookings/rows.ts';
import { calendarFeedRow } from '../calendar-feeds/rows.ts';
import { checkInRow } from '../check-ins/rows.ts';
import { emailOptOutRow } from '../email-preferences/rows.ts';
import { mailRow } from '../mails/rows.ts';
import { memberRow } from '../members/rows.ts';
import { orderRow } from '../orders/rows.ts';
import { waitlistEntryRow } from '../orders/waitlist/rows.ts';
import { paymentRow, refundRow } from '../payments/rows.ts';
import { membershipRow } from '../plans/rows.ts';
import { locationRow } from '../spaces/rows.ts';
import { staffRow } from '../staff/rows.ts';
import {
  CHECK_INS_SQL,
  EVENT_DAY_SQL,
  isMailboxSql,
  isOnDaySql,
  MAILBOX_SQL,
  REFUNDS_SQL,
  toAnyFieldCondition,
  toComparableColumnSql,
  toLocalDaySql,
  toSubjectCondition,
  WAITLIST_ENTRIES_SQL,
} from './find-conditions.ts';
import {
  LIKE_PARENT,
  RETAINED_FOR_ACCOUNTING,
  type TableEntry,
  toErasureKinds,
  UNTIL_STAFF_DELETES,
} from './table-entry.ts';

/** The tables in which a person can have rows, and how these are found. `tables.ts` has all others. */
export const SUBJECT_ENTRIES = {
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
  closure_recipients: {
    columns: { recipient_key: 'row' },
    find: MAILBOX_SQL,
    isDeleted: true,
    retention: { keep: LIKE_PARENT },
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
    retention: { keep: 'As long as its parent row, and the texts of its booking.' },
  },
  known_browsers: {
    columns: {},
    find: 't.user_id = ANY (p.users)',
    isDeleted: true,
    retention: { job: 'known-browsers.purge', period: '400 days after the last sign-in' },
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
  refunds: {
    columns: toErasureKinds(refundRow),
    find: REFUNDS_SQL,
    retention: { keep: RETAINED_FOR_ACCOUNTING },
  },
  sessions: {
    columns: { browser: 'row' },
    find: 't.user_id = ANY (p.users)',
    isDeleted: true,
    retention: { policy: 'sessions' },
  },
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
    retention: { job: 'staff-links.purge', period: 'at most 30 days after they expire' },
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
} satisfies Record<string, TableEntry>;
