import type Stripe from 'stripe';
import type { News, PaymentNews, ProviderEvent, RefundNews } from '../port.ts';

/** Every event of a payment names its payment intent, so that is the payment's identity: it counts once. */
export function stripeNews({ type, payload }: ProviderEvent): News[] {
  const { object } = (payload as Stripe.Event).data;
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
  orderId: string | undefined,
  ref: string | null,
  amount: number | null,
  currency: string | null,
): PaymentNews[] {
  // The account may take money for other things than our orders.
  if (!orderId || ref === null || !amount || currency === null) return [];
  return [{ kind: 'payment', orderId, ref, amount: money(amount, currency) }];
}

const STATUSES: Record<string, RefundNews['status']> = {
  succeeded: 'done',
  failed: 'failed',
  canceled: 'failed',
};

export function refundNews(refund: Stripe.Refund): RefundNews[] {
  const { id, amount, currency, metadata, payment_intent, status, failure_reason } = refund;
  const paymentRef = idOf(payment_intent);
  if (paymentRef === null) return [];
  const stands = STATUSES[status ?? ''] ?? 'due';
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
  typeof named === 'string' ? named : (named?.id ?? null);

/** Both sides count in minor units. */
const money = (amount: number, currency: string) => ({ amount, currency: currency.toUpperCase() });
