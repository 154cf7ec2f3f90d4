import type Stripe from 'stripe';
import type { Money } from '../../../core/money.ts';
import {
  type DisputeUpdate,
  InvalidProviderEvent,
  type PaymentUpdate,
  type ProviderEvent,
  type ProviderUpdate,
  type RefundUpdate,
} from '../provider.ts';
import { fromStripeAmount } from './amounts.ts';

/** The highest total of an order, in minor units. */
const MAX_AMOUNT = 2_000_000_000;

/**
 * Parses an event. Several events can report one payment. All name its payment intent, so the payment counts once.
 *
 * @throws InvalidProviderEvent for impossible events.
 */
export function parseStripeEvent({ type, payload }: ProviderEvent): ProviderUpdate[] {
  const object = (payload as Partial<Stripe.Event>).data?.object as unknown;
  if (typeof object !== 'object' || object === null)
    throw new InvalidProviderEvent('The event contains no object.');
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return parseCheckoutSession(object as Stripe.Checkout.Session);
    case 'checkout.session.async_payment_failed':
      return toOrderUpdates('payment_failed', object as Stripe.Checkout.Session);
    case 'payment_intent.succeeded':
      return parsePaymentIntent(object as Stripe.PaymentIntent);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return toRefundUpdates(object as Stripe.Refund);
    case 'charge.refunded':
      return parseRefundedCharge(object as Stripe.Charge);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return toDisputeUpdates(object as Stripe.Dispute);
    default:
      return [];
  }
}

/** A session can complete before its payment succeeds. Another event then reports the payment. */
function parseCheckoutSession(session: Stripe.Checkout.Session): ProviderUpdate[] {
  if (session.payment_status === 'unpaid') return toOrderUpdates('payment_delayed', session);
  if (session.payment_status !== 'paid') return [];
  const { client_reference_id, metadata, payment_intent, amount_total, currency } = session;
  const ref = toObjectId(payment_intent);
  return toPaymentUpdates(client_reference_id ?? metadata?.order_id, ref, amount_total, currency);
}

function toOrderUpdates(
  kind: 'payment_delayed' | 'payment_failed',
  { client_reference_id, metadata }: Stripe.Checkout.Session,
): ProviderUpdate[] {
  const orderId = client_reference_id ?? metadata?.order_id;
  // The account can also be used for payments of other systems.
  return orderId ? [{ kind, orderId }] : [];
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
  const refundStatus = STRIPE_REFUND_STATUSES[status ?? ''] ?? 'pending';
  const cause =
    failure_reason ?? (status === 'canceled' ? 'cancelled at Stripe' : 'unknown reason');
  return [
    {
      kind: 'refund',
      ref: id,
      refundId: metadata?.refund_id ?? null,
      paymentRef,
      amount: parseStripeMoney(amount, currency),
      status: refundStatus,
      error: refundStatus === 'failed' ? `Stripe could not refund the payment: ${cause}` : null,
    },
  ];
}

/** Depending on the API version of the account, the event contains the refunds or they must be listed. */
function parseRefundedCharge({ payment_intent, refunds }: Stripe.Charge): ProviderUpdate[] {
  const paymentRef = toObjectId(payment_intent);
  if (paymentRef === null) return [];
  if (refunds && refunds.data.length > 0 && !refunds.has_more)
    return refunds.data.flatMap(toRefundUpdates);
  return [{ kind: 'refunds', paymentRef }];
}

/** An inquiry that ends takes no money. All other statuses wait for a decision. */
const STRIPE_DISPUTE_OUTCOMES: Record<string, DisputeUpdate['status']> = {
  won: 'won',
  warning_closed: 'won',
  lost: 'lost',
};

/** A block stops a dispute before it takes money. A resolution, as by Visa, prevents it by returning the money. */
const PREVENTED_DISPUTE_OUTCOMES: Record<string, DisputeUpdate['status']> = {
  block: 'won',
  resolution: 'lost',
};

function toDisputeStatus({
  status,
  payment_method_details,
}: Stripe.Dispute): DisputeUpdate['status'] {
  const caseType = payment_method_details?.card?.case_type ?? '';
  const outcome =
    status === 'prevented' ? PREVENTED_DISPUTE_OUTCOMES[caseType] : STRIPE_DISPUTE_OUTCOMES[status];
  return outcome ?? 'open';
}

function toDisputeUpdates(dispute: Stripe.Dispute): DisputeUpdate[] {
  const { id, amount, currency, payment_intent, reason } = dispute;
  const paymentRef = toObjectId(payment_intent);
  // The account can also be used for payments of other systems.
  if (paymentRef === null || typeof id !== 'string') return [];
  return [
    {
      kind: 'dispute',
      ref: id,
      paymentRef,
      amount: parseStripeMoney(amount, currency),
      reason: typeof reason === 'string' ? reason.slice(0, 100) : null,
      status: toDisputeStatus(dispute),
    },
  ];
}

/** Stripe sends a related object as its ID or, if it is expanded, as the object. */
function toObjectId(reference: string | { id: string } | null): string | null {
  const id = typeof reference === 'string' ? reference : reference?.id;
  return typeof id === 'string' ? id : null;
}

/** @throws InvalidProviderEvent */
function parseStripeMoney(amount: unknown, currency: unknown): Money {
  if (typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency))
    throw new InvalidProviderEvent(
      `${JSON.stringify(currency)?.slice(0, 50)} is not a valid currency.`,
    );
  const isAmount = Number.isSafeInteger(amount) && Number(amount) >= 0;
  const money = fromStripeAmount(Number(amount), currency.toUpperCase());
  if (!isAmount || money.amount > MAX_AMOUNT)
    throw new InvalidProviderEvent(
      `${JSON.stringify(amount)?.slice(0, 50)} is not a valid amount.`,
    );
  return money;
}
