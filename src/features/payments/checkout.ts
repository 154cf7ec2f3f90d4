import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { paidInSandbox } from '../../payments/sandbox/port.ts';
import { paymentUrl, portalUrl } from '../orders/addresses.ts';
import { findLink } from '../orders/links.ts';
import { receiveEvent } from './events/process.ts';
import { ORDERED, type Ordered, wordsFor } from './ordered.ts';

/** Pages of Stripe are open for a day at most: after that, each visit gets a new one. */
const REUSED_FOR_MS = 23 * 3_600_000;

/**
 * Where the holder of this secret pays now: the provider's page, or the portal where there is nothing to pay any more.
 * Throws NOT_FOUND, and whatever the provider had to say where it gave no page.
 */
export async function addressFor(ctx: Ctx, secret: string): Promise<string> {
  const order = await orderOf(ctx, secret);
  const portal = portalUrl(ctx, secret);
  if (!isOpen(ctx, order) || order.provider !== ctx.payments.provider) return portal;
  const isFresh = ctx.now().getTime() - order.createdAt.getTime() < REUSED_FOR_MS;
  if (order.checkoutUrl !== null && isFresh) return order.checkoutUrl;
  const page = await ctx.payments.open({
    orderId: order.id,
    orderCode: order.code,
    description: wordsFor(order),
    price: { amount: order.totalAmount, currency: order.currency },
    email: order.buyerEmail,
    portalUrl: portal,
    paymentUrl: paymentUrl(ctx, secret),
    expiresAt: order.expiresAt,
    now: ctx.now(),
  });
  return page.ref === null ? page.url : keep(ctx, order, { ref: page.ref, url: page.url });
}

/** Of two visits at once the first one's page counts; the other one is closed again. */
async function keep(
  ctx: Ctx,
  { id, checkoutRef }: Ordered,
  page: { ref: string; url: string },
): Promise<string> {
  const { count } = await ctx.db.order.updateMany({
    where: { id, checkoutRef },
    data: { checkoutRef: page.ref, checkoutUrl: page.url },
  });
  if (count === 1) {
    if (checkoutRef !== null && checkoutRef !== page.ref) await close(ctx, checkoutRef);
    return page.url;
  }
  const now = await ctx.db.order.findUniqueOrThrow({ where: { id } });
  if (now.checkoutRef === page.ref || now.checkoutUrl === null) return page.url;
  await close(ctx, page.ref);
  return now.checkoutUrl;
}

const close = (ctx: Ctx, ref: string) =>
  ctx.payments.close?.(ref).catch((error) => {
    ctx.log.warn({ err: error, checkout: ref }, 'a checkout was not closed');
  });

/** What the page of the sandbox shows; null where nothing is to be paid any more. Throws NOT_FOUND where there is no sandbox. */
export async function sandboxOrder(ctx: Ctx, secret: string) {
  const order = await orderInSandbox(ctx, secret);
  if (!isOpen(ctx, order)) return null;
  return {
    code: order.code,
    description: wordsFor(order),
    price: { amount: order.totalAmount, currency: order.currency },
  };
}

/** The button to pay: as if the provider had told us, however late it is pressed. Throws NOT_FOUND. */
export async function payInSandbox(ctx: Ctx, secret: string): Promise<void> {
  const order = await orderInSandbox(ctx, secret);
  await receiveEvent(ctx, 'sandbox', paidInSandbox(order)).catch((error) => {
    ctx.log.error({ err: error }, 'a payment of the sandbox was not processed; trying again soon');
  });
}

async function orderInSandbox(ctx: Ctx, secret: string): Promise<Ordered> {
  const order = ctx.payments.provider === 'sandbox' ? await orderOf(ctx, secret) : null;
  if (order?.provider !== 'sandbox' || order.totalAmount === 0) throw notFound('page');
  return order;
}

async function orderOf(ctx: Ctx, secret: string): Promise<Ordered> {
  const link = await findLink(ctx, secret);
  const where = { id: link?.orderId ?? '' };
  const order = link && (await ctx.db.order.findUnique({ where, select: ORDERED }));
  if (!order) throw notFound('page');
  return order;
}

type Open = Ordered & { status: 'pending'; expiresAt: Date };

const isOpen = ({ now }: Ctx, order: Ordered): order is Open =>
  order.status === 'pending' &&
  order.totalAmount > 0 &&
  order.expiresAt !== null &&
  order.expiresAt > now();
