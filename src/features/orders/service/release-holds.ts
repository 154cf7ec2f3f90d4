import { canSeeAll } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { toOrigin } from '../../../journal/record-changes.ts';
import { toWithdrawEntriesSql } from '../end-entries.ts';
import { endPendingOrders, lockOfferedEvents } from '../end-pending-orders.ts';
import type { SeatSubjectKind } from '../limits/seat-limits.ts';

const MAX_GROUPS = 50;
const MAX_EMAILS = 5;
const MAX_KEY_LENGTH = 64;
const RELEASE_BATCH_SIZE = 200;

/** Unpaid orders and waiting-list entries from one email address, member, IP address or network. */
export interface HoldGroup {
  /** Identifies the group in `releaseHolds`. Does not reveal the address. */
  key: string;
  kind: SeatSubjectKind;
  orders: number;
  waitlistEntries: number;
  /** Seats that the orders hold or the entries request. */
  seats: number;
  /** Email addresses of some of the buyers. */
  emails: string[];
  firstAt: Date;
  lastAt: Date;
}

/** An event, or a day pass type on all dates. */
export type HoldScope = { eventId: string } | { dayPassTypeId: string };

const SELECT_HELD = `
  SELECT unnest(o.seat_keys) AS key, o.id AS order_id, NULL::uuid AS entry_id, o.buyer_email AS email, o.created_at,
    (SELECT count(*) FROM tickets t WHERE t.order_id = o.id) + (SELECT count(*) FROM day_passes p WHERE p.order_id = o.id) AS seats
  FROM orders o
  WHERE o.status = 'pending' AND o.expires_at > $3::timestamptz AND (o.event_id = $1::uuid
    OR o.event_id IS NULL AND EXISTS (SELECT FROM day_passes p WHERE p.order_id = o.id AND p.type_id = $2::uuid))
  UNION ALL
  SELECT unnest(w.seat_keys), NULL, w.id, w.email, w.created_at, w.quantity
  FROM ticket_types t JOIN waitlist_entries w ON w.ticket_type_id = t.id
  WHERE t.event_id = $1::uuid AND w.status = 'waiting'`;

const FIND_HOLD_GROUPS = `
  SELECT encode(u.key, 'hex') AS key, u.kind::text AS kind, count(held.order_id)::int AS orders,
    count(held.entry_id)::int AS "waitlistEntries", sum(held.seats)::int AS seats,
    (array_agg(DISTINCT held.email))[1:${MAX_EMAILS}] AS emails, min(held.created_at) AS "firstAt", max(held.created_at) AS "lastAt"
  FROM (${SELECT_HELD}) held JOIN seat_usages u ON u.key = held.key
  GROUP BY u.key, u.kind HAVING count(*) > 1
  ORDER BY sum(held.seats) DESC, u.kind, u.key LIMIT ${MAX_GROUPS}`;

/**
 * Finds groups of two or more unpaid orders and waiting-list entries from one source, largest first. A school class looks the
 * same as a script, so staff decide which groups to release. Callers must check that the viewer can see every order.
 */
export const findHoldGroups = ({ db, now }: Context, scope: HoldScope): Promise<HoldGroup[]> =>
  db.$queryRawUnsafe<HoldGroup[]>(FIND_HOLD_GROUPS, ...toHoldParameters(scope), now());

/**
 * Cancels the unpaid orders of a group and removes its waiting-list entries. The entries are removed first, so that the
 * group is not offered its own tickets. Only buyers who have confirmed a reservation are emailed, since other addresses can belong to
 * strangers. Paid orders stay. Repeating it changes nothing. Returns the numbers of orders and entries.
 *
 * @throws NOT_FOUND for an unknown event or day pass type
 * @throws VALIDATION (INVALID_INPUT) for a malformed key
 */
export async function releaseHolds(
  ctx: Context,
  { key, ...scope }: HoldScope & { key: string },
): Promise<{ orders: number; waitlistEntries: number }> {
  if (!/^([0-9a-f]{2})+$/.test(key) || key.length > MAX_KEY_LENGTH)
    throw new DomainError(
      'VALIDATION',
      'The key is not valid. Use the key of a group in suspiciousHolds.',
      { reason: 'INVALID_INPUT', fields: ['key'] },
    );
  const [eventId, typeId] = toHoldParameters(scope);
  if (!canSeeAll(ctx.viewer, 'orders:write')) throw notFound('event');
  const bytes = Buffer.from(key, 'hex');
  const parameters = [eventId, bytes, ctx.now(), JSON.stringify(toOrigin(ctx))];
  let waitlistEntries = (await ctx.lockingSql(WITHDRAW_GROUP, parameters)).length;
  for (let orders = 0; ; ) {
    const count = await runInTransaction(ctx, async (ctx) => {
      const rows = await ctx.db.$queryRaw<{ id: string }[]>`
        SELECT o.id FROM orders o
        WHERE o.status = 'pending' AND ${bytes}::bytea = ANY (o.seat_keys) AND (o.event_id = ${eventId}::uuid
          OR o.event_id IS NULL AND EXISTS (SELECT FROM day_passes p WHERE p.order_id = o.id AND p.type_id = ${typeId}::uuid))
        ORDER BY o.id LIMIT ${RELEASE_BATCH_SIZE}::int FOR UPDATE`;
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      await lockOfferedEvents(ctx, ids);
      // Entries that were offered some of their tickets would otherwise wait on.
      const partly = [ids, 'offered', ctx.now(), JSON.stringify(toOrigin(ctx))];
      waitlistEntries += (await ctx.lockingSql(WITHDRAW_PARTLY_OFFERED, partly)).length;
      await endPendingOrders(ctx, ids, 'cancelled');
      return rows.length;
    });
    orders += count;
    if (count < RELEASE_BATCH_SIZE) return { orders, waitlistEntries };
  }
}

const WITHDRAW_GROUP = prepareStatement(
  toWithdrawEntriesSql(`SELECT w.id, w.status FROM waitlist_entries w JOIN ticket_types t ON t.id = w.ticket_type_id
    WHERE t.event_id = $1::uuid AND w.status = 'waiting' AND $2::bytea = ANY (w.seat_keys)`),
);

const WITHDRAW_PARTLY_OFFERED = prepareStatement(
  toWithdrawEntriesSql(`SELECT w.id, w.status FROM waitlist_entries w
    WHERE w.order_id = ANY ($1::uuid[]) AND w.status = $2::waitlist_status
      AND w.quantity > (SELECT count(*) FROM tickets t WHERE t.order_id = w.order_id)`),
);

function toHoldParameters(
  scope: HoldScope,
): [eventId: string | null, dayPassTypeId: string | null] {
  const [eventId, typeId] =
    'eventId' in scope ? [scope.eventId, null] : [null, scope.dayPassTypeId];
  if (!isUuid(eventId ?? typeId ?? ''))
    throw notFound(eventId === null ? 'day pass type' : 'event');
  return [eventId, typeId];
}
