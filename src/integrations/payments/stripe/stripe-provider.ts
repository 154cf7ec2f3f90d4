import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { formatMoney, type Money } from '../../../core/money.ts';
import { HOUR_MS, MINUTE_MS } from '../../../core/time/time-zone.ts';
import { DomainError } from '../../../errors.ts';
import type {
  Checkout,
  PaymentProvider,
  ProviderEvent,
  RefundRequest,
  SignedRequest,
} from '../provider.ts';
import { findChargeProblem, toStripeAmount } from './amounts.ts';
import { toRefundUpdates } from './parse-events.ts';

export interface StripeConfig {
  secretKey: string;
  webhookSecret: string;
  /** Replaces Stripe's URL; for tests. */
  apiBase: string | undefined;
}

// With one retry, a buyer waits half a minute at most, and a refund ends before its lease expires.
const TIMEOUT_MS = 10_000;

/** Checkout pages expire after 24 hours. Shortly before, each visit creates a new page. */
const CHECKOUT_REUSE_MS = 23 * HOUR_MS;

/** Creates a provider for Checkout Sessions, refunds and webhooks with Stripe's library. */
export function createStripeProvider({
  secretKey,
  webhookSecret,
  apiBase,
}: StripeConfig): PaymentProvider {
  // Loaded on first use, since most commands never need it.
  let client: Promise<Stripe> | undefined;
  const withClient = <T>(work: (stripe: Stripe) => Promise<T>): Promise<T> => {
    client ??= import('stripe').then(
      ({ default: Client }) =>
        new Client(secretKey, {
          ...toClientOptions(apiBase),
          timeout: TIMEOUT_MS,
          maxNetworkRetries: 1,
          telemetry: false,
        }),
    );
    return client.then(work).catch((error) => {
      throw toProviderError(error, [secretKey, webhookSecret]);
    });
  };
  return {
    name: 'stripe',
    findChargeProblem,
    checkoutReuseMs: CHECKOUT_REUSE_MS,
    createCheckout: (checkout) => withClient((stripe) => createCheckoutSession(stripe, checkout)),
    createRefund: (refund) => withClient((stripe) => createRefundOnce(stripe, refund)),
    closeCheckout: (ref) =>
      withClient(async (stripe) => void (await stripe.checkout.sessions.expire(ref))),
    listRefunds: (ref) =>
      withClient(async (stripe) => (await listStripeRefunds(stripe, ref)).flatMap(toRefundUpdates)),
    verifyEvent: (delivery) =>
      withClient(async (stripe) => verifyStripeEvent(stripe, delivery, webhookSecret)),
  };
}

function toClientOptions(apiBase: string | undefined) {
  if (apiBase === undefined) return {};
  const { hostname, port, protocol } = new URL(apiBase);
  return {
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
  };
}

/** Stripe allows 30 minutes to 24 hours from when it receives the request. */
const MIN_SESSION_MS = 31 * MINUTE_MS;
const MAX_SESSION_MS = (24 * 60 - 10) * MINUTE_MS;

// Repeated requests within this time are equal, so Stripe returns the same session.
const EXPIRY_STEP_MS = 5 * MINUTE_MS;

/** Returns when a session expires: with its order, within the limits of Stripe. */
function computeSessionExpiry({ expiresAt, now }: Pick<Checkout, 'expiresAt' | 'now'>): Date {
  const earliest = now.getTime() + MIN_SESSION_MS;
  if (expiresAt.getTime() < earliest)
    return new Date(Math.ceil(earliest / EXPIRY_STEP_MS) * EXPIRY_STEP_MS);
  return new Date(
    Math.min(
      expiresAt.getTime(),
      Math.floor((now.getTime() + MAX_SESSION_MS) / EXPIRY_STEP_MS) * EXPIRY_STEP_MS,
    ),
  );
}

async function createCheckoutSession(stripe: Stripe, checkout: Checkout) {
  const { orderId, orderCode, description, price, email, returnUrls } = checkout;
  const params: Stripe.Checkout.SessionCreateParams = {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: price.currency.toLowerCase(),
          unit_amount: getStripeAmount(price),
          product_data: { name: description, description: `Order ${orderCode}` },
        },
      },
    ],
    ...(email === null ? {} : { customer_email: email }),
    client_reference_id: orderId,
    metadata: { order_id: orderId },
    payment_intent_data: { metadata: { order_id: orderId } },
    success_url: returnUrls.paid,
    cancel_url: returnUrls.unpaid,
    expires_at: Math.floor(computeSessionExpiry(checkout).getTime() / 1_000),
  };
  const { id, url } = await stripe.checkout.sessions.create(params, {
    // Stripe rejects a key that is reused with different parameters.
    idempotencyKey: `checkout-${orderId}-${hashParameters(params)}`,
  });
  if (!url) throw new Error('Stripe created a session without a URL');
  return { ref: id, url };
}

/** @throws CONFLICT (PROVIDER_REJECTED) for an amount that Stripe cannot represent */
function getStripeAmount(money: Money): number {
  const amount = toStripeAmount(money);
  if (amount === null)
    throw providerRejected(`Stripe cannot handle exactly ${formatMoney(money)}.`);
  return amount;
}

