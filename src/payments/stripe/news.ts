import type Stripe from 'stripe';
import type { Money } from '../../values.ts';
import {
  type News,
  type PaymentNews,
  type ProviderEvent,
  type RefundNews,
  UnusableEvent,
} from '../port.ts';

/** The most that one order can cost, in minor units. */
const MAX_AMOUNT = 2_000_000_000;

/**
 * Every event of a payment names its payment intent, so that is the payment's identity: it counts once.
 * Throws UnusableEvent where the event cannot be true.
 */
export function stripeNews({ type, payload }: ProviderEvent): News[] {
  const object = (payload as Partial<Stripe.Event>).data?.object as unknown;
  if (typeof object !== 'object' || object === null)
    throw new UnusableEvent('The event is about no object.');
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return paidSession(object as Stripe.Checkout.Session);
    case 'payment_intent.succeeded':
      return paidIntent(object as Stripe.PaymentIntent);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return refundNews(object as Stripe.Refund);
    case 'charge.refunded':
      return refundedCharge(object as Stripe.Charge);
    default:
      return [];
  }
}

/** A session may be over before its money has come: that is told later, by another event. */
function paidSession(session: Stripe.Checkout.Session): PaymentNews[] {
  if (session.payment_status !== 'paid') return [];
  const { client_reference_id, metadata, payment_intent, amount_total, currency } = session;
  const ref = idOf(payment_intent);
  return paymentNews(client_reference_id ?? metadata?.order_id, ref, amount_total, currency);
}

const paidIntent = ({ id, metadata, amount_received, currency }: Stripe.PaymentIntent) =>
  paymentNews(metadata?.order_id, id, amount_received, currency);

function paymentNews(
  orderId: unknown,
  ref: string | null,
  amount: unknown,
  currency: unknown,
): PaymentNews[] {
  // The account may take money for other things than our orders.
  if (typeof orderId !== 'string' || orderId === '' || ref === null || !amount) return [];
  return [{ kind: 'payment', orderId, ref, amount: money(amount, currency) }];
}

const STATUSES: Record<string, RefundNews['status']> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

export function refundNews(refund: Stripe.Refund): RefundNews[] {
  const { id, amount, currency, metadata, payment_intent, status, failure_reason } = refund;
  const paymentRef = idOf(payment_intent);
  if (paymentRef === null) return [];
  const stands = STATUSES[status ?? ''] ?? 'pending';
  const why = failure_reason ?? (status === 'canceled' ? 'it was cancelled there' : 'unknown');
  return [
    {
      kind: 'refund',
      ref: id,
      refundId: metadata?.refund_id ?? null,
      paymentRef,
      amount: money(amount, currency),
      status: stands,
      problem: stands === 'failed' ? `Stripe could not give the money back: ${why}` : null,
    },
  ];
}

/** By the version that Stripe speaks to an account, its refunds are told along, or have to be asked for. */
function refundedCharge({ payment_intent, refunds }: Stripe.Charge): News[] {
  const paymentRef = idOf(payment_intent);
  if (paymentRef === null) return [];
  if (refunds && refunds.data.length > 0 && !refunds.has_more)
    return refunds.data.flatMap(refundNews);
  return [{ kind: 'refunds', paymentRef }];
}

const idOf = (named: string | { id: string } | null): string | null =>
  typeof named === 'string' ? named : typeof named?.id === 'string' ? named.id : null;

/** Both sides count in minor units. */
function money(amount: unknown, currency: unknown): Money {
  const isAmount = Number.isSafeInteger(amount) && Number(amount) >= 0;
  if (!isAmount || Number(amount) > MAX_AMOUNT)
    throw new UnusableEvent(`${JSON.stringify(amount)?.slice(0, 50)} is not an amount of money.`);
  if (typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency))
    throw new UnusableEvent(`${JSON.stringify(currency)?.slice(0, 50)} is not a currency.`);
  return { amount: Number(amount), currency: currency.toUpperCase() };
}
