import { toOriginSql, toRecordSql, toStatusSql } from '../../journal/record-changes.ts';

// An offer can be for some of the tickets that a person wants. The entry keeps its place after it: if the person accepts, for the
// other tickets, and if not, for all of them, without another offer for some. So a person at the head of the list holds tickets
// without buying them at most once more than others.

/**
 * SQL that ends the offers of the orders in `ended`. An entry that was offered some of its tickets waits on for all, unless the event
 * is cancelled. `$3` is the current time.
 */
export const EXPIRE_OFFERS = `
    UPDATE waitlist_entries w SET updated_at = $3::timestamptz, accepts_fewer = w.accepts_fewer AND NOT offer.waits_on,
      status = CASE WHEN offer.waits_on THEN 'waiting' ELSE 'expired' END::waitlist_status
    FROM (
      SELECT entry.id, entry.quantity > (SELECT count(*) FROM tickets t WHERE t.order_id = ended.id)
        AND EXISTS (SELECT FROM events e WHERE e.id = ended.event_id AND e.status = 'published') AS waits_on
      FROM ended JOIN waitlist_entries entry ON entry.order_id = ended.id) offer
    WHERE w.id = offer.id AND w.status = 'offered' RETURNING w.*`;

/** SQL: the fields of an entry that `EXPIRE_OFFERS` changes, as `before` or `after` of a change. */
export const toExpiredOfferSql = (status: string, acceptsFewer: string) =>
  `(${toStatusSql(status)} || CASE row.status WHEN 'waiting'
    THEN jsonb_build_object('accepts_fewer', ${acceptsFewer}) ELSE '{}' END)`;

/**
 * SQL that accepts the offer of the entry in `offer`, whose tickets are those in `valid_tickets`. The entry goes on waiting for the
 * tickets that it was not offered, and gets offers for some of them again if it had expired before a late payment. `$4` is the
 * current time.
 */
export const ACCEPT_OFFER = `
    UPDATE waitlist_entries w SET updated_at = $4::timestamptz, accepts_fewer = w.accepts_fewer OR rest.waits_on,
      status = CASE WHEN rest.waits_on THEN 'waiting' ELSE 'accepted' END::waitlist_status,
      quantity = CASE WHEN rest.waits_on THEN rest.quantity ELSE w.quantity END
    FROM (
      SELECT id, status AS previous_status, quantity AS previous_quantity, accepts_fewer AS previously_accepts_fewer,
        quantity - issued.count AS quantity,
        quantity > issued.count AND status IN ('offered', 'waiting') AS waits_on
      FROM offer, (SELECT count(*)::int AS count FROM valid_tickets) issued) rest
    WHERE w.id = rest.id RETURNING w.*, rest.previous_status, rest.previous_quantity, rest.previously_accepts_fewer`;

/** SQL: the fields of an entry that `ACCEPT_OFFER` changes, as `before` or `after` of a change. */
export const toAcceptedOfferSql = (status: string, quantity: string, acceptsFewer: string) =>
  `(${toStatusSql(status)} || CASE row.status WHEN 'waiting'
    THEN jsonb_build_object('quantity', ${quantity}) ELSE '{}' END || CASE WHEN row.accepts_fewer <> row.previously_accepts_fewer
    THEN jsonb_build_object('accepts_fewer', ${acceptsFewer}) ELSE '{}' END)`;

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
