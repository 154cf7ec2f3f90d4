import { setTimeout } from 'node:timers/promises';
import { type Context, runInTransaction } from '../../../../context.ts';
import { DAY_MS, MINUTE_MS } from '../../../../core/time/time-zone.ts';
import { prepareStatement } from '../../../../db/prepared-statement.ts';
import { findSmallestChargeableQuantity } from '../../../../integrations/payments/require-chargeable.ts';
import { toOrigin, toOriginSql, toRecordSql } from '../../../../journal/record-changes.ts';
import { type FrontDesk, findFrontDesks } from '../../../spaces/service/front-desks.ts';
import { buildOrder, isPaidAtFrontDesk, priceOrder } from '../../place/build-order.ts';
import type { NewOrder } from '../../place/decide-orders.ts';
import { findFrontDeskOfferEnd } from '../../place/front-desk-hold.ts';
import { insertOrders } from '../../place/insert-orders.ts';

/** How long an offer is open. Shortly before the event, it is shorter; if it is paid at the front desk, it can be longer. */
const MAX_OFFER_DURATION_MS = DAY_MS;
const MIN_OFFER_DURATION_MS = 15 * MINUTE_MS;
/** How many offers and tickets one transaction makes at most. Others who order tickets of the event wait for it. */
const MAX_BATCH_SIZE = { offers: 100, tickets: 400 };
/** Between two batches, the job waits for the duration of the last one times this factor, so that requests get most of the time. */
const BATCH_DELAY_FACTOR = 1;
const MAX_BATCH_DELAY_MS = 2_000;

