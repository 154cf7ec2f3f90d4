import type { ErasureKind } from '../../rows/row.ts';
import { dayPassTypeRow } from '../day-passes/rows.ts';
import { discountCodeRow } from '../discounts/rows.ts';
import { announcementRow, displayRow } from '../displays/rows.ts';
import { emailTemplateRow } from '../email-templates/rows.ts';
import { eventRow, ticketTypeRow } from '../events/rows.ts';
import { importEntryRow, importRow } from '../imports/rows.ts';
import { mailingRow } from '../mailings/rows.ts';
import { dayPassRow, ticketRow } from '../orders/rows.ts';
import { planBenefitRow, planRow } from '../plans/rows.ts';
import { closureRow, openingHoursRow, resourceRow } from '../spaces/rows.ts';
import { dailyClosingRow } from '../takings/rows.ts';
import { teamRow } from '../teams/rows.ts';
import { apiTokenRow } from '../tokens/rows.ts';
import { webhookAttemptRow, webhookDeliveryRow, webhookRow } from '../webhooks/rows.ts';
import { EVENT_DAY_SQL, toAdmissionConditions } from './find-conditions.ts';
import { SUBJECT_ENTRIES } from './subject-tables.ts';
import {
  LIKE_PARENT,
  RETAINED_AS_COUNTER,
  RETAINED_FOR_ACCOUNTING,
  type TableEntry,
  toErasureKinds,
  UNTIL_STAFF_DELETES,
} from './table-entry.ts';

/** The tables in which no person can have rows. */
const OTHER_ENTRIES: Record<string, TableEntry> = {
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
  closure_bookings: { columns: {}, retention: { keep: LIKE_PARENT } },
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
  disputes: {
    columns: { ref: 'technical', reason: 'technical', currency: 'technical' },
    retention: { keep: RETAINED_FOR_ACCOUNTING },
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
  import_file_parts: {
    columns: {},
    retention: { job: 'import-files.purge', period: '1 day, or until the file is imported' },
  },
  import_rows: { columns: toErasureKinds(importEntryRow), retention: { keep: LIKE_PARENT } },
  imports: { columns: toErasureKinds(importRow), retention: { policy: 'imports' } },
  journal_head: { columns: {}, retention: { keep: RETAINED_AS_COUNTER } },
  journal_readers: { columns: { name: 'technical' }, retention: { keep: RETAINED_AS_COUNTER } },
  last_backup: {
    columns: { file: 'technical' },
    retention: { keep: 'Until the next backup replaces it.' },
  },
  last_runs: {
    columns: { name: 'technical', error: 'technical' },
    retention: { keep: 'Until the next run replaces it.' },
  },
  mailings: { columns: toErasureKinds(mailingRow), retention: { policy: 'mailings' } },
  occupancies: { columns: {}, retention: { keep: RETAINED_AS_COUNTER } },
  opening_hours: {
    columns: toErasureKinds(openingHoursRow),
    retention: { keep: UNTIL_STAFF_DELETES },
  },
  order_access_tokens: { columns: {}, retention: { policy: 'order_links' } },
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
  setup: {
    columns: { name: 'technical', language: 'technical' },
    retention: { keep: 'Retained: one row without personal data.' },
  },
  setup_codes: { columns: {}, retention: { job: 'setup-codes.purge', period: '1 day' } },
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

/**
 * All tables: which columns are personal, how the rows of a person are found, and how long they are stored. A new table
 * needs an entry here, or in `subject-tables.ts` if a person can have rows in it, and a line in `docs/personal-data.md`, or tests fail.
 */
export const TABLES: Record<string, TableEntry> = Object.fromEntries(
  Object.entries({ ...SUBJECT_ENTRIES, ...OTHER_ENTRIES }).sort(([one], [other]) =>
    one < other ? -1 : 1,
  ),
);

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
