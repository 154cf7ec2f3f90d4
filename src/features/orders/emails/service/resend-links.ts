import { type Context, runInTransaction } from '../../../../context.ts';
import { DAY_MS } from '../../../../core/time/time-zone.ts';
import type { Prisma } from '../../../../db/generated/client.ts';
import { DomainError } from '../../../../errors.ts';
import { enqueueEmail } from '../../../../integrations/email/outbox.ts';
import { recordAction } from '../../../../journal/record-changes.ts';
import { readEmailTexts } from '../../../settings/service.ts';
import {
  findOrdersByIds,
  getOrderIdBySecret,
  loadOrder,
  lockOrder,
} from '../../service/find-orders.ts';
import { createOrderLinks } from '../../service/links.ts';
import { type Order, orderNotLive } from '../../types.ts';
import { ordersFound } from '../confirmation.ts';

const MAX_ORDERS_PER_EMAIL = 20;
const RECENT_ORDER_AGE_MS = 90 * DAY_MS;
/** Longer than queueing an email takes, so that the response time does not reveal whether an address has orders. */
export const MIN_FIND_ORDERS_RESPONSE_MS = 250;

/** Emails the links of an address's paid and open orders to that address. Sends nothing if there are none. */
export async function sendOrderLinks(ctx: Context, email: string): Promise<void> {
  await runInTransaction(ctx, async (ctx) => {
    const rows = await ctx.db.order.findMany({
      where: {
        buyerEmail: email.toLowerCase(),
        AND: [
          { OR: [{ status: 'paid' }, { status: 'pending', expiresAt: { gt: ctx.now() } }] },
          { OR: toCurrentOrderWhere(ctx.now()) },
        ],
      },
      orderBy: { createdAt: 'desc' },
      take: MAX_ORDERS_PER_EMAIL,
      select: { id: true },
    });
    const orders = await findOrdersByIds(
      ctx,
      rows.map(({ id }) => id),
    );
    if (orders.length === 0) return;
    const links = createOrderLinks(ctx);
    const urls = new Map(orders.map(({ id }) => [id, links.create(id)]));
    await links.save();
    await enqueueEmail(ctx, ordersFound(await readEmailTexts(ctx), orders, urls));
  });
}

/** Matches orders that were placed recently or are for a future day. */
const toCurrentOrderWhere = (now: Date): Prisma.OrderWhereInput[] => [
  { createdAt: { gt: new Date(now.getTime() - RECENT_ORDER_AGE_MS) } },
  { event: { endsAt: { gt: now } } },
  { dayPasses: { some: { validOn: { gt: new Date(now.getTime() - DAY_MS) } } } },
];

/**
 * Lets the confirmation of a paid order be sent again.
 * @throws NOT_FOUND, and CONFLICT (NOT_LIVE for an unpaid order, NO_EMAIL_ADDRESS if staff sold it without an address).
 */
export const resendOrderConfirmation = (ctx: Context, orderId: string): Promise<Order> =>
  runInTransaction(ctx, async (ctx) => {
    await lockOrder(ctx, orderId);
    const order = await loadOrder(ctx, orderId);
    if (order.status !== 'paid') throw orderNotLive(order);
    if (order.buyer.email === null) {
      throw new DomainError(
        'CONFLICT',
        'This order has no email address. Print its tickets, or show its codes.',
        { reason: 'NO_EMAIL_ADDRESS' },
      );
    }
    await recordAction(ctx, 'order.confirmation_sent', [orderId]);
    return order;
  });

/** Sends the confirmation of a paid order again, for the buyer. @throws as `resendOrderConfirmation`. */
export async function resendOrderConfirmationBySecret(
  ctx: Context,
  secret: string,
): Promise<Order> {
  return { ...(await resendOrderConfirmation(ctx, await getOrderIdBySecret(ctx, secret))), secret };
}

/** Revokes all links of an order. The next email to the buyer has a new one. @throws NOT_FOUND. */
export const revokeOrderLinks = (ctx: Context, orderId: string): Promise<Order> =>
  runInTransaction(ctx, async (ctx) => {
    await lockOrder(ctx, orderId);
    const { count } = await ctx.db.orderAccessToken.deleteMany({ where: { orderId } });
    if (count > 0) await recordAction(ctx, 'order.links_revoked', [orderId]);
    return loadOrder(ctx, orderId);
  });
