import { system } from '../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../context.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import { isCounterViolation } from '../../db/constraint-errors.ts';
import { prepareStatement, type Statement } from '../../db/prepared-statement.ts';
import { RetryableConflict } from '../../errors.ts';
import { toOrigin, toOriginSql, toRecordSql, toStatusSql } from '../../journal/record-changes.ts';
import { markSeatsReleased } from './limits/seat-usage.ts';
import { EXPIRE_OFFERS, toExpiredOfferSql } from './waitlist/end-offers.ts';
import { offerReleasedTickets } from './waitlist/offer-tickets.ts';

const EXPIRE_BATCH_SIZE = 200;

/** Orders whose holds to end: those of one event, or of all. */
interface OverdueScope {
  eventId?: string;
}

/**
 * Expires pending orders of one event, or of all, whose hold has ended, and releases their stock. Returns the number of
 * expired orders. Concurrent calls never expire the same order twice.
 */
export const expireOrders = async (ctx: Context, where: OverdueScope = {}): Promise<number> =>
  (await expireUnlockedOrders(ctx, where)).expired;

/**
 * Does the same for a buyer who needs the stock. If other transactions are ending the last overdue orders, it waits for them, or
 * the buyer would be judged by the stock before their release. Returns whether stock can have been released.
 *
 * @throws RetryableConflict in a transaction, which must not wait: the others can be waiting for its locks.
 */
export async function releaseOverdueHolds(ctx: Context, where: OverdueScope): Promise<boolean> {
  const { expired, isOverdueLeft } = await expireUnlockedOrders(ctx, where);
  if (expired > 0 || !isOverdueLeft) return expired > 0;
  if (ctx.isInTransaction)
    throw new RetryableConflict(
      { reason: 'TRY_AGAIN' },
      'Tickets of other orders are being released. Try again.',
    );
  await asSystem(ctx, (tx) => expireOrderBatch(tx, where, { waits: true }));
  return true;
}

interface ExpiredOrders {
  expired: number;
  /** Whether concurrent transactions have locked overdue orders, to expire or to confirm them. */
  isOverdueLeft: boolean;
}

async function expireUnlockedOrders(ctx: Context, where: OverdueScope): Promise<ExpiredOrders> {
  let total = 0;
  for (;;) {
    const { expired, isOverdueLeft } = await asSystem(ctx, (tx) => expireOrderBatch(tx, where));
    total += expired;
    if (expired < EXPIRE_BATCH_SIZE) return { expired: total, isOverdueLeft };
  }
}

/** Nobody expires orders. The viewer can be another buyer, who needs the stock. */
const asSystem = <T>(ctx: Context, work: (tx: Context) => Promise<T>) =>
  runInTransaction({ ...ctx, viewer: system }, work);

/** Finds overdue orders. `$1` is the current time and `$2` the event, or null. */
const toFindOverdueSql = (end: string) => `
  SELECT id FROM orders
  WHERE status = 'pending' AND expires_at <= $1::timestamptz AND ($2::uuid IS NULL OR event_id = $2::uuid) ${end}`;

const toLockOverdueSql = (lock: string) => `
  WITH locked AS MATERIALIZED (${toFindOverdueSql(`ORDER BY id LIMIT ${EXPIRE_BATCH_SIZE} ${lock}`)})
  SELECT (SELECT coalesce(json_agg(id ORDER BY id), '[]'::json) FROM locked) AS ids,
    EXISTS (${toFindOverdueSql('')}) AS "isOverdueLeft"`;

// A concurrent payment can have locked an order. The job leaves it to its next run.
const LOCK_OVERDUE = toLockOverdueSql('FOR UPDATE SKIP LOCKED');
const WAIT_AND_LOCK_OVERDUE = toLockOverdueSql('FOR UPDATE');

async function expireOrderBatch(
  ctx: Context,
  { eventId }: OverdueScope,
  { waits } = { waits: false },
): Promise<ExpiredOrders> {
  const [row] = await ctx.db.$queryRawUnsafe<{ ids: string[]; isOverdueLeft: boolean }[]>(
    waits ? WAIT_AND_LOCK_OVERDUE : LOCK_OVERDUE,
    ctx.now(),
    eventId ?? null,
  );
  const { ids = [], isOverdueLeft = false } = row ?? {};
  if (ids.length > 0) await endPendingOrders(ctx, ids, 'expired');
  return { expired: ids.length, isOverdueLeft };
}

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

