import { type Ctx, inTransaction } from '../../../context.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import * as outbox from '../../../mail/outbox.ts';
import { DAY_MS } from '../../../time.ts';
import { portalUrl } from '../addresses.ts';
import { confirmationOf } from '../letters/confirmation.ts';
import { found } from '../letters/found.ts';
import { newLink } from '../links.ts';
import { lockOrder } from '../lock.ts';
import type { Order } from '../order.ts';
import { byIds, idOf, read } from '../service.ts';
import { notLive } from './cancel.ts';

const MOST = 20;
const RECENT_MS = 90 * DAY_MS;
/** Longer than writing a mail down takes: the doors answer no sooner, so the time says nothing about who has orders. */
export const ANSWER_MS = 250;

/** Sends the links of the orders that somebody with this address has paid or may still pay, if there are such. */
export async function sendLinks(ctx: Ctx, email: string): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const rows = await ctx.db.order.findMany({
      where: {
        buyerEmail: email.toLowerCase(),
        AND: [
          { OR: [{ status: 'paid' }, { status: 'pending', expiresAt: { gt: ctx.now() } }] },
          { OR: stillOfUse(ctx.now()) },
        ],
      },
      orderBy: { createdAt: 'desc' },
      take: MOST,
      select: { id: true },
    });
    const orders = await byIds(
      ctx,
      rows.map(({ id }) => id),
    );
    if (orders.length === 0) return;
    const links = new Map<string, string>();
    for (const { id } of orders) links.set(id, portalUrl(ctx, await newLink(ctx, id)));
    await outbox.send(ctx, found(orders, links));
  });
}

/** Placed lately, or for a day to come. */
const stillOfUse = (now: Date): Prisma.OrderWhereInput[] => [
  { createdAt: { gt: new Date(now.getTime() - RECENT_MS) } },
  { event: { endsAt: { gt: now } } },
  { dayPasses: { some: { validOn: { gt: new Date(now.getTime() - DAY_MS) } } } },
];

/** Sends the confirmation of a paid order once more. Throws NOT_FOUND, and CONFLICT, reason NOT_LIVE, for one that is not paid. */
export const resend = (ctx: Ctx, orderId: string): Promise<Order> =>
  inTransaction(ctx, async (ctx) => {
    await lockOrder(ctx, orderId);
    const order = await read(ctx, orderId);
    if (order.status !== 'paid') throw notLive(order);
    const secret = await newLink(ctx, orderId);
    await outbox.send(ctx, confirmationOf(order, portalUrl(ctx, secret)));
    return order;
  });

/** The same for whoever holds the secret. */
export async function resendBySecret(ctx: Ctx, secret: string): Promise<Order> {
  return { ...(await resend(ctx, await idOf(ctx, secret))), secret };
}

/** Stops all links of an order; its buyer gets a new one with the next mail. Throws NOT_FOUND. */
export const revokeLinks = (ctx: Ctx, orderId: string): Promise<Order> =>
  inTransaction(ctx, async (ctx) => {
    await lockOrder(ctx, orderId);
    await ctx.db.orderAccessToken.deleteMany({ where: { orderId } });
    return read(ctx, orderId);
  });
