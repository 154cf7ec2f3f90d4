import { type Context, runInTransaction } from '../../../context.ts';
import { DAY_MS, MINUTE_MS } from '../../../core/time/time-zone.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { toOrigin, toOriginSql, toRecordSql } from '../../../journal/record-changes.ts';
import { buildOrder, priceOrder } from '../place/build-order.ts';
import { insertOrders } from '../place/insert-orders.ts';

/** How long an offer is open. Shortly before the event, it is shorter. */
const MAX_OFFER_DURATION_MS = DAY_MS;
const MIN_OFFER_DURATION_MS = 15 * MINUTE_MS;
const OFFER_BATCH_SIZE = 100;

interface WaitingEntry {
  id: string;
  typeId: string;
  amount: number;
  currency: string;
  eventId: string;
  until: Date;
  memberId: string | null;
  name: string;
  email: string;
  quantity: number;
  seatKeys: string[];
}

/**
 * SQL: whether an entry gets no offer until the window of the order limits ends, because a hold from the same source
 * ended unpaid. Otherwise people could turn holds into offers. Many people can share an IP address or network, so it is
 * deferred only after it has released half of its limit. Anyone can enter any email address, so it counts only together
 * with an IP address or network.
 */
const IS_DEFERRED = `(
  SELECT coalesce(bool_or(u.kind = 'member')
    OR bool_or(u.kind IN ('address', 'network') AND u.released_seats * 2 >= u.max_seats)
    OR bool_or(u.kind = 'email') AND bool_or(u.kind IN ('address', 'network')), false)
  FROM seat_usages u
  WHERE u.key = ANY (w.seat_keys) AND u.window_ends_at > $1::timestamptz AND u.released_seats > 0)`;

/**
 * Offers the tickets of events whose ticket types have released stock to the waiting lists, in order of joining. An
 * offer is an order that holds the tickets for up to a day. Call it in the transaction that released the stock, so that
 * others cannot buy the tickets first.
 */
export async function offerReleasedTickets(ctx: Context, ticketTypeIds: string[]): Promise<void> {
  if (ticketTypeIds.length === 0) return;
  const events = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT t.event_id AS id
    FROM ticket_types released JOIN ticket_types t ON t.event_id = released.event_id
      JOIN waitlist_entries w ON w.ticket_type_id = t.id AND w.status = 'waiting'
    WHERE released.id = ANY (${ticketTypeIds}::uuid[]) ORDER BY id`;
  for (const { id } of events) await offerEventTickets(ctx, id);
}

/**
 * Job: offers available tickets to people who are still waiting, for example because they joined while the tickets were being
 * released. Returns the number of events.
 */
export async function offerAvailableTickets(ctx: Context): Promise<number> {
  const events = await ctx.db.$queryRawUnsafe<{ id: string }[]>(
    `SELECT DISTINCT e.id
    FROM waitlist_entries w JOIN ticket_types t ON t.id = w.ticket_type_id JOIN events e ON e.id = t.event_id
    WHERE w.status = 'waiting' AND t.active AND e.status = 'published' AND e.ends_at > $1::timestamptz
      AND coalesce(t.sales_end_at > $1::timestamptz, true)
      AND coalesce(w.quantity <= least(t.quantity - t.reserved_count, e.capacity - e.reserved_count), true) AND NOT ${IS_DEFERRED}`,
    ctx.now(),
  );
  for (const { id } of events) {
    await runInTransaction(ctx, async (tx) => {
      await tx.db.$queryRaw`SELECT 1 FROM events WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
      await offerEventTickets(tx, id);
    });
  }
  return events.length;
}