const END_ORDERS = prepareStatement(`
  WITH ended AS (
    UPDATE orders SET status = $2::order_status, updated_at = $3::timestamptz,
      cancelled_at = CASE WHEN $2::order_status = 'cancelled' THEN $3::timestamptz END
    WHERE id = ANY ($1::uuid[]) RETURNING *),
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
  SELECT bool_or(event_id IS NULL) AS passes, bool_or(discount_code_id IS NOT NULL) AS discounts FROM ended`);

/** Expires or cancels pending orders and releases their stock. Call it in a transaction that has locked them. */
export async function endPendingOrders(
  ctx: Context,
  orderIds: string[],
  status: 'expired' | 'cancelled',
): Promise<void> {
  await lockOfferedEvents(ctx, orderIds);
  const [ended] = await ctx.lockingSql<{ passes: boolean; discounts: boolean }>(END_ORDERS, [
    orderIds,
    status,
    ctx.now(),
    JSON.stringify(toOrigin(ctx)),
  ]);
  const releasedTypeIds = await releaseTickets(ctx, { orderIds });
  if (ended?.passes) await releaseDayPasses(ctx, { orderIds });
  if (ended?.discounts) await releaseDiscounts(ctx, orderIds);
  await markSeatsReleased(ctx, orderIds);
  await offerReleasedTickets(ctx, releasedTypeIds);
}

// Issued tickets become cancelled. Held tickets, which were never issued, become expired.
const toSetEndedSql = (reason: string) => `
  status = CASE status WHEN 'valid' THEN 'cancelled'::admission_status ELSE 'expired'::admission_status END,
  cancelled_at = CASE status WHEN 'valid' THEN $2::timestamptz END, updated_at = $2::timestamptz,
  cancel_reason = CASE status WHEN 'valid' THEN ${reason} END`;

// Ends the tickets of `item` and releases their stock. `$2` is the current time.
const toReleaseTicketsCtes = (reason: string) => `
  event AS MATERIALIZED (
    SELECT id FROM events WHERE id IN (SELECT event_id FROM item) ORDER BY id FOR NO KEY UPDATE),
  type AS MATERIALIZED (
    SELECT t.id FROM event JOIN ticket_types t ON t.event_id = event.id
    WHERE t.id IN (SELECT ticket_type_id FROM item) ORDER BY t.id FOR NO KEY UPDATE OF t),
  ended AS (
    UPDATE tickets SET ${toSetEndedSql(reason)}
    WHERE id IN (SELECT id FROM item) AND (SELECT count(*) FROM type) > 0 RETURNING *),
  event_released AS (
    UPDATE events e SET reserved_count = e.reserved_count - released.count
    FROM (SELECT event_id, count(*)::int AS count FROM ended GROUP BY 1) released WHERE e.id = released.event_id),
  types_released AS (
    UPDATE ticket_types t SET reserved_count = t.reserved_count - released.count
    FROM (SELECT ticket_type_id, count(*)::int AS count FROM ended GROUP BY 1) released WHERE t.id = released.ticket_type_id)`;

// Records the issued tickets of `ended`. `$4` is the origin.
const toRecordCancelledSql = (subject: 'ticket' | 'day_pass') =>
  toRecordSql({
    subject,
    type: `'${subject}.cancelled'`,
    source: `ended row, ${toOriginSql('$4')} WHERE row.status = 'cancelled'`,
    before: toCancelledSql(`'valid'`, 'NULL'),
    after: toCancelledSql('row.status', 'row.cancel_reason'),
  });

const toCancelledSql = (status: string, reason: string) =>
  `jsonb_build_object('status', ${status}, 'cancel_reason', ${reason})`;

const RELEASE_TICKETS = prepareStatement(`
  WITH item AS MATERIALIZED (
    SELECT id, event_id, ticket_type_id FROM tickets
    WHERE (id = ANY ($1::uuid[]) OR order_id = ANY ($3::uuid[])) AND status IN ('held', 'valid')),
  ${toReleaseTicketsCtes('$5::text')},
  recorded AS (${toRecordCancelledSql('ticket')})
  SELECT DISTINCT ticket_type_id AS id FROM ended`);

