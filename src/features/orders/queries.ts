import { hashSecret, isWellFormedSecret } from '../../auth/tokens.ts';
import { canSeeAll } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import {
  orderByNewest,
  type Page,
  type PageRequest,
  toCreatedPosition,
  toPage,
  whereOlderThanCursor,
} from '../../core/pagination.ts';
import type { Prisma, Order as Row } from '../../db/generated/client.ts';
import {
  type Projection,
  projectInstant,
  projectList,
  projectMoney,
  projectWhen,
  toJsonSql,
} from '../../db/json-projection.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { notFound } from '../../errors.ts';
import { findOrderLink, SELECT_LINKED_ORDER } from './links.ts';
import type { Order, OrderStatus } from './types.ts';

interface OrderFilter {
  eventId?: string | undefined;
  status?: OrderStatus | undefined;
  /** The code of an order, a ticket or a day pass, or part of the buyer's name or email address. */
  q?: string | undefined;
}

/** Lists orders, newest first. The caller must have checked that the viewer can see every order. */
export async function listOrders(
  ctx: Context,
  filter: OrderFilter,
  page: PageRequest,
): Promise<Page<Order>> {
  const rows = await ctx.db.order.findMany({
    where: { AND: [toOrderWhere(filter), whereOlderThanCursor(page)] },
    orderBy: orderByNewest,
    take: page.limit + 1,
    select: { id: true, createdAt: true },
  });
  const { items, nextCursor } = toPage(rows, page.limit, toCreatedPosition);
  return {
    items: await findOrdersByIds(
      ctx,
      items.map(({ id }) => id),
    ),
    nextCursor,
  };
}

function toOrderWhere({ eventId, status, q }: OrderFilter): Prisma.OrderWhereInput {
  // LIKE wildcards are searched literally.
  const text = (q ?? '').replace(/[\\%_]/g, '\\$&');
  const containsText = { contains: text, mode: 'insensitive' as const };
  return {
    ...(eventId ? { eventId } : {}),
    ...(status ? { status } : {}),
    ...(q
      ? {
          OR: [
            ...matchCode(q.toUpperCase()),
            { buyerName: containsText },
            { buyerEmail: containsText },
          ],
        }
      : {}),
  };
}

/** Matches the code of an order, a ticket or a day pass. */
const matchCode = (code: string): Prisma.OrderWhereInput[] => [
  { code },
  { tickets: { some: { code } } },
  { dayPasses: { some: { code } } },
];

/** Gets an order for staff and tokens that can see every order. Throws NOT_FOUND. */
export async function getOrder(ctx: Context, id: string): Promise<Order> {
  const [order] =
    isUuid(id) && canSeeAll(ctx.viewer, 'orders:read') ? await findOrdersByIds(ctx, [id]) : [];
  if (order === undefined) throw notFound('order');
  return order;
}

