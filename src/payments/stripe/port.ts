import type Stripe from 'stripe';
import type { PaymentPort } from '../port.ts';
import { openSession } from './checkout.ts';
import { inOwnWords } from './failures.ts';
import { refundNews } from './news.ts';
import { refundOnce, refundsOf } from './refunds.ts';
import { verified } from './signature.ts';

export interface StripeConfig {
  secretKey: string;
  webhookSecret: string;
  /** Another address than Stripe's own; for tests. */
  apiBase: string | undefined;
}

// With the one retry a buyer waits for half a minute at most, and a refund is over before its next attempt is due.
const TIMEOUT_MS = 10_000;

/** Checkout Sessions, refunds and webhooks, through Stripe's own library. */
export function stripePayments({ secretKey, webhookSecret, apiBase }: StripeConfig): PaymentPort {
  // Loaded when it is needed: the command line and many a start never do.
  let client: Promise<Stripe> | undefined;
  const ask = <T>(question: (stripe: Stripe) => Promise<T>): Promise<T> => {
    client ??= import('stripe').then(
      ({ default: Client }) =>
        new Client(secretKey, {
          ...addressOf(apiBase),
          timeout: TIMEOUT_MS,
          maxNetworkRetries: 1,
          telemetry: false,
        }),
    );
    return client.then(question).catch((error) => {
      throw inOwnWords(error, [secretKey, webhookSecret]);
    });
  };
  return {
    provider: 'stripe',
    open: (checkout) => ask((stripe) => openSession(stripe, checkout)),
    refund: (refund) => ask((stripe) => refundOnce(stripe, refund)),
    close: (ref) => ask(async (stripe) => void (await stripe.checkout.sessions.expire(ref))),
    refundsOf: (ref) => ask(async (stripe) => (await refundsOf(stripe, ref)).flatMap(refundNews)),
    verify: (delivery) => ask(async (stripe) => verified(stripe, delivery, webhookSecret)),
  };
}

function addressOf(apiBase: string | undefined) {
  if (apiBase === undefined) return {};
  const { hostname, port, protocol } = new URL(apiBase);
  return {
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
  };
}
