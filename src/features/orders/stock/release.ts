import type { Ctx } from '../../../context.ts';
import { isCounterRefusal } from '../../../db/refusals.ts';
import { type Statement, statement } from '../../../db/sql.ts';

// What was issued is cancelled, what was only held was never there.
const ENDED = `status = CASE status WHEN 'valid' THEN 'cancelled'::admission_status ELSE 'expired'::admission_status END,
  cancelled_at = CASE status WHEN 'valid' THEN $2::timestamptz END, updated_at = $2::timestamptz`;

// Ends the tickets of `item` and gives back what they took; `$2` is the present.
const RELEASING = `
  event AS MATERIALIZED (
    SELECT id FROM events WHERE id IN (SELECT event_id FROM item) ORDER BY id FOR NO KEY UPDATE),
  type AS MATERIALIZED (
    SELECT t.id FROM event JOIN ticket_types t ON t.event_id = event.id
    WHERE t.id IN (SELECT ticket_type_id FROM item) ORDER BY t.id FOR NO KEY UPDATE OF t),
  ended AS (
    UPDATE tickets SET ${ENDED}
    WHERE id IN (SELECT id FROM item) AND (SELECT count(*) FROM type) > 0 RETURNING event_id, ticket_type_id),
  event_given AS (
    UPDATE events e SET reserved_count = e.reserved_count - gone.count
    FROM (SELECT event_id, count(*)::int AS count FROM ended GROUP BY 1) gone WHERE e.id = gone.event_id),
  types_given AS (
    UPDATE ticket_types t SET reserved_count = t.reserved_count - gone.count
    FROM (SELECT ticket_type_id, count(*)::int AS count FROM ended GROUP BY 1) gone WHERE t.id = gone.ticket_type_id)`;

const RELEASE_TICKETS = statement(`
  WITH item AS MATERIALIZED (
    SELECT id, event_id, ticket_type_id FROM tickets
    WHERE (id = ANY ($1::uuid[]) OR order_id = ANY ($3::uuid[])) AND status IN ('held', 'valid')),
  ${RELEASING}
  SELECT DISTINCT ticket_type_id AS id FROM ended`);

const LET_GO = statement(`
  WITH pending AS MATERIALIZED (
    SELECT o.id FROM orders o
    WHERE o.id = $1::uuid AND o.status = 'pending' AND o.discount_code_id IS NULL AND o.event_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM waitlist_entries w WHERE w.order_id = o.id)
      AND NOT EXISTS (SELECT FROM ticket_types t JOIN waitlist_entries w ON w.ticket_type_id = t.id
        WHERE t.event_id = o.event_id AND w.status = 'waiting')
    FOR UPDATE),
  item AS MATERIALIZED (
    SELECT t.id, t.event_id, t.ticket_type_id FROM pending JOIN tickets t ON t.order_id = pending.id
    WHERE t.status = 'held'),
  ${RELEASING},
  cancelled AS (
    UPDATE orders SET status = 'cancelled', cancelled_at = $2::timestamptz, updated_at = $2::timestamptz
    WHERE id = (SELECT id FROM pending) AND EXISTS (SELECT FROM ended) RETURNING id)
  SELECT id FROM cancelled`);

const RELEASE_PASSES = statement(`
  WITH item AS MATERIALIZED (
    SELECT id, type_id, valid_on FROM day_passes
    WHERE (id = ANY ($1::uuid[]) OR order_id = ANY ($3::uuid[])) AND status IN ('held', 'valid')),
  stock AS MATERIALIZED (
    SELECT d.type_id FROM day_pass_days d
    WHERE (d.type_id, d.date) IN (SELECT type_id, valid_on FROM item)
    ORDER BY d.type_id, d.date FOR NO KEY UPDATE),
  ended AS (
    UPDATE day_passes SET ${ENDED}
    WHERE id IN (SELECT id FROM item) AND (SELECT count(*) FROM stock) > 0 RETURNING type_id, valid_on),
  days_given AS (
    UPDATE day_pass_days d SET reserved_count = d.reserved_count - gone.count
    FROM (SELECT type_id, valid_on, count(*)::int AS count FROM ended GROUP BY 1, 2) gone
    WHERE d.type_id = gone.type_id AND d.date = gone.valid_on)
  SELECT DISTINCT type_id AS id FROM ended`);

/** Which of them: by their own ids, or all of these orders. */
type Meant = { ids: string[] } | { orderIds: string[] };

/**
 * Ends these tickets and gives their stock back; those that have ended already are left alone. Answers with the types
 * that have more to sell now. Call it within a transaction that has locked their orders.
 */
export const releaseTickets = (ctx: Ctx, meant: Meant) => release(ctx, RELEASE_TICKETS, meant);

/** The same for day passes. */
export const releasePasses = (ctx: Ctx, meant: Meant) => release(ctx, RELEASE_PASSES, meant);

async function release({ write, now }: Ctx, sql: Statement, meant: Meant): Promise<string[]> {
  const { ids = [], orderIds = [] } = meant as { ids?: string[]; orderIds?: string[] };
  if (ids.length + orderIds.length === 0) return [];
  const rows = await write<{ id: string }>(sql, [ids, now(), orderIds]);
  return rows.map(({ id }) => id);
}

/**
 * Cancels a pending order of tickets in one statement, which holds the event's row no longer than it must, and says
 * whether it did: not where somebody waits for the tickets, or there is a discount to give back as well.
 */
export async function letGo({ write, now }: Ctx, orderId: string): Promise<boolean> {
  try {
    return (await write(LET_GO, [orderId, now()])).length === 1;
  } catch (error) {
    if (!isCounterRefusal(error)) throw error;
    return false;
  }
}

/** Discounts that orders no longer use can be used by others. */
export async function releaseDiscounts({ db }: Ctx, orderIds: string[]): Promise<void> {
  await db.$executeRaw`
    WITH code AS MATERIALIZED (
      SELECT id FROM discount_codes
      WHERE id IN (SELECT discount_code_id FROM orders WHERE id = ANY (${orderIds}::uuid[])) ORDER BY id FOR NO KEY UPDATE)
    UPDATE discount_codes d SET uses = d.uses - gone.count
    FROM (SELECT discount_code_id AS id, count(*)::int AS count FROM orders
      WHERE id = ANY (${orderIds}::uuid[]) AND discount_code_id IN (SELECT id FROM code) GROUP BY 1) gone
    WHERE d.id = gone.id`;
}
