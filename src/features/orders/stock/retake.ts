import type { Ctx } from '../../../context.ts';
import { statement } from '../../../db/sql.ts';

const FREE_CODE = `
  code AS MATERIALIZED (
    SELECT d.id, d.uses, d.max_uses FROM discount_codes d
    WHERE d.id = (SELECT discount_code_id FROM orders WHERE id = $1::uuid) AND (SELECT count(*) FROM stock) >= 0
    FOR NO KEY UPDATE)`;
const NO_CODE_LEFT = 'EXISTS (SELECT FROM code WHERE uses >= max_uses)';
const CODE_USED = `
  code_used AS (
    UPDATE discount_codes SET uses = uses + 1 WHERE id = (SELECT id FROM code) AND (SELECT fits FROM verdict))`;

const TICKETS = statement(`
  WITH item AS MATERIALIZED (
    SELECT event_id, ticket_type_id, count(*)::int AS quantity FROM tickets
    WHERE order_id = $1::uuid AND status = 'expired' GROUP BY 1, 2),
  event AS MATERIALIZED (
    SELECT id, status, ends_at, reserved_count, capacity FROM events WHERE id = (SELECT event_id FROM item LIMIT 1)
    FOR NO KEY UPDATE),
  stock AS MATERIALIZED (
    SELECT t.id, t.quantity AS stock, t.reserved_count, item.quantity
    FROM event JOIN ticket_types t ON t.event_id = event.id JOIN item ON item.ticket_type_id = t.id
    ORDER BY t.id FOR NO KEY UPDATE OF t),
  ${FREE_CODE},
  verdict AS MATERIALIZED (
    SELECT EXISTS (SELECT FROM stock) AND EXISTS (SELECT FROM event WHERE status = 'published' AND ends_at > $2::timestamptz)
      AND NOT EXISTS (SELECT FROM stock WHERE reserved_count + quantity > stock)
      AND NOT EXISTS (SELECT FROM event WHERE reserved_count + (SELECT sum(quantity) FROM item) > capacity)
      AND NOT ${NO_CODE_LEFT} AS fits),
  event_taken AS (
    UPDATE events SET reserved_count = reserved_count + (SELECT sum(quantity)::int FROM item)
    WHERE id = (SELECT id FROM event) AND (SELECT fits FROM verdict)),
  types_taken AS (
    UPDATE ticket_types t SET reserved_count = t.reserved_count + stock.quantity FROM stock
    WHERE t.id = stock.id AND (SELECT fits FROM verdict)),
  ${CODE_USED},
  held AS (
    UPDATE tickets SET status = 'held', updated_at = $2::timestamptz
    WHERE order_id = $1::uuid AND status = 'expired' AND (SELECT fits FROM verdict))
  SELECT fits FROM verdict`);

const PASSES = statement(`
  WITH item AS MATERIALIZED (
    SELECT type_id, valid_on, count(*)::int AS quantity FROM day_passes
    WHERE order_id = $1::uuid AND status = 'expired' GROUP BY 1, 2),
  stock AS MATERIALIZED (
    SELECT d.type_id, d.date, d.reserved_count, d.capacity, item.quantity
    FROM item JOIN day_pass_days d ON d.type_id = item.type_id AND d.date = item.valid_on
    ORDER BY d.type_id, d.date FOR NO KEY UPDATE OF d),
  ${FREE_CODE},
  verdict AS MATERIALIZED (
    SELECT EXISTS (SELECT FROM stock) AND NOT EXISTS (SELECT FROM stock WHERE reserved_count + quantity > capacity)
      AND NOT EXISTS (SELECT FROM stock JOIN day_pass_types t ON t.id = stock.type_id JOIN locations l ON l.id = t.location_id
        WHERE stock.date < ($2::timestamptz AT TIME ZONE l.time_zone)::date)
      AND NOT ${NO_CODE_LEFT} AS fits),
  days_taken AS (
    UPDATE day_pass_days d SET reserved_count = d.reserved_count + stock.quantity FROM stock
    WHERE d.type_id = stock.type_id AND d.date = stock.date AND (SELECT fits FROM verdict)),
  ${CODE_USED},
  held AS (
    UPDATE day_passes SET status = 'held', updated_at = $2::timestamptz
    WHERE order_id = $1::uuid AND status = 'expired' AND (SELECT fits FROM verdict))
  SELECT fits FROM verdict`);

/**
 * Holds again what an expired order had given back, all of it or nothing, and says whether that was possible. Call it
 * within a transaction that has locked the order.
 */
export async function retakeStock(
  ctx: Ctx,
  order: { id: string; eventId: string | null },
): Promise<boolean> {
  const [answer] = await ctx.write<{ fits: boolean }>(order.eventId === null ? PASSES : TICKETS, [
    order.id,
    ctx.now(),
  ]);
  return answer?.fits ?? false;
}