const hashParameters = (value: object) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

const MAX_LISTED_REFUNDS = 100;

const listStripeRefunds = async (stripe: Stripe, paymentRef: string): Promise<Stripe.Refund[]> =>
  (await stripe.refunds.list({ payment_intent: paymentRef, limit: MAX_LISTED_REFUNDS })).data;

/**
 * Creates a refund unless it already exists. Lists the existing refunds first, since Stripe's idempotency keys expire after a
 * day. A refund that failed at Stripe is retried with another key, since the old key would return the failed refund.
 */
async function createRefundOnce(
  stripe: Stripe,
  { id, orderId, ref, paymentRef, amount }: RefundRequest,
): Promise<{ ref: string; status: 'succeeded' | 'pending' }> {
  const earlier = (await listStripeRefunds(stripe, paymentRef)).filter(
    (refund) => refund.metadata?.refund_id === id || refund.id === ref,
  );
  const existing = earlier.find((refund) => !hasFailed(refund));
  if (existing) return toRefundResult(existing);
  const refund = await stripe.refunds.create(
    {
      payment_intent: paymentRef,
      amount: getStripeAmount(amount),
      metadata: { refund_id: id, order_id: orderId },
    },
    { idempotencyKey: earlier.length === 0 ? id : `${id}-${earlier.length}` },
  );
  if (hasFailed(refund)) throw new RefundFailed(refund.failure_reason ?? 'unknown');
  return toRefundResult(refund);
}

/** Thrown if Stripe accepted the request, but the refund failed. */
class RefundFailed extends Error {}

const hasFailed = ({ status }: Stripe.Refund) => status === 'failed' || status === 'canceled';

const toRefundResult = ({ id, status }: Stripe.Refund) => ({
  ref: id,
  status: status === 'succeeded' ? ('succeeded' as const) : ('pending' as const),
});

const MAX_SIGNATURE_AGE_SECONDS = 300;

/** Verifies and parses an event. @throws BAD_REQUEST unless Stripe signed exactly these bytes within five minutes. */
function verifyStripeEvent(stripe: Stripe, request: SignedRequest, secret: string): ProviderEvent {
  const event = constructSignedEvent(stripe, request, secret);
  const { id, type, data } = event ?? {};
  if (
    typeof id !== 'string' ||
    typeof type !== 'string' ||
    typeof data?.object !== 'object' ||
    data.object === null
  ) {
    throw new DomainError('BAD_REQUEST', 'The body is not a Stripe event.', {
      reason: 'UNREADABLE_BODY',
    });
  }
  return { id, type, payload: event };
}

function constructSignedEvent(
  stripe: Stripe,
  { body, headers, now }: SignedRequest,
  secret: string,
) {
  try {
    return stripe.webhooks.constructEvent(
      body,
      headers['stripe-signature']?.toString() ?? '',
      secret,
      MAX_SIGNATURE_AGE_SECONDS,
      undefined,
      now.getTime(),
    );
  } catch {
    throw new DomainError(
      'BAD_REQUEST',
      'The signature does not match STRIPE_WEBHOOK_SECRET, or is more than five minutes old.',
      { reason: 'BAD_SIGNATURE' },
    );
  }
}

/** Codes of temporary errors that Stripe reports as invalid requests. */
const TRANSIENT_ERROR_CODES = [
  'balance_insufficient',
  'idempotency_key_in_use',
  'lock_timeout',
  'rate_limit',
];

/** Errors that last: an account that was closed or may not do this is a `StripePermissionError`. */
const LASTING_ERROR_TYPES = [
  'StripeInvalidRequestError',
  'StripeCardError',
  'StripePermissionError',
];

/**
 * Reduces an error of Stripe's library to its message, since it contains headers that must not be logged. Returns a
 * DomainError if a retry would fail in the same way.
 */
function toProviderError(error: unknown, secrets: string[]): Error {
  if (error instanceof DomainError) return error;
  const rawMessage = error instanceof Error ? error.message : String(error);
  const message = secrets
    .reduce((text, secret) => text.replaceAll(secret, '***'), rawMessage)
    .replace(/\b(sk|rk|pk|whsec)_[\w*]+/g, '$1_***')
    .slice(0, 500);
  if (error instanceof RefundFailed) {
    return providerRejected(`Stripe could not refund the payment: ${message}`);
  }
  const { type, code, statusCode, requestId } = error as {
    type?: string;
    code?: string;
    statusCode?: number;
    requestId?: string;
  };
  if (
    LASTING_ERROR_TYPES.includes(type ?? '') &&
    statusCode !== 409 &&
    !TRANSIENT_ERROR_CODES.includes(code ?? '')
  )
    return providerRejected(message);
  const details = [statusCode, code, requestId].filter((value) => value !== undefined).join(', ');
  return new Error(`Stripe: ${message}${details ? ` (${details})` : ''}`);
}

const providerRejected = (message: string) =>
  new DomainError('CONFLICT', message, { reason: 'PROVIDER_REJECTED' });
