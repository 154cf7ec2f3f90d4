import { toOriginSql, toRecordSql, toStatusSql } from '../../../journal/record-changes.ts';

/**
 * SQL that withdraws entries from waiting lists and returns their ids. `selected` selects their ids and statuses as the table
 * `w`; `$3` is the current time and `$4` the origin.
 */
export const toWithdrawEntriesSql = (selected: string) => `
  WITH previous AS MATERIALIZED (${selected} FOR NO KEY UPDATE OF w),
  withdrawn AS (
    UPDATE waitlist_entries w SET status = 'withdrawn', updated_at = $3::timestamptz
    FROM previous WHERE w.id = previous.id RETURNING w.*, previous.status AS previous_status),
  recorded AS (${toRecordSql({
    subject: 'waitlist_entry',
    type: `'waitlist_entry.withdrawn'`,
    source: `withdrawn row, ${toOriginSql('$4')}`,
    before: toStatusSql('row.previous_status'),
    after: toStatusSql('row.status'),
  })})
  SELECT id FROM withdrawn`;
