import type { Context } from '../../context.ts';
import { prepareStatement, type Statement } from '../../db/prepared-statement.ts';
import { toOrigin, toOriginSql, toRecordSql } from '../../journal/record-changes.ts';

// Everything that releases stock locks it in the sequence in which orders take it: event, ticket types, days, codes, seats. In the
// SQL below, `$3` is the current time and `$4` the origin.

/** Issued tickets become cancelled. Held tickets, which were never issued, become expired. */
const toSetEndedSql = (reason: string) => `
  status = CASE status WHEN 'valid' THEN 'cancelled'::admission_status ELSE 'expired'::admission_status END,
  cancelled_at = CASE status WHEN 'valid' THEN $3::timestamptz END, updated_at = $3::timestamptz,
  cancel_reason = CASE status WHEN 'valid' THEN ${reason} END`;

/** CTEs that end the tickets of `ticket` and release their stock. The tickets are then in `ended_tickets`. */
export const toEndTicketsCtes = (reason: string) => `
  ticket_event AS MATERIALIZED (
    SELECT id FROM events WHERE id IN (SELECT event_id FROM ticket) ORDER BY id FOR NO KEY UPDATE),
  ticket_type AS MATERIALIZED (
    SELECT t.id FROM ticket_event e JOIN ticket_types t ON t.event_id = e.id
    WHERE t.id IN (SELECT ticket_type_id FROM ticket) ORDER BY t.id FOR NO KEY UPDATE OF t),
  ended_tickets AS (
    UPDATE tickets SET ${toSetEndedSql(reason)}
    WHERE id IN (SELECT id FROM ticket) AND (SELECT count(*) FROM ticket_type) > 0 RETURNING *),
  event_released AS (
    UPDATE events e SET reserved_count = e.reserved_count - released.count
    FROM (SELECT event_id, count(*)::int AS count FROM ended_tickets GROUP BY 1) released WHERE e.id = released.event_id),
  types_released AS (
    UPDATE ticket_types t SET reserved_count = t.reserved_count - released.count
    FROM (SELECT ticket_type_id, count(*)::int AS count FROM ended_tickets GROUP BY 1) released
    WHERE t.id = released.ticket_type_id)`;

/** CTEs that end the day passes of `pass` and release their stock. The passes are then in `ended_passes`. */
export const toEndPassesCtes = (reason: string) => `
  pass_day AS MATERIALIZED (
    SELECT d.type_id FROM day_pass_days d
    WHERE (d.type_id, d.date) IN (SELECT type_id, valid_on FROM pass)
    ORDER BY d.type_id, d.date FOR NO KEY UPDATE),
  ended_passes AS (
    UPDATE day_passes SET ${toSetEndedSql(reason)}
    WHERE id IN (SELECT id FROM pass) AND (SELECT count(*) FROM pass_day) > 0 RETURNING *),
  days_released AS (
    UPDATE day_pass_days d SET reserved_count = d.reserved_count - released.count
    FROM (SELECT type_id, valid_on, count(*)::int AS count FROM ended_passes GROUP BY 1, 2) released
    WHERE d.type_id = released.type_id AND d.date = released.valid_on)`;

/** CTEs that release the uses of discount codes by the orders in `ended`, once the subquery `after` has locked their stock. */
export const toReleaseCodesCtes = (after: string) => `
  code AS MATERIALIZED (
    SELECT id FROM discount_codes
    WHERE id IN (SELECT discount_code_id FROM ended) AND ${after} >= 0 ORDER BY id FOR NO KEY UPDATE),
  codes_released AS (
    UPDATE discount_codes d SET uses = d.uses - released.count,
      late_uses = greatest(least(d.late_uses, d.uses - released.count - d.max_uses), 0)
    FROM (SELECT discount_code_id AS id, count(*)::int AS count FROM ended
      WHERE discount_code_id IN (SELECT id FROM code) GROUP BY 1) released
    WHERE d.id = released.id)`;

const toRecordCancelledSql = (subject: 'ticket' | 'day_pass', ended: string) =>
  toRecordSql({
    subject,
    type: `'${subject}.cancelled'`,
    source: `${ended} row, ${toOriginSql('$4')} WHERE row.status = 'cancelled'`,
    before: toCancelledSql(`'valid'`, 'NULL'),
    after: toCancelledSql('row.status', 'row.cancel_reason'),
  });

const toCancelledSql = (status: string, reason: string) =>
  `jsonb_build_object('status', ${status}, 'cancel_reason', ${reason})`;

const RELEASE_TICKETS = prepareStatement(`
  WITH ticket AS MATERIALIZED (
    SELECT id, event_id, ticket_type_id FROM tickets WHERE id = ANY ($1::uuid[]) AND status IN ('held', 'valid')),
  ${toEndTicketsCtes('$2::text')},
  recorded AS (${toRecordCancelledSql('ticket', 'ended_tickets')})
  SELECT DISTINCT ticket_type_id AS id FROM ended_tickets`);

const RELEASE_DAY_PASSES = prepareStatement(`
  WITH pass AS MATERIALIZED (
    SELECT id, type_id, valid_on FROM day_passes WHERE id = ANY ($1::uuid[]) AND status IN ('held', 'valid')),
  ${toEndPassesCtes('$2::text')},
  recorded AS (${toRecordCancelledSql('day_pass', 'ended_passes')})
  SELECT DISTINCT type_id AS id FROM ended_passes`);

const RELEASE_CODES = prepareStatement(`
  WITH ended AS (SELECT discount_code_id FROM orders WHERE id = ANY ($1::uuid[])),
  ${toReleaseCodesCtes('0')}
  SELECT 1`);

/**
 * Ends tickets and releases their stock. Skips tickets that have already ended. Returns the ids of the ticket types
 * with released stock. Call it in a transaction that has locked the orders.
 */
export const releaseTickets = (ctx: Context, ids: string[], reason: string | null) =>
  releaseAdmissions(ctx, RELEASE_TICKETS, ids, reason);

/** Does the same for day passes. */
export const releaseDayPasses = (ctx: Context, ids: string[], reason: string | null) =>
  releaseAdmissions(ctx, RELEASE_DAY_PASSES, ids, reason);

async function releaseAdmissions(
  ctx: Context,
  sql: Statement,
  ids: string[],
  reason: string | null,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const parameters = [ids, reason, ctx.now(), JSON.stringify(toOrigin(ctx))];
  const rows = await ctx.lockingSql<{ id: string }>(sql, parameters);
  return rows.map(({ id }) => id);
}

/** Releases the use of a discount code by an order that has ended. Call it after releasing the stock of the order. */
export async function releaseDiscount(ctx: Context, orderId: string): Promise<void> {
  await ctx.lockingSql(RELEASE_CODES, [[orderId]]);
}
