import { type Context, runInTransaction } from '../../../context.ts';
import { DAY_MS, MINUTE_MS } from '../../../core/time/time-zone.ts';
import { enqueueEmail } from '../../../integrations/email/outbox.ts';
import { waitlistOffer as offerLetter } from '../emails/waitlist.ts';
import { portalUrl } from '../links.ts';
import { buildOrder, priceOrder } from '../place/build-order.ts';
import { insertTicketOrder } from '../place/insert-order.ts';

/** So long an offer waits for an answer; the nearer the event, the shorter. */
const MAX_OFFER_DURATION_MS = DAY_MS;
const MIN_OFFER_DURATION_MS = 15 * MINUTE_MS;
const OFFER_BATCH_SIZE = 100;

interface WaitingEntry {
  id: string;
  typeId: string;
  typeName: string;
  amount: number;
  currency: string;
  eventId: string;
  eventTitle: string;
  timeZone: string;
  until: Date;
  memberId: string | null;
  name: string;
  email: string;
  quantity: number;
  seatKeys: string[];
}

/**
 * Whoever let a hold end unpaid is offered nothing until the window of the order limits ends, so that nobody turns
 * holds into offers. An address or a network, which many people share, has to have let go half of what it may take. An
 * e-mail address, which anybody can enter, counts only where holds from the same address or network ended too.
 */
const IS_DEFERRED = `(
  SELECT coalesce(bool_or(u.kind = 'member')
    OR bool_or(u.kind IN ('address', 'network') AND u.released_seats * 2 >= u.max_seats)
    OR bool_or(u.kind = 'email') AND bool_or(u.kind IN ('address', 'network')), false)
  FROM seat_usages u
  WHERE u.key = ANY (w.seat_keys) AND u.window_ends_at > $1::timestamptz AND u.released_seats > 0)`;

/**
 * Offers what became free to those who wait for tickets of their events, first come first served: an offer is an order
 * that holds the tickets for a day. Call it in the transaction that freed the stock, so that nobody can be quicker.
 */
export async function offerReleasedTickets(ctx: Context, ticketTypeIds: string[]): Promise<void> {
  if (ticketTypeIds.length === 0) return;
  const events = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT t.event_id AS id
    FROM ticket_types freed JOIN ticket_types t ON t.event_id = freed.event_id
      JOIN waitlist_entries w ON w.ticket_type_id = t.id AND w.status = 'waiting'
    WHERE freed.id = ANY (${ticketTypeIds}::uuid[]) ORDER BY id`;
  for (const { id } of events) await offerEventTickets(ctx, id);
}

/**
 * Timed work: offers what is free to those who wait all the same, such as who joined at the very moment at which it came
 * back. Says how many events there were.
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

/** The same for all that is free of one event. */
export async function offerEventTickets(ctx: Context, eventId: string): Promise<void> {
  for (;;) {
    const waiting = await findWaitingEntries(ctx, eventId);
    const soldOut = new Set<string>();
    let offered = 0;
    for (const one of waiting) {
      // Who wants more than is left lets those behind have it, but of the same type nobody wants less than one.
      if (soldOut.has(one.typeId)) continue;
      if (await offerTickets(ctx, one)) offered += 1;
      else if (one.quantity === 1) soldOut.add(one.typeId);
    }
    if (waiting.length < OFFER_BATCH_SIZE || offered === 0) return;
  }
}

// Only those whose wish fits into what is left: the others could stand in the way of the rest.
const findWaitingEntries = ({ db, now }: Context, eventId: string) =>
  db.$queryRawUnsafe<WaitingEntry[]>(
    `SELECT w.id, w.seat_keys::text[] AS "seatKeys", w.member_id AS "memberId", w.name, w.email, w.quantity, t.id AS "typeId", t.name AS "typeName",
      t.price_amount AS amount, t.price_currency AS currency, e.id AS "eventId", e.title AS "eventTitle",
      l.time_zone AS "timeZone", least(e.starts_at, t.sales_end_at) AS until
    FROM events e JOIN locations l ON l.id = e.location_id JOIN ticket_types t ON t.event_id = e.id
      JOIN waitlist_entries w ON w.ticket_type_id = t.id
    WHERE e.id = $2::uuid AND w.status = 'waiting' AND t.active AND e.status = 'published'
      AND e.ends_at > $1::timestamptz AND coalesce(t.sales_end_at > $1::timestamptz, true)
      AND coalesce(w.quantity <= least(t.quantity - t.reserved_count, e.capacity - e.reserved_count), true) AND NOT ${IS_DEFERRED}
    ORDER BY w.created_at, w.id LIMIT ${OFFER_BATCH_SIZE} FOR UPDATE OF w SKIP LOCKED`,
    now(),
    eventId,
  );

async function offerTickets(ctx: Context, one: WaitingEntry): Promise<boolean> {
  const { name, email, quantity, amount, currency, typeId } = one;
  const wanted = Array.from({ length: quantity }, () => ({
    ticketTypeId: typeId,
    unitPrice: amount,
    person: { name, email },
  }));
  const bill = priceOrder(wanted, null, currency);
  const holdUntil = toOfferDeadline(ctx, one.until);
  const { row, secret } = buildOrder(ctx, bill, {
    buyer: { name, email },
    eventId: one.eventId,
    memberId: one.memberId,
    holdUntil,
    seats: { countedKeys: one.seatKeys },
  });
  if ((await insertTicketOrder(ctx, row, bill.units, null)) !== 'PLACED') return false;
  await ctx.db.waitlistEntry.update({
    where: { id: one.id },
    data: { status: 'offered', orderId: row.id, updatedAt: ctx.now() },
  });
  await enqueueEmail(ctx, offerLetter({ ...one, holdUntil, portalUrl: portalUrl(ctx, secret) }));
  return true;
}

/** A quarter of the time that is left, so that others may still get what one person does not want. */
function toOfferDeadline({ now }: Context, until: Date): Date {
  const left = until.getTime() - now().getTime();
  return new Date(
    now().getTime() + Math.max(MIN_OFFER_DURATION_MS, Math.min(MAX_OFFER_DURATION_MS, left / 4)),
  );
}