const CANCEL_PENDING_ORDER = prepareStatement(`
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
  ${toReleaseTicketsCtes('NULL')},
  cancelled AS (
    UPDATE orders SET status = 'cancelled', cancelled_at = $2::timestamptz, updated_at = $2::timestamptz
    WHERE id = (SELECT id FROM pending) AND EXISTS (SELECT FROM ended) RETURNING *),
  recorded AS (${toRecordSql({
    subject: 'order',
    type: `'order.cancelled'`,
    source: `cancelled row, ${toOriginSql('$3')}`,
    before: toStatusSql(`'pending'`),
    after: toStatusSql('row.status'),
  })})
  SELECT id FROM cancelled`);

const RELEASE_DAY_PASSES = prepareStatement(`
  WITH item AS MATERIALIZED (
    SELECT id, type_id, valid_on FROM day_passes
    WHERE (id = ANY ($1::uuid[]) OR order_id = ANY ($3::uuid[])) AND status IN ('held', 'valid')),
  stock AS MATERIALIZED (
    SELECT d.type_id FROM day_pass_days d
    WHERE (d.type_id, d.date) IN (SELECT type_id, valid_on FROM item)
    ORDER BY d.type_id, d.date FOR NO KEY UPDATE),
  ended AS (
    UPDATE day_passes SET ${toSetEndedSql('$5::text')}
    WHERE id IN (SELECT id FROM item) AND (SELECT count(*) FROM stock) > 0 RETURNING *),
  days_released AS (
    UPDATE day_pass_days d SET reserved_count = d.reserved_count - released.count
    FROM (SELECT type_id, valid_on, count(*)::int AS count FROM ended GROUP BY 1, 2) released
    WHERE d.type_id = released.type_id AND d.date = released.valid_on),
  recorded AS (${toRecordCancelledSql('day_pass')})
  SELECT DISTINCT type_id AS id FROM ended`);

/** Tickets or day passes by their ids with the reason for their holders, or all of the given pending orders. */
type ReleaseScope = { ids: string[]; reason: string | null } | { orderIds: string[] };

/**
 * Ends tickets and releases their stock. Skips tickets that have already ended. Returns the ids of the ticket types
 * with released stock. Call it in a transaction that has locked the orders.
 */
export const releaseTickets = (ctx: Context, scope: ReleaseScope) =>
  releaseAdmissions(ctx, RELEASE_TICKETS, scope);

/** Does the same for day passes. */
export const releaseDayPasses = (ctx: Context, scope: ReleaseScope) =>
  releaseAdmissions(ctx, RELEASE_DAY_PASSES, scope);

async function releaseAdmissions(
  ctx: Context,
  sql: Statement,
  scope: ReleaseScope,
): Promise<string[]> {
  const { ids, reason, orderIds } = { ids: [], reason: null, orderIds: [], ...scope };
  if (ids.length + orderIds.length === 0) return [];
  const parameters = [ids, ctx.now(), orderIds, JSON.stringify(toOrigin(ctx)), reason];
  const rows = await ctx.lockingSql<{ id: string }>(sql, parameters);
  return rows.map(({ id }) => id);
}

/**
 * Cancels a pending ticket order in one statement, to lock the event as briefly as possible. Does nothing and returns
 * false if there is a waiting list or the order has a discount. Use `endPendingOrders` for those.
 */
export async function cancelPendingOrder(ctx: Context, orderId: string): Promise<boolean> {
  const parameters = [orderId, ctx.now(), JSON.stringify(toOrigin(ctx))];
  try {
    return (await ctx.lockingSql(CANCEL_PENDING_ORDER, parameters)).length === 1;
  } catch (error) {
    if (!isCounterViolation(error)) throw error;
    return false;
  }
}

/** Releases the uses of discount codes by orders that have ended. */
export async function releaseDiscounts({ db }: Context, orderIds: string[]): Promise<void> {
  await db.$executeRaw`
    WITH code AS MATERIALIZED (
      SELECT id FROM discount_codes
      WHERE id IN (SELECT discount_code_id FROM orders WHERE id = ANY (${orderIds}::uuid[])) ORDER BY id FOR NO KEY UPDATE)
    UPDATE discount_codes d SET uses = d.uses - released.count,
      late_uses = greatest(least(d.late_uses, d.uses - released.count - d.max_uses), 0)
    FROM (SELECT discount_code_id AS id, count(*)::int AS count FROM orders
      WHERE id = ANY (${orderIds}::uuid[]) AND discount_code_id IN (SELECT id FROM code) GROUP BY 1) released
    WHERE d.id = released.id`;
}

