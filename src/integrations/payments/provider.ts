import type { Money } from '../../core/money.ts';

/** Takes and refunds payments. The configuration selects one. Its methods are remote: never call them in a transaction. */
export interface PaymentAdapter {
  name: ProviderName;
  /**
   * Creates the page where the buyer pays. Returns its URL and the provider's ID of it, if it has one. Repeated calls for
   * the same order at about the same time return the same page.
   */
  createCheckout(checkout: Checkout): Promise<{ ref: string | null; url: string }>;
  /**
   * Makes a refund, once for each id however often it is called. `pending`: staff has to make it, or the provider reports
   * the result later.
   *
   * @throws DomainError if the refund was rejected for good; any other error if it can be retried.
   */
  createRefund(refund: RefundRequest): Promise<RefundResult>;
  /** Closes the page of `createCheckout` for payments. Absent if the provider cannot do that. */
  closeCheckout?(checkoutRef: string): Promise<void>;
  /** Lists all refunds of a payment. Absent if nobody but Foyer can make them. */
  listRefunds?(paymentRef: string): Promise<RefundUpdate[]>;
  /**
   * Verifies the signature of a request and parses its event.
   *
   * @throws BAD_REQUEST for requests that the provider did not sign, or that are too old or unreadable.
   */
  verifyEvent?(delivery: SignedRequest): Promise<ProviderEvent>;
}

export const PROVIDER_NAMES = ['stripe', 'on_site', 'sandbox'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

export interface Checkout {
  orderId: string;
  /** Short, for display. */
  orderCode: string;
  /** Short summary of the order. */
  description: string;
  price: Money;
  email: string;
  /** The secret URL of the order, to which the buyer returns. */
  portalUrl: string;
  /** Our page that led to the checkout. */
  paymentUrl: string;
  /** When the order expires. */
  expiresAt: Date;
  now: Date;
}

export interface RefundRequest {
  id: string;
  orderId: string;
  /** The provider's ID of an earlier attempt, if there is one. */
  ref: string | null;
  /** The provider's ID of the payment. */
  paymentRef: string;
  amount: Money;
}

export interface RefundResult {
  /** The provider's ID of the refund. */
  ref: string | null;
  status: 'succeeded' | 'pending';
}

/** A request that claims to come from the provider. */
export interface SignedRequest {
  body: Buffer;
  signature: string | undefined;
  now: Date;
}

/** An event as the provider sends it. */
export interface ProviderEvent {
  id: string;
  type: string;
  payload: object;
}

/** What an event means for orders. */
export type ProviderUpdate =
  | PaymentUpdate
  | RefundUpdate
  /** The refunds of this payment have changed: list them. */
  | { kind: 'refunds'; paymentRef: string };

export interface PaymentUpdate {
  kind: 'payment';
  orderId: string;
  ref: string;
  amount: Money;
}

export interface RefundUpdate {
  kind: 'refund';
  ref: string;
  /** The ID of our refund; null if it was made in the provider's dashboard. */
  refundId: string | null;
  paymentRef: string;
  amount: Money;
  status: 'pending' | 'succeeded' | 'failed';
  error: string | null;
}

/** Thrown for an impossible event, such as one with a negative amount. It is not retried. */
export class InvalidProviderEvent extends Error {}