/** Loads an order without a check of access: the caller must have done that. Throws NOT_FOUND. */
export async function loadOrder(
  ctx: Context,
  id: string,
  secret: string | null = null,
): Promise<Order> {
  // Only an emailed secret confirms an order. A secret that was just returned to the client does not.
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

/** Gets an order by its secret. Throws the same NOT_FOUND whether the secret is malformed, unknown, revoked or expired. */
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

/** Gets the id of the order that a secret opens. Throws NOT_FOUND. */
export async function getOrderIdBySecret(ctx: Context, secret: string): Promise<string> {
  const link = await findOrderLink(ctx, secret);
  if (link === null) throw notFound('order');
  return link.orderId;
}

const toDateSql = (expression: string) => `to_char(${expression}, 'YYYY-MM-DD')`;
const IS_ISSUED = `IN ('valid', 'cancelled')`;

const orderItemProjection = {
  ticketType: projectWhen('unit.ticket_type_id IS NOT NULL', {
    id: 'unit.ticket_type_id',
    name: 'unit.name',
  }),
  dayPassType: projectWhen('unit.type_id IS NOT NULL', { id: 'unit.type_id', name: 'unit.name' }),
  validOn: toDateSql('unit.valid_on'),
  quantity: 'unit.quantity',
  unitPrice: projectMoney('unit.unit_price', 'item.currency'),
} satisfies Projection;

// Refunds end the event's refund hours before it starts; for day passes, when the day begins.
const REFUND_UNTIL = `CASE WHEN item.event_id IS NULL THEN first_day.begins
  ELSE event.starts_at - event.refund_hours * interval '1 hour' END`;
const STARTS_AT = 'coalesce(event.starts_at, first_day.begins)';
const HAS_VALID = `(EXISTS (SELECT FROM tickets t WHERE t.order_id = item.id AND t.status = 'valid')
  OR EXISTS (SELECT FROM day_passes p WHERE p.order_id = item.id AND p.status = 'valid'))`;
// Used tickets cannot be cancelled.
const HAS_UNUSED = `(EXISTS (SELECT FROM tickets t WHERE t.order_id = item.id AND t.status = 'valid'
    AND NOT EXISTS (SELECT FROM check_ins c WHERE c.ticket_id = t.id AND c.result = 'admitted'))
  OR EXISTS (SELECT FROM day_passes p WHERE p.order_id = item.id AND p.status = 'valid'
    AND NOT EXISTS (SELECT FROM check_ins c WHERE c.day_pass_id = p.id AND c.result = 'admitted')))`;
const IS_OPEN = `(item.status = 'pending' AND item.expires_at > clock.now)`;

/** `item` is the row of the order, `clock.now` the current time. */
const orderProjection = {
  id: 'item.id',
  code: 'item.code',
  status: 'item.status',
  buyer: { name: 'item.buyer_name', email: 'item.buyer_email' },
  memberId: 'item.member_id',
  total: projectMoney('item.total_amount', 'item.currency'),
  discount: {
    code: 'discount.code',
    amount: projectMoney('item.discount_amount', 'item.currency'),
  },
  paid: projectMoney('paid.amount', 'item.currency'),
  refunded: projectMoney('paid.refunded', 'item.currency'),
  expiresAt: projectInstant('item.expires_at'),
  paidAt: projectInstant('item.paid_at'),
  cancelledAt: projectInstant('item.cancelled_at'),
  createdAt: projectInstant('item.created_at'),
  event: projectWhen('event.id IS NOT NULL', {
    id: 'event.id',
    slug: 'event.slug',
    title: 'event.title',
    status: 'event.status',
    startsAt: projectInstant('event.starts_at'),
    endsAt: projectInstant('event.ends_at'),
    timeZone: 'location.time_zone',
    location: { id: 'location.id', name: 'location.name', address: 'location.address' },
    refundHours: 'event.refund_hours',
    updatedAt: projectInstant('event.updated_at'),
  }),
  locationName: 'coalesce(location.name, first_day.location_name)',
  items: projectList(
    orderItemProjection,
    `(SELECT t.ticket_type_id, NULL::uuid AS type_id, NULL::date AS valid_on, type.name, t.unit_price,
        count(*)::int AS quantity, min(t.position) AS position
      FROM tickets t JOIN ticket_types type ON type.id = t.ticket_type_id
      WHERE t.order_id = item.id GROUP BY t.ticket_type_id, type.name, t.unit_price
      UNION ALL
      SELECT NULL, p.type_id, p.valid_on, type.name, p.unit_price, count(*)::int, min(p.position)
      FROM day_passes p JOIN day_pass_types type ON type.id = p.type_id
      WHERE p.order_id = item.id GROUP BY p.type_id, p.valid_on, type.name, p.unit_price) unit`,
    'unit.position',
  ),
  tickets: projectList(
    {
      id: 'ticket.id',
      code: 'ticket.code',
      status: 'ticket.status',
      attendee: { name: 'ticket.attendee_name', email: 'ticket.attendee_email' },
      ticketType: { id: 'type.id', name: 'type.name' },
      event: {
        id: 'event.id',
        slug: 'event.slug',
        title: 'event.title',
        startsAt: projectInstant('event.starts_at'),
        endsAt: projectInstant('event.ends_at'),
        timeZone: 'location.time_zone',
      },
      price: projectMoney('ticket.amount', 'item.currency'),
    },
    `tickets ticket JOIN ticket_types type ON type.id = ticket.ticket_type_id
     WHERE ticket.order_id = item.id AND ticket.status ${IS_ISSUED}`,
    'ticket.position',
  ),
  dayPasses: projectList(
    {
      id: 'pass.id',
      code: 'pass.code',
      status: 'pass.status',
      validOn: toDateSql('pass.valid_on'),
      holder: { name: 'pass.holder_name', email: 'pass.holder_email' },
      dayPassType: { id: 'type.id', name: 'type.name' },
      location: {
        id: 'pass_location.id',
        name: 'pass_location.name',
        timeZone: 'pass_location.time_zone',
      },
      price: projectMoney('pass.amount', 'item.currency'),
    },
    `day_passes pass JOIN day_pass_types type ON type.id = pass.type_id JOIN locations pass_location ON pass_location.id = type.location_id
     WHERE pass.order_id = item.id AND pass.status ${IS_ISSUED}`,
    'pass.position',
  ),
  payment: projectWhen('item.total_amount > 0', {
    provider: 'item.provider',
    // A refund of a second payment does not count: what is left still covers the price.
    status: `CASE WHEN item.status = 'pending' THEN 'pending' WHEN paid.amount = 0 THEN 'none'
      WHEN paid.amount - paid.refunded >= item.total_amount THEN 'paid'
      WHEN paid.refunded < paid.amount THEN 'partially_refunded' ELSE 'refunded' END`,
  }),
  confirmationRequired: `(${IS_OPEN} AND item.total_amount = 0)`,
  allowedActions: {
    pay: `(${IS_OPEN} AND item.total_amount > 0)`,
    confirm: `(${IS_OPEN} AND item.total_amount = 0 AND item.can_confirm)`,
    cancel: `(item.status = 'pending' OR item.status = 'paid' AND ${STARTS_AT} > clock.now AND ${HAS_UNUSED}
      AND (paid.amount = paid.refunded OR coalesce(${REFUND_UNTIL} > clock.now, false)))`,
    refundUntil: `CASE WHEN item.total_amount > 0 THEN ${projectInstant(`(${REFUND_UNTIL})`)} END`,
    changeAttendees: `(item.status = 'paid' AND ${HAS_VALID} AND coalesce(event.ends_at, first_day.begins) > clock.now)`,
  },
  secret: 'NULL::text',
} satisfies Projection & Record<keyof Order, unknown>;

/** `$1` is the current time. `rows` selects the orders with `can_confirm`, and becomes `item`. */
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
    SELECT min(p.valid_on::timestamp AT TIME ZONE pass_location.time_zone) AS begins, min(pass_location.name) AS location_name
    FROM day_passes p JOIN day_pass_types type ON type.id = p.type_id JOIN locations pass_location ON pass_location.id = type.location_id
    WHERE p.order_id = item.id) first_day
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
  'id' | 'status' | 'eventId' | 'currency' | 'totalAmount' | 'expiresAt'
>;

/**
 * Locks the row of an order until the transaction ends. Lock orders before the stock that they hold, or two
 * transactions can deadlock. Throws NOT_FOUND.
 */
export async function lockOrder({ db }: Context, id: string): Promise<LockedOrder> {
  if (!isUuid(id)) throw notFound('order');
  const [row] = await db.$queryRaw<LockedOrder[]>`
    SELECT id, status, event_id AS "eventId", currency, total_amount AS "totalAmount", expires_at AS "expiresAt"
    FROM orders WHERE id = ${id}::uuid FOR UPDATE`;
  if (row === undefined) throw notFound('order');
  return row;
}