const RESERVING_STATUSES = `('held', 'valid')`;

/** Stock of earlier events and days is not sold any more, so the recount leaves it out. */
const RECOUNTED_DAYS = 7;

/**
 * Job: recounts sold and held tickets and day passes, from those of the last seven days on, and corrects counters that
 * differ. Returns descriptions of the corrected counters. A difference is a bug, so it is logged as an error.
 */
export async function reconcileStock(ctx: Context): Promise<string[]> {
  const since = new Date(ctx.now().getTime() - RECOUNTED_DAYS * DAY_MS);
  const suspects = await ctx.db.$queryRawUnsafe<{ id: string }[]>(
    `SELECT e.id FROM events e
     WHERE tstzrange(e.starts_at, e.ends_at) && tstzrange($1::timestamptz, NULL) AND ${IS_EVENT_COUNT_WRONG} ORDER BY e.id`,
    since,
  );
  const corrected: string[] = [];
  for (const { id } of suspects) {
    try {
      if (await runInTransaction(ctx, (tx) => reconcileEvent(tx, id)))
        corrected.push(`event ${id}`);
    } catch (error) {
      // Only staff can resolve an oversold event, so continue with the others.
      if (!isCounterViolation(error)) throw error;
      ctx.log.error({ err: error, event: id }, 'an event is oversold');
    }
  }
  for (const { type_id, date } of await reconcileDayPassDays(ctx, since)) {
    corrected.push(`day pass type ${type_id} on ${date}`);
  }
  if (corrected.length > 0) ctx.log.error({ corrected }, 'corrected wrong stock counters');
  return corrected;
}

const toSoldCountSql = (column: string, id: string) =>
  `(SELECT count(*)::int FROM tickets x WHERE x.${column} = ${id} AND x.status IN ${RESERVING_STATUSES})`;

const IS_EVENT_COUNT_WRONG = `(e.reserved_count <> ${toSoldCountSql('event_id', 'e.id')}
  OR EXISTS (SELECT FROM ticket_types t WHERE t.event_id = e.id AND t.reserved_count <> ${toSoldCountSql('ticket_type_id', 't.id')}))`;

/**
 * Checks again under the lock, since the difference can have been a sale in progress. Returns whether it corrected a
 * counter.
 */
async function reconcileEvent({ db }: Context, id: string): Promise<boolean> {
  await db.$queryRaw`SELECT 1 FROM events WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  await db.$queryRaw`SELECT 1 FROM ticket_types WHERE event_id = ${id}::uuid ORDER BY id FOR NO KEY UPDATE`;
  const events = await db.$executeRawUnsafe(
    `UPDATE events e SET reserved_count = ${toSoldCountSql('event_id', 'e.id')} WHERE e.id = $1::uuid AND ${IS_EVENT_COUNT_WRONG}`,
    id,
  );
  if (events === 0) return false;
  await db.$executeRawUnsafe(
    `UPDATE ticket_types t SET reserved_count = ${toSoldCountSql('ticket_type_id', 't.id')} WHERE t.event_id = $1::uuid`,
    id,
  );
  return true;
}

const DAY_PASSES_SOLD = `(SELECT count(*)::int FROM day_passes x
  WHERE x.type_id = d.type_id AND x.valid_on = d.date AND x.status IN ${RESERVING_STATUSES})`;

const reconcileDayPassDays = (ctx: Context, since: Date) =>
  runInTransaction(ctx, async ({ db }) => {
    const isWrong = `d.date >= ($1::timestamptz AT TIME ZONE 'UTC')::date AND d.reserved_count <> ${DAY_PASSES_SOLD}`;
    await db.$queryRawUnsafe(
      `SELECT 1 FROM day_pass_days d WHERE ${isWrong} ORDER BY d.type_id, d.date FOR NO KEY UPDATE`,
      since,
    );
    return db.$queryRawUnsafe<{ type_id: string; date: string }[]>(
      `UPDATE day_pass_days d SET reserved_count = ${DAY_PASSES_SOLD} WHERE ${isWrong}
       RETURNING d.type_id, to_char(d.date, 'YYYY-MM-DD') AS date`,
      since,
    );
  });