/** Offers the available tickets of one event to its waiting list. Call it in a transaction that has locked the event. */
export async function offerEventTickets(ctx: Context, eventId: string): Promise<void> {
  for (;;) {
    const waiting = await findWaitingEntries(ctx, eventId);
    const soldOut = new Set<string>();
    let offered = 0;
    for (const entry of waiting) {
      // An entry for more tickets than are left is skipped. If not even one ticket is left, the type is sold out.
      if (soldOut.has(entry.typeId)) continue;
      if (await offerTickets(ctx, entry)) offered += 1;
      else if (entry.quantity === 1) soldOut.add(entry.typeId);
    }
    if (waiting.length < OFFER_BATCH_SIZE || offered === 0) return;
  }
}

// Finds only entries that the stock can serve. Otherwise a full batch of others would hide the entries after them.
const findWaitingEntries = ({ db, now }: Context, eventId: string) =>
  db.$queryRawUnsafe<WaitingEntry[]>(
    `SELECT w.id, w.seat_keys::text[] AS "seatKeys", w.member_id AS "memberId", w.name, w.email, w.quantity, t.id AS "typeId",
      t.price_amount AS amount, t.price_currency AS currency, e.id AS "eventId", least(e.starts_at, t.sales_end_at) AS until
    FROM events e JOIN ticket_types t ON t.event_id = e.id
      JOIN waitlist_entries w ON w.ticket_type_id = t.id
    WHERE e.id = $2::uuid AND w.status = 'waiting' AND t.active AND e.status = 'published'
      AND e.ends_at > $1::timestamptz AND coalesce(t.sales_end_at > $1::timestamptz, true)
      AND coalesce(w.quantity <= least(t.quantity - t.reserved_count, e.capacity - e.reserved_count), true) AND NOT ${IS_DEFERRED}
    ORDER BY w.created_at, w.id LIMIT ${OFFER_BATCH_SIZE} FOR UPDATE OF w SKIP LOCKED`,
    now(),
    eventId,
  );

async function offerTickets(ctx: Context, entry: WaitingEntry): Promise<boolean> {
  const { name, email, quantity, amount, currency, typeId } = entry;
  const requested = Array.from({ length: quantity }, () => ({
    itemId: typeId,
    unitPrice: amount,
    person: { name, email },
  }));
  const pricing = priceOrder(requested, null, currency);
  const holdUntil = toOfferDeadline(ctx, entry.until);
  const { row } = buildOrder(ctx, pricing, {
    buyer: { name, email },
    eventId: entry.eventId,
    memberId: entry.memberId,
    holdUntil,
    seatKeys: entry.seatKeys,
  });
  const order = { row, units: pricing.units, seats: { limits: [], windowHours: 0 } };
  const { outcomes, written } = await insertOrders(ctx.lockingSql, entry, [order]);
  if (outcomes[0] !== 'PLACED') return false;
  await written;
  const parameters = [entry.id, row.id, ctx.now(), JSON.stringify(toOrigin(ctx))];
  await ctx.lockingSql(OFFER_TO_ENTRY, parameters);
  return true;
}

const toOfferFieldsSql = (status: string, order: string) =>
  `jsonb_build_object('status', ${status}, 'order_id', ${order})`;

const OFFER_TO_ENTRY = prepareStatement(`
  WITH offered AS (
    UPDATE waitlist_entries SET status = 'offered', order_id = $2::uuid, updated_at = $3::timestamptz
    WHERE id = $1::uuid RETURNING *),
  recorded AS (${toRecordSql({
    subject: 'waitlist_entry',
    type: `'waitlist_entry.offered'`,
    source: `offered row, ${toOriginSql('$4')}`,
    before: toOfferFieldsSql(`'waiting'`, 'NULL'),
    after: toOfferFieldsSql('row.status', 'row.order_id'),
  })})
  SELECT 1`);

/** Returns the end of an offer: after a quarter of the remaining time, so that there is time for further offers. */
function toOfferDeadline({ now }: Context, until: Date): Date {
  const left = until.getTime() - now().getTime();
  return new Date(
    now().getTime() + Math.max(MIN_OFFER_DURATION_MS, Math.min(MAX_OFFER_DURATION_MS, left / 4)),
  );
}
