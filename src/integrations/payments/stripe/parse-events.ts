import type Stripe from 'stripe';
import type { Money } from '../../../core/money.ts';
import {
  InvalidProviderEvent,
  type PaymentUpdate,
  type ProviderEvent,
  type ProviderUpdate,
  type RefundUpdate,
} from '../provider.ts';

/** The highest total of an order, in minor units. */
const MAX_AMOUNT = 2_000_000_000;

/**
 * Parses an event. All events of a payment name its payment intent, which identifies the payment, so it counts once.
 *
 * @throws InvalidProviderEvent for impossible events.
 */
export function parseStripeEvent({ type, payload }: ProviderEvent): ProviderUpdate[] {
  const object = (payload as Partial<Stripe.Event>).data?.object as unknown;
  if (typeof object !== 'object' || object === null)
    throw new InvalidProviderEvent('The event is about no object.');
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return parseCheckoutSession(object as Stripe.Checkout.Session);
    case 'payment_intent.succeeded':
      return parsePaymentIntent(object as Stripe.PaymentIntent);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return toRefundUpdates(object as Stripe.Refund);
    case 'charge.refunded':
      return parseRefundedCharge(object as Stripe.Charge);
    default:
      return [];
  }
}

/** A session can complete before its payment succeeds. Another event reports that later. */
function parseCheckoutSession(session: Stripe.Checkout.Session): PaymentUpdate[] {
  if (session.payment_status !== 'paid') return [];
  const { client_reference_id, metadata, payment_intent, amount_total, currency } = session;
  const ref = toObjectId(payment_intent);
  return toPaymentUpdates(client_reference_id ?? metadata?.order_id, ref, amount_total, currency);
}

const parsePaymentIntent = ({ id, metadata, amount_received, currency }: Stripe.PaymentIntent) =>
  toPaymentUpdates(metadata?.order_id, id, amount_received, currency);

function toPaymentUpdates(
  orderId: unknown,
  ref: string | null,
  amount: unknown,
  currency: unknown,
): PaymentUpdate[] {
  // The account can also be used for payments of other systems.
  if (typeof orderId !== 'string' || orderId === '' || ref === null || !amount) return [];
  return [{ kind: 'payment', orderId, ref, amount: parseStripeMoney(amount, currency) }];
}

const STRIPE_REFUND_STATUSES: Record<string, RefundUpdate['status']> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

export function toRefundUpdates(refund: Stripe.Refund): RefundUpdate[] {
  const { id, amount, currency, metadata, payment_intent, status, failure_reason } = refund;
  const paymentRef = toObjectId(payment_intent);
  if (paymentRef === null) return [];
  const stands = STRIPE_REFUND_STATUSES[status ?? ''] ?? 'pending';
  const why = failure_reason ?? (status === 'canceled' ? 'it was cancelled there' : 'unknown');
  return [
    {
      kind: 'refund',
      ref: id,
      refundId: metadata?.refund_id ?? null,
      paymentRef,
      amount: parseStripeMoney(amount, currency),
      status: stands,
      error: stands === 'failed' ? `Stripe could not give the money back: ${why}` : null,
    },
  ];
}

/** Depending on the API version of the account, the event contains its refunds, or they have to be listed. */
function parseRefundedCharge({ payment_intent, refunds }: Stripe.Charge): ProviderUpdate[] {
  const paymentRef = toObjectId(payment_intent);
  if (paymentRef === null) return [];
  if (refunds && refunds.data.length > 0 && !refunds.has_more)
    return refunds.data.flatMap(toRefundUpdates);
  return [{ kind: 'refunds', paymentRef }];
}

const toObjectId = (named: string | { id: string } | null): string | null =>
  typeof named === 'string' ? named : typeof named?.id === 'string' ? named.id : null;

/** Stripe uses minor units as well. */
function parseStripeMoney(amount: unknown, currency: unknown): Money {
  const isAmount = Number.isSafeInteger(amount) && Number(amount) >= 0;
  if (!isAmount || Number(amount) > MAX_AMOUNT)
    throw new InvalidProviderEvent(
      `${JSON.stringify(amount)?.slice(0, 50)} is not an amount of money.`,
    );
  if (typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency))
    throw new InvalidProviderEvent(`${JSON.stringify(currency)?.slice(0, 50)} is not a currency.`);
  return { amount: Number(amount), currency: currency.toUpperCase() };
}
