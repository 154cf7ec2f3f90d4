import { type Context, runInTransaction } from '../../context.ts';
import { projectInstant } from '../../db/json-projection.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { type EventType, JOURNAL_EVENT_TYPES } from '../../integrations/webhooks/event-catalog.ts';
import {
  type DomainEvent,
  publishChanges,
  publishDomainEvents,
} from '../../integrations/webhooks/publish-event.ts';
import { addReader, type JournalReader, runReader } from '../../journal/read-changes.ts';
import type { DisplayStatus } from '../displays/service.ts';
import { findOrdersByIds } from '../orders/service.ts';
import type { Order } from '../orders/types.ts';

/** Queues journal entries for webhooks. */
const journalReader: JournalReader = {
  name: 'webhooks',
  types: JOURNAL_EVENT_TYPES,
  handle: publishChanges,
};

/** Job: publishes all recorded events. A failure of one kind does not delay the others. */
export const drainOutbox = (ctx: Context): Promise<void> =>
  publishStatusChanges(ctx)
    .finally(() => publishOrderEvents(ctx))
    .finally(() => publishJournal(ctx));

async function publishJournal(ctx: Context): Promise<void> {
  await addReader(ctx, journalReader);
  await runReader(ctx, journalReader);
}

/** The number of events that one statement publishes. */
const MAX_BATCH_SIZE = 500;

/**
 * Publishes recorded changes, oldest first. `claim` removes up to MAX_BATCH_SIZE entries that no other instance has
 * locked, and `toEvents` converts them to events. Both run in one transaction, so after a failure the next run
 * publishes the batch.
 */
async function publishInBatches<Entry extends { type: EventType }>(
  ctx: Context,
  claim: (ctx: Context) => Promise<Entry[]>,
  toEvents: (ctx: Context, entries: Entry[]) => DomainEvent[] | Promise<DomainEvent[]>,
): Promise<void> {
  for (;;) {
    const count = await runInTransaction(ctx, async (ctx) => {
      const entries = await claim(ctx);
      const types = [...new Set(entries.map(({ type }) => type))];
      if (types.length > 0) await publishDomainEvents(ctx, types, () => toEvents(ctx, entries));
      return entries.length;
    });
    if (count < MAX_BATCH_SIZE) return;
  }
}

type OrderEventType = Extract<EventType, `${'order' | 'ticket' | 'day_pass'}.${string}`>;

interface OutboxEntry {
  type: OrderEventType;
  /** The id of the order, refund, ticket or day pass. */
  subjectId: string;
  orderId: string;
  at: string;
  refund: { amount: number; reason: string | null };
}

// SKIP LOCKED: the instance that locks an entry first publishes it.
const CLAIM_ORDER_EVENTS = prepareStatement(`
  WITH batch AS MATERIALIZED (
    SELECT recorded_at, id FROM event_outbox ORDER BY recorded_at LIMIT ${MAX_BATCH_SIZE} FOR UPDATE SKIP LOCKED),
  claimed AS (
    DELETE FROM event_outbox n USING batch WHERE (n.recorded_at, n.id) = (batch.recorded_at, batch.id)
    RETURNING n.type, n.subject_id, n.at, n.recorded_at)
  SELECT claimed.subject_id AS "subjectId", ${projectInstant('claimed.at')} AS at,
    CASE WHEN w.id IS NOT NULL AND claimed.type = 'order.placed' THEN 'order.offered' ELSE claimed.type END AS type,
    coalesce(t.order_id, p.order_id, r.order_id, claimed.subject_id) AS "orderId",
    json_build_object('amount', r.amount, 'reason', r.reason) AS refund
  FROM claimed
  LEFT JOIN tickets t ON t.id = claimed.subject_id LEFT JOIN day_passes p ON p.id = claimed.subject_id
  LEFT JOIN refunds r ON r.id = claimed.subject_id LEFT JOIN waitlist_entries w ON w.order_id = claimed.subject_id
  ORDER BY claimed.recorded_at, coalesce(t.position, p.position)`);

/** Publishes the events of orders, tickets and day passes. Each is published once, even if several instances run this. */
export const publishOrderEvents = (ctx: Context): Promise<void> =>
  publishInBatches(
    ctx,
    ({ lockingSql }) => lockingSql<OutboxEntry>(CLAIM_ORDER_EVENTS, []),
    loadOrderEvents,
  );

async function loadOrderEvents(ctx: Context, entries: OutboxEntry[]): Promise<DomainEvent[]> {
  const orders = await findOrdersByIds(ctx, [...new Set(entries.map(({ orderId }) => orderId))]);
  const byId = new Map(orders.map((order) => [order.id, order]));
  return entries.flatMap((entry) => {
    const order = byId.get(entry.orderId);
    return order ? toOrderEvents(entry, order) : [];
  });
}

function toOrderEvents(entry: OutboxEntry, order: Order): DomainEvent[] {
  const { type, subjectId: id, at } = entry;
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
      const { amount, reason } = entry.refund;
      const refund = { id, amount: { amount, currency: order.total.currency }, reason };
      return [{ type, payload: { order: toOrderPayload(order), refund, at } }];
    }
    default:
      return [{ type, payload: { order: toOrderPayload(order), at } }];
  }
}

/** Renames a field as in the REST API. */
const toOrderPayload = ({ refunded, ...order }: Order) => ({ ...order, refundedAmount: refunded });

type DisplayEvent = Extract<DomainEvent, { type: `display.${DisplayStatus}` }>;

// SKIP LOCKED: the instance that locks a change first publishes it.
const CLAIM_STATUS_CHANGES = prepareStatement(`
  WITH batch AS (
    SELECT id FROM display_status_changes WHERE published_at IS NULL
    ORDER BY recorded_at LIMIT ${MAX_BATCH_SIZE} FOR UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE display_status_changes c SET published_at = $1::timestamptz FROM batch WHERE c.id = batch.id
    RETURNING c.display_id, c.previous_status, c.status, c.at, c.recorded_at)
  SELECT 'display.' || claimed.status AS type, json_build_object('was', claimed.previous_status, 'at', ${projectInstant('claimed.at')},
    'display', json_build_object('id', d.id, 'name', d.name, 'kind', d.kind,
      'location', json_build_object('id', l.id, 'name', l.name))) AS payload
  FROM claimed JOIN displays d ON d.id = claimed.display_id JOIN locations l ON l.id = d.location_id
  ORDER BY claimed.recorded_at, claimed.at`);

/** Publishes status changes of displays. Each is published once, even if several instances run this. */
export const publishStatusChanges = (ctx: Context): Promise<void> =>
  publishInBatches(
    ctx,
    ({ lockingSql, now }) => lockingSql<DisplayEvent>(CLAIM_STATUS_CHANGES, [now()]),
    (_, changes) => changes,
  );
