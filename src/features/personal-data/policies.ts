import { DELETED_PERSON } from '../../integrations/email/outbox.ts';
import type { ErasedSubject, PurgedType } from '../../journal/record-erasures.ts';

/** A retention period that owners can change, with the statement by which the nightly job enforces it. */
export interface RetentionPolicy {
  /** Shown in the panel. */
  title: string;
  /** Describes what happens to the rows, and when the period starts. */
  description: string;
  defaultDays: number | null;
  minDays: number;
  maxDays: number;
  /** Whether the period can be null, so that the rows are stored indefinitely. */
  canKeepForever: boolean;
  purge: Purge;
}

/** What happens to rows with a period that started before $1, at most $2 at a time. */
export type Purge =
  /** Deletes rows that the journal does not record, and returns one row for each. */
  | { sql: string }
  /** Locks and returns the ids of rows that are then recorded and deleted. */
  | { deleted: PurgedType; table: string; sql: string }
  /** Removes personal data from rows, and returns the id and the subject of each. Those of the first subject count. */
  | { erased: readonly [ErasedSubject, ...ErasedSubject[]]; sql: string };

const MAX_RETENTION_DAYS = 36_500;

const LOCK_BATCH = 'LIMIT $2::int FOR UPDATE SKIP LOCKED';

/** Returns a statement that deletes a batch of rows by key. Rows that are locked are left for a later batch. */
const toDeleteBatchSql = (table: string, key: string, condition: string) => `
  WITH due AS (SELECT ${key} AS key FROM ${table} t WHERE ${condition} ${LOCK_BATCH})
  DELETE FROM ${table} USING due WHERE ${table}.${key} = due.key RETURNING 1 AS row`;

/** Deletes rows that the journal records. */
const deleteRecorded = (deleted: PurgedType, table: string, condition: string): Purge => ({
  deleted,
  table,
  sql: `SELECT id FROM ${table} t WHERE ${condition} ${LOCK_BATCH}`,
});

const DELETED_PERSON_SQL = `'${DELETED_PERSON}'`;

/** SQL: whether the event of an order has ended, or the day of its last day pass. */
const ORDER_IS_OVER_SQL = `coalesce(
  (SELECT e.ends_at FROM events e WHERE e.id = o.event_id),
  (SELECT max(p.valid_on) + 1 FROM day_passes p WHERE p.order_id = o.id)::timestamptz,
  o.created_at) <= $1::timestamptz`;

