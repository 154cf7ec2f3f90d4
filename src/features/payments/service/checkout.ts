import type { Context } from '../../../context.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../errors.ts';
import type { Checkout } from '../../../integrations/payments/provider.ts';
import { createSandboxPaidEvent } from '../../../integrations/payments/sandbox.ts';
import { findOrderLink, paymentUrl, portalUrl } from '../../orders/service/links.ts';
import { receiveProviderEvent } from './process-provider-event.ts';

/** The name under which attempts to create a checkout page are counted. */
export const CHECKOUTS = 'checkouts';

/**
 * Returns the URL to pay an order: the provider's checkout page, or the order page if there is nothing to pay.
 *
 * @throws NOT_FOUND for an unknown secret; CONFLICT (PROVIDER_REJECTED) if the provider will never take this payment; another error
 *   of the provider if it cannot create a page now
 */
export async function getCheckoutUrl(ctx: Context, secret: string): Promise<string> {
  const order = await getCheckoutOrder(ctx, secret);
  const portal = portalUrl(ctx, secret);
  if (!isOpen(ctx, order) || order.provider !== ctx.payments.name) return portal;
  // The buyer has paid. Another page would let them pay twice.
  if (order.delayedPaymentAt !== null) return portal;
  const { checkoutReuseMs = Number.POSITIVE_INFINITY } = ctx.payments;
  const isFresh = ctx.now().getTime() - order.createdAt.getTime() < checkoutReuseMs;
  if (order.checkoutUrl !== null && isFresh) return order.checkoutUrl;
  const page = await createCheckout(ctx, order.code, {
    orderId: order.id,
    orderCode: order.code,
    description: describeCheckoutOrder(order),
    price: { amount: order.totalAmount, currency: order.currency },
    email: order.buyerEmail,
    portalUrl: portal,
    returnUrls: {
      paid: `${ctx.baseUrl}/orders?paid=${order.id}`,
      unpaid: `${ctx.baseUrl}/orders?unpaid=${order.id}`,
    },
    paymentUrl: paymentUrl(ctx, secret),
    expiresAt: order.expiresAt,
    now: ctx.now(),
  });
  return page.ref === null ? page.url : saveCheckout(ctx, order, { ref: page.ref, url: page.url });
}

/**
 * Creates a checkout page. The system page shows if the provider refuses that for good, until it creates another one.
 *
 * @throws the error of the provider
 */
async function createCheckout({ metrics, payments }: Context, code: string, checkout: Checkout) {
  const startedAt = performance.now();
  const count = (outcome: 'succeeded' | 'failed', rejection?: string) =>
    metrics?.countAttempt(CHECKOUTS, outcome, (performance.now() - startedAt) / 1_000, rejection);
  try {
    const page = await payments.createCheckout(checkout);
    count('succeeded');
    return page;
  } catch (error) {
    if (error instanceof DomainError) count('failed', `${error.message} (order ${code})`);
    throw error;
  }
}

/**
 * Saves a checkout page and returns its URL. Of two concurrent visits, the page of the first is used, the other is
 * closed.
 */
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
  const current = await ctx.db.order.findUniqueOrThrow({ where: { id } });
  if (current.checkoutRef === page.ref || current.checkoutUrl === null) return page.url;
  await closeCheckout(ctx, page.ref);
  return current.checkoutUrl;
}

const closeCheckout = (ctx: Context, ref: string) =>
  ctx.payments.closeCheckout?.(ref).catch((error) => {
    ctx.log.warn({ err: error, checkout: ref }, 'could not close a checkout page');
  });

/** Finds the order for the sandbox page, or null if there is nothing to pay. @throws NOT_FOUND without a sandbox. */
export async function findOpenSandboxOrder(ctx: Context, secret: string) {
  const order = await getSandboxOrder(ctx, secret);
  if (!isOpen(ctx, order)) return null;
  return {
    code: order.code,
    description: describeCheckoutOrder(order),
    price: { amount: order.totalAmount, currency: order.currency },
  };
}

/** Simulates a payment event of the provider, even for an expired order. @throws NOT_FOUND. */
export async function payInSandbox(ctx: Context, secret: string): Promise<void> {
  const order = await getSandboxOrder(ctx, secret);
  await receiveProviderEvent(ctx, 'sandbox', createSandboxPaidEvent(order)).catch((error) => {
    ctx.log.error({ err: error }, 'could not process a sandbox payment; retrying in a job');
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

/** The fields of an order that a checkout needs. */
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
  delayedPaymentAt: true,
  expiresAt: true,
  createdAt: true,
  event: { select: { title: true } },
  _count: { select: { tickets: true, dayPasses: true } },
  dayPasses: { take: 1, select: { type: { select: { location: { select: { name: true } } } } } },
} as const satisfies Prisma.OrderSelect;

type CheckoutOrder = Prisma.OrderGetPayload<{ select: typeof CHECKOUT_ORDER_FIELDS }>;

const MAX_DESCRIPTION_LENGTH = 200;

/** Returns a short description for the checkout page, such as "2 tickets for Evening". */
function describeCheckoutOrder({
  event,
  _count: { tickets, dayPasses },
  dayPasses: [pass],
}: CheckoutOrder) {
  const count = event
    ? formatCount(tickets, 'ticket', 'tickets')
    : formatCount(dayPasses, 'day pass', 'day passes');
  const subject = event?.title ?? pass?.type.location.name;
  return (subject === undefined ? count : `${count} for ${subject}`).slice(
    0,
    MAX_DESCRIPTION_LENGTH,
  );
}

const formatCount = (count: number, singular: string, plural: string) =>
  `${count} ${count === 1 ? singular : plural}`;

const CLOSE_BATCH_SIZE = 100;
/** No provider's checkout page stays open longer than this. */
const MAX_CHECKOUT_LIFETIME_MS = 7 * DAY_MS;

/**
 * Job: closes the checkout pages of expired and cancelled orders, so that few payments arrive late. It tries each page
 * once, since `applyPayment` handles late payments. Returns the number of closed pages.
 */
export async function closeEndedCheckouts(ctx: Context, signal?: AbortSignal): Promise<number> {
  const { payments, log } = ctx;
  let closed = 0;
  if (!payments.closeCheckout) return closed;
  for (let attempts = 0; attempts < CLOSE_BATCH_SIZE && !signal?.aborted; attempts += 1) {
    const ref = await claimEndedCheckout(ctx);
    if (ref === undefined) break;
    try {
      await payments.closeCheckout(ref);
      closed += 1;
    } catch (error) {
      log.warn({ err: error, checkout: ref }, 'could not close a checkout page');
    }
  }
  return closed;
}

const CLAIM_ENDED_CHECKOUT = prepareStatement(`
  WITH ended AS (
    SELECT id, checkout_ref FROM orders
    WHERE created_at > $1::timestamptz AND status IN ('expired', 'cancelled')
      AND provider = $2::payment_provider AND checkout_ref IS NOT NULL AND checkout_url IS NOT NULL
    ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  UPDATE orders SET checkout_url = NULL FROM ended WHERE orders.id = ended.id
  RETURNING ended.checkout_ref AS ref`);

async function claimEndedCheckout({
  pipelinedSql,
  now,
  payments,
}: Context): Promise<string | undefined> {
  const since = new Date(now().getTime() - MAX_CHECKOUT_LIFETIME_MS);
  const [row] = await pipelinedSql<{ ref: string }>(CLAIM_ENDED_CHECKOUT, [since, payments.name]);
  return row?.ref;
}
