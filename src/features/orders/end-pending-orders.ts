import type { Context } from '../../context.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { toOrigin, toOriginSql, toRecordSql, toStatusSql } from '../../journal/record-changes.ts';
import { EXPIRE_OFFERS, toExpiredOfferSql } from './end-entries.ts';
import { toMarkReleasedSql } from './limits/seat-usage.ts';
import { toEndPassesCtes, toEndTicketsCtes, toReleaseCodesCtes } from './release-stock.ts';
import { offerReleasedTickets } from './waitlist/service/offer-tickets.ts';

const LOCK_OFFERED_EVENTS = prepareStatement(`
  SELECT id FROM events WHERE id IN (
    SELECT o.event_id FROM orders o JOIN waitlist_entries w ON w.order_id = o.id WHERE o.id = ANY ($1::uuid[]))
  ORDER BY id FOR NO KEY UPDATE`);

/**
 * Locks the events of orders that are offers, before their waiting-list entries change. Whoever joins a list locks them in the same
 * sequence: orders, events, entries.
 */
export async function lockOfferedEvents(ctx: Context, orderIds: string[]): Promise<void> {
  await ctx.lockingSql(LOCK_OFFERED_EVENTS, [orderIds]);
}

const HAS_WAITLIST = `(EXISTS (SELECT FROM waitlist_entries w WHERE w.order_id = o.id)
  OR EXISTS (SELECT FROM ticket_types t JOIN waitlist_entries w ON w.ticket_type_id = t.id
    WHERE t.event_id = o.event_id AND w.status = 'waiting'))`;

const STOCK_IS_LOCKED =
  '(SELECT (SELECT count(*) FROM ticket_type) + (SELECT count(*) FROM pass_day))';

// One statement, so that it locks the event as briefly as possible.
const END_PENDING_ORDERS = prepareStatement(`
  WITH pending AS MATERIALIZED (
    SELECT o.id FROM orders o
    WHERE o.id = ANY ($1::uuid[]) AND o.status = 'pending' AND ($5::boolean OR NOT ${HAS_WAITLIST})
    ORDER BY o.id FOR UPDATE),
  ticket AS MATERIALIZED (
    SELECT t.id, t.event_id, t.ticket_type_id FROM pending JOIN tickets t ON t.order_id = pending.id WHERE t.status = 'held'),
  pass AS MATERIALIZED (
    SELECT p.id, p.type_id, p.valid_on FROM pending JOIN day_passes p ON p.order_id = pending.id WHERE p.status = 'held'),
  ${toEndTicketsCtes('NULL')},
  ${toEndPassesCtes('NULL')},
  ended AS (
    UPDATE orders SET status = $2::order_status, updated_at = $3::timestamptz,
      cancelled_at = CASE WHEN $2::order_status = 'cancelled' THEN $3::timestamptz END
    WHERE id IN (SELECT id FROM pending) RETURNING *),
  ${toReleaseCodesCtes(STOCK_IS_LOCKED)},
  seats_released AS (${toMarkReleasedSql('ended', `${STOCK_IS_LOCKED} + (SELECT count(*) FROM code)`)}),
  expired_offers AS (${EXPIRE_OFFERS}),
  recorded AS (${toRecordSql(
    {
      subject: 'order',
      type: `'order.' || row.status::text`,
      source: `ended row, ${toOriginSql('$4')}`,
      before: toStatusSql(`'pending'`),
      after: toStatusSql('row.status'),
    },
    {
      subject: 'waitlist_entry',
      type: `'waitlist_entry.expired'`,
      source: `expired_offers row, ${toOriginSql('$4')}`,
      before: toExpiredOfferSql(`'offered'`, 'true'),
      after: toExpiredOfferSql('row.status', 'false'),
    },
  )})
  SELECT (SELECT count(*)::int FROM ended) AS count,
    ARRAY(SELECT DISTINCT ticket_type_id::text FROM ended_tickets) AS "ticketTypeIds"`);

/**
 * Expires or cancels pending orders, releases their stock and offers it to the waiting list. Returns the number of orders. Outside of
 * a transaction, it leaves orders of events with a waiting list alone: their stock must be offered in the same transaction, so call
 * it again in one that has locked the orders.
 */
export async function endPendingOrders(
  ctx: Context,
  orderIds: string[],
  status: 'expired' | 'cancelled',
): Promise<number> {
  if (!ctx.isInTransaction)
    return (await runEndStatement(ctx, orderIds, status, { withWaitlist: false })).count;
  await lockOfferedEvents(ctx, orderIds);
  const ended = await runEndStatement(ctx, orderIds, status, { withWaitlist: true });
  await offerReleasedTickets(ctx, ended.ticketTypeIds);
  return ended.count;
}

async function runEndStatement(
  ctx: Context,
  orderIds: string[],
  status: 'expired' | 'cancelled',
  { withWaitlist }: { withWaitlist: boolean },
): Promise<{ count: number; ticketTypeIds: string[] }> {
  const origin = JSON.stringify(toOrigin(ctx));
  const [ended] = await ctx.lockingSql<{ count: number; ticketTypeIds: string[] }>(
    END_PENDING_ORDERS,
    [orderIds, status, ctx.now(), origin, withWaitlist],
  );
  if (ended === undefined) throw new Error('ending orders returned nothing');
  return ended;
}
