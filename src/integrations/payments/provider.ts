import type { Money } from '../../core/money.ts';

/** One way of taking money. Which one an installation has, its configuration says. Remote: never ask it within a transaction. */
export interface PaymentProvider {
  name: ProviderName;
  /**
   * Where the buyer pays, and the provider's name of that page if it has one. Asked twice at about the same time for the
   * same order it gives the same.
   */
  createCheckout(checkout: Checkout): Promise<{ ref: string | null; url: string }>;
  /**
   * Gives money back, once for each id however often it is asked. `due`: somebody has to see to it, or will tell us
   * later. Throws where it should be tried again; a DomainError where that is no use.
   */
  createRefund(refund: RefundRequest): Promise<RefundResult>;
  /** What `open` gave takes no more money. Absent where it cannot be told so. */
  closeCheckout?(checkoutRef: string): Promise<void>;
  /** The refunds of a payment, whoever made them. Absent where only we make them. */
  listRefunds?(paymentRef: string): Promise<RefundUpdate[]>;
  /** Whether these bytes come from the provider. Throws BAD_REQUEST where they do not, or are too old or unreadable. */
  verifyEvent?(delivery: SignedRequest): Promise<ProviderEvent>;
}

export const PROVIDER_NAMES = ['stripe', 'on_site', 'sandbox'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

export interface Checkout {
  orderId: string;
  /** Short, for people. */
  orderCode: string;
  /** What is bought, in a few words. */
  description: string;
  price: Money;
  email: string;
  /** The buyer's secret address of the order: where they come back to. */
  portalUrl: string;
  /** The page of ours that led here. */
  paymentUrl: string;
  /** Until when the order holds what is bought. */
  expiresAt: Date;
  now: Date;
}

export interface RefundRequest {
  id: string;
  orderId: string;
  /** The provider's name of an earlier attempt, if it has told one. */
  ref: string | null;
  /** The provider's name of the payment. */
  paymentRef: string;
  amount: Money;
}

export interface RefundResult {
  /** The provider's ID of the refund. */
  ref: string | null;
  status: 'succeeded' | 'pending';
}

/** A request that says that it comes from the provider. */
export interface SignedRequest {
  body: Buffer;
  signature: string | undefined;
  now: Date;
}

/** As the provider tells it. */
export interface ProviderEvent {
  id: string;
  type: string;
  payload: object;
}

/** What an event means to us. */
export type ProviderUpdate =
  | PaymentUpdate
  | RefundUpdate
  /** Something about the refunds of this payment, which have to be asked for. */
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
  /** Ours, if we made it. */
  refundId: string | null;
  paymentRef: string;
  amount: Money;
  status: 'pending' | 'succeeded' | 'failed';
  error: string | null;
}

/** An event that cannot be true, such as one about a negative amount. It changes nothing and is not tried again. */
export class InvalidProviderEvent extends Error {}
