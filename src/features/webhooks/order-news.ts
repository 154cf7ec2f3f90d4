import type { Ctx } from '../../context.ts';
import { statement } from '../../db/sql.ts';
import { instant } from '../../db/tree.ts';
import type { Order } from '../orders/order.ts';
import { byIds } from '../orders/service.ts';
import type { News } from './emit.ts';
import type { EventType } from './events.ts';
import { MOST_AT_ONCE, tellNoted } from './telling.ts';

type OrderEvent = Extract<EventType, `${'order' | 'ticket' | 'day_pass'}.${string}`>;

interface Note {
  type: OrderEvent;
  /** The order, the refund, the ticket or the day pass. */
  subjectId: string;
  orderId: string;
  at: string;
  refund: { amount: number; reason: string | null };
}

// Whoever is first has them.
const TAKE = statement(`
  WITH untold AS MATERIALIZED (
    SELECT recorded_at, id FROM event_outbox ORDER BY recorded_at LIMIT ${MOST_AT_ONCE} FOR UPDATE SKIP LOCKED),
  told AS (
    DELETE FROM event_outbox n USING untold WHERE (n.recorded_at, n.id) = (untold.recorded_at, untold.id)
    RETURNING n.type, n.subject_id, n.at, n.recorded_at)
  SELECT told.subject_id AS "subjectId", ${instant('told.at')} AS at,
    CASE WHEN w.id IS NOT NULL AND told.type = 'order.placed' THEN 'order.offered' ELSE told.type END AS type,
    coalesce(t.order_id, p.order_id, r.order_id, told.subject_id) AS "orderId",
    json_build_object('amount', r.amount, 'reason', r.reason) AS refund
  FROM told
  LEFT JOIN tickets t ON t.id = told.subject_id LEFT JOIN day_passes p ON p.id = told.subject_id
  LEFT JOIN refunds r ON r.id = told.subject_id LEFT JOIN waitlist_entries w ON w.order_id = told.subject_id
  ORDER BY told.recorded_at, coalesce(t.position, p.position)`);

/** Tells what became of orders, tickets and day passes, each change once, however many instances look. */
export const tellOrderNews = (ctx: Ctx): Promise<void> =>
  tellNoted(ctx, ({ write }) => write<Note>(TAKE, []), newsOf);

async function newsOf(ctx: Ctx, notes: Note[]): Promise<News[]> {
  const orders = await byIds(ctx, [...new Set(notes.map(({ orderId }) => orderId))]);
  const known = new Map(orders.map((order) => [order.id, order]));
  return notes.flatMap((note) => {
    const order = known.get(note.orderId);
    return order ? newsFrom(note, order) : [];
  });
}

function newsFrom(note: Note, order: Order): News[] {
  const { type, subjectId: id, at } = note;
  switch (type) {
    case 'ticket.issued':
    case 'ticket.updated':
    case 'ticket.transferred':
    case 'ticket.cancelled': {
      const ticket = order.tickets.find((ticket) => ticket.id === id);
      return ticket ? [{ type, payload: { ticket: { ...ticket, orderId: order.id }, at } }] : [];
    }
    case 'day_pass.issued':
    case 'day_pass.updated':
    case 'day_pass.transferred':
    case 'day_pass.cancelled': {
      const pass = order.dayPasses.find((pass) => pass.id === id);
      return pass ? [{ type, payload: { dayPass: { ...pass, orderId: order.id }, at } }] : [];
    }
    case 'order.refunded': {
      const { amount, reason } = note.refund;
      const refund = { id, amount: { amount, currency: order.total.currency }, reason };
      return [{ type, payload: { order: told(order), refund, at } }];
    }
    default:
      return [{ type, payload: { order: told(order), at } }];
  }
}

/** As the REST door words it. */
const told = ({ refunded, ...order }: Order) => ({ ...order, refundedAmount: refunded });
