import { type Context, runInTransaction } from '../../context.ts';
import { projectInstant } from '../../db/json-projection.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import type { EventType } from '../../integrations/webhooks/event-catalog.ts';
import {
  type DomainEvent,
  publishDomainEvents,
} from '../../integrations/webhooks/publish-event.ts';
import type { DisplayStatus } from '../displays/service.ts';
import { findOrdersByIds } from '../orders/service.ts';
import type { Order } from '../orders/types.ts';

/** Timed work: tells all that was noted where it happened. What keeps the one from being told does not keep the other. */
export const drainOutbox = (ctx: Context): Promise<void> =>
  publishStatusChanges(ctx).finally(() => publishOrderEvents(ctx));

/** What is taken at once is told in one statement. */
const MAX_BATCH_SIZE = 500;

/**
 * Tells what was noted where it happened: `take` takes the oldest that nobody else is at, MOST_AT_ONCE of it, for good,
 * and `newsOf` puts it into words. Both in one transaction: one that comes to nothing leaves its part for the next look.
 */
async function publishInBatches<Note extends { type: EventType }>(
  ctx: Context,
  take: (ctx: Context) => Promise<Note[]>,
  newsOf: (ctx: Context, notes: Note[]) => DomainEvent[] | Promise<DomainEvent[]>,
): Promise<void> {
  for (;;) {
    const taken = await runInTransaction(ctx, async (ctx) => {
      const notes = await take(ctx);
      const types = [...new Set(notes.map(({ type }) => type))];
      if (types.length > 0) await publishDomainEvents(ctx, types, () => newsOf(ctx, notes));
      return notes.length;
    });
    if (taken < MAX_BATCH_SIZE) return;
  }
}

type OrderEventType = Extract<EventType, `${'order' | 'ticket' | 'day_pass'}.${string}`>;

interface OutboxEntry {
  type: OrderEventType;
  /** The order, the refund, the ticket or the day pass. */
  subjectId: string;
  orderId: string;
  at: string;
  refund: { amount: number; reason: string | null };
}

// Whoever is first has them.
const TAKE_ORDER_EVENTS = prepareStatement(`
  WITH untold AS MATERIALIZED (
    SELECT recorded_at, id FROM event_outbox ORDER BY recorded_at LIMIT ${MAX_BATCH_SIZE} FOR UPDATE SKIP LOCKED),
  told AS (
    DELETE FROM event_outbox n USING untold WHERE (n.recorded_at, n.id) = (untold.recorded_at, untold.id)
    RETURNING n.type, n.subject_id, n.at, n.recorded_at)
  SELECT told.subject_id AS "subjectId", ${projectInstant('told.at')} AS at,
    CASE WHEN w.id IS NOT NULL AND told.type = 'order.placed' THEN 'order.offered' ELSE told.type END AS type,
    coalesce(t.order_id, p.order_id, r.order_id, told.subject_id) AS "orderId",
    json_build_object('amount', r.amount, 'reason', r.reason) AS refund
  FROM told
  LEFT JOIN tickets t ON t.id = told.subject_id LEFT JOIN day_passes p ON p.id = told.subject_id
  LEFT JOIN refunds r ON r.id = told.subject_id LEFT JOIN waitlist_entries w ON w.order_id = told.subject_id
  ORDER BY told.recorded_at, coalesce(t.position, p.position)`);

/** Tells what became of orders, tickets and day passes, each change once, however many instances look. */
export const publishOrderEvents = (ctx: Context): Promise<void> =>
  publishInBatches(
    ctx,
    ({ lockingSql }) => lockingSql<OutboxEntry>(TAKE_ORDER_EVENTS, []),
    loadOrderEvents,
  );

async function loadOrderEvents(ctx: Context, notes: OutboxEntry[]): Promise<DomainEvent[]> {
  const orders = await findOrdersByIds(ctx, [...new Set(notes.map(({ orderId }) => orderId))]);
  const known = new Map(orders.map((order) => [order.id, order]));
  return notes.flatMap((note) => {
    const order = known.get(note.orderId);
    return order ? toOrderEvents(note, order) : [];
  });
}

function toOrderEvents(note: OutboxEntry, order: Order): DomainEvent[] {
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
      return [{ type, payload: { order: toOrderPayload(order), refund, at } }];
    }
    default:
      return [{ type, payload: { order: toOrderPayload(order), at } }];
  }
}

/** As the REST door words it. */
const toOrderPayload = ({ refunded, ...order }: Order) => ({ ...order, refundedAmount: refunded });

type DisplayEvent = Extract<DomainEvent, { type: `display.${DisplayStatus}` }>;

// Whoever is first has them.
const TAKE_STATUS_CHANGES = prepareStatement(`
  WITH untold AS (
    SELECT id FROM display_status_changes WHERE published_at IS NULL
    ORDER BY recorded_at LIMIT ${MAX_BATCH_SIZE} FOR UPDATE SKIP LOCKED),
  told AS (
    UPDATE display_status_changes c SET published_at = $1::timestamptz FROM untold WHERE c.id = untold.id
    RETURNING c.display_id, c.previous_status, c.status, c.at, c.recorded_at)
  SELECT 'display.' || told.status AS type, json_build_object('was', told.previous_status, 'at', ${projectInstant('told.at')},
    'display', json_build_object('id', d.id, 'name', d.name, 'kind', d.kind,
      'location', json_build_object('id', l.id, 'name', l.name))) AS payload
  FROM told JOIN displays d ON d.id = told.display_id JOIN locations l ON l.id = d.location_id
  ORDER BY told.recorded_at, told.at`);

/** Tells which displays came and went, each change once, however many instances look. */
export const publishStatusChanges = (ctx: Context): Promise<void> =>
  publishInBatches(
    ctx,
    ({ lockingSql, now }) => lockingSql<DisplayEvent>(TAKE_STATUS_CHANGES, [now()]),
    (_, changes) => changes,
  );