export const POLICIES = {
  sessions: {
    title: 'Ended sessions',
    description: 'Deleted after the session has expired.',
    defaultDays: 1,
    minDays: 1,
    maxDays: 400,
    canKeepForever: false,
    purge: { sql: toDeleteBatchSql('sessions', 'id', 't.expires_at < $1::timestamptz') },
  },
  api_tokens: {
    title: 'Revoked and expired API keys',
    description: 'Deleted after the key was revoked or has expired.',
    defaultDays: 365,
    minDays: 30,
    maxDays: MAX_RETENTION_DAYS,
    canKeepForever: true,
    purge: deleteRecorded(
      'api_token.deleted',
      'api_tokens',
      'least(t.revoked_at, t.expires_at) < $1::timestamptz',
    ),
  },
  calendar_feeds: {
    title: 'Revoked calendar feeds',
    description: 'Deleted after the feed was revoked.',
    defaultDays: 90,
    minDays: 1,
    maxDays: MAX_RETENTION_DAYS,
    canKeepForever: true,
    purge: deleteRecorded(
      'calendar_feed.deleted',
      'calendar_feeds',
      't.revoked_at < $1::timestamptz',
    ),
  },
  displays: {
    title: 'Revoked displays',
    description: 'Deleted with their history after the display was revoked.',
    defaultDays: 365,
    minDays: 30,
    maxDays: MAX_RETENTION_DAYS,
    canKeepForever: true,
    purge: deleteRecorded('display.deleted', 'displays', 't.revoked_at < $1::timestamptz'),
  },
  provider_events: {
    title: 'Payment provider events',
    description: 'Deleted after the event was processed. Payments and refunds stay.',
    defaultDays: 400,
    minDays: 30,
    maxDays: MAX_RETENTION_DAYS,
    canKeepForever: true,
    purge: {
      sql: `
      WITH due AS (
        SELECT provider, id FROM provider_events WHERE processed_at < $1::timestamptz ${LOCK_BATCH})
      DELETE FROM provider_events e USING due WHERE e.provider = due.provider AND e.id = due.id RETURNING 1 AS row`,
    },
  },
  order_links: {
    title: 'Links to orders',
    description: 'Deleted after the event has ended, or after the day of the last day pass.',
    defaultDays: 180,
    minDays: 1,
    maxDays: MAX_RETENTION_DAYS,
    canKeepForever: true,
    // Links are created before their event ends, so the first condition is redundant, but it has an index.
    purge: {
      sql: toDeleteBatchSql(
        'order_access_tokens',
        'hash',
        `t.created_at < $1::timestamptz AND EXISTS (SELECT FROM orders o WHERE o.id = t.order_id AND ${ORDER_IS_OVER_SQL})`,
      ),
    },
  },
  waitlist_entries: {
    title: 'Finished waiting-list entries',
    description:
      'Deleted after the entry was accepted, expired or withdrawn, or after the event has ended.',
    defaultDays: 90,
    minDays: 1,
    maxDays: MAX_RETENTION_DAYS,
    canKeepForever: true,
    purge: deleteRecorded(
      'waitlist_entry.deleted',
      'waitlist_entries',
      `t.updated_at < $1::timestamptz AND (t.status IN ('accepted', 'expired', 'withdrawn') OR EXISTS (
        SELECT FROM ticket_types y JOIN events e ON e.id = y.event_id
        WHERE y.id = t.ticket_type_id AND e.ends_at < $1::timestamptz))`,
    ),
  },
  check_ins: {
    title: 'Names of past visits',
    description:
      'Replaced by "Deleted person" after the visit has ended. The visit stays for the statistics.',
    defaultDays: 730,
    minDays: 30,
    maxDays: MAX_RETENTION_DAYS,
    canKeepForever: true,
    purge: {
      erased: ['check_in'],
      sql: `
      WITH due AS (
        SELECT id FROM check_ins t WHERE label <> ${DELETED_PERSON_SQL} AND checked_out_at < $1::timestamptz ${LOCK_BATCH})
      UPDATE check_ins c SET label = ${DELETED_PERSON_SQL} FROM due WHERE c.id = due.id RETURNING c.id, 'check_in' AS subject`,
    },
  },
  bookings: {
    title: 'Guests and texts of past bookings',
    description:
      'The guest\'s name becomes "Deleted person" after the booking has ended; the guest\'s address, the title, the notes and the cancellation reason are deleted, also from what imports recorded. The booking stays for accounting.',
    defaultDays: 1_095,
    minDays: 30,
    maxDays: MAX_RETENTION_DAYS,
    canKeepForever: true,
    purge: {
      erased: ['booking'],
      sql: `
      WITH due AS (
        SELECT id FROM bookings t WHERE ends_at < $1::timestamptz
          AND (guest_name <> ${DELETED_PERSON_SQL} OR num_nonnulls(guest_email, title, notes, cancel_reason) > 0) ${LOCK_BATCH}),
      recorded AS (DELETE FROM import_changes c USING due WHERE c.subject_id = due.id AND c.before IS NOT NULL)
      UPDATE bookings b SET guest_name = CASE WHEN b.guest_name IS NOT NULL THEN ${DELETED_PERSON_SQL} END,
        guest_email = NULL, title = NULL, notes = NULL, cancel_reason = NULL
      FROM due WHERE b.id = due.id RETURNING b.id, 'booking' AS subject`,
    },
  },
  orders: {
    title: 'Buyers, attendees and pass holders of past orders',
    description:
      'Names become "Deleted person" and addresses are removed after the event has ended, or after the day of the last day pass. Amounts stay for accounting. Tax law often requires ten years.',
    defaultDays: null,
    minDays: 365,
    maxDays: MAX_RETENTION_DAYS,
    canKeepForever: true,
    purge: {
      erased: ['order', 'ticket', 'day_pass'],
      sql: `
      WITH due AS (
        SELECT o.id FROM orders o WHERE o.created_at < $1::timestamptz AND o.buyer_name <> ${DELETED_PERSON_SQL}
          AND o.status <> 'pending' AND ${ORDER_IS_OVER_SQL} LIMIT $2::int FOR UPDATE OF o SKIP LOCKED),
      ticket AS (
        UPDATE tickets t SET attendee_name = ${DELETED_PERSON_SQL}, attendee_email = NULL, cancel_reason = NULL FROM due WHERE t.order_id = due.id RETURNING t.id),
      pass AS (
        UPDATE day_passes p SET holder_name = ${DELETED_PERSON_SQL}, holder_email = NULL, cancel_reason = NULL FROM due WHERE p.order_id = due.id RETURNING p.id),
      sold AS (
        UPDATE orders o SET buyer_name = ${DELETED_PERSON_SQL},
          buyer_email = CASE WHEN o.buyer_email IS NOT NULL THEN 'deleted-' || o.id || '@deleted.invalid' END
        FROM due WHERE o.id = due.id RETURNING o.id)
      SELECT id, 'order' AS subject FROM sold UNION ALL SELECT id, 'ticket' FROM ticket UNION ALL SELECT id, 'day_pass' FROM pass`,
    },
  },
  mailings: {
    title: 'Mailings',
    description:
      'Deleted after the mailing was sent or cancelled. Its emails are deleted after 90 days.',
    defaultDays: 730,
    minDays: 90,
    maxDays: MAX_RETENTION_DAYS,
    canKeepForever: true,
    purge: deleteRecorded('mailing.deleted', 'mailings', 't.ended_at < $1::timestamptz'),
  },
  imports: {
    title: 'Records of imports',
    description:
      'Deleted after the import was started. What it added stays, and the import can no longer be undone.',
    defaultDays: 365,
    minDays: 1,
    maxDays: MAX_RETENTION_DAYS,
    canKeepForever: true,
    purge: deleteRecorded('import.deleted', 'imports', 't.created_at < $1::timestamptz'),
  },
  changes: {
    title: 'Journal of changes',
    description:
      'Deleted after the change was made. The audit log and programs that synchronize cannot read older changes.',
    defaultDays: 365,
    minDays: 30,
    maxDays: MAX_RETENTION_DAYS,
    canKeepForever: true,
    purge: {
      sql: toDeleteBatchSql('changes', 'id', 't.at < $1::timestamptz AND t.position IS NOT NULL'),
    },
  },
  erasures: {
    title: 'Records of erasures',
    description: 'Deleted after the erasure. They contain counts, but nothing about the person.',
    defaultDays: 3_650,
    minDays: 365,
    maxDays: MAX_RETENTION_DAYS,
    canKeepForever: true,
    purge: deleteRecorded('erasure.deleted', 'erasures', 't.created_at < $1::timestamptz'),
  },
} satisfies Record<string, RetentionPolicy>;

export type PolicyKey = keyof typeof POLICIES;
