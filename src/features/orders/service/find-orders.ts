import { hashSecret, isWellFormedSecret } from '../../../auth/tokens.ts';
import { canSeeAll } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import { toDayEndSql, toDayStartSql } from '../../../db/day-bounds.ts';
import type { Order as Row } from '../../../db/generated/client.ts';
import { toJsonSql } from '../../../db/json-projection.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { notFound } from '../../../errors.ts';
import { orderProjection } from '../projections.ts';
import type { Order } from '../types.ts';
import { findOrderLink, SELECT_LINKED_ORDER } from './links.ts';

/** Gets an order for staff and tokens that can see every order. @throws NOT_FOUND. */
export async function getOrder(ctx: Context, id: string): Promise<Order> {
  const [order] =
    isUuid(id) && canSeeAll(ctx.viewer, 'orders:read') ? await findOrdersByIds(ctx, [id]) : [];
  if (order === undefined) throw notFound('order');
  return order;
}

/** Loads an order without an authorization check, which callers must do. @throws NOT_FOUND. */
export async function loadOrder(
  ctx: Context,
  id: string,
  secret: string | null = null,
): Promise<Order> {
  // Only an emailed secret can confirm an order, not one that was returned to the client.
  const [order] = await findOrdersByIds(ctx, [id], { canConfirm: secret === null });
  if (order === undefined) throw notFound('order');
  return { ...order, secret };
}

/** Finds orders by id, newest first. Unknown ids are left out. */
export async function findOrdersByIds(
  ctx: Context,
  ids: string[],
  { canConfirm } = { canConfirm: true },
): Promise<Order[]> {
  const rows = await ctx.pipelinedSql<{ order: Order }>(FIND_ORDERS_BY_IDS, [
    ctx.now(),
    ids,
    canConfirm,
  ]);
  return rows.map(({ order }) => order);
}

/** Gets an order by its secret. @throws NOT_FOUND, the same for a malformed, unknown, revoked or expired secret. */
export async function getOrderBySecret(ctx: Context, secret: string): Promise<Order> {
  const [row] = isWellFormedSecret('orderLink', secret)
    ? await ctx.pipelinedSql<{ order: Order }>(FIND_ORDER_BY_SECRET, [
        ctx.now(),
        Buffer.from(hashSecret(secret)),
      ])
    : [];
  if (row === undefined) throw notFound('order');
  return { ...row.order, secret };
}

/** Gets the id of the order of a secret. @throws NOT_FOUND. */
export async function getOrderIdBySecret(ctx: Context, secret: string): Promise<string> {
  const link = await findOrderLink(ctx, secret);
  if (link === null) throw notFound('order');
  return link.orderId;
}

/** Returns a query of orders. `$1` is the current time. `rows` selects the orders with `can_confirm` and becomes `item`. */
const selectOrders = (rows: string, order = '') => `
  SELECT ${toJsonSql(orderProjection, 'camel')} AS "order"
  FROM (${rows}) item
  CROSS JOIN (SELECT $1::timestamptz AS now) clock
  LEFT JOIN events event ON event.id = item.event_id
  LEFT JOIN locations location ON location.id = event.location_id
  LEFT JOIN discount_codes discount ON discount.id = item.discount_code_id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(p.amount), 0)::int AS amount, coalesce(sum(p.refunded), 0)::int AS refunded
    FROM payments p WHERE p.order_id = item.id AND p.currency = item.currency) paid
  CROSS JOIN LATERAL (
    SELECT min(${toDayStartSql('p.valid_on', 'pass_location.time_zone')}) AS begins,
      max(${toDayEndSql('p.valid_on', 'pass_location.time_zone')}) AS ends, min(pass_location.name) AS location_name,
      min(pass_location.address) AS address, min(pass_location.time_zone) AS time_zone, min(p.valid_on) AS date,
      (array_agg(pass_location.id))[1] AS location_id
    FROM day_passes p JOIN day_pass_types type ON type.id = p.type_id JOIN locations pass_location ON pass_location.id = type.location_id
    WHERE p.order_id = item.id) pass_days
  ${order}`;

const FIND_ORDERS_BY_IDS = prepareStatement(
  selectOrders(
    'SELECT *, $3::boolean AS can_confirm FROM orders WHERE id = ANY ($2::uuid[])',
    'ORDER BY item.created_at DESC, item.id DESC',
  ),
);
const FIND_ORDER_BY_SECRET = prepareStatement(selectOrders(SELECT_LINKED_ORDER));

export type LockedOrder = Pick<
  Row,
  'id' | 'status' | 'eventId' | 'currency' | 'totalAmount' | 'expiresAt' | 'confirmedHoldUntil'
>;

/**
 * Locks the row of an order until the transaction ends. Lock orders before the stock that they hold, or two
 * transactions can deadlock.
 * @throws NOT_FOUND.
 */
export async function lockOrder({ db }: Context, id: string): Promise<LockedOrder> {
  if (!isUuid(id)) throw notFound('order');
  const [row] = await db.$queryRaw<LockedOrder[]>`
    SELECT id, status, event_id AS "eventId", currency, total_amount AS "totalAmount", expires_at AS "expiresAt",
      confirmed_hold_until AS "confirmedHoldUntil"
    FROM orders WHERE id = ${id}::uuid FOR UPDATE`;
  if (row === undefined) throw notFound('order');
  return row;
}
