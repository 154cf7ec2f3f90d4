import type { Context } from '../../context.ts';
import type { Prisma } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { notFound } from '../../errors.ts';
import { createSandboxPaidEvent } from '../../integrations/payments/sandbox.ts';
import { findOrderLink, paymentUrl, portalUrl } from '../orders/service.ts';
import { receiveProviderEvent } from './process-provider-event.ts';

/** Pages of Stripe are open for a day at most: after that, each visit gets a new one. */
const CHECKOUT_REUSE_MS = 23 * 3_600_000;

/**
 * Where the holder of this secret pays now: the provider's page, or the portal where there is nothing to pay any more.
 * Throws NOT_FOUND, and whatever the provider had to say where it gave no page.
 */
export async function getCheckoutUrl(ctx: Context, secret: string): Promise<string> {
  const order = await getCheckoutOrder(ctx, secret);
  const portal = portalUrl(ctx, secret);
  if (!isOpen(ctx, order) || order.provider !== ctx.payments.name) return portal;
  const isFresh = ctx.now().getTime() - order.createdAt.getTime() < CHECKOUT_REUSE_MS;
  if (order.checkoutUrl !== null && isFresh) return order.checkoutUrl;
  const page = await ctx.payments.createCheckout({
    orderId: order.id,
    orderCode: order.code,
    description: describeCheckoutOrder(order),
    price: { amount: order.totalAmount, currency: order.currency },
    email: order.buyerEmail,
    portalUrl: portal,
    paymentUrl: paymentUrl(ctx, secret),
    expiresAt: order.expiresAt,
    now: ctx.now(),
  });
  return page.ref === null ? page.url : saveCheckout(ctx, order, { ref: page.ref, url: page.url });
}

/** Of two visits at once the first one's page counts; the other one is closed again. */
async function saveCheckout(
  ctx: Context,
  { id, checkoutRef }: CheckoutOrder,
  page: { ref: string; url: string },
): Promise<string> {
  const { count } = await ctx.db.order.updateMany({
    where: { id, checkoutRef },
    data: { checkoutRef: page.ref, checkoutUrl: page.url },
  });
  if (count === 1) {
    if (checkoutRef !== null && checkoutRef !== page.ref) await closeCheckout(ctx, checkoutRef);
    return page.url;
  }
  const now = await ctx.db.order.findUniqueOrThrow({ where: { id } });
  if (now.checkoutRef === page.ref || now.checkoutUrl === null) return page.url;
  await closeCheckout(ctx, page.ref);
  return now.checkoutUrl;
}

const closeCheckout = (ctx: Context, ref: string) =>
  ctx.payments.closeCheckout?.(ref).catch((error) => {
    ctx.log.warn({ err: error, checkout: ref }, 'a checkout was not closed');
  });

/** What the page of the sandbox shows; null where nothing is to be paid any more. Throws NOT_FOUND where there is no sandbox. */
export async function findOpenSandboxOrder(ctx: Context, secret: string) {
  const order = await getSandboxOrder(ctx, secret);
  if (!isOpen(ctx, order)) return null;
  return {
    code: order.code,
    description: describeCheckoutOrder(order),
    price: { amount: order.totalAmount, currency: order.currency },
  };
}

/** The button to pay: as if the provider had told us, however late it is pressed. Throws NOT_FOUND. */
export async function payInSandbox(ctx: Context, secret: string): Promise<void> {
  const order = await getSandboxOrder(ctx, secret);
  await receiveProviderEvent(ctx, 'sandbox', createSandboxPaidEvent(order)).catch((error) => {
    ctx.log.error({ err: error }, 'a payment of the sandbox was not processed; trying again soon');
  });
}

async function getSandboxOrder(ctx: Context, secret: string): Promise<CheckoutOrder> {
  const order = ctx.payments.name === 'sandbox' ? await getCheckoutOrder(ctx, secret) : null;
  if (order?.provider !== 'sandbox' || order.totalAmount === 0) throw notFound('page');
  return order;
}

