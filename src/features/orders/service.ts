import { hashSecret, isWellFormed } from '../../auth/secrets.ts';
import { seesAll } from '../../auth/viewer.ts';
import type { Ctx } from '../../context.ts';
import type { Prisma } from '../../db/generated/client.ts';
import { statement } from '../../db/sql.ts';
import { notFound } from '../../errors.ts';
import {
  createdPosition,
  newestFirst,
  olderThan,
  type Page,
  type PageRequest,
  pageOf,
} from '../../page.ts';
import { isUuid } from '../../values.ts';
import { findLink, LINKED_ORDER } from './links.ts';
import type { Order, OrderStatus } from './order.ts';
import { selectOrders } from './tree.ts';

const BY_IDS = statement(
  selectOrders(
    'SELECT *, $3::boolean AS can_confirm FROM orders WHERE id = ANY ($2::uuid[])',
    'ORDER BY item.created_at DESC, item.id DESC',
  ),
);
const BY_SECRET = statement(selectOrders(LINKED_ORDER));

export interface OrderFilter {
  eventId?: string | undefined;
  status?: OrderStatus | undefined;
  /** The code of an order, a ticket or a day pass, or letters of the buyer's name or address. */
  q?: string | undefined;
}

/** Newest first. Callers see to it that these may see every order. */
export async function list(ctx: Ctx, filter: OrderFilter, page: PageRequest): Promise<Page<Order>> {
  const rows = await ctx.db.order.findMany({
    where: { AND: [matching(filter), olderThan(page)] },
    orderBy: newestFirst,
    take: page.limit + 1,
    select: { id: true, createdAt: true },
  });
  const { items, nextCursor } = pageOf(rows, page.limit, createdPosition);
  return {
    items: await byIds(
      ctx,
      items.map(({ id }) => id),
    ),
    nextCursor,
  };
}

function matching({ eventId, status, q }: OrderFilter): Prisma.OrderWhereInput {
  // What stands for any letter in SQL is itself here.
  const letters = (q ?? '').replace(/[\\%_]/g, '\\$&');
  const words = { contains: letters, mode: 'insensitive' as const };
  return {
    ...(eventId ? { eventId } : {}),
    ...(status ? { status } : {}),
    ...(q
      ? { OR: [...codesLike(q.toUpperCase()), { buyerName: words }, { buyerEmail: words }] }
      : {}),
  };
}

/** Of an order, of a ticket or of a day pass. */
const codesLike = (code: string): Prisma.OrderWhereInput[] => [
  { code },
  { tickets: { some: { code } } },
  { dayPasses: { some: { code } } },
];

/** For staff and programs that may see every order. Throws NOT_FOUND. */
export async function get(ctx: Ctx, id: string): Promise<Order> {
  const [found] = isUuid(id) && seesAll(ctx.viewer, 'orders:read') ? await byIds(ctx, [id]) : [];
  if (found === undefined) throw notFound('order');
  return found;
}

/** For services that know already who asks. Throws NOT_FOUND. */
export async function read(ctx: Ctx, id: string, secret: string | null = null): Promise<Order> {
  // Only a mailed secret confirms, and whoever has just placed the order has another one.
  const [found] = await byIds(ctx, [id], { canConfirm: secret === null });
  if (found === undefined) throw notFound('order');
  return { ...found, secret };
}

/** Newest first; those that are not there are left out. */
export async function byIds(
  ctx: Ctx,
  ids: string[],
  { canConfirm } = { canConfirm: true },
): Promise<Order[]> {
  const rows = await ctx.sql<{ found: Order }>(BY_IDS, [ctx.now(), ids, canConfirm]);
  return rows.map(({ found }) => found);
}

/** The portal: whoever holds the secret sees the order. Throws NOT_FOUND, in the same words whatever is wrong with it. */
export async function bySecret(ctx: Ctx, secret: string): Promise<Order> {
  const [row] = isWellFormed('orderLink', secret)
    ? await ctx.sql<{ found: Order }>(BY_SECRET, [ctx.now(), Buffer.from(hashSecret(secret))])
    : [];
  if (row === undefined) throw notFound('order');
  return { ...row.found, secret };
}

/** Which order a secret opens. Throws NOT_FOUND. */
export async function idOf(ctx: Ctx, secret: string): Promise<string> {
  const link = await findLink(ctx, secret);
  if (link === null) throw notFound('order');
  return link.orderId;
}