interface WaitingEntry {
  id: string;
  typeId: string;
  locationId: string;
  amount: number;
  currency: string;
  until: Date;
  memberId: string | null;
  name: string;
  email: string;
  quantity: number;
  acceptsFewer: boolean;
  /** Null if unlimited. */
  leftOfType: number | null;
  leftOfEvent: number | null;
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

// SQL: whether the ticket type `t` of the event `e` is on sale. `$1` is the current time.
const IS_ON_SALE = `(t.active AND e.status = 'published' AND e.ends_at > $1::timestamptz
  AND coalesce(t.sales_end_at > $1::timestamptz, true))`;

// SQL: whether an offer can be made to the entry `w` of this type, if all its predecessors are passed over. Whoever accepts fewer
// tickets is never passed over. Otherwise single people would be served for ever before a group.
// The payment provider charges no less than the price of `smallest` tickets, of all types by id; 1 for those that are not among them.
const toOfferable = (smallest: string) => {
  const fewest = `coalesce((${smallest}::jsonb ->> t.id::text)::int, 1)`;
  return `(coalesce(CASE WHEN w.accepts_fewer THEN ${fewest} ELSE w.quantity END <= least(t.quantity - t.reserved_count, e.capacity - e.reserved_count), true)
  AND w.quantity >= ${fewest} AND NOT ${IS_DEFERRED})`;
};

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
 * Offers the available tickets of one event to its waiting list. Makes only the first offers if there are many; a job then makes
 * the others, and nobody else can buy tickets of the event until it has. Call it in a transaction that has locked the event.
 */
export async function offerEventTickets(ctx: Context, eventId: string): Promise<void> {
  if (await offerBatch(ctx, eventId)) await ctx.triggerJob?.(ctx, 'waitlist.offer');
}

/**
 * Job: offers available tickets to people who are still waiting, because there are many or because they joined while the
 * tickets were being released. Each batch has its own transaction, so an interrupted run can be continued. The events take
 * turns. Returns the number of events.
 */
export async function offerAvailableTickets(ctx: Context, signal?: AbortSignal): Promise<number> {
  let open = await findEventsToOffer(ctx);
  const found = open.length;
  while (open.length > 0) {
    const unfinished: string[] = [];
    for (const id of open) {
      if (signal?.aborted) return found;
      const startedAt = performance.now();
      // One event must not keep the others from being offered: nobody else can buy their tickets meanwhile.
      const hasMore = await offerLockedBatch(ctx, id).catch((error) => {
        ctx.log.error({ err: error, event: id }, 'could not offer tickets to a waiting list');
        return false;
      });
      if (!hasMore) continue;
      unfinished.push(id);
      const batchMs = performance.now() - startedAt;
      const delayMs = Math.min(MAX_BATCH_DELAY_MS, batchMs * BATCH_DELAY_FACTOR);
      await setTimeout(delayMs, undefined, { signal, ref: false }).catch(() => {}); // aborted
    }
    open = unfinished;
  }
  return found;
}

const offerLockedBatch = (ctx: Context, id: string): Promise<boolean> =>
  runInTransaction(ctx, async (tx) => {
    await tx.db.$queryRaw`SELECT 1 FROM events WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    return offerBatch(tx, id);
  });

/** An entry cannot wait for more tickets than an order can have. */
const MAX_OFFERED_TICKETS = 100;

/**
 * Finds how many tickets of a type an offer must have at least, so that the payment provider charges it. Has no types for which one is
 * enough. Without `eventId`, of all events with waiting entries.
 */
async function findSmallestOffers(ctx: Context, eventId?: string): Promise<Map<string, number>> {
  if (!ctx.payments.findChargeProblem) return new Map();
  const types = await ctx.db.ticketType.findMany({
    where: {
      priceAmount: { gt: 0 },
      waitlist: { some: { status: 'waiting' } },
      ...(eventId !== undefined && { eventId }),
    },
    select: { id: true, priceAmount: true, priceCurrency: true },
  });
  return new Map(
    types.flatMap(({ id, priceAmount: amount, priceCurrency: currency }) => {
      const price = { amount, currency };
      const fewest = findSmallestChargeableQuantity(ctx, price, MAX_OFFERED_TICKETS);
      return fewest === 1 ? [] : [[id, fewest ?? MAX_OFFERED_TICKETS + 1]];
    }),
  );
}

const toSmallestJson = (smallest: Map<string, number>) =>
  JSON.stringify(Object.fromEntries(smallest));

async function findEventsToOffer(ctx: Context): Promise<string[]> {
  const { db, now } = ctx;
  const events = await db.$queryRawUnsafe<{ id: string }[]>(
    `SELECT id FROM events WHERE offers_pending
    UNION
    SELECT e.id
    FROM waitlist_entries w JOIN ticket_types t ON t.id = w.ticket_type_id JOIN events e ON e.id = t.event_id
    WHERE w.status = 'waiting' AND ${IS_ON_SALE} AND ${toOfferable('$2')}`,
    now(),
    toSmallestJson(await findSmallestOffers(ctx)),
  );
  return events.map(({ id }) => id);
}

/**
 * Makes the next offers of an event, as many as one transaction should. Returns whether there are more to make. Until there are
 * none, the event sells to nobody else: `offers_pending` is written and read under the lock of the event.
 */
export async function offerBatch(
  ctx: Context,
  eventId: string,
  max = MAX_BATCH_SIZE,
): Promise<boolean> {
  const { db } = ctx;
  const smallest = await findSmallestOffers(ctx, eventId);
  const waiting = await findWaitingEntries(ctx, eventId, smallest, max.offers);
  const offers = decideOffers(waiting, smallest, max.tickets);
  const offered = offers.length === 0 ? 0 : await offerTickets(ctx, eventId, offers);
  const hasMore = offered > 0 && (await findWaitingEntries(ctx, eventId, smallest, 1)).length > 0;
  await db.$executeRaw`
    UPDATE events SET offers_pending = ${hasMore}
    WHERE id = ${eventId}::uuid AND offers_pending <> ${hasMore}`;
  return hasMore;
}

/**
 * Decides the offers of a batch one after another: all that the person wants, or what is left if the person accepts fewer. Stops
 * before an offer that exceeds the number of tickets of the batch.
 */
function decideOffers(
  waiting: WaitingEntry[],
  smallest: Map<string, number>,
  maxTickets: number,
): Offer[] {
  const offers: Offer[] = [];
  const takenOfType = new Map<string, number>();
  let taken = 0;
  for (const entry of waiting) {
    const { typeId, quantity, acceptsFewer, leftOfType, leftOfEvent } = entry;
    const ofType = takenOfType.get(typeId) ?? 0;
    const left = Math.min(
      (leftOfType ?? Number.POSITIVE_INFINITY) - ofType,
      (leftOfEvent ?? Number.POSITIVE_INFINITY) - taken,
    );
    const offered = Math.min(quantity, left);
    if (offered < (acceptsFewer ? (smallest.get(typeId) ?? 1) : quantity)) continue;
    if (offers.length > 0 && taken + offered > maxTickets) break;
    offers.push({ entry, quantity: offered });
    takenOfType.set(typeId, ofType + offered);
    taken += offered;
  }
  return offers;
}

interface Offer {
  entry: WaitingEntry;
  quantity: number;
}

// Finds only entries that the stock can serve. Otherwise a full batch of others would hide the entries after them. Each type has
// its own sorted index, so only the first entries of each are read.
const findWaitingEntries = (
  { db, now }: Context,
  eventId: string,
  smallest: Map<string, number>,
  limit: number,
) =>
  db.$queryRawUnsafe<WaitingEntry[]>(
    `SELECT w.id, w.seat_keys::text[] AS "seatKeys", w.member_id AS "memberId", w.name, w.email, w.quantity,
      w.accepts_fewer AS "acceptsFewer", t.quantity - t.reserved_count AS "leftOfType", e.capacity - e.reserved_count AS "leftOfEvent",
      t.id AS "typeId", e.location_id AS "locationId", t.price_amount AS amount, t.price_currency AS currency, least(e.starts_at, t.sales_end_at) AS until
    FROM events e JOIN ticket_types t ON t.event_id = e.id
      CROSS JOIN LATERAL (
        SELECT w.* FROM waitlist_entries w
        WHERE w.ticket_type_id = t.id AND w.status = 'waiting' AND ${toOfferable('$4')}
        ORDER BY w.created_at, w.id LIMIT $3::int FOR UPDATE OF w SKIP LOCKED) w
    WHERE e.id = $2::uuid AND ${IS_ON_SALE}
    ORDER BY w.created_at, w.id LIMIT $3::int`,
    now(),
    eventId,
    limit,
    toSmallestJson(smallest),
  );

/** Makes offers in this order and returns their number. */
async function offerTickets(ctx: Context, eventId: string, offers: Offer[]): Promise<number> {
  const desk = await findDeskOfOffers(ctx, offers);
  const built = offers.map((offer) => ({ ...offer, order: buildOffer(ctx, eventId, desk, offer) }));
  const orders = built.map(({ order }) => order);
  const { outcomes, written } = await insertOrders(ctx.lockingSql, { eventId }, orders);
  await written;
  const placed = built.filter((_, n) => outcomes[n] === 'PLACED');
  if (placed.length === 0) return 0;
  await ctx.lockingSql(OFFER_TO_ENTRIES, [
    placed.map(({ entry }) => entry.id),
    placed.map(({ order }) => order.row.id),
    ctx.now(),
    JSON.stringify(toOrigin(ctx)),
  ]);
  return placed.length;
}

/** Finds the front desk of the event where offers with a price are paid. Null if they are paid online. */
async function findDeskOfOffers(ctx: Context, offers: Offer[]): Promise<FrontDesk | null> {
  const paid = offers.find(({ entry }) => isPaidAtFrontDesk(ctx, { totalAmount: entry.amount }));
  if (paid === undefined) return null;
  const { locationId } = paid.entry;
  return (await findFrontDesks(ctx, [locationId])).get(locationId) ?? null;
}

/** Builds the order that holds the tickets for a person on the waiting list. */
function buildOffer(
  ctx: Context,
  eventId: string,
  desk: FrontDesk | null,
  { entry, quantity }: Offer,
): NewOrder {
  const { name, email, amount, currency, typeId } = entry;
  const requested = Array.from({ length: quantity }, () => ({
    itemId: typeId,
    unitPrice: amount,
    person: { name, email },
  }));
  const pricing = priceOrder(requested, null, currency);
  const { row } = buildOrder(ctx, pricing, {
    buyer: { name, email },
    eventId,
    memberId: entry.memberId,
    holdUntil: toOfferDeadline(ctx, entry.until, isPaidAtFrontDesk(ctx, pricing) ? desk : null),
    seatKeys: entry.seatKeys,
  });
  return { row, units: pricing.units, seats: { limits: [], windowHours: 0 } };
}

const toOfferFieldsSql = (status: string, order: string) =>
  `jsonb_build_object('status', ${status}, 'order_id', ${order})`;

const OFFER_TO_ENTRIES = prepareStatement(`
  WITH offer AS MATERIALIZED (
    SELECT o.*, w.order_id AS previous_order_id
    FROM unnest($1::uuid[], $2::uuid[]) AS o(entry_id, order_id) JOIN waitlist_entries w ON w.id = o.entry_id),
  offered AS (
    UPDATE waitlist_entries w SET status = 'offered', order_id = offer.order_id, updated_at = $3::timestamptz
    FROM offer WHERE w.id = offer.entry_id RETURNING w.*, offer.previous_order_id),
  recorded AS (${toRecordSql({
    subject: 'waitlist_entry',
    type: `'waitlist_entry.offered'`,
    source: `offered row, ${toOriginSql('$4')}`,
    before: toOfferFieldsSql(`'waiting'`, 'row.previous_order_id'),
    after: toOfferFieldsSql('row.status', 'row.order_id'),
  })})
  SELECT 1`);

/**
 * Returns the end of an offer: after a quarter of the remaining time, so that there is time for further offers, and later if nobody
 * could pay at the front desk until then.
 */
function toOfferDeadline(ctx: Context, until: Date, desk: FrontDesk | null): Date {
  const [now, latest] = [ctx.now().getTime(), until.getTime()];
  const duration = Math.min(MAX_OFFER_DURATION_MS, (latest - now) / 4);
  const end = now + Math.max(MIN_OFFER_DURATION_MS, duration);
  return new Date(desk === null ? end : findFrontDeskOfferEnd(desk, { now, end, latest }));
}