async function getCheckoutOrder(ctx: Context, secret: string): Promise<CheckoutOrder> {
  const link = await findOrderLink(ctx, secret);
  const where = { id: link?.orderId ?? '' };
  const order = link && (await ctx.db.order.findUnique({ where, select: CHECKOUT_ORDER_FIELDS }));
  if (!order) throw notFound('page');
  return order;
}

type OpenOrder = CheckoutOrder & { status: 'pending'; expiresAt: Date };

const isOpen = ({ now }: Context, order: CheckoutOrder): order is OpenOrder =>
  order.status === 'pending' &&
  order.totalAmount > 0 &&
  order.expiresAt !== null &&
  order.expiresAt > now();

/** What paying needs to know of an order. */
const CHECKOUT_ORDER_FIELDS = {
  id: true,
  code: true,
  status: true,
  provider: true,
  buyerEmail: true,
  currency: true,
  totalAmount: true,
  checkoutRef: true,
  checkoutUrl: true,
  expiresAt: true,
  createdAt: true,
  event: { select: { title: true } },
  _count: { select: { tickets: true, dayPasses: true } },
  dayPasses: { take: 1, select: { type: { select: { location: { select: { name: true } } } } } },
} as const satisfies Prisma.OrderSelect;

type CheckoutOrder = Prisma.OrderGetPayload<{ select: typeof CHECKOUT_ORDER_FIELDS }>;

const MAX_DESCRIPTION_LENGTH = 200;

/** What is bought, in a few words, for the provider's page. */
function describeCheckoutOrder({
  event,
  _count: { tickets, dayPasses },
  dayPasses: [pass],
}: CheckoutOrder) {
  const words = event
    ? `${formatCount(tickets, 'ticket', 'tickets')} for ${event.title}`
    : `${formatCount(dayPasses, 'day pass', 'day passes')}${pass ? ` for ${pass.type.location.name}` : ''}`;
  return words.slice(0, MAX_DESCRIPTION_LENGTH);
}

const formatCount = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

const CLOSE_BATCH_SIZE = 100;
/** No provider keeps a page open for longer. */
const MAX_CHECKOUT_LIFETIME_MS = 7 * 24 * 3_600_000;

/**
 * Has the provider take no more money for orders whose hold is over, so that few payments come too late. Each is told
 * once; where that fails, a late payment is dealt with when it comes.
 */
export async function closeEndedCheckouts(ctx: Context, signal?: AbortSignal): Promise<number> {
  const { payments, log } = ctx;
  let closed = 0;
  if (!payments.closeCheckout) return closed;
  for (let taken = 0; taken < CLOSE_BATCH_SIZE && !signal?.aborted; taken += 1) {
    const ref = await takeEndedCheckout(ctx);
    if (ref === undefined) break;
    try {
      await payments.closeCheckout(ref);
      closed += 1;
    } catch (error) {
      log.warn({ err: error, checkout: ref }, 'a checkout was not closed');
    }
  }
  return closed;
}

const TAKE_ENDED_CHECKOUT = prepareStatement(`
  WITH over AS (
    SELECT id, checkout_ref FROM orders
    WHERE created_at > $1::timestamptz AND status IN ('expired', 'cancelled')
      AND provider = $2::payment_provider AND checkout_ref IS NOT NULL AND checkout_url IS NOT NULL
    ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  UPDATE orders SET checkout_url = NULL FROM over WHERE orders.id = over.id
  RETURNING over.checkout_ref AS ref`);

async function takeEndedCheckout({
  pipelinedSql,
  now,
  payments,
}: Context): Promise<string | undefined> {
  const since = new Date(now().getTime() - MAX_CHECKOUT_LIFETIME_MS);
  const [row] = await pipelinedSql<{ ref: string }>(TAKE_ENDED_CHECKOUT, [since, payments.name]);
  return row?.ref;
}
